"""The daily deal in a real browser: one try, the board, the end of the day."""

import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Locator, Page, WebSocket, expect

from tests.client.club import DAY, PASSWORD, Club, opened, try_today
from tests.client.conftest import board, info, play

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOON = re.compile(r"^(12:00:00|11:5\d:\d\d)$")
"""What is left of a day at noon, for a browser that looks at once."""

CLOSING = datetime(2026, 11, 24, tzinfo=UTC)


@pytest_asyncio.fixture(loop_scope="session")
async def club(database_url: str, browser: Browser) -> AsyncIterator[Club]:
    async with opened(database_url, browser) as club:
        yield club


def own(page: Page) -> Locator:
    return page.locator("section.try")


def row(page: Page, name: str) -> Locator:
    return page.locator(".ranking tbody tr", has_text=name)


class Pushes:
    """The views of one game that a page was pushed live, by ply."""

    def __init__(self, page: Page) -> None:
        self.views: dict[int, dict[str, Any]] = {}
        page.on("websocket", self._watch)

    def _watch(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "game":
            self.views[message["view"]["ply"]] = message["view"]


STEPPED = """async length => {
  const board = document.querySelector("main heart-board");
  const shown = [];
  for (let ply = 0; ply <= length; ply++) {
    const waste = board.querySelector("[data-waste]").dataset;
    shown.push({
      ply: Number(document.querySelector(".stage").dataset.ply),
      heart: [...board.querySelectorAll("[data-pos]")].map(card => card.dataset.card ?? null),
      stock: Number(board.querySelector("[data-stock]").dataset.stock),
      waste: { count: Number(waste.waste), top: waste.card ?? null },
      score: Number(document.querySelectorAll(".info dd")[1].textContent),
    });
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
  return shown;
}"""
"""The positions that a replay shows, step by step from its start, in the words of views."""


async def test_one_try_on_two_devices_from_guest_to_board_and_replay(club: Club) -> None:
    line = await club.line()
    half = len(line) // 2
    phone = await club.devices(viewport={"width": 360, "height": 640}, has_touch=True)
    page = await phone.context.new_page()
    pushed = [Pushes(page)]
    await page.goto(f"{phone.url}/daily")
    await own(page).get_by_role("button", name="Play today’s deal").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await play(page, line[:half], 0)
    await expect(info(page, 2)).to_have_text(str(half))

    await page.get_by_role("link", name="Heartline, home").click()
    await page.locator(".daycard h2 a").click()
    await own(page).get_by_role("button", name="Register").click()
    await page.get_by_role("textbox", name="Name").fill("Nora")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Sign another device in").click()
    code = await page.locator(".code-shown output").inner_text()
    await expect(page.locator(".qr")).to_have_js_property("complete", True)
    await page.keyboard.press("Escape")
    await own(page).get_by_role("link", name="Play on").click()
    await expect(board(page)).to_have_attribute("data-revision", str(half))

    laptop = await club.devices()
    there = await laptop.context.new_page()
    pushed.append(Pushes(there))
    await there.goto(f"{laptop.url}/#link={code}")
    await there.get_by_role("dialog").get_by_role("button", name="Sign in", exact=True).click()
    await there.locator(".daycard").get_by_role("link", name="Play on").click()
    await expect(board(there)).to_have_attribute("data-revision", str(half))
    await play(there, line[half:], half)

    for window in (there, page):
        await expect(window.get_by_role("heading", name="You won!")).to_be_visible()
    await there.get_by_role("link", name="To the day’s board").click()
    await expect(row(there, "Nora")).to_have_class("own")
    await expect(row(there, "Nora").locator("td").first).to_have_text("1")
    await expect(own(there)).to_contain_text("Rank1 of 1")
    await expect(own(there).get_by_role("button", name="Play")).to_have_count(0)
    again = await laptop.post("/api/daily/game")
    assert (again["status"], again["ply"], again["legal"]) == ("won", len(line), [])

    views = pushed[0].views | pushed[1].views
    assert sorted(views) == list(range(len(line) + 1))
    await own(there).get_by_role("link", name="Replay of my game").click()
    await expect(there.locator(".playback .place")).to_have_text(f"Move 0 of {len(line)}")
    await expect(there.locator("move-list [data-ply='1'] .took")).not_to_be_empty()
    shown = await there.evaluate(STEPPED, len(line))
    assert shown == [{name: views[ply][name] for name in shown[0]} for ply in range(len(line) + 1)]

    other = await club.player("Otto")
    game = views[0]["id"]
    looking = await other.open(f"/games/{game}#0")
    await expect(looking.get_by_role("heading", name="Still closed")).to_be_visible()
    record = await other.context.request.get(f"{other.url}/api/games/{game}/record")
    assert (record.status, (await record.json())["code"]) == (403, "not_yet")
    await club.turn_to(CLOSING)
    record = await other.context.request.get(f"{other.url}/api/games/{game}/record")
    assert [each["move"] for each in (await record.json())["moves"]] == list(line)
    await looking.reload()
    await expect(looking.locator("move-list [aria-current]")).to_contain_text("The deal.")


async def test_a_day_that_nobody_has_played(club: Club) -> None:
    visitor = await club.devices()
    page = await visitor.open("/daily")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Monday, 23 November 2026")
    await expect(own(page)).to_contain_text("0 players")
    await expect(own(page).get_by_role("timer")).to_have_text(NOON)
    await expect(page.get_by_text("The first place is free.")).to_be_visible()
    await page.get_by_role("link", name="22 Nov 2026").click()
    await expect(page).to_have_url(f"{visitor.url}/daily/2026-11-22")
    await expect(own(page)).to_contain_text("You did not play this day")
    await expect(page.get_by_text("Nobody played this day.")).to_be_visible()


async def test_days_to_come_and_days_that_never_come(club: Club) -> None:
    visitor = await club.devices()
    page = await visitor.open("/daily/2026-11-24")
    await expect(own(page)).to_contain_text("Not dealt yet")
    await expect(own(page).get_by_role("timer")).to_have_text(NOON)
    await page.get_by_role("link", name="To today’s deal").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("23 November")
    for date in ("9999-12-31", "2027-01-01"):
        await page.goto(f"{visitor.url}/daily/{date}")
        await expect(own(page)).to_contain_text("Not dealt yet")
        await expect(own(page).get_by_role("timer")).to_have_count(0)
    for date in ("2026-02-30", "yesterday", "10000-01-01"):
        await page.goto(f"{visitor.url}/daily/{date}")
        await expect(page.get_by_role("heading", name="There is no such day")).to_be_visible()


async def test_the_board_is_live(club: Club) -> None:
    nora, otto, watcher = await club.player("Nora"), await club.player("Otto"), await club.devices()
    page = await watcher.open("/daily")
    await expect(own(page)).to_contain_text("0 players")
    await try_today(nora, ["draw", "draw"], resigned=True)
    await expect(row(page, "Nora").locator("td")).to_have_text(["1", "0", "2", "0:00"])
    await expect(own(page)).to_contain_text("1 player")
    await try_today(otto, ["draw"], resigned=True)
    await expect(row(page, "Otto").locator("td").first).to_have_text("1")
    await expect(row(page, "Nora").locator("td").first).to_have_text("2")
    await expect(row(page, "Nora").get_by_role("link", name="Replay")).to_have_count(0)


async def test_par_and_the_others_show_once_the_own_try_is_over(club: Club) -> None:
    line = await club.line()
    nora, otto = await club.player("Nora"), await club.player("Otto")
    await try_today(otto, line)
    page = await nora.open("/daily")
    await expect(page.get_by_text("show once your own game has ended")).to_be_visible()
    await expect(page.get_by_text(f"Par: {len(line)}")).to_have_count(0)

    await nora.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await own(page).get_by_role("button", name="Play today’s deal").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await nora.post(f"/api/games/{page.url.rsplit('/', 1)[1]}/moves", move="draw", revision=0)
    await page.get_by_role("button", name="Undo").click()
    await expect(info(page, 2)).to_have_text("1")
    await try_today(nora, line)
    await page.get_by_role("link", name="To the day’s board").click()

    await expect(own(page)).to_contain_text(f"Moves{len(line) + 1}Par{len(line)}Score250Rank2 of 2")
    await expect(page.locator(".histogram figcaption")).to_contain_text(f"You: {len(line) + 1}")
    await expect(page.locator(".histogram rect.mine")).to_have_count(1)
    await expect(page.get_by_role("link", name="23 November: won in")).to_have_attribute(
        "aria-current", "page"
    )
    assert not (await Axe().run(page)).response["violations"]
    await own(page).get_by_role("button", name="Copy result").click()
    await expect(page.get_by_text("Your result is copied.").first).to_be_visible()
    assert (await page.evaluate("navigator.clipboard.readText()")).splitlines() == [
        "Heart to Heart · 23 Nov 2026",
        f"♥ Won in {len(line) + 1} moves (par {len(line)})",
        f"{nora.url}/daily/2026-11-23",
    ]


async def test_a_guest_is_told_how_to_come_onto_the_board(club: Club) -> None:
    guest = await club.devices()
    await guest.post("/api/guests")
    await try_today(guest, ["draw"], resigned=True)
    page = await guest.open("/daily")
    await expect(own(page)).to_contain_text("Your try is over")
    await expect(own(page)).to_contain_text("1 finished")
    await expect(page.get_by_text("Nobody is on the board yet: guests are not listed here.")).to_be_visible()
    await expect(row(page, "You")).to_have_count(0)
    await own(page).get_by_role("button", name="Register").click()
    await page.get_by_role("textbox", name="Name").fill("Gus")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Gus")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(row(page, "Gus")).to_have_class("own")
    await expect(page.locator(".guest")).to_have_count(0)


async def test_the_day_ends_under_ones_eyes(club: Club) -> None:
    line = await club.line()
    nora = await club.player("Nora")
    await try_today(nora, line)
    page = await nora.context.new_page()
    await page.clock.install(time=datetime.now(UTC))
    await page.goto(f"{nora.url}/")
    card = page.locator(".daycard")
    await expect(card).to_contain_text("You have won this deal")
    await expect(card).to_contain_text("1 day in a row")

    await club.turn_to(CLOSING + timedelta(seconds=1))
    await page.clock.fast_forward("12:00:05")
    await expect(card).to_contain_text("One try, the same cards for everybody")
    await card.get_by_role("link", name="Daily deal").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Tuesday, 24 November 2026")
    await expect(own(page).get_by_role("button", name="Play today’s deal")).to_be_visible()

    await page.goto(f"{nora.url}/daily/{DAY}")
    await expect(own(page)).to_contain_text("This day is closed")
    await row(page, "Nora").get_by_role("link", name="Replay of Nora’s game").click()
    await expect(page.locator(".playback .place")).to_have_text(f"Move 0 of {len(line)}")
    await page.go_back()
    await own(page).get_by_role("link", name=f"A perfect game: {len(line)} moves").click()
    await expect(page.locator(".panel h2")).to_have_text("A perfect game")
    await page.keyboard.press("End")
    await expect(page.locator(".playback .place")).to_have_text(f"Move {len(line)} of {len(line)}")
    await expect(info(page, 1)).to_have_text("250")
    await page.go_back()
    await own(page).get_by_role("button", name="Practise this deal").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await expect(info(page, 3)).to_have_text("HH1-D-20261123")


async def test_a_long_board_shows_its_first_places_and_the_own(club: Club) -> None:
    for nth in range(12):
        await try_today(await club.player(f"P{nth:02}"), ["draw"] * (nth + 1), resigned=True)
    page = await (club.devices.all[-1]).open("/daily")
    ranks = page.locator(".ranking tbody td.rank")
    await expect(ranks).to_have_text([str(rank) for rank in range(1, 11)] + ["11", "12"])
    await expect(page.locator(".ranking .around tr")).to_have_count(2)
    await page.get_by_role("button", name="Show more").click()
    await expect(page.locator(".ranking .around tr")).to_have_count(0)
    await expect(ranks).to_have_count(12)
