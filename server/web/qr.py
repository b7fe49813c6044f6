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


class QrQuery(msgspec.Struct, forbid_unknown_fields=True):
    """What the picture shall say."""

    text: Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,100}$")]
    """Printable ASCII, as addresses are."""


@routes.get("/api/qr", {200: "image/svg+xml"})
async def qr(request: web.Request, caller: Caller, query: QrQuery) -> web.Response:
    """Draws a short text as a QR code."""
    request.app[LIMITS].drawing(caller.session)
    picture = await asyncio.to_thread(_draw, query.text)
    return web.Response(body=picture, content_type="image/svg+xml")


@lru_cache(maxsize=1000)
def _draw(text: str) -> bytes:
    picture = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(picture, kind="svg", xmldecl=False, omitsize=True, light="#fff", svgclass=None, lineclass=None)
    return picture.getvalue()
