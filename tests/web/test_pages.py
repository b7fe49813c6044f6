"""The client's files and pages, and the headers on every answer."""

import gzip
import os
from pathlib import Path

import pytest

from server.web import pages
from server.web.pages import Files
from tests.web.calls import Api, call, new_guest, refused
from tests.web.conftest import StartNode

INDEX = "<!doctype html><title>Heartline</title>" + "<p>" * 100
MODULE = "export const answer = 42;\n" * 20


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client of a few files, in the place of the real one."""
    folder = tmp_path / "client"
    for name, content in {
        "index.html": INDEX, "src/main.js": MODULE, "style/base.css": "b{}", "locales/th.json": '{"a":"ก"}',
        ".secret.js": "x", "_draft.html": "x", "node_modules/a/a.js": "x", "notes": "x", "run.py": "x",
        "src/.x/a.js": "x",
    }.items():  # fmt: skip
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (tmp_path / "outside.js").write_text("secret")
    (folder / "folder.js").mkdir()
    monkeypatch.setattr(pages, "CLIENT", folder)
    return folder


@pytest.fixture
async def site(client: Path, start_node: StartNode) -> Api:
    return await start_node()


async def test_pages_are_all_the_one_page(site: Api) -> None:
    for path in (
        "/",
        "/games/abc-_123",
        "/daily",
        "/daily/2026-11-29",
        "/players/ก๊ก",
        "/replay",
        "/rules",
        "/rules/",
        "/rules/hearts/x",
    ):
        async with site.get(path) as answer:
            assert answer.status == 200, path
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert await answer.text() == INDEX
    async with site.head("/") as answer:
        assert answer.status == 200
        assert await answer.read() == b""


async def test_files_are_served_by_their_type(site: Api) -> None:
    for name, content_type in {
        "src/main.js": "text/javascript; charset=utf-8", "style/base.css": "text/css; charset=utf-8",
        "locales/th.json": "application/json", "index.html": "text/html; charset=utf-8",
    }.items():  # fmt: skip
        async with site.get(f"/client/{name}") as answer:
            assert answer.status == 200
            assert answer.headers["Content-Type"] == content_type


async def test_nothing_else_is_served(site: Api) -> None:
    for name in (
        "", "src", "src/", "notes", "run.py", ".secret.js", "_draft.html", "node_modules/a/a.js",
        "src/.x/a.js", "folder.js", "nothing.js", "../outside.js", "%2e%2e/outside.js",
        "src/../../outside.js", "..%2foutside.js", "%2fetc%2fpasswd.js", "/etc/hosts.js", "src//main.js",
        "src%00/main.js", "main.js%00.js", "x" * 5000 + ".js", "\\..\\outside.js",
    ):  # fmt: skip
        status, _ = await refused(site, "GET", f"/client/{name}")
        assert status == 404, name


async def test_a_browser_asks_each_time_and_mostly_hears_304(site: Api, client: Path) -> None:
    async with site.get("/client/src/main.js") as answer:
        assert answer.headers["Cache-Control"] == "no-cache"
        etag = answer.headers["ETag"]
    for known in (etag, f'"x", {etag}', f"W/{etag}", "*"):
        async with site.get("/client/src/main.js", headers={"If-None-Match": known}) as answer:
            assert answer.status == 304
            assert answer.headers["ETag"] == etag
            assert await answer.read() == b""
    for known in ('"x"', "x", '"', "\\"):
        async with site.get("/client/src/main.js", headers={"If-None-Match": known}) as answer:
            assert answer.status == 200
    changed = client / "src/main.js"
    changed.write_text("export {};")
    os.utime(changed, (1, 1))
    async with site.get("/client/src/main.js", headers={"If-None-Match": etag}) as answer:
        assert answer.status == 200
        assert await answer.text() == "export {};"


async def test_text_is_compressed_for_those_who_take_it(site: Api) -> None:
    plain = {"Accept-Encoding": "identity"}
    async with site.get("/client/src/main.js", headers=plain) as answer:
        assert "Content-Encoding" not in answer.headers
        assert int(answer.headers["Content-Length"]) == len(MODULE)
        etag = answer.headers["ETag"]
    packed = {"Accept-Encoding": "br, gzip"}
    async with site.get("/client/src/main.js", headers=packed, auto_decompress=False) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.headers["ETag"] != etag
        assert gzip.decompress(await answer.read()).decode() == MODULE


async def test_who_is_lost_is_told_so(site: Api) -> None:
    for path in ("/nothing", "/games", "/games/a/b", "/index.html"):
        async with site.get(path, headers={"Accept": "text/html,*/*"}) as answer:
            assert answer.status == 404
            assert await answer.text() == INDEX
    for path in ("/api/nothing", "/api", "/client/nothing.js", "/nothing"):
        accept = "*/*" if path == "/nothing" else "text/html"
        headers = {"Accept": accept} if path != "/api" else {}
        assert await refused(site, "GET", path, headers=headers) == (404, "not_found")
    assert await refused(site, "POST", "/") == (405, "method_not_allowed")


async def test_without_its_client_a_node_says_404(
    start_node: StartNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "CLIENT", tmp_path / "nothing")
    site = await start_node()
    for path in ("/", "/nothing"):
        assert await refused(site, "GET", path, headers={"Accept": "text/html"}) == (404, "not_found")


async def test_headers_are_on_every_answer(site: Api) -> None:
    guest = await new_guest(site)
    for method, path, status in (
        ("GET", "/", 200), ("GET", "/client/src/main.js", 200), ("GET", "/healthz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/api/me", 200), ("DELETE", "/api/sessions/x", 404), ("POST", "/api/sessions", 400),
        ("GET", "/x", 404),
        ("POST", "/", 405), ("GET", "/api/openapi.json", 200),
    ):  # fmt: skip
        async with site.request(method, path, headers=guest.headers) as answer:
            assert answer.status == status
            policy = dict(
                each.split(" ", 1) for each in answer.headers["Content-Security-Policy"].split("; ")
            )
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == "'self'"
            assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
            assert "unsafe" not in str(policy)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert "camera=()" in answer.headers["Permissions-Policy"]
            assert "aiohttp" not in answer.headers["Server"]
            if path.startswith("/api/"):
                assert answer.headers["Cache-Control"] == "no-store"


def test_a_file_is_read_once(client: Path) -> None:
    files = Files(client)
    assert files.find("src/main.js") is files.find("src/main.js")
    assert files.find("../outside.js") is None


async def test_metrics(site: Api) -> None:
    await call(site, "GET", "/api/me")
    await call(site, "GET", "/nothing/at/all")
    async with site.get("/metrics") as answer:
        figures = await answer.text()
        assert answer.content_type == "text/plain"
    assert 'heartline_http_request_seconds_count{method="GET",route="/api/me",status="401"} 1.0' in figures
    assert 'heartline_http_request_seconds_count{method="none",route="none",status="404"} 1.0' in figures
    assert "heartline_sockets 0.0" in figures
    assert "nothing/at/all" not in figures


async def test_metrics_of_the_log(site: Api) -> None:
    ann = await new_guest(site)
    _, game = await call(site, "POST", "/api/games", {"game": "heart-to-heart"}, ann)
    await call(site, "POST", f"/api/games/{game['id']}/moves", {"move": "draw", "revision": 0}, ann)
    async with site.get("/metrics") as answer:
        figures = await answer.text()
    assert "heartline_commit_seconds_count 1.0" in figures
    assert "heartline_commit_commands_sum 1.0" in figures
