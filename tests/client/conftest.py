"""A server in its own process, the system's Chromium, and a fresh browser context for each device."""

import asyncio
import json
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    async_playwright,
    expect,
)

from tests.conftest import Postgres

CHROMIUM = "/usr/bin/chromium"

QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""Chromium shall ask nobody for anything of its own."""

DOCUMENTED = "HH1-N-AAAAAAM"

EXAMPLE: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "client" / "data" / "example.json").read_text()
)
WINNING_LINE: list[str] = [step[0] for step in EXAMPLE["steps"]]
"""The moves that win the documented deal."""

VIEWERS: tuple[dict[str, Any], ...] = (
    {"locale": "th-TH", "color_scheme": "light", "viewport": {"width": 1280, "height": 800}},
    {"locale": "vi-VN", "color_scheme": "dark", "viewport": {"width": 320, "height": 640}},
)
"""Devices of two who speak no English, the one on a wide, bright screen, the other on the narrowest phone."""

expect.set_options(timeout=10_000)


class Server:
    """`heartline serve` on a port that it keeps when it is started again."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *(
                "-m",
                "server",
                "serve",
                "--port",
                str(self.port),
                "--database-url",
                self._database_url,
            ),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={"HEARTLINE_RATE_LIMITS": "off", "HEARTLINE_BOT_PACE_MS": "0", "PATH": ""},
            cwd=Path(__file__).parents[2],
        )
        said: list[str] = []
        assert self._process.stdout
        async for line in self._process.stdout:
            said.append(line.decode())
            if f":{self.port}" in said[-1]:
                self._reader = asyncio.create_task(self._drain(self._process.stdout))
                return
        raise AssertionError(f"the server did not start:\n{''.join(said)}")

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self._process
        assert self._reader
        with suppress(ProcessLookupError):
            self._process.send_signal(how)
        await self._process.wait()
        await self._reader

    async def kill(self) -> None:
        await self.stop(signal.SIGKILL)

    @staticmethod
    async def _drain(stream: asyncio.StreamReader) -> None:
        async for _ in stream:
            pass


class Device:
    """A browser of one person: its pages share a session. What goes wrong in them is kept."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.wrong: list[str] = []
        self.requests: list[Request] = []
        self.answered: list[Request] = []
        """Those whose answer has come whole."""
        context.on("page", self._watch)
        context.on("requestfinished", self._finished)
        context.on("request", self._asked)

    def _watch(self, page: Page) -> None:
        page.on("pageerror", self._page_error)
        page.on("console", self._said)

    def _asked(self, request: Request) -> None:
        self.requests.append(request)

    def _finished(self, request: Request) -> None:
        self.answered.append(request)

    def _page_error(self, error: Error) -> None:
        self.wrong.append(str(error))

    def _said(self, message: ConsoleMessage) -> None:
        # The browser reports every answer from 400 up, and a lost socket; both are part of these tests.
        expected = ("Failed to load resource", "WebSocket connection to")
        if message.type == "error" and not message.text.startswith(expected):
            self.wrong.append(message.text)

    async def open(self, path: str = "/") -> Page:
        page = await self.context.new_page()
        await page.goto(self.url + path)
        return page

    async def post(self, path: str, **body: object) -> Any:
        response = await self.context.request.post(self.url + path, data=body or None)
        answer = await response.json()
        assert response.ok, answer
        return answer

    async def get(self, path: str) -> Any:
        response = await self.context.request.get(self.url + path)
        return await response.json()

    async def game(self, moves: Sequence[str] = (), deal: str = DOCUMENTED) -> str:
        """The id of a new game of this device in which these moves are made."""
        if not (await self.context.cookies()):
            await self.post("/api/guests")
        view = await self.post("/api/games", game="heart-to-heart", deal=deal)
        for move in moves:
            view = await self.post(f"/api/games/{view['id']}/moves", move=move, revision=view["revision"])
        return str(view["id"])


class Devices:
    """Makes the devices of one test."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self.url = url
        self.all: list[Device] = []

    async def __call__(self, **options: Any) -> Device:
        settled = {"reduced_motion": "reduce", "locale": "en-GB", "viewport": {"width": 1280, "height": 800}}
        device = Device(await self._browser.new_context(**(settled | options)), self.url)
        self.all.append(device)
        return device

    async def close(self) -> None:
        """None may have met an error or asked another host."""
        for each in self.all:
            await each.context.close()
            assert each.wrong == []
            hosts = {re.sub(r"^\w+://", "", request.url).split("/")[0] for request in each.requests}
            assert hosts <= {self.url.removeprefix("http://")}


@asynccontextmanager
async def serving(postgres: Postgres) -> AsyncIterator[Server]:
    """A server with a database of its own, until it is done with."""
    name = await asyncio.to_thread(postgres.create)
    server = Server(postgres.url(name))
    await server.start()
    yield server
    await server.stop()
    await asyncio.to_thread(postgres.drop, name)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(postgres: Postgres) -> AsyncIterator[Server]:
    async with serving(postgres) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def device(browser: Browser, server: Server) -> AsyncIterator[Devices]:
    """Called, it gives a new device. At the end all are looked at and closed."""
    devices = Devices(browser, server.url)
    yield devices
    await devices.close()


async def assert_no_sideways(page: Page, name: str) -> None:
    """Nothing of the page is beyond the right edge of its window."""
    wide, window = await page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window, name


def board(page: Page) -> Any:
    return page.locator("main heart-board")


async def tap(page: Page, place: str) -> None:
    """Taps `stock`, `waste` or a position."""
    selector = f"[data-{place}]" if place in ("stock", "waste") else f"[data-pos='{place}']"
    await page.locator("main").locator(selector).click()


TAPPED = 6
"""So many moves at the beginning and at the end of a long line are real taps."""

CLICKED = """async ([moves, revision]) => {
  const board = document.querySelector("main heart-board");
  const shown = wanted => new Promise(resolve => {
    const look = () => {
      if (board.dataset.revision !== wanted) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(board, { attributes: true });
    look();
  });
  for (const move of moves) {
    const places = move.includes("-") ? move.replace("w", "waste").split("-") : ["stock"];
    for (const place of places) {
      const at = Number(place) ? `[data-pos="${place}"]` : `[data-${place}]`;
      board.querySelector(at).click();
    }
    await shown(String(++revision));
  }
}"""
"""Moves, clicked within the page: a tap through the browser's input takes ten times as long."""


async def play(page: Page, moves: Sequence[str], revision: int) -> int:
    """Makes the moves by taps, each once the one before is shown. Gives the last revision."""
    if len(moves) > 2 * TAPPED:
        revision = await play(page, moves[:TAPPED], revision)
        await page.evaluate(CLICKED, [moves[TAPPED:-TAPPED], revision])
        return await play(page, moves[-TAPPED:], revision + len(moves) - 2 * TAPPED)
    for move in moves:
        if "-" in move:
            one, other = move.split("-")
            await tap(page, one)
            await tap(page, "waste" if other == "w" else other)
        else:
            await tap(page, "stock")
        revision += 1
        await expect(board(page)).to_have_attribute("data-revision", str(revision))
    return revision


def info(page: Page, nth: int) -> Any:
    """A figure of the info bar: 0 time, 1 score, 2 moves, 3 deal code."""
    return page.locator(".info dd").nth(nth)
