"""QR codes of our own addresses: to take a table or a sign-in along to another device."""

import asyncio
import io
from functools import lru_cache
from typing import Annotated

import msgspec
import segno
from aiohttp import web

from server.accounts.model import Caller
from server.web.endpoint import Routes
from server.web.keys import LIMITS

routes = Routes()


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """What the picture shall say."""

    text: Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,100}$")]
    """Printable ASCII, as addresses are."""


@routes.get("/api/qr", {200: "image/svg+xml"})
async def qr(request: web.Request, caller: Caller, query: Said) -> web.Response:
    """Draws a short text as a QR code."""
    request.app[LIMITS].drawing(caller.session)
    return _picture(await asyncio.to_thread(_kept, query.text))


@routes.post("/api/qr", {200: "image/svg+xml"})
async def secret_qr(request: web.Request, caller: Caller, body: Said) -> web.Response:
    """Draws a text that is a secret: neither the logs of a proxy nor this server keep it."""
    request.app[LIMITS].drawing(caller.session)
    return _picture(await asyncio.to_thread(_draw, body.text))


def _picture(svg: bytes) -> web.Response:
    return web.Response(body=svg, content_type="image/svg+xml")


@lru_cache(maxsize=1000)
def _kept(text: str) -> bytes:
    return _draw(text)


def _draw(text: str) -> bytes:
    picture = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(picture, kind="svg", xmldecl=False, omitsize=True, light="#fff", svgclass=None, lineclass=None)
    return picture.getvalue()
