"""Whether a node lives, and whether it can serve."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.web.calls import Api, call, refused
from tests.web.conftest import StartNode


async def test_a_node_that_is_well(api: Api) -> None:
    for path in ("/healthz", "/readyz"):
        assert await call(api, "GET", path) == (200, {"status": "ok"})


async def test_a_head_is_answered_without_a_body(api: Api) -> None:
    for path in ("/healthz", "/readyz"):
        async with api.head(path) as answer:
            assert (answer.status, await answer.read()) == (200, b"")


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Content-Encoding: gzip", 400), ("Content-Encoding: br", 400), ("Content-Encoding: x", 400),
        ("Expect: the best", 417),
    ],
)  # fmt: skip
async def test_odd_headers_get_a_problem_and_no_line_in_the_log(
    api: Api, header: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection(api.host, api.port)
    writer.write(
        f"POST /api/guests HTTP/1.1\r\nHost: x\r\n{header}\r\nContent-Length: 8\r\n"
        "Connection: close\r\n\r\nnonsense".encode()
    )
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"application/problem+json" in answer
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


async def test_without_its_database_a_node_lives_but_is_not_ready(start_node: StartNode) -> None:
    api = await start_node(database_url="postgresql://nobody@127.0.0.1:1/nothing")
    assert (await call(api, "GET", "/healthz"))[0] == 200
    async with api.get("/readyz") as answer:
        assert answer.status == 503
        assert answer.headers["Retry-After"] == "1"
    assert await refused(api, "POST", "/api/guests") == (503, "unavailable")


async def test_at_another_schema_a_node_is_not_ready(api: Api, engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    assert await refused(api, "GET", "/readyz") == (503, "unavailable")
