"""Routes, each stated once: its handler's signature says what it takes, so that openapi.json is true.

A handler takes `request` and, by name, what it needs of the rest:

- `caller: Caller` (401 without a session) or `caller: Caller | None`;
- `body`, a msgspec Struct: the JSON body. An empty body counts as `{}`;
- `body: Annotated[bytes, Kind]`: the text of a JSON object that is to be a `Kind`, for the handler to read;
- `query`, a msgspec Struct: the query string;
- any other name: the part of the path that has it, in the annotated type (404 if it does not fit).

Bodies and queries refuse fields that their Struct does not name.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from aiohttp import HttpVersion11, hdrs, web

from server.accounts.model import Caller
from server.errors import Code, Refused
from server.web.caller import caller_of
from server.web.keys import LIMITS
from server.web.problems import problem

MAX_BODY = 64 * 1024
"""Bytes of a body, unless a route says otherwise."""

BODY_SECONDS = 30
"""How long a body may take to arrive."""

Handler = Callable[..., Awaitable[web.StreamResponse]]
Stated = TypeVar("Stated", bound=Handler)
Answers = Mapping[int, Any]
"""By status: the type of the JSON body, a media type (str) for a body of another kind, None for no body."""

Moment = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
"""A moment as `server.clock.rfc3339` spells it."""

_BAD_INPUT = (msgspec.DecodeError, UnicodeError, RecursionError)


class Empty(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a call that takes none."""


def answer(value: object, status: int = 200) -> web.Response:
    """JSON as an answer; bytes are JSON already."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return web.Response(body=body, status=status, content_type="application/json")


def no_content() -> web.Response:
    """204."""
    return web.Response(status=204)


@dataclass(frozen=True)
class Endpoint:
    """One route: how it is called, what it takes and what it answers."""

    method: str
    path: str
    handler: Handler
    answers: Answers
    max_body: int
    body: Any
    """The type of the JSON body; None if the method has none."""
    takes_text: bool
    """Whether the handler reads the body itself."""
    query: type[msgspec.Struct]
    path_types: Mapping[str, Any]
    takes_caller: bool
    needs_caller: bool

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        """Checks a request in the order of the contract (400, 401, 404) and hands it to the handler."""
        caller = await caller_of(request) if self.takes_caller else None
        if caller is not None and self.body is not None:
            request.app[LIMITS].command(caller.session)
        given: dict[str, Any] = {}
        query = _parse_query(request, self.query)
        if self.query is not Empty:
            given["query"] = query
        if self.body is not None:
            raw = await _read(request, self.max_body)
            body = _checked_object(raw) if self.takes_text else _parse_body(raw, self.body)
            if self.body is not Empty:
                given["body"] = body
        if self.needs_caller and caller is None:
            raise Refused(Code.NOT_SIGNED_IN, "Sign in first, or start as a guest.")
        if self.takes_caller:
            given["caller"] = caller
        for name, kind in self.path_types.items():
            given[name] = _parse_path(request.match_info[name], kind)
        return await self.handler(request, **given)


class Routes:
    """A table of endpoints."""

    def __init__(self) -> None:
        self.endpoints: list[Endpoint] = []

    def get(self, path: str, answers: Answers) -> Callable[[Stated], Stated]:
        """States a route that only reads."""
        return self._route("GET", path, answers)

    def post(self, path: str, answers: Answers, *, max_body: int = MAX_BODY) -> Callable[[Stated], Stated]:
        """States a route that makes something or does something."""
        return self._route("POST", path, answers, max_body)

    def patch(self, path: str, answers: Answers) -> Callable[[Stated], Stated]:
        """States a route that changes what is there."""
        return self._route("PATCH", path, answers)

    def delete(self, path: str, answers: Answers) -> Callable[[Stated], Stated]:
        """States a route that takes something away."""
        return self._route("DELETE", path, answers)

    def add_to(self, app: web.Application) -> None:
        """Serves the table from `app`."""
        for each in self.endpoints:
            app.router.add_route(each.method, each.path, each.__call__, expect_handler=_expect)
            if each.method == "GET" and 101 not in each.answers:
                app.router.add_route("HEAD", each.path, each.__call__, expect_handler=_expect)

    def _route(
        self, method: str, path: str, answers: Answers, max_body: int = MAX_BODY
    ) -> Callable[[Stated], Stated]:
        def state(handler: Stated) -> Stated:
            self.endpoints.append(_endpoint(method, path, handler, answers, max_body))
            return handler

        return state


def _endpoint(method: str, path: str, handler: Handler, answers: Answers, max_body: int) -> Endpoint:
    hints = get_type_hints(handler, include_extras=True)
    parameters = [name for name in inspect.signature(handler).parameters if name != "request"]
    path_types = {name: hints[name] for name in parameters if name not in ("caller", "body", "query")}
    if any(f"{{{name}}}" not in path for name in path_types):
        raise TypeError(f"{path} does not have all of {', '.join(path_types)}")
    takes_body = method in ("POST", "PATCH", "PUT", "DELETE")
    body = hints.get("body", Empty)
    takes_text = get_origin(body) is Annotated
    return Endpoint(
        method=method,
        path=path,
        handler=handler,
        answers=answers,
        max_body=max_body,
        body=None if not takes_body else get_args(body)[1] if takes_text else body,
        takes_text=takes_text,
        query=hints.get("query", Empty),
        path_types=path_types,
        takes_caller="caller" in parameters,
        needs_caller="caller" in parameters and Caller == hints["caller"] and not get_args(hints["caller"]),
    )


async def _expect(request: web.Request) -> web.StreamResponse | None:
    """Answers an `Expect` header; None: the handler goes on."""
    if request.version < HttpVersion11:
        return None
    if request.headers[hdrs.EXPECT].lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0
        return None
    return problem(
        417, Code.BAD_REQUEST.value, "Only `Expect: 100-continue` is understood. Leave others out."
    )


async def _read(request: web.Request, most: int) -> bytes:
    """The body of a request, of at most so many bytes.

    Raises:
        Refused: `too_large`, or `bad_request` when it does not arrive as announced.
    """
    too_large = Refused(Code.TOO_LARGE, f"The body is larger than {most} bytes. Send less.")
    if request.headers.get(hdrs.CONTENT_ENCODING, "identity").lower() != "identity":
        raise Refused(Code.BAD_REQUEST, "The body is compressed. Send it as it is.")
    if (request.content_length or 0) > most:
        raise too_large
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.content.iter_any():
                size += len(chunk)
                if size > most:
                    raise too_large
                chunks.append(chunk)
    except (TimeoutError, ConnectionError, web.RequestPayloadError):
        raise Refused(Code.BAD_REQUEST, "The body did not arrive as announced. Send it again.") from None
    return b"".join(chunks)


def _parse_body(raw: bytes, kind: type[msgspec.Struct]) -> msgspec.Struct:
    if not raw.strip():
        raw = b"{}"
    try:
        return msgspec.json.decode(raw, type=kind)
    except _BAD_INPUT as error:
        raise bad_request("body", error) from None


def _checked_object(raw: bytes) -> bytes:
    try:
        raw.decode()  # JSON that is skipped may have anything in its strings.
        msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except _BAD_INPUT as error:
        raise bad_request("body", error) from None
    return raw


def _parse_query(request: web.Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    given = dict(request.query)
    if len(given) != len(request.query):
        raise Refused(Code.BAD_REQUEST, "A name stands twice in the query. Give each once.")
    try:
        if any(_is_no_text(each) for each in given.values()):
            raise Refused(Code.BAD_REQUEST, "A value in the query is no text. Send UTF-8, percent-encoded.")
        query = msgspec.convert(given, kind, strict=False)
    except _BAD_INPUT as error:
        raise bad_request("query", error) from None
    for field in msgspec.structs.fields(kind) if given else ():
        # `null` is read as what is not there.
        if field.encode_name in given and getattr(query, field.name) is None:
            raise Refused(Code.BAD_REQUEST, f"`{field.encode_name}` has no value in the query. Leave it out.")
    return query


def _parse_path(text: str, kind: Any) -> Any:
    """A part of the path in its type.

    Raises:
        Refused: `not_found`, it is not even of the type. So is text that no database could hold.
    """
    nowhere = Refused(Code.NOT_FOUND, "There is nothing at this address. Check its spelling.")
    if _is_no_text(text):
        raise nowhere
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        raise nowhere from None


def _is_no_text(value: str) -> bool:
    """Whether no database could hold this as text: it came as bytes that are no UTF-8, or has a NUL."""
    return any(each == "\0" or each == "\ufffd" or "\ud800" <= each <= "\udfff" for each in value)


def bad_request(place: str, error: Exception) -> Refused:
    """What is wrong with the JSON or the query that `error` comes from."""
    what = str(error) if isinstance(error, msgspec.DecodeError) else "It is no valid text of JSON"
    return Refused(Code.BAD_REQUEST, f"The {place} is not understood: {what[:300]}.")
