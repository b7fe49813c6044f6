"""Every page and window of the client, for tests that look at all of them."""

import secrets
from collections.abc import AsyncIterator
from datetime import date, timedelta

from playwright.async_api import Page, expect

from server.games import GAMES
from tests.client.conftest import WINNING_LINE, Device, board, tap

HOPELESS = "HH1-N-AAAAABN"
"""A deal that can't be won, so that it gets stuck."""


def stuck_line() -> list[str]:
    """Moves that leave the hopeless deal without a pair: every pair at once, else the next card."""
    state = GAMES["heart-to-heart"].setup({}, HOPELESS)
    line: list[str] = []
    while state.status != "stuck":
        legal = state.legal(state.turn()[0])
        line.append(next((move for move in legal if "-" in move), legal[0]))
        state.play(state.turn()[0], line[-1])
    return line


async def of_games(device: Device) -> AsyncIterator[tuple[str, Page]]:
    """Goes to each page around games and opens each window in turn, giving its name."""
    page = await device.open("/")
    await expect(page.locator(".hero .primary").first).to_be_visible()
    yield "first page of a visitor", page
    await page.locator(".hero.hearts .actions button").last.click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.locator("select").select_option("1")
    await page.locator("summary").click()
    yield "new table", page
    await page.keyboard.press("Escape")
    async for each in _account(page):
        yield each
    game = await device.game(WINNING_LINE[:10])
    await page.goto(f"{device.url}/games/{game}")
    await expect(board(page)).to_have_attribute("data-revision", "10")
    yield "table", page
    async for each in _windows(page):
        yield each
    await page.goto(f"{device.url}/games/{await device.game(WINNING_LINE[:-1])}")
    await tap(page, "1")
    yield "selected card", page
    await tap(page, "waste")
    await expect(page.locator(".ending.won")).to_be_visible()
    yield "won", page
    await page.goto(f"{device.url}/games/{await device.game(stuck_line(), HOPELESS)}")
    await expect(page.get_by_role("dialog")).to_be_visible()
    yield "stuck", page
    await page.keyboard.press("Escape")
    await expect(page.locator(".dead-end")).to_be_visible()
    yield "stuck, window closed", page
    await page.goto(f"{device.url}/")
    await expect(page.locator(".game").nth(2)).to_be_visible()
    yield "first page", page
    async for each in _account(page):
        yield each
    async for each in _tables(device, page):
        yield each
    await page.goto(f"{device.url}/rules/heart-to-heart")
    await expect(page.locator(".example [data-pos][data-card]")).to_have_count(25)
    await page.locator(".step-forward").click()
    yield "rules", page
    await page.goto(f"{device.url}/rules/hearts")
    await expect(page.locator(".counts")).to_have_count(2)
    yield "rules of Hearts", page


async def of_people(device: Device) -> AsyncIterator[tuple[str, Page]]:
    """The same for the pages of accounts, days and players, and for looking back."""
    page = await device.open("/no/such/page")
    await expect(page.locator(".blank .sign")).to_be_visible()
    yield "no page", page
    await page.goto(f"{device.url}/games/nothing-here")
    await expect(page.locator(".blank .sign")).to_be_visible()
    yield "no game", page
    async for each in _registered(page):
        yield each
    async for each in _replays(device, page):
        yield each
    async for each in _days(device, page):
        yield each
    async for each in _players(device, page):
        yield each


async def _tables(device: Device, page: Page) -> AsyncIterator[tuple[str, Page]]:
    table = await device.post("/api/games", game="hearts")
    await page.evaluate(
        """game => localStorage.setItem(
            "heartline.quick", JSON.stringify({ game, people: 1, since: Date.now() + 1e8 }))""",
        table["id"],
    )
    await page.goto(f"{device.url}/games/{table['id']}")
    await expect(page.locator(".quick")).to_be_visible()
    yield "table of quick play", page
    await page.goto(f"{device.url}/")
    await expect(page.locator(".game.hearts")).to_be_visible()
    yield "first page with a table", page


async def _replays(device: Device, page: Page) -> AsyncIterator[tuple[str, Page]]:
    for path in (f"/games/{await device.game(WINNING_LINE)}#30", f"/games/{await device.game(['draw'])}#1"):
        await page.goto(device.url + path)
        await expect(page.locator(".looked heart-board [data-pos='1']")).to_be_visible()
        yield "replay", page
        if await page.locator(".playback .moves").is_visible():
            await page.locator(".playback .moves").click()
        await expect(page.locator("move-list [aria-current]")).to_be_visible()
        yield "replay with its moves", page
    await page.goto(f"{device.url}/replay")
    await expect(page.locator("input[type=file]")).to_be_enabled()
    yield "record to be chosen", page
    await page.locator("input[type=file]").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": b"{}"}
    )
    await expect(page.locator(".verdict.wrong")).to_be_visible()
    yield "no record", page


async def _days(device: Device, page: Page) -> AsyncIterator[tuple[str, Page]]:
    own = page.locator("section.try")
    await page.goto(f"{device.url}/daily")
    await expect(own.locator(".primary")).to_be_visible()
    await expect(page.locator(".streaks")).to_be_visible()
    yield "today, not yet played", page
    today = await device.get("/api/daily")
    view = await device.post("/api/daily/game")
    view = await device.post(f"/api/games/{view['id']}/moves", move="draw", revision=view["revision"])
    await page.reload()
    await expect(own.locator("a.primary")).to_be_visible()
    yield "today, begun", page
    await device.post(f"/api/games/{view['id']}/resign", revision=view["revision"])
    await page.reload()
    await expect(own.locator(".result")).to_be_visible()
    yield "today, ended", page
    await page.goto(f"{device.url}/games/{view['id']}#1")
    await expect(page.locator(".looked heart-board [data-pos='1']")).to_be_visible()
    yield "replay of today's game", page
    day = date.fromisoformat(today["date"])
    for other in (day - timedelta(days=1), day + timedelta(days=1)):
        await page.goto(f"{device.url}/daily/{other}")
        await expect(own.locator(".primary")).to_be_visible()
        yield str(other), page


async def _players(device: Device, page: Page) -> AsyncIterator[tuple[str, Page]]:
    name = (await device.get("/api/me"))["user"]["name"]
    await page.goto(f"{device.url}/players/{name}")
    await expect(page.locator(".tiles")).to_be_visible()
    yield "player", page
    for path in (f"/players/{name}x", "/daily/2026-02-30"):
        await page.goto(f"{device.url}{path}")
        await expect(page.locator(".blank h1")).to_be_visible()
        yield path, page
    await page.goto(f"{device.url}/daily")
    await expect(page.locator(".ranking .own")).to_be_visible()
    yield "board", page


async def _windows(page: Page) -> AsyncIterator[tuple[str, Page]]:
    controls = page.locator(".controls .control")
    sheet = page.get_by_role("dialog")
    for nth, name in ((1, "new game"), (2, "give up"), (3, "help"), (4, "settings")):
        await controls.nth(nth).click()
        await expect(sheet).to_be_visible()
        yield name, page
        if name == "new game":
            await page.locator("[name=deal]").fill("HH1-N-AAA9AAM")
            await page.keyboard.press("Enter")
            await expect(page.locator(".wrong")).to_be_visible()
            yield "deal code error", page
        await page.keyboard.press("Escape")
        await expect(sheet).to_have_count(0)


async def _account(page: Page) -> AsyncIterator[tuple[str, Page]]:
    sheet = page.get_by_role("dialog")
    await page.locator(".tools .account").click()
    await expect(sheet).to_be_visible()
    buttons = await sheet.locator(".actions button").count()
    yield "account", page
    for nth in range(buttons):
        await sheet.locator(".actions button").nth(nth).click()
        await expect(sheet.locator("form, .code-shown")).to_be_visible()
        yield f"account window {nth}", page
        if nth == 0:
            await page.locator("[name=name]").fill("x")
            await page.keyboard.press("Enter")
            await expect(page.locator(".wrong")).to_be_visible()
            yield "registration error", page
        await page.keyboard.press("Escape")
        await expect(sheet).to_have_count(0)
        await page.locator(".tools .account").click()
        await expect(sheet).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)


async def _registered(page: Page) -> AsyncIterator[tuple[str, Page]]:
    sheet, opener = page.get_by_role("dialog"), page.locator(".tools .account")
    await opener.click()
    await sheet.locator(".actions button").first.click()
    await page.locator("[name=name]").fill(f"A-{secrets.randbelow(10**9)}")
    await page.locator("[name=password]").fill("three little hearts")
    await page.keyboard.press("Enter")
    await expect(sheet.locator("a[download]")).to_be_visible()
    yield "account", page
    await page.keyboard.press("Escape")
    for row, shown in ((1, ".device-list"), (2, "[name=old]"), (4, "h2")):
        await opener.click()
        await sheet.locator(".actions button").nth(row).click()
        await expect(sheet.locator(shown)).to_be_visible()
        yield f"account window {row}", page
        await page.keyboard.press("Escape")
        await expect(sheet).to_have_count(0)
