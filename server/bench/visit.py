"""A first visit: from the address to a game that can be played, in a Chromium that nobody watches.

The browser is told what to open and what the visitor does, and tells when it is done, by its DevTools
protocol. It is not asked what it fetches meanwhile: to tell a debugger takes it as long as the visit itself.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

import aiohttp
import msgspec

from server.bench import sockets

COMMAND: Final = "chromium"

VISITS: Final = 9

START_S: Final = 30.0
"""The longest that the browser may take to answer."""

VISIT_S: Final = 30.0
"""The longest that a visit may take."""

_ADDRESS: Final = "DevToolsActivePort"
"""Where the browser writes its port and the path of its socket, in the folder of its profile."""

_VISITOR: Final = """
let ready;
new MutationObserver(() => {
  const play = document.querySelector(".heart-to-heart button.primary:enabled");
  if (play && ready === undefined) {
    ready = performance.now();
    requestAnimationFrame(() => play.click());
  }
  if (document.querySelector("heart-board .playable")) {
    // In the task after the frame that shows the board.
    requestAnimationFrame(() => setTimeout(() => told(JSON.stringify([ready, performance.now()]))));
  }
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
"""Taps "Play now" in the frame after it appears; tells when it could be tapped, and when the board stood."""


class NoChromium(RuntimeError):  # noqa: N818 — it says what is missing
    """There is no browser on this machine."""


class Visit(msgspec.Struct, frozen=True, array_like=True):
    """Milliseconds from the navigation."""

    ready_ms: float
    """To the page on which a game can be begun."""
    board_ms: float
    """To the board of a new game, drawn and ready for the first move."""


async def measure(visits: int = VISITS) -> Visit:
    """The medians of several visits, each without cache, cookies and what the visits before have left.

    Raises:
        NoChromium: there is no browser.
    """
    if shutil.which(COMMAND) is None:
        raise NoChromium("No first visit without a browser: install the package chromium.")
    async with (
        sockets.database() as database_url,
        sockets.serving(sockets.SERVER, database_url) as url,
        _browser() as browser,
    ):
        # The first warms what a browser and a server have warm when a person comes.
        made = [await browser.visit(url) for _ in range(1 + visits)][1:]
    return Visit(median(each.ready_ms for each in made), median(each.board_ms for each in made))


class _Browser:
    """A running browser, by its socket. One thing is asked of it at a time."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = count(1)

    async def visit(self, url: str) -> Visit:
        """Has somebody who has never been here open the page and begin a game."""
        context = (await self._ask("Target.createBrowserContext"))["browserContextId"]
        target = {"url": "about:blank", "browserContextId": context, "width": 1280, "height": 800}
        opened = (await self._ask("Target.createTarget", **target))["targetId"]
        tab = (await self._ask("Target.attachToTarget", targetId=opened, flatten=True))["sessionId"]
        await self._ask("Page.enable", tab)
        await self._ask("Runtime.enable", tab)
        await self._ask("Runtime.addBinding", tab, name="told")
        await self._ask("Page.addScriptToEvaluateOnNewDocument", tab, source=_VISITOR)
        await self._ask("Page.navigate", tab, url=url)
        async with asyncio.timeout(VISIT_S):
            while (message := await self._hear()).get("method") != "Runtime.bindingCalled":
                pass
        await self._ask("Target.disposeBrowserContext", browserContextId=context)
        return msgspec.json.decode(message["params"]["payload"], type=Visit)

    async def _ask(self, method: str, tab: str | None = None, **params: object) -> dict[str, Any]:
        number = next(self._numbers)
        question = {"id": number, "method": method, "params": params}
        await self._socket.send_json(question if tab is None else question | {"sessionId": tab})
        while (message := await self._hear()).get("id") != number:
            pass
        if "error" in message:
            raise RuntimeError(f"the browser refuses {method}: {message['error']}")
        answer: dict[str, Any] = message["result"]
        return answer

    async def _hear(self) -> dict[str, Any]:
        message: dict[str, Any] = await self._socket.receive_json()
        return message


@asynccontextmanager
async def _browser() -> AsyncIterator[_Browser]:
    with tempfile.TemporaryDirectory(prefix="heartline-bench-", ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            COMMAND,
            "--headless=new",
            "--no-first-run",
            "--lang=en",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            # Its own cage does not hold root.
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with aiohttp.ClientSession() as http, http.ws_connect(await _address(profile)) as socket:
                yield _Browser(socket)
        finally:
            process.terminate()
            await process.wait()


async def _address(profile: str) -> str:
    written = Path(profile) / _ADDRESS
    async with asyncio.timeout(START_S):
        while True:
            try:
                port, path = written.read_text().splitlines()
            except (FileNotFoundError, ValueError):
                await asyncio.sleep(0.05)
            else:
                return f"ws://127.0.0.1:{port}{path}"
