"""Every page and window of the client, for tests that look at all of them."""

from collections.abc import AsyncIterator

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


async def everywhere(device: Device) -> AsyncIterator[tuple[str, Page]]:
    """Goes to each page and opens each window in turn, giving its name."""
    page = await device.open("/")
    await expect(page.locator(".hero .primary")).to_be_visible()
    yield "first page of a visitor", page
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
    await expect(page.locator(".pill")).to_be_visible()
    yield "stuck, window closed", page
    await page.goto(f"{device.url}/")
    await expect(page.locator(".game").nth(2)).to_be_visible()
    yield "first page", page
    async for each in _account(page):
        yield each
    await page.goto(f"{device.url}/rules/heart-to-heart")
    await expect(page.locator(".example [data-pos][data-card]")).to_have_count(25)
    await page.locator(".step-forward").click()
    yield "rules", page
    for path in ("/games/nothing-here", "/no/such/page"):
        await page.goto(f"{device.url}{path}")
        await expect(page.locator(".blank .sign")).to_be_visible()
        yield path, page


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
        await page.locator(".tools .account").click()
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
