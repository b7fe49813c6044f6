"""Several people at one table of Hearts in real browsers: sitting down, taking back, watching."""

import asyncio
import json
import re
from collections.abc import Callable

import pytest
from playwright.async_api import WebSocket, expect

from tests.client.conftest import Device, Devices
from tests.client.hearts_driver import (
    View,
    guest,
    hand,
    lead_to,
    moves,
    now,
    open_table,
    said,
    sit,
    table,
    trick,
    words,
)
from tests.client.lost import lose_an_answer

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def two_who_play(device: Devices, wanted: Callable[[View], bool]) -> tuple[Device, Device, View]:
    """Two people and a bot at a table whose clock stands still, led to what the first shall see."""
    first, second = await device(), await device()
    view = await open_table(first, players=3, bots=0, turn_seconds=0)
    await sit(second, view["id"])
    await first.post(f"/api/games/{view['id']}/bots", level="easy")
    return first, second, await lead_to(first, view, wanted, [second])


async def test_a_table_fills_and_begins(device: Devices) -> None:
    host, other = await device(), await device()
    view = await open_table(host, bots=0, target=50, turn_seconds=0)
    path = f"/games/{view['id']}"
    mine, theirs = await host.open(path), await other.open(path)
    name = view["players"][0]["user"]["name"]
    for page in (mine, theirs):
        await expect(page.get_by_role("heading", name=f"{name}’s table")).to_be_visible()
        await expect(page.get_by_text("Standard · up to 50 · moon by choice · no time limit")).to_be_visible()
    await expect(mine.get_by_role("status").get_by_text("3 seats are free")).to_be_visible()
    await expect(mine.locator(".address")).to_have_text(f"{host.url}{path}")
    await expect(mine.get_by_role("img", name="QR code of the invitation")).to_have_js_property(
        "complete", True
    )
    await expect(theirs.get_by_role("button", name="Fill with bots and begin")).to_have_count(0)
    await expect(theirs.locator(".invitation")).to_have_count(0)

    await theirs.get_by_role("button", name="Sit at seat 3").click()
    await expect(mine.get_by_role("status").get_by_text("2 seats are free")).to_be_visible()
    seat = mine.locator(".places li").nth(2)
    await expect(seat).to_contain_text("Guest-")
    await theirs.get_by_role("button", name="Leave the table").click()
    await expect(seat).to_contain_text("Free seat")
    await theirs.get_by_role("button", name="Take a seat").click()
    await expect(mine.locator(".places li").nth(1)).to_contain_text("Guest-")
    await mine.get_by_role("radio", name="Easy").check()
    await mine.get_by_role("button", name="A bot for seat 3").click()
    await expect(theirs.locator(".places li").nth(2)).to_contain_text("Easy")
    await mine.get_by_role("button", name="Fill with bots and begin").click()
    for page in (mine, theirs):
        await expect(hand(page)).to_have_count(13)
    assert [each["bot"] and each["bot"]["level"] for each in (await now(host, view["id"]))["players"]] == [
        None, None, "easy", "easy"
    ]  # fmt: skip


async def test_a_table_is_shared_by_what_the_device_has_for_it(device: Devices) -> None:
    here = await device()
    await here.context.add_init_script("navigator.share = what => { window.shared = what.url; }")
    path = f"/games/{(await open_table(here, bots=0))['id']}"
    page = await here.open(path)
    await page.get_by_role("button", name="Share…").click()
    assert await page.evaluate("window.shared") == f"{here.url}{path}"


async def test_a_card_is_taken_back_when_the_other_person_agrees(device: Devices) -> None:
    def before_the_other(view: View) -> bool:
        return moves(view) and not any(each["seat"] == 1 for each in view["trick"])

    first, second, view = await two_who_play(device, before_the_other)
    name = view["players"][0]["user"]["name"]
    asking, answering = await first.open(f"/games/{view['id']}"), await second.open(f"/games/{view['id']}")
    await table(asking).locator(".hand .playable").first.click()
    await expect(hand(asking)).to_have_count(len(view["hand"]) - 1)
    await asking.keyboard.press("u")
    await expect(words(answering)).to_have_text(f"{name} would like to take a move back")
    await expect(words(asking)).to_contain_text("You asked to take it back.")
    await answering.get_by_role("button", name="Refuse").click()
    await expect(said(asking)).to_have_text("The take-back was refused.")
    await expect(hand(asking)).to_have_count(len(view["hand"]) - 1)
    await asking.get_by_role("button", name="Take back").click()
    await answering.get_by_role("button", name="Agree").click()
    await expect(hand(asking)).to_have_count(len(view["hand"]))
    await expect(answering.get_by_role("button", name="Agree")).to_have_count(0)
    await expect(said(answering)).to_contain_text("The last move was taken back.")


async def test_who_watches_sees_no_hand(device: Devices) -> None:
    here, other = await device(), await device()
    view = await open_table(here)
    await guest(other)
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(str(data)))

    page = await other.context.new_page()
    page.on("websocket", listen)
    await page.goto(f"{other.url}/games/{view['id']}")
    await expect(page.get_by_text("You are watching")).to_be_visible()
    await expect(hand(page)).to_have_count(0)
    view = await lead_to(here, view, lambda view: moves(view) and len(view["hand"]) < 10)
    await expect(table(page)).to_have_attribute("data-revision", str(view["revision"]))
    await expect(trick(page)).to_have_count(len(view["trick"]))
    await page.keyboard.press("l")
    await expect(page.get_by_role("dialog").locator("[data-card]")).to_have_count(4)
    await page.keyboard.press("Escape")
    for name in ("Take back", "Give up"):
        await expect(page.get_by_role("button", name=name)).to_have_count(0)
    views = [json.loads(frame)["view"] for frame in frames if '"type":"game"' in frame]
    assert len(views) > 3
    assert all(each["hand"] is None and each["sent"] is None and "hands" not in each for each in views)


async def test_two_windows_of_one_player_agree(device: Devices) -> None:
    here = await device()
    view = await lead_to(here, await open_table(here), moves)
    one, two = await here.open(f"/games/{view['id']}"), await here.open(f"/games/{view['id']}")
    for page in (one, two):
        await expect(hand(page)).to_have_count(len(view["hand"]))
    card = f".hand [data-card='{view['legal'][0].removeprefix('play ')}']"
    # The slower window may have heard of it already.
    click = "card => document.querySelector(card)?.click()"
    await asyncio.gather(*(page.evaluate(click, card) for page in (one, two)))
    for page in (one, two):
        await expect(hand(page)).to_have_count(len(view["hand"]) - 1)
        await expect(words(page)).not_to_have_class(re.compile("noticed"))
    assert len((await now(here, view["id"]))["hand"]) == len(view["hand"]) - 1


async def test_who_is_away_is_marked(device: Devices) -> None:
    first, second, view = await two_who_play(device, moves)
    page = await first.open(f"/games/{view['id']}")
    other = await second.open(f"/games/{view['id']}")
    mark = table(page).locator(".sitter.away")
    await expect(mark).to_have_count(0)
    name = next(
        each["user"]["name"] for each in view["players"] if each["user"] and each["seat"] != view["you"]
    )
    await other.close()
    await expect(mark).to_contain_text(f"{name}, away")
    await expect(said(page)).to_have_text(f"{name} is away.")
    await second.open(f"/games/{view['id']}")
    await expect(mark).to_have_count(0)


async def test_a_card_whose_answer_is_lost_is_played_once(device: Devices) -> None:
    """The connection is cut after the server has the card and before the page hears of it."""
    here = await device()
    view = await lead_to(here, await open_table(here), moves)
    cut = await lose_an_answer(here.context)
    page = await here.open(f"/games/{view['id']}")
    await expect(hand(page)).to_have_count(len(view["hand"]))
    await table(page).locator(".hand .playable").first.click()
    await asyncio.wait_for(cut.wait(), 10)
    await expect(table(page).locator(".pending")).to_have_count(0)
    await expect(hand(page)).to_have_count(len(view["hand"]) - 1)
    assert len((await now(here, view["id"]))["hand"]) == len(view["hand"]) - 1
