"""The table of Hearts by keys, by ear, in three languages and in every window."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from server.log.bots import NAMES as BOTS
from tests.client.conftest import VIEWERS, Device, Devices, assert_no_sideways
from tests.client.hearts_driver import (
    follows,
    hand,
    hear,
    lead_to,
    listen,
    moves,
    now,
    on_turn,
    open_table,
    table,
    trick,
    words,
)
from tests.client.test_languages import NAMES, catalogue, count_said

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def states(device: Device) -> AsyncIterator[tuple[str, Page]]:
    """Leads a table from its first free seat to its replay, giving each state a name."""
    view = await open_table(device, bots=0, target=1, variant="omnibus")
    page = await device.open(f"/games/{view['id']}")
    await expect(page.locator(".places li")).to_have_count(4)
    yield "waiting", page
    await page.locator(".fill [type=submit]").click()
    await expect(hand(page)).to_have_count(13)
    yield "to be passed", page
    for nth in (0, 4, 12):
        await hand(page).nth(nth).click()
    yield "three cards lifted", page
    await page.locator(".panel-of-pass button").click()
    await expect(table(page)).to_have_attribute("data-status", "playing")
    await lead_to(device, view, follows)
    await table(page).locator(".hand .unplayable").first.click()
    await expect(table(page).locator(".noticed")).to_be_visible()
    yield "why a card may not be played", page
    await table(page).locator(".hand .playable").first.click()
    for key, shown in (("s", ".score-sheet"), ("l", ".seen-trick"), ("?", ".points")):
        await page.keyboard.press(key)
        await expect(page.locator(f".sheet {shown}")).to_be_visible()
        yield f"window {key}", page
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.locator(".controls .control").nth(3).click()
    await expect(page.locator(".sheet .actions")).to_be_visible()
    yield "giving up", page
    await page.keyboard.press("Escape")
    view = await lead_to(device, view, lambda view: view["status"] == "finished")
    await expect(page.locator(".hearts-end")).to_be_visible()
    yield "the end", page
    await page.goto(f"{device.url}/games/{view['id']}#30")
    await expect(page.locator(".open-hand").first).to_be_visible()
    yield "replay", page
    await page.goto(f"{device.url}/games/{view['id']}#{view['ply']}")
    if await page.locator(".playback .moves").is_visible():
        await page.locator(".playback .moves").click()
    await expect(page.locator("move-list [aria-current]")).to_be_visible()
    yield "the moves of a replay", page


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer["locale"])
async def test_axe_finds_nothing_and_no_english_is_left(device: Devices, viewer: dict[str, Any]) -> None:
    here = await device(**viewer)
    names = re.compile("|".join([NAMES.pattern, *BOTS]))
    async for name, page in states(here):
        results = await Axe().run(page)
        assert not results.response["violations"], f"{name}:\n{results.generate_report()}"
        await assert_no_sideways(page, name)
        assert await count_said(page, name, viewer["locale"][:2], names) > 10


LINES = """text => {
  const p = document.createElement("p");
  Object.assign(p.style, { width: "0" });
  p.textContent = text;
  document.querySelector("main").append(p);
  const [node] = p.childNodes;
  const tops = [...text].map((_, i) => {
    const range = document.createRange();
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    return range.getBoundingClientRect().top;
  });
  p.remove();
  return tops;
}"""


async def test_no_thai_line_breaks_within_a_bot(device: Devices) -> None:
    page = await (await device(locale="th-TH")).open("/rules/hearts")
    text = await page.get_by_text("จับเวลา:").inner_text()
    bot = "บ\u2060อ\u2060ต"
    at = text.index(f"{bot}จะลงไพ่แทน")
    tops = await page.evaluate(LINES, text)
    assert len(set(tops)) > 10
    assert tops[at] == tops[at + 2] == tops[at + 4]


async def test_a_hand_is_passed_and_played_by_keys(device: Devices) -> None:
    here = await device()
    view = await open_table(here)
    page = await here.open(f"/games/{view['id']}")
    await expect(hand(page)).to_have_count(13)
    await page.keyboard.press("ArrowRight")
    await expect(hand(page).first).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(hand(page).last).to_be_focused()
    for key in ("Enter", "ArrowRight", "Space", "ArrowRight", "Enter", "Enter", "Enter"):
        await page.keyboard.press(key)
    await expect(table(page).locator(".hand [aria-pressed='true']")).to_have_count(3)
    await page.keyboard.press("Escape")
    await expect(table(page).locator(".hand [aria-pressed='true']")).to_have_count(0)
    await listen(page)
    for key in ("Enter", "ArrowRight", "Enter", "ArrowRight", "Enter", "p"):
        await page.keyboard.press(key)
    await expect(table(page)).to_have_attribute("data-status", "playing")
    await hear(page, "passed you")
    after = await now(here, view["id"])
    assert after["sent"] == view["hand"][1:4]

    view = await lead_to(here, after, moves)
    card = view["legal"][0].removeprefix("play ")
    await expect(table(page)).to_have_attribute("data-revision", str(view["revision"]))
    await table(page).locator(f".hand [data-card='{card}']").focus()
    await page.keyboard.press("Enter")
    await expect(table(page).locator(f".hand [data-card='{card}']")).to_have_count(0)
    await expect(page.locator(".hand :focus")).to_have_count(1)


async def test_the_focus_is_never_lost(device: Devices) -> None:
    here = await device()
    view = await open_table(here, bots=0, turn_seconds=0)
    page = await here.open(f"/games/{view['id']}")
    held = table(page).locator(".hand .paper:focus")
    await page.get_by_role("button", name="A bot for seat 2").press("Enter")
    await expect(page.locator("h2:focus")).to_have_text("2 seats are free")
    await page.get_by_role("button", name="Fill with bots").press("Enter")
    await expect(held).to_have_count(1)
    await lead_to(here, await now(here, view["id"]), lambda view: on_turn(view) and len(view["hand"]) == 1)
    await expect(hand(page)).to_have_count(1)
    await hand(page).press("Enter")
    # The last card of a hand is gone; the next hand takes over.
    await expect(hand(page)).to_have_count(13)
    await expect(held).to_have_count(1)
    await page.get_by_role("button", name="Give up").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Give up").press("Enter")
    await expect(page.get_by_role("heading", name="This table is closed")).to_be_focused()


async def test_cards_have_names_and_what_happens_is_announced(device: Devices) -> None:
    here = await device()
    # Somebody else plays behind the viewer, so that there is something to announce.
    view = await lead_to(here, await open_table(here), lambda view: follows(view) and len(view["trick"]) < 3)
    page = await here.open(f"/games/{view['id']}")
    await expect(hand(page)).to_have_count(len(view["hand"]))
    names = await hand(page).evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")
    may = [card for card in view["hand"] if f"play {card}" in view["legal"]]
    playable = [name for name in names if "can’t be played now" not in name]
    assert [name.removesuffix(", just received") for name in playable] == [
        called(card, catalogue("en")) for card in may
    ]
    player = view["players"][view["trick"][0]["seat"]]["bot"]["name"]
    led = called(view["trick"][0]["card"], catalogue("en"))
    await expect(trick(page).first).to_have_accessible_name(f"{player}: {led}")
    await expect(words(page)).to_have_text("Your turn")
    await listen(page)
    await page.get_by_role("button", name=playable[0], exact=True).click()
    await hear(page, r"[A-Z]\w+: \w+ of \w+\..*(Your turn|The trick goes to)")


def called(card: str, english: dict[str, Any]) -> str:
    """The name of a card, as `Queen of spades`."""
    return str(english[f"suit.{card[1]}"]).replace("{rank}", english[f"rank.{card[0]}"])


async def test_a_waiting_table_is_below_the_bar_of_every_low_window(device: Devices) -> None:
    here = await device()
    view = await open_table(here, bots=0)
    page = await here.open(f"/games/{view['id']}")
    await expect(page.locator(".invitation")).to_be_visible()
    for width, height in ((320, 640), (568, 320), (740, 360), (1000, 500)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(f"() => document.querySelector('.bar').clientWidth === {width}")
        bar, places, invitation = [
            await page.locator(each).evaluate("each => each.getBoundingClientRect().toJSON()")
            for each in (".bar", ".places", ".invitation")
        ]
        where = f"{width}×{height}"
        assert bar["height"] < 64, where
        assert bar["bottom"] <= places["top"], where
        assert places["right"] <= invitation["left"] or places["bottom"] <= invitation["top"], where
        await assert_no_sideways(page, where)


FITS = """() => {
  const all = name => [...document.querySelectorAll(`hearts-table ${name}`)];
  const cards = all(".hand button");
  const boxes = cards.map(card => card.getBoundingClientRect());
  const seats = all(".sitter").map(seat => seat.getBoundingClientRect());
  const foot = document.querySelector(".controls").getBoundingClientRect();
  const { scrollHeight, scrollWidth } = document.documentElement;
  const overlap = (one, other) =>
    one.bottom > other.top + 1 && one.right > other.left + 1
    && one.left + 1 < other.right && one.top + 1 < other.bottom;
  const inside = box =>
    box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const middle = ({ left, top, width, height }) =>
    document.elementFromPoint(left + width / 2, top + height / 2);
  return {
    scrolls: scrollHeight > innerHeight || scrollWidth > innerWidth,
    outside: [...boxes, ...seats].filter(box => !inside(box)).length,
    seatsOnSeats: seats.filter((one, i) => seats.some((other, j) => i < j && overlap(one, other))).length,
    cardsOnSeats: boxes.filter(box => seats.some(seat => overlap(box, seat))).length,
    underControls: boxes.filter(box => overlap(box, foot) && box.bottom - foot.top > 4).length,
    unreachable: cards.filter((card, i) => !card.contains(middle(boxes[i]))).length,
    narrowest: Math.min(...cards.map(card => card.offsetWidth)),
  };
}"""


@pytest.mark.parametrize(
    ("players", "variant"), [(3, "standard"), (4, "standard"), (7, "standard"), (10, "cancellation")]
)
async def test_every_table_fits_every_window(device: Devices, players: int, variant: str) -> None:
    here = await device()
    view = await open_table(here, players=players, bots=players - 1, variant=variant)
    view = await lead_to(here, view, on_turn)
    page = await here.open(f"/games/{view['id']}")
    for width, height in ((360, 640), (360, 740), (740, 360), (768, 1024), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(f"() => document.querySelector('hearts-table')?.clientWidth <= {width}")
        await expect(hand(page)).to_have_count(len(view["hand"]))
        found = await page.evaluate(FITS)
        where = f"{players} at {width}×{height}: {found}"
        assert not found["scrolls"], where
        assert found["outside"] == found["seatsOnSeats"] == found["cardsOnSeats"] == 0, where
        assert found["underControls"] == found["unreachable"] == 0, where
        assert found["narrowest"] >= 24, where
