"""Who is calling, from where, and through whose page."""

import ipaddress
import re
from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from server.accounts.model import Caller, SessionId
from server.accounts.sessions import LASTS
from server.clock import Clock
from server.errors import Code, Refused
from server.web.keys import ACCOUNTS, SETTINGS

COOKIE = "session"
_RENEWED_EVERY = timedelta(days=1)
_REMEMBERED = 20_000

_BEARER = re.compile(r"bearer +([\w-]+) *", re.ASCII | re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Cookies:
    """When this node has last given devices their cookies.

    It may forget, and other nodes have their own: then a device is given its cookie once more.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._given: OrderedDict[SessionId, datetime] = OrderedDict()

    def give(self, session: SessionId) -> None:
        """Notes that a device is given its cookie now."""
        self._given[session] = self._clock()
        self._given.move_to_end(session)
        if len(self._given) > _REMEMBERED:
            self._given.popitem(last=False)

    def is_old(self, session: SessionId) -> bool:
        """Whether the cookie of a device may be a day old."""
        given = self._given.get(session)
        return given is None or self._clock() - given >= _RENEWED_EVERY


COOKIES: Final = web.AppKey("cookies", Cookies)


def bearer_of(request: web.Request) -> str | None:
    """The token in the bearer header of a request, if it has one."""
    bearer = _BEARER.fullmatch(request.headers.get(hdrs.AUTHORIZATION, ""))
    return bearer[1] if bearer else None


def token_of(request: web.Request) -> str | None:
    """The session token of a request: of its bearer header, else of its cookie."""
    return bearer_of(request) or request.cookies.get(COOKIE)


async def caller_of(request: web.Request) -> Caller | None:
    """The user behind a request; None without a session, or with one that has been signed out."""
    token = token_of(request)
    return None if token is None else await request.app[ACCOUNTS].sessions.who(token)


def set_session(request: web.Request, answer: web.Response, token: str, session: SessionId) -> None:
    """Gives the session to the browser as its cookie.

    A page of another site gets none, so that no such page can sign its visitors in here as somebody else.
    """
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is None or _is_ours(request, origin):
        answer.set_cookie(
            COOKIE, token, max_age=int(LASTS.total_seconds()),
            httponly=True, samesite="Lax", secure=_is_secure(request),
        )  # fmt: skip
        request.app[COOKIES].give(session)


def renew_session(request: web.Request, answer: web.Response, session: SessionId) -> None:
    """Gives a browser its cookie again, once a day, so that it lasts as long as the device is used."""
    token = None if bearer_of(request) else request.cookies.get(COOKIE)
    if token is not None and request.app[COOKIES].is_old(session):
        set_session(request, answer, token, session)


def clear_session(request: web.Request, answer: web.Response) -> None:
    """Takes the cookie away again."""
    answer.del_cookie(COOKIE, httponly=True, samesite="Lax", secure=_is_secure(request))


@web.middleware
async def own_origin(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses a request that carries our cookie out of somebody else's page."""
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is not None and COOKIE in request.cookies and not _is_ours(request, origin):
        raise Refused(Code.ORIGIN, "This request came from a page of another site. Open this site itself.")
    return await handler(request)


def address_of(request: web.Request) -> str:
    """The network address that a request came from, for limits: of an IPv6 address, its /64.

    Trusted proxies are looked through, from the nearest on.
    """
    address = _parse_address(request.remote or "")
    if _is_trusted(request, address):
        forwarded = ",".join(request.headers.getall(hdrs.X_FORWARDED_FOR, ()))
        for hop in reversed(forwarded.split(",")):
            if (before := _parse_address(hop.strip())) is None:
                break
            address = before
            if not _is_trusted(request, address):
                break
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_trusted(request: web.Request, address: ipaddress.IPv4Address | ipaddress.IPv6Address | None) -> bool:
    proxies = request.app[SETTINGS].trusted_proxies
    return address is not None and any(address in proxy for proxy in proxies)


def _forwarded(request: web.Request, header: str) -> str | None:
    """What the nearest trusted proxy says in `header`, if it says it."""
    if not _is_trusted(request, _parse_address(request.remote or "")):
        return None
    return ",".join(request.headers.getall(header, ())).split(",")[-1].strip() or None


def _is_secure(request: web.Request) -> bool:
    public_url = request.app[SETTINGS].public_url or ""
    forwarded = _forwarded(request, hdrs.X_FORWARDED_PROTO)
    return public_url.startswith("https://") or (forwarded or request.scheme) == "https"


def _is_ours(request: web.Request, origin: str) -> bool:
    scheme = origin.partition("://")[0].lower()
    place = _place(origin)
    public_url = request.app[SETTINGS].public_url or ""
    public = _place(public_url)
    if place and public and place[0] == public[0]:
        return place == public and public_url.startswith(f"{scheme}://")
    host = _forwarded(request, hdrs.X_FORWARDED_HOST) or request.headers.get(hdrs.HOST, "")
    # A proxy that speaks TLS for us may not say so: the scheme is the page's own, only the place counts.
    return place is not None and place == _place(f"{scheme}://{host}")


def _place(origin: str) -> tuple[str, int] | None:
    """Host and port of an origin; None if it is none, such as `null`."""
    try:
        parts = urlsplit(origin)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None
