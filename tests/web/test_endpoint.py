"""How requests are taken apart: what does not fit is refused before any handler runs."""

import io
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from msgspec import Meta

from server.web.endpoint import MAX_BODY, Routes, answer, no_content
from server.web.headers import add_headers
from server.web.problems import problems
from tests.web.calls import Api, call, refused

routes = Routes()


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    depth: int = 0


class Body(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=10)]
    number: Annotated[int, Meta(ge=0, le=100)] = 0
    inner: Inner | None = None
    options: dict[str, Any] = {}


class Query(msgspec.Struct, forbid_unknown_fields=True):
    mine: bool = False
    status: Literal["playing", "finished"] | None = None
    first: Annotated[int, Meta(ge=0)] = msgspec.field(default=0, name="from")
    cursor: str | None = None


@routes.post("/things/{id}", {200: Body})
async def post(request: web.Request, id: str, body: Body) -> web.Response:
    return answer(body)


@routes.post("/large", {200: Body}, max_body=1_000_000)
async def large(request: web.Request, body: Body) -> web.Response:
    return answer(body)


@routes.get("/things", {200: Query})
async def get(request: web.Request, query: Query) -> web.Response:
    return answer(query)


@routes.get("/numbers/{number}", {200: int})
async def number(request: web.Request, number: Annotated[int, Meta(ge=0)]) -> web.Response:
    return answer(number)


@routes.delete("/things", {204: None})
async def delete(request: web.Request) -> web.Response:
    return no_content()


@routes.get("/broken", {200: int})
async def broken(request: web.Request) -> web.Response:
    raise RuntimeError("the queen of spades is in the third hand")


@pytest.fixture
async def things() -> AsyncIterator[Api]:
    app = web.Application(middlewares=[problems])
    app.on_response_prepare.append(add_headers)
    routes.add_to(app)
    async with TestClient(TestServer(app)) as client:
        yield client


BAD_BODIES: list[tuple[bytes, str]] = [
    (b"", "text"), (b"{}", "text"), (b"null", "null"), (b"[]", "array"), (b"7", "int"), (b'"x"', "str"),
    (b'{"text":"x"', ""), (b'{"text":"x"} x', ""), (b"{'text':'x'}", ""), (b"text=x", ""), (b"\xff\xfe", ""),
    (b'{"text":"x","txet":1}', "txet"), (b'{"text":"x","inner":{"a":1}}', "`a`"),
    (b'{"text":1}', "$.text"), (b'{"text":null}', "$.text"), (b'{"text":["x"]}', "$.text"),
    (b'{"text":"xxxxxxxxxxx"}', "$.text"), (b'{"text":"x","number":-1}', "$.number"),
    (b'{"text":"x","number":101}', "$.number"), (b'{"text":"x","number":1.5}', "$.number"),
    (b'{"text":"x","number":"1"}', "$.number"), (b'{"text":"x","number":true}', "$.number"),
    (b'{"text":"x","number":1e999}', ""), (b'{"text":"x","number":' + b"9" * 5000 + b"}", ""),
    (b'{"text":"x","number":NaN}', ""), (b'{"text":"x","options":{"a":NaN}}', ""),
    (b'{"text":"\xff"}', ""), (b'{"text":"\xed\xa0\x80"}', ""), (b'{"text":"\\ud800"}', ""),
    (b'{"text":"\\ud800x"}', ""), (b'{"text":"\\udc00"}', ""), (b'{"\\ud800":1}', ""), (b'{"\xff":1}', ""),
    (b'{"text":"a\nb"}', ""), (b'{"text":"\\x"}', ""), ('{"text":"x"}'.encode("utf-16"), ""),
    ('{"text":"x"}'.encode("utf-8-sig"), ""),
    (b"[" * 60_000, ""), (b'{"text":' + b"[" * 60_000, ""),
    (b'{"text":"x","options":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001, ""),
    (b'{"text":"x","options":{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}}", ""),
    (b'{"' + b"x" * 60_000 + b'":1}', ""),
]  # fmt: skip


async def test_bodies_that_are_not_understood(things: Api) -> None:
    for body, named in BAD_BODIES:
        async with things.post("/things/x", data=body) as answer:
            problem = await answer.json()
            assert (answer.status, problem["code"]) == (400, "bad_request"), body[:80]
            assert named in problem["detail"], body[:80]
            assert len(problem["detail"]) < 400
            assert answer.content_type == "application/problem+json"


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/plain", "application/json; charset=latin-1", ""]
)
async def test_a_body_that_is_json_passes_whatever_it_is_called(things: Api, content_type: str) -> None:
    headers = {"Content-Type": content_type}
    async with things.post("/things/x", data='{"text": "ก\\u0000"}'.encode(), headers=headers) as answer:
        assert answer.status == 200
        assert (await answer.json())["text"] == "ก\0"


async def test_a_body_that_is_too_large(things: Api) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b" " * (MAX_BODY // 2)

    for path, data in (
        ("/things/x", b" " * (MAX_BODY + 1)), ("/things/x", chunks()), ("/large", b" " * 1_000_001),
        ("/things/x", io.BytesIO(b"x" * 20_000_000)),
    ):  # fmt: skip
        async with things.post(path, data=data) as answer:
            assert (answer.status, (await answer.json())["code"]) == (413, "too_large")
    body = b'{"text":"x"}'
    for path, size in (("/things/x", MAX_BODY), ("/large", 1_000_000)):
        async with things.post(path, data=body.ljust(size)) as answer:
            assert answer.status == 200


async def test_a_compressed_body_that_is_none(things: Api) -> None:
    for coding in ("gzip", "deflate", "x"):
        headers = {"Content-Encoding": coding, "Connection": "close"}
        async with things.post("/things/x", data=b"nonsense", headers=headers) as answer:
            assert answer.status == 400
            assert (await answer.json())["code"] == "bad_request"


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("x=1", "`x`"), ("first=1", "`first`"), ("mine=2", "$.mine"), ("mine=", "$.mine"),
        ("status=lost", "$.status"),
        ("from=-1", "$.from"), ("from=x", "$.from"), ("from=1&from=2", "twice"), ("from=1.5", "$.from"),
        ("from=" + "9" * 5000, "$.from"), ("from=%EF%BC%91", "$.from"), ("cursor=%ff", ""), ("%ff=1", ""),
        ("mine=null", "$.mine"), ("cursor=a%00b", ""), ("=", ""),
    ],
)  # fmt: skip
async def test_queries_that_are_not_understood(things: Api, query: str, named: str) -> None:
    status, problem = await call(things, "GET", f"/things?{query}")
    assert (status, problem["code"]) == (400, "bad_request")
    assert named in problem["detail"]


async def test_queries(things: Api) -> None:
    status, query = await call(things, "GET", "/things?mine=1&status=playing&from=7&cursor=%E0%B8%81")
    assert status == 200
    assert query == {"mine": True, "status": "playing", "from": 7, "cursor": "ก"}
    assert (await call(things, "GET", "/things?"))[0] == 200


async def test_paths_that_lead_nowhere(things: Api) -> None:
    for path in (
        "/numbers/x",
        "/numbers/-1",
        "/numbers/%00",
        "/numbers/1%00",
        "/numbers/" + "9" * 5000,
        "/numbers/",
    ):
        assert await refused(things, "GET", path) == (404, "not_found")
    body = {"text": "x"}
    for path in ("/things/%00", "/things/a%00b", "/nothing", "/things//x", "/things/a%2Fb/c"):
        assert await refused(things, "POST", path, body) == (404, "not_found")
    assert await call(things, "GET", "/numbers/7") == (200, 7)


async def test_a_method_that_is_not_taken(things: Api) -> None:
    async with things.put("/things") as answer:
        assert answer.status == 405
        assert set(answer.headers["Allow"].split(",")) == {"DELETE", "GET", "HEAD"}
        assert (await answer.json())["code"] == "method_not_allowed"


async def test_a_fault_of_ours_is_told_and_kept(things: Api, capsys: pytest.CaptureFixture[str]) -> None:
    status, problem = await call(things, "GET", "/broken")
    assert (status, problem["code"]) == (500, "internal")
    assert "queen" not in str(problem)
    logged = capsys.readouterr().out
    assert "request failed" in logged
    assert "/broken" in logged
    assert "queen of spades" in logged


def test_a_route_states_its_whole_path() -> None:
    with pytest.raises(TypeError):
        Routes().get("/things", {})(number)
