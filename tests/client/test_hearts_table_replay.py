"""Looking back over a game of Hearts in a real browser: open hands, one seat's eyes, the record."""

import hashlib
from typing import Any

import pytest
from playwright.async_api import Page, expect

from server.games import GAMES
from tests.client.conftest import Device, Devices
from tests.client.hearts_driver import View, hand, lead_to, now, open_table, table, trick
from tests.client.test_replay import at, choose, words

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def finished(device: Device) -> View:
    return await lead_to(
        device, await open_table(device, target=1, moon="add"), lambda view: view["status"] == "finished"
    )


def record_of(players: int, variant: str, plies: int = 0) -> dict[str, Any]:
    """The record of a table that was closed after so many moves."""
    options = GAMES["hearts"].options({"players": players, "variant": variant})
    seed, time = bytes(32), "2026-11-29T12:00:00.000Z"
    state = GAMES["hearts"].setup(options, seed)
    moves = []
    for _ in range(plies):
        (seat, *_) = state.turn()
        legal = state.legal(seat)[0]
        text = f"pass {' '.join(state.view(seat)['hand'][:3])}" if legal == "pass" else legal
        moves.append({"seat": seat, "move": state.play(seat, text), "at": time})
    result = {"status": "closed", "totals": [0] * players, "scores": [], "winners": None}
    return {
        "format": "heartline/1",
        "game": "hearts",
        "options": options,
        "seed": seed.hex(),
        "commitment": hashlib.sha256(seed).hexdigest(),
        "players": [f"Guest-{seat}WWWW" for seat in range(players)],
        "moves": moves,
        "result": result,
        "created_at": time,
        "finished_at": time,
    }


async def cards(page: Page, seat: int) -> list[str]:
    """The open hand of another seat, as its box tells it."""
    shown: list[str] = (
        await table(page)
        .locator(f".sitter[data-seat='{seat}'] [data-card]")
        .evaluate_all("all => all.map(card => card.dataset.card)")
    )
    return shown


async def test_all_hands_are_open_or_those_of_one_seat(device: Devices) -> None:
    here, other = await device(), await device()
    view = await finished(here)
    names = [(each["user"] or each["bot"])["name"] for each in view["players"]]
    page = await other.open(f"/games/{view['id']}")
    await page.get_by_role("link", name="Replay").click()
    await at(page, 0, view["ply"])
    then = await here.get(f"/api/games/{view['id']}?ply=0")
    await expect(hand(page)).to_have_count(13)
    for seat in (1, 2, 3):
        assert await cards(page, seat) == then["hands"][seat]
    await page.get_by_role("button", name="Forward").click()
    await at(page, 1, view["ply"])
    first = await here.get(f"/api/games/{view['id']}?ply=1")
    seat = first["last"]["seat"]
    passed = " ".join(short(card) for card in first["last"]["move"].split()[1:])
    await expect(words(page)).to_have_text(f"{names[seat]} to {names[(seat + 1) % 4]}: {passed}")

    await page.get_by_role("combobox", name="Seen by").select_option(names[(seat + 1) % 4])
    await expect(words(page)).to_have_text(f"{names[seat]} to {names[(seat + 1) % 4]}: three cards")
    await expect(table(page).locator(".open-hand")).to_have_count(0)
    shown = await hand(page).evaluate_all("all => all.map(card => card.dataset.card)")
    assert shown == first["hands"][(seat + 1) % 4]

    # The card that completes a trick leaves it on the table until the next one.
    await page.get_by_role("slider", name="Move").fill("8")
    await at(page, 8, view["ply"])
    done = await here.get(f"/api/games/{view['id']}?ply=8")
    await expect(trick(page)).to_have_count(4)
    name = names[done["last_trick"]["winner"]]
    await expect(table(page).locator(".laid .winning")).to_have_accessible_name(f"{name}: {won(done)}")
    await page.get_by_role("button", name="Forward").click()
    await expect(trick(page)).to_have_count(1)
    await expect(page.locator(".curve .line")).to_have_count(4)


def short(card: str) -> str:
    return card[0].replace("T", "10") + {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}[card[1]]


def won(view: View) -> str:
    """The name of the card that has won the last trick."""
    last = view["last_trick"]
    card = next(each["card"] for each in last["cards"] if each["seat"] == last["winner"])
    ranks = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
    suits = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
    return f"{ranks.get(card[0], card[0])} of {suits[card[1]]}"


async def test_a_record_is_looked_at_and_a_game_goes_on_from_any_move(device: Devices) -> None:
    here = await device()
    view = await finished(here)
    record = await here.get(f"/api/games/{view['id']}/record")
    page = await here.open("/replay")
    await choose(page, record)
    await expect(page.get_by_text("The record is right: every move and the result.")).to_be_visible()
    await page.keyboard.press("End")
    await at(page, view["ply"], view["ply"])
    await expect(table(page)).to_have_attribute("data-status", "finished")
    await page.get_by_role("button", name="Another record").click()
    record["moves"][4]["move"] = "play 2H"
    await choose(page, record)
    await expect(page.get_by_role("alert")).to_contain_text("The record is wrong at move 5.")

    await page.goto(f"{here.url}/games/{view['id']}#6")
    await at(page, 6, view["ply"])
    await page.get_by_role("button", name="Play on from here").click()
    await page.wait_for_url(lambda url: view["id"] not in url)
    await expect(table(page)).to_have_attribute("data-status", "playing")
    assert (await now(here, page.url.rpartition("/")[2]))["ply"] >= 6


async def test_a_move_of_a_record_that_was_changed_is_told_by_its_player(device: Devices) -> None:
    record = record_of(4, "standard", plies=6)
    sent = " ".join(short(card) for card in record["moves"][0]["move"].split()[1:])
    record["moves"][5]["move"] = "play QS"
    page = await (await device()).open("/replay")
    await choose(page, record)
    name = record["players"][record["moves"][5]["seat"]]
    await expect(page.get_by_role("alert")).to_contain_text(f"{name} may not make this move. ")
    # What its seed deals is known, so the passes are, although the game has no end.
    await page.get_by_role("button", name="Forward").click()
    await expect(words(page)).to_have_text(f"Guest-0WWWW to Guest-1WWWW: {sent}")


CUT = """() => {
  const seats = [...document.querySelectorAll(".sitters > .sitter")];
  const boxes = seats.map(seat => seat.getBoundingClientRect());
  const overlap = (one, other) =>
    one.bottom > other.top + 1 && one.right > other.left + 1
    && one.left + 1 < other.right && one.top + 1 < other.bottom;
  const inside = (card, box) =>
    card.left >= box.left && card.right <= box.right && card.top >= box.top && card.bottom <= box.bottom;
  const cut = seats.filter((seat, i) => [...seat.querySelectorAll("[data-card]")]
    .some(card => !inside(card.getBoundingClientRect(), boxes[i])));
  const others = [...document.querySelectorAll(".message .sitter, .hand .paper")];
  const covered = boxes.filter((box, i) =>
    boxes.some((other, j) => i < j && overlap(box, other))
    || others.some(other => overlap(box, other.getBoundingClientRect())));
  return { cut: cut.length, covered: covered.length };
}"""


@pytest.mark.parametrize(("players", "variant"), [(4, "standard"), (8, "cancellation"), (10, "cancellation")])
async def test_all_open_hands_fit_into_their_seats(device: Devices, players: int, variant: str) -> None:
    page = await (await device()).open("/replay")
    await choose(page, record_of(players, variant))
    await expect(table(page).locator(".open-hand")).to_have_count(players - 1)
    for width, height in ((360, 740), (844, 390), (768, 1024), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(f"() => document.querySelector('.bar').clientWidth <= {width}")
        where = f"{players} at {width}×{height}"
        await page.wait_for_function("() => !document.querySelector('hearts-table.still')")
        assert await page.evaluate(CUT) == {"cut": 0, "covered": 0}, where
