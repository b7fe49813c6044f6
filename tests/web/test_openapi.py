"""openapi.json is true: it has every route and no other, and answers are what it says, whatever is asked."""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from aiohttp import ClientResponse, DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.settings import Settings
from server.web.app import endpoints, make_app
from server.web.endpoint import Empty, Endpoint
from server.web.openapi import document
from server.web.pages import PAGES
from server.web.problems import Problem
from tests.conftest import Postgres, loop_in_thread
from tests.web.calls import Api, Json, Somebody, call, new_guest, register

CALLS = [each for each in endpoints() if each.path != "/ws"]


async def test_it_has_every_route_and_no_other(api: Api) -> None:
    _, described = await call(api, "GET", "/api/openapi.json")
    stated = {(method.upper(), path) for path, item in described["paths"].items() for method in item}
    pages = {("GET", "/client/{name}"), *(("GET", re.sub(":[^}]*", "", path)) for path in PAGES)}
    served = {
        (route.method, route.resource.canonical)
        for route in api.app.router.routes()
        if route.method != "HEAD" and route.resource is not None
    }
    assert stated == served - pages
    assert pages < served


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for each in node.values():
            yield from references(each)
    elif isinstance(node, list):
        for each in node:
            yield from references(each)


def test_it_is_whole() -> None:
    described = json.loads(msgspec.json.encode(document(endpoints())))
    assert described["openapi"] == "3.1.0"
    names = [reference.removeprefix("#/components/schemas/") for reference in references(described)]
    assert set(names) == set(described["components"]["schemas"])
    operations = [each for item in described["paths"].values() for each in item.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    for each in operations:
        assert each["summary"].endswith(".")
        assert each["responses"]["default"]["content"].keys() == {"application/problem+json"}


def test_every_route_has_its_parts() -> None:
    described: Json = document(endpoints())["paths"]
    for each in endpoints():
        operation = described[each.path][each.method.lower()]
        inside = {(parameter["in"], parameter["name"]) for parameter in operation["parameters"]}
        assert {("path", name) for name in re.findall(r"{(\w+)}", each.path)} <= inside
        assert ("requestBody" in operation) == (each.body not in (None, Empty))
        assert {str(status) for status in each.answers} | {"default"} == set(operation["responses"])
        assert {} not in operation["security"] if each.needs_caller else True


class Node(NamedTuple):
    """A node on a loop of its own, so that what is no coroutine can call it."""

    loop: asyncio.AbstractEventLoop
    api: Api
    account: Somebody
    game: str
    table: str

    def call(self, method: str, path: str, data: bytes, headers: dict[str, str]) -> "Answer":
        return asyncio.run_coroutine_threadsafe(
            ask(self.api, method, path, data, headers), self.loop
        ).result()


class Answer(NamedTuple):
    status: int
    content_type: str
    body: bytes


async def ask(api: Api, method: str, path: str, data: bytes, headers: dict[str, str]) -> Answer:
    answer: ClientResponse
    async with api.request(method, path, data=data, headers=headers) as answer:
        return Answer(answer.status, answer.content_type, await answer.read())


@pytest.fixture(scope="module")
def node(postgres: Postgres) -> Iterator[Node]:
    name = postgres.create()
    with loop_in_thread() as loop:

        async def start() -> tuple[Api, Somebody, str, str]:
            app = make_app(Settings(database_url=postgres.url(name), rate_limits=False))
            api: Api = TestClient(TestServer(app), cookie_jar=DummyCookieJar())
            await api.start_server()
            account = await register(api, "Ann", await new_guest(api))
            _, game = await call(api, "POST", "/api/games", {"game": "heart-to-heart"}, account)
            _, table = await call(api, "POST", "/api/games", {"game": "hearts", "bots": 2}, account)
            return api, account, game["id"], table["id"]

        api, account, game, table = asyncio.run_coroutine_threadsafe(start(), loop).result()
        yield Node(loop, api, account, game, table)
        asyncio.run_coroutine_threadsafe(api.close(), loop).result()
    postgres.drop(name)


WORDS = st.sampled_from(
    [
        "Ann",
        "x",
        "",
        "\0",
        "\ud800",
        "😀",
        "heart-to-heart",
        "hearts",
        "HH1-N-AAAAAAM",
        "draw",
        "1",
        "0",
        "-1",
        "finished",
        "correct horse",
    ]
)
TEXTS = WORDS | st.text(max_size=20)
NUMBERS = st.integers(-2, 3) | st.sampled_from([2**31, 2**63, 2**64, -(2**70), 10**400]) | st.floats()
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def fields(kind: Any) -> list[str]:
    return [
        each.encode_name for part in get_args(kind) or [kind] if part for each in msgspec.structs.fields(part)
    ]


def bodies(endpoint: Endpoint) -> st.SearchStrategy[bytes]:
    """Bodies with this route's field names and anything in them, and bodies that are no JSON at all."""
    names = st.sampled_from([*fields(endpoint.body), "unknown"])
    almost = st.dictionaries(names, JSON, max_size=4).map(lambda each: json.dumps(each).encode())
    broken = st.tuples(almost, st.integers(0, 60), st.binary(max_size=3)).map(
        lambda cut: cut[0][: cut[1]] + cut[2]
    )
    return almost | broken | JSON.map(lambda each: json.dumps(each).encode()) | st.binary(max_size=30)


def escaped(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode(errors="surrogatepass"))


@st.composite
def requests(draw: st.DrawFn) -> tuple[Endpoint, str, str, bytes, dict[str, str]]:
    endpoint = draw(st.sampled_from(CALLS))
    names = st.sampled_from(["{game}", "{table}"]) | TEXTS.map(escaped)
    path = re.sub(r"{\w+}", lambda _: draw(names), endpoint.path)
    asked = st.sampled_from([*fields(endpoint.query), "unknown"])
    query = "&".join(f"{draw(asked)}={escaped(draw(TEXTS))}" for _ in range(draw(st.integers(0, 2))))
    headers = draw(st.sampled_from([{}, {"Authorization": "Bearer {token}"}, {"Cookie": "session={token}"}]))
    if draw(st.booleans()):
        headers = headers | {
            "Content-Type": draw(
                st.sampled_from(["application/json", "text/plain", "x", "multipart/form-data"])
            )
        }
    return endpoint, path, query, draw(bodies(endpoint)), headers


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(request=requests())
def test_whatever_is_asked_the_answer_is_one_that_is_stated(
    node: Node, request: tuple[Endpoint, str, str, bytes, dict[str, str]]
) -> None:
    endpoint, path, query, body, headers = request
    if (endpoint.method, endpoint.path) in (("DELETE", "/api/me"), ("DELETE", "/api/sessions/current")):
        headers = {}  # The account is needed for what follows.
    headers = {name: value.replace("{token}", node.account.token) for name, value in headers.items()}
    path = path.replace("{game}", node.game).replace("{table}", node.table)
    answer = node.call(endpoint.method, f"{path}?{query}" if query else path, body, headers)
    assert answer.status < 500
    if answer.status >= 400:
        assert answer.content_type == "application/problem+json"
        assert msgspec.json.decode(answer.body, type=Problem).status == answer.status
    elif isinstance(stated := endpoint.answers[answer.status], str):
        assert answer.content_type == stated
    elif stated is not None:
        assert answer.content_type == "application/json"
        msgspec.json.decode(answer.body, type=stated)
