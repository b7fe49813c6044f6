"""What everybody sees of a player."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Locator, Page, expect

from tests.client.club import Club, opened, try_today
from tests.client.conftest import WINNING_LINE

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def club(database_url: str, browser: Browser) -> AsyncIterator[Club]:
    async with opened(database_url, browser) as club:
        yield club


def tile(page: Page, label: str) -> Locator:
    return page.locator(".tiles > div", has=page.get_by_text(label, exact=True)).locator("dd")


async def test_what_the_games_of_a_player_come_to(club: Club) -> None:
    nora, visitor = await club.player("Nora"), await club.devices()
    await nora.game(WINNING_LINE)
    await try_today(nora, await club.line())
    await club.turn_to(datetime(2026, 11, 24, 9, tzinfo=UTC))
    await try_today(nora, ["draw"], resigned=True)

    page = await visitor.open("/daily/2026-11-23")
    await page.get_by_role("link", name="Nora", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Nora")
    await expect(tile(page, "Games")).to_have_text("3")
    await expect(tile(page, "Won")).to_have_text("2")
    await expect(tile(page, "Share won")).to_have_text("67%")
    await expect(tile(page, "Daily deals won")).to_have_text("1 of 2")
    await expect(page.locator(".lines li")).to_have_text(["Rank 123 Nov 2026"])
    await expect(page.locator(".streaks dd")).to_have_text(["1 day", "1 day"])
    await expect(page.get_by_role("link", name="24 November: 0 points, not won")).to_be_visible()
    assert not (await Axe().run(page)).response["violations"]

    await page.locator(".calendar header button").first.click()
    await expect(page.locator(".calendar h2")).to_have_text("October 2026")
    await expect(page.locator(".month a")).to_have_count(31)
    await page.locator(".calendar header button").last.click()
    await page.get_by_role("link", name="23 November: won").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Monday, 23 November 2026")


async def test_ones_own_page_lists_ones_finished_games(club: Club) -> None:
    nora, visitor = await club.player("Nora"), await club.devices()
    won = await nora.game(WINNING_LINE)
    await nora.game(["draw"])
    page = await nora.open("/players/Nora")
    await expect(page.locator(".game")).to_have_count(1)
    await expect(page.locator(".game")).to_contain_text("250 points · 89 moves")
    await page.locator(".game").click()
    await page.wait_for_url(f"**/games/{won}#0")
    await expect(page.locator(".looked heart-board [data-pos='1']")).to_be_visible()
    page = await visitor.open("/players/Nora")
    await expect(tile(page, "Games")).to_have_text("1")
    await expect(page.locator(".game")).to_have_count(0)


async def test_names_of_all_scripts_have_a_page_and_guests_have_none(club: Club) -> None:
    names = ("สมชาย", "Nguyễn_An", "Ольга-7")
    for name in names:
        await club.player(name)
    page = await (await club.devices()).open("/")
    for name in names:
        await page.goto(f"{club.devices.url}/players/{name}")
        await expect(page.get_by_role("heading", level=1)).to_have_text(name)
    guest = await club.devices()
    signed_in = await guest.post("/api/guests")
    for name in ("Nobody", signed_in["user"]["name"], "%00", "a" * 2000, "a/b"):
        await page.goto(f"{club.devices.url}/players/{name}")
        await expect(page.locator(".blank h1")).to_be_visible()
