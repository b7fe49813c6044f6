"""The web client's files, and the pages of the contract, all of which are the one index.html.

There is no build and no name changes with its content, so a browser asks each time and mostly hears 304.
"""

import gzip
import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from server.files import folder

CLIENT = folder("client")

PAGES = (
    "/",
    "/games/{id}",
    "/daily",
    "/daily/{date}",
    "/players/{name}",
    "/replay",
    "/rules",
    "/rules/{page:.*}",
)

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What is served, by the end of its name. The machine's own table of types may say otherwise."""

_COMPRESSED_ALREADY = {".png", ".woff2"}


@dataclass(frozen=True)
class File:
    """A file of the client, ready to be sent."""

    stamp: tuple[int, int]
    """Time of change and size: whether it is still the one on disk."""
    content_type: str
    etag: str
    plain: bytes
    gzipped: bytes | None


class Files:
    """The files under a folder, each read and compressed when it is asked for first."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._files: dict[str, File] = {}

    def find(self, name: str) -> File | None:
        """The file of this name below the folder; None for anything else. A changed file is read again."""
        parts = name.split("/")
        suffix = Path(name).suffix
        if suffix not in _TYPES or any(
            not part or part[0] in "._" or part == "node_modules" for part in parts
        ):
            return None
        path = self._root.joinpath(*parts)
        try:
            status = path.stat()
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(status.st_mode):
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        if (known := self._files.get(name)) is None or known.stamp != stamp:
            known = self._files[name] = _read(path, stamp)
        return known


FILES = web.AppKey("files", Files)


def add_pages(app: web.Application) -> None:
    """Serves the client from `app`."""
    app[FILES] = Files(CLIENT)
    app.router.add_get("/client/{name:.+}", _file)
    for path in PAGES:
        app.router.add_get(path, _page)


@web.middleware
async def lost_page(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Shows a browser that has lost its way the client, which says so in the reader's language."""
    try:
        return await handler(request)
    except web.HTTPNotFound:
        wants_page = "text/html" in request.headers.get(hdrs.ACCEPT, "")
        if not wants_page or request.path.startswith(("/api/", "/client/")):
            raise
        return _send(request, _find(request, "index.html"), status=404)


async def _file(request: web.Request) -> web.Response:
    return _send(request, _find(request, request.match_info["name"]))


async def _page(request: web.Request) -> web.Response:
    return _send(request, _find(request, "index.html"))


def _find(request: web.Request, name: str) -> File:
    found = request.app[FILES].find(name)
    if found is None:
        raise web.HTTPNotFound
    return found


def _read(path: Path, stamp: tuple[int, int]) -> File:
    plain = path.read_bytes()
    squeezed = None if path.suffix in _COMPRESSED_ALREADY else gzip.compress(plain, mtime=0)
    if squeezed is not None and len(squeezed) >= len(plain):
        squeezed = None
    return File(stamp, _TYPES[path.suffix], hashlib.sha256(plain).hexdigest()[:32], plain, squeezed)


def _send(request: web.Request, file: File, status: int = 200) -> web.Response:
    zipped = file.gzipped is not None and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, "")
    etag = f"{file.etag}-gzip" if zipped else file.etag
    headers = {hdrs.CACHE_CONTROL: "no-cache", hdrs.VARY: hdrs.ACCEPT_ENCODING, hdrs.ETAG: f'"{etag}"'}
    known = request.if_none_match or ()
    if any(each.value in (etag, "*") for each in known):
        return web.Response(status=304, headers=headers)
    if zipped:
        headers[hdrs.CONTENT_ENCODING] = "gzip"
    body = file.gzipped if zipped else file.plain
    charset = "utf-8" if file.content_type.startswith("text/") else None
    return web.Response(
        status=status, body=body, headers=headers, content_type=file.content_type, charset=charset
    )
