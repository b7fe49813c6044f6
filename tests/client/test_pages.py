"""The pages around the table, how much they weigh, and that the table fits every window."""

import re
import time
from pathlib import Path

import pytest
from playwright.async_api import expect

from server.games import GAMES
from server.games.game import Seat
from tests.client.conftest import DOCUMENTED, EXAMPLE, WINNING_LINE, Devices, board, info, tap
from tests.client.places import HOPELESS, stuck_line

CLIENT = Path(__file__).parents[2].resolve() / "client"

LOST = "HH1-N-AAAAAAG"
"""A deal in which no pair can be made."""

LIMIT = 150_000
"""Bytes of a first visit, everything counted."""


def test_the_example_is_what_the_engine_plays() -> None:
    state = GAMES["heart-to-heart"].setup({}, DOCUMENTED)
    before = state.view(Seat(0))
    assert before == EXAMPLE["first"]
    for move, gone, free, stock, count, top, score in EXAMPLE["steps"]:
        state.play(Seat(0), move)
        view = state.view(Seat(0))
        left = [i + 1 for i in range(25) if before["heart"][i] and not view["heart"][i]]
        waste = {"count": count, "top": top}
        assert (left, view["free"], view["stock"], view["waste"], view["score"]) == (
            gone,
            free,
            stock,
            waste,
            score,
        )
        before = view
    assert state.status == "won"


SOURCE = CLIENT / "src"


def imported(module: Path) -> set[Path]:
    """A module and all that it imports at once, however deep."""
    needed, ahead = {module}, [module]
    while ahead:
        module = ahead.pop()
        for found in re.findall(r'^(?:import|export)\s[^;]*?"(\.[^"]+)";', module.read_text(), re.MULTILINE):
            other = (module.parent / found).resolve()
            if other not in needed:
                needed.add(other)
                ahead.append(other)
    return needed


def test_the_modules_of_a_first_visit_are_fetched_at_once() -> None:
    """index.html names them all, so that none waits for the one that imports it."""
    named = re.findall(r'rel="modulepreload" href="/client/src/([^"]+)"', (CLIENT / "index.html").read_text())
    main = SOURCE / "main.js"
    assert sorted(named) == sorted(str(each.relative_to(SOURCE)) for each in imported(main) - {main})


def test_the_modules_of_a_table_of_hearts_are_fetched_at_once() -> None:
    later = (SOURCE / "render" / "later.js").read_text()
    named = re.findall(r'^  "([^"]+)",$', later, re.MULTILINE)
    needed = imported(SOURCE / "pages" / "hearts.js") - imported(SOURCE / "main.js")
    assert sorted(named) == sorted(str(each.relative_to(SOURCE).with_suffix("")) for each in needed)


@pytest.mark.asyncio(loop_scope="session")
async def test_who_comes_back_has_a_table_of_hearts_fetched_before_he_opens_one(device: Devices) -> None:
    here = await device()
    page = await here.open()
    # Tables that others have left open, or that there are none.
    await expect(page.locator(".shelf .table, .shelf .empty").first).to_be_visible()
    assert not [each.url for each in here.requests if "/render/hearts/" in each.url]
    await here.game()
    async with page.expect_request("**/render/hearts/table.js"):
        await page.reload()


@pytest.mark.asyncio(loop_scope="session")
async def test_a_first_visit_is_light_and_asks_nobody_else(device: Devices) -> None:
    here = await device()
    began = time.monotonic()
    page = await here.open()
    await page.get_by_role("button", name="Play now").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    took = time.monotonic() - began
    weight = 0
    for request in here.answered:
        sizes = await request.sizes()
        weight += sizes["responseBodySize"] + sizes["responseHeadersSize"]
    assert weight < LIMIT, f"{weight} bytes"
    assert took < 10, f"{took:.1f} s"


@pytest.mark.asyncio(loop_scope="session")
async def test_a_code_that_is_none_is_explained_in_place(device: Devices) -> None:
    here = await device()
    page = await here.open()
    await page.get_by_role("button", name="Play a deal code").click()
    code = page.get_by_role("textbox", name="Deal code", exact=True)
    for text, words in (
        ("", "Type a code such as HH1-N-AAAAAAM."),
        ("AAAAAAM", "A deal code begins with HH1-N-, for instance HH1-N-AAAAAAM."),
        ("HH1-N-AAAAAA", "After HH1-N- come seven letters or digits; here are 6."),
        ("hh1-n-aaaa9am", "“9” is in no deal code: only the letters A to Z and the digits 2 to 7 are."),
        ("HH1-D-20990101", "The deal of a day can be practised once that day is over."),
    ):
        await code.fill(text)
        await page.keyboard.press("Enter")
        await expect(code).to_have_accessible_description(words)
    await code.fill("hh1-n-aaaaa0m")
    await page.keyboard.press("Enter")
    await expect(info(page, 3)).to_have_text("HH1-N-AAAAAOM")


@pytest.mark.asyncio(loop_scope="session")
async def test_a_stuck_game_offers_undo_and_a_new_game(device: Devices) -> None:
    here = await device()
    line = stuck_line()
    page = await here.open(f"/games/{await here.game(line[:-1], HOPELESS)}")
    await expect(board(page)).to_have_attribute("data-revision", str(len(line) - 1))
    first, second = line[-1].split("-")
    await tap(page, first)
    await tap(page, "waste" if second == "w" else second)
    window = page.get_by_role("dialog", name="No more moves")
    await expect(window).to_be_visible()
    await window.get_by_role("button", name="Undo").click()
    await expect(window).to_have_count(0)
    await expect(board(page)).to_have_attribute("data-status", "playing")

    await tap(page, first)
    await tap(page, "waste" if second == "w" else second)
    await expect(window).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(window).to_have_count(0)
    await page.get_by_role("button", name="What now?").click()
    await window.get_by_role("button", name="New game").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")


@pytest.mark.asyncio(loop_scope="session")
async def test_a_deal_without_a_first_pair_offers_another(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game((), LOST)}")
    window = page.get_by_role("dialog", name="This deal can’t be played")
    await expect(window).to_be_visible()
    await expect(window.get_by_role("button", name="Undo")).to_have_count(0)
    await expect(window.get_by_role("button", name="New game")).to_be_focused()
    await window.get_by_role("button", name="New game").click()
    await expect(window).to_have_count(0)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    "path", ["/nowhere", "/games/zzzzzzzz", "/games/zzzzzzzz#0", "/players/nobody", "/daily/zzz"]
)
async def test_a_page_that_is_not_there_has_the_title_of_none(device: Devices, path: str) -> None:
    page = await (await device()).open(path)
    await expect(page).to_have_title("Not found · Heartline")


@pytest.mark.asyncio(loop_scope="session")
async def test_the_example_is_stepped_to_the_win(device: Devices) -> None:
    here = await device()
    page = await here.open("/rules/heart-to-heart")
    example = page.locator(".example")
    await expect(example.locator("[data-pos][data-card]")).to_have_count(25)
    forward = page.get_by_role("button", name="Forward")
    for _ in range(10):
        await forward.click()
    await expect(example.get_by_text("Move 10 of 89")).to_be_visible()
    await expect(example.get_by_text("A pair with the waste: 4.")).to_be_visible()
    await expect(example.locator("[data-stock]")).to_have_attribute("data-stock", "17")
    await page.get_by_role("button", name="Back").click()
    await expect(example.locator("[data-pos='25']")).to_have_attribute("data-card", "4H")
    slider = page.get_by_role("slider", name="Move")
    await slider.fill(str(len(WINNING_LINE) - 1))
    await page.get_by_role("button", name="Play by itself").click()
    await expect(example.get_by_text("Move 89 of 89")).to_be_visible()
    await expect(example.locator("heart-board")).to_have_attribute("data-status", "won")
    await expect(forward).to_be_disabled()
    await page.get_by_role("button", name="To the start").click()
    await expect(example.locator("[data-pos][data-card]")).to_have_count(25)


@pytest.mark.asyncio(loop_scope="session")
async def test_more_games_than_a_page_are_paged(device: Devices) -> None:
    here = await device()
    for _ in range(22):
        await here.game()
    page = await here.open()
    own = page.locator("a.game")
    await expect(own).to_have_count(20)
    await page.get_by_role("button", name="Show more").click()
    await expect(own).to_have_count(22)
    await expect(page.get_by_role("button", name="Show more")).to_have_count(0)


FITS = """() => {
  const cards = [...document.querySelectorAll("main :is([data-pos], [data-stock], [data-waste])")];
  const boxes = cards.map(card => card.getBoundingClientRect());
  const foot = document.querySelector(".controls").getBoundingClientRect();
  const { scrollHeight, scrollWidth } = document.documentElement;
  const overlap = (one, other) =>
    one.bottom > other.top && one.right > other.left && one.left < other.right && one.top < other.bottom;
  const inside = box =>
    box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const middle = ({ left, top, width, height }) =>
    document.elementFromPoint(left + width / 2, top + height / 2);
  return {
    scrolls: scrollHeight > innerHeight || scrollWidth > innerWidth,
    outside: boxes.filter(box => !inside(box)).length,
    underControls: boxes.filter(box => overlap(box, foot)).length,
    unreachable: cards.filter((card, i) => !card.contains(middle(boxes[i]))).length,
    narrowest: Math.min(...boxes.map(box => box.width)),
  };
}"""


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("width", "height"),
    [(360, 560), (360, 640), (360, 740), (740, 360), (844, 390), (768, 1024), (1280, 800), (1920, 1080)],
)
async def test_the_table_fits_and_every_card_can_be_tapped(device: Devices, width: int, height: int) -> None:
    here = await device(viewport={"width": width, "height": height})
    page = await here.open(f"/games/{await here.game()}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    found = await page.evaluate(FITS)
    assert not found["scrolls"]
    assert found["outside"] == found["underControls"] == found["unreachable"] == 0
    assert found["narrowest"] >= 40
