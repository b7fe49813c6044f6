"""Tables of Hearts from the first page: the list, a table of one's own, the link to one, and quick play."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Locator, Page, Route, expect

from server.settings import Settings
from server.web.app import make_app
from tests.client.conftest import Device, Devices
from tests.client.hearts_driver import give_up

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATIENCE_MS = 10_000
"""After so long without anybody coming bots take the free seats (client/src/state/quickplay.js)."""


@pytest_asyncio.fixture(loop_scope="session")
async def device(database_url: str, browser: Browser) -> AsyncIterator[Devices]:
    """Makes devices that visit a club of their own: the list shows the tables of everybody."""
    app = make_app(Settings(database_url=database_url, rate_limits=False, bot_pace_ms=0))
    async with TestServer(app) as server:
        devices = Devices(browser, str(server.make_url("/")).rstrip("/"))
        yield devices
        await devices.close()


async def table(device: Device, *, public: bool = True, bots: int = 0, **options: object) -> str:
    """The id of a new table of this device, who becomes a guest."""
    if not await device.context.cookies():
        await device.post("/api/guests")
    view = await device.post("/api/games", game="hearts", options=options, public=public, bots=bots)
    return str(view["id"])


async def sit(device: Device, game: str) -> None:
    """Takes a seat without a page."""
    await device.post("/api/guests")
    await device.post(f"/api/games/{game}/seats")


async def seats(device: Device, game: str) -> list[str | None]:
    """Who sits at a table: `person`, `bot` or nobody."""
    view = await device.get(f"/api/games/{game}")
    return ["person" if each["user"] else "bot" if each["bot"] else None for each in view["players"]]


def entry(page: Page, game: str) -> Locator:
    return page.locator(f"[data-game='{game}']")


def id_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


LATER_MS = 10**8
"""How much further off the end of a wait is put, so that no slow machine comes to it by itself."""

PUT_OFF = """later => {
  const quick = JSON.parse(localStorage.getItem("heartline.quick"));
  localStorage.setItem("heartline.quick", JSON.stringify({ ...quick, since: quick.since + later }));
}"""


async def quick(device: Device) -> Page:
    """A device that has tapped on quick play and waits until its page's clock is put forward."""
    page = await device.context.new_page()
    await page.clock.install()
    await page.goto(device.url)
    await page.get_by_role("button", name="Quick play").click()
    await page.wait_for_url("**/games/*")
    await page.evaluate(PUT_OFF, LATER_MS)
    await page.reload()
    await expect(page.get_by_role("region", name="Waiting for players…")).to_be_visible()
    return page


async def wait_out(page: Page) -> None:
    """Lets the time pass for which quick play waits."""
    await page.clock.fast_forward(LATER_MS + PATIENCE_MS)


async def test_the_list_of_tables_is_live(device: Devices) -> None:
    opener, second, third, visitor = [await device() for _ in range(4)]
    page = await visitor.open()
    await expect(page.get_by_text("No table is waiting for players just now.")).to_be_visible()
    game = await table(opener, players=3, variant="omnibus", target=50, moon="add", turn_seconds=0)
    await table(opener, public=False)
    row = entry(page, game)
    await expect(row.locator(".code")).to_have_text(
        "Omnibus · up to 50 · moon adds · no time limit", use_inner_text=True
    )
    await expect(row.get_by_role("img", name="1 of 3 seats taken")).to_be_visible()
    assert not (await Axe().run(page)).response["violations"]
    await sit(second, game)
    await expect(row.get_by_role("img", name="2 of 3 seats taken")).to_be_visible()
    await expect(page.locator(".game.table")).to_have_count(1)
    await sit(third, game)
    await expect(page.get_by_text("No table is waiting for players just now.")).to_be_visible()
    running = page.get_by_role("region", name="Being played")
    await running.get_by_role("link", name=re.compile("^Watch Guest-")).click()
    await page.wait_for_url(f"**/games/{game}")
    assert await visitor.context.cookies() == []


async def test_a_seat_is_taken_in_one_tap(device: Devices) -> None:
    opener, visitor = await device(), await device()
    game = await table(opener)
    page = await visitor.open()
    await entry(page, game).get_by_role("button").click()
    await page.wait_for_url(f"**/games/{game}")
    assert await seats(visitor, game) == ["person", "person", None, None]
    await page.goto(visitor.url)
    await expect(page.get_by_text("No table is waiting for players just now.")).to_be_visible()
    own = page.locator(".game.hearts")
    await expect(own).to_contain_text("Waiting for players")
    await expect(own).to_contain_text("2 of 4 seats taken")
    await page.get_by_role("link", name="Back to the table").click()
    await page.wait_for_url(f"**/games/{game}")


async def test_a_seat_that_ones_other_device_has_taken_is_ones_own(device: Devices) -> None:
    opener, visitor = await device(), await device()
    game = await table(opener)
    await visitor.post("/api/guests")
    page = await visitor.open()
    sitting = entry(page, game).get_by_role("button")

    async def taken(route: Route) -> None:
        await visitor.post(f"/api/games/{game}/seats")
        await route.continue_()

    await visitor.context.route("**/seats", taken)
    await sitting.click()
    await page.wait_for_url(f"**/games/{game}")
    await expect(page.get_by_role("button", name="Leave the table")).to_be_visible()
    await expect(page.locator(".notice")).to_have_count(0)


async def test_a_table_that_has_just_filled_up_is_told_of(device: Devices) -> None:
    opener, visitor = await device(), await device()
    game = await table(opener)

    async def taken(route: Route) -> None:
        await route.fulfill(status=409, json={"code": "seat_taken"})

    await visitor.context.route("**/seats", taken)
    page = await visitor.open()
    await entry(page, game).get_by_role("button").click()
    await expect(page.locator(".notice")).to_have_text("That table has just filled up. Try another.")


async def test_a_running_game_says_whose_turn_it_is(device: Devices) -> None:
    here = await device()
    game = await table(here, players=3, bots=2)
    view = await here.get(f"/api/games/{game}")
    page = await here.open()
    own = page.locator(".game.hearts")
    await expect(own).to_contain_text("Your turn")
    await expect(own).to_contain_text("You 0 · ")
    await expect(own).to_contain_text("Hearts · up to 100")
    await here.post(
        f"/api/games/{game}/moves", move=f"pass {' '.join(view['hand'][:3])}", revision=view["revision"]
    )
    await page.reload()
    await own.click()
    await page.wait_for_url(f"**/games/{game}")


async def test_a_game_that_was_given_up_waits_for_nobody(device: Devices) -> None:
    here, other = await device(), await device()
    game = await table(here, players=3, bots=1, turn_seconds=0)
    await sit(other, game)
    await give_up(here, game)

    async def on_turn(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(json=await answer.json() | {"turn": [0]})

    # The bot in his place has long moved otherwise.
    await here.context.route(f"**/api/games/{game}", on_turn)
    page = await here.open()
    async with page.expect_response(f"**/api/games/{game}"):
        await page.reload()
    own = page.locator(".game.hearts")
    await expect(own).to_contain_text("You 0 · ")
    await expect(own).not_to_contain_text("Your turn")


async def choose(page: Page, **choices: str) -> None:
    """Picks by the values of the fields."""
    for name, value in choices.items():
        await page.get_by_role("dialog").locator(f"[name={name}][value='{value}']").check()


async def created(page: Page, button: str = "Open the table") -> str:
    await page.get_by_role("dialog").get_by_role("button", name=button).click()
    await page.wait_for_url("**/games/*")
    return id_of(page)


async def test_a_table_of_ones_own(device: Devices) -> None:
    here = await device(viewport={"width": 360, "height": 740})
    page = await here.open()
    await page.get_by_role("button", name="New table").click()
    await page.get_by_text("Points, moon, time").click()
    await choose(page, variant="omnibus", players="5", public="no", target="50", moon="subtract")
    await choose(page, turn_seconds="120")
    await page.get_by_label("Bots among them").select_option("2")
    await choose(page, level="sharp")
    await expect(page.get_by_text("It sees no hand but its own.")).to_be_visible()
    assert not (await Axe().run(page)).response["violations"]
    view = await here.get(f"/api/games/{await created(page)}")
    assert view["options"] == {
        "players": 5,
        "variant": "omnibus",
        "target": 50,
        "moon": "subtract",
        "turn_seconds": 120,
    }
    assert [each["bot"] and each["bot"]["level"] for each in view["players"]] == [
        None,
        "sharp",
        "sharp",
        None,
        None,
    ]
    assert (await here.get("/api/games?open=1"))["games"] == []


async def test_what_is_chosen_goes_together(device: Devices) -> None:
    here = await device()
    page = await here.open()
    await page.get_by_role("button", name="New table").click()
    await page.get_by_label("Bots among them").select_option("3")
    await expect(page.get_by_role("dialog").get_by_role("button", name="Begin")).to_be_visible()
    await choose(page, variant="cancellation")
    await expect(page.locator("[name=players][value='6']")).to_be_checked()
    await expect(page.locator("[name=players]")).to_have_count(5)
    await page.get_by_label("Bots among them").select_option("5")
    await choose(page, variant="standard", players="3")
    await expect(page.get_by_label("Bots among them")).to_have_value("2")
    view = await here.get(f"/api/games/{await created(page, 'Begin')}")
    assert view["status"] != "waiting"
    assert len(view["players"]) == 3


async def test_a_table_that_is_refused_says_why_and_keeps_what_was_chosen(device: Devices) -> None:
    here = await device()
    page = await here.open()
    await page.get_by_role("button", name="New table").click()
    await choose(page, players="6")

    async def refuse(route: Route) -> None:
        await route.fulfill(status=422, json={"code": "bad_options"})

    await here.context.route("**/api/games", refuse)
    await page.get_by_role("button", name="Open the table").click()
    await expect(page.get_by_role("alert")).to_have_text("These options don’t go together.")
    await expect(page.locator("[name=players][value='6']")).to_be_checked()
    await here.context.unroute("**/api/games")
    assert len(await seats(here, await created(page))) == 6


async def test_whoever_has_the_link_becomes_a_guest_only_by_sitting_down(device: Devices) -> None:
    opener, friend = await device(), await device()
    game = await table(opener, public=False)
    page = await friend.open(f"/games/{game}")
    button = page.get_by_role("button", name="Take a seat")
    await expect(button).to_be_visible()
    assert await friend.context.cookies() == []
    await button.click()
    await expect(page.get_by_role("button", name="Leave the table")).to_be_visible()
    assert await seats(friend, game) == ["person", "person", None, None]


async def test_quick_play_alone_goes_on_with_bots(device: Devices) -> None:
    here = await device()
    page = await quick(here)
    game = id_of(page)
    assert (await here.get("/api/games?open=1"))["games"][0]["id"] == game
    assert not (await Axe().run(page)).response["violations"]
    await page.reload()
    await expect(page.get_by_text("Bots take the free seats in")).to_be_visible()
    assert await seats(here, game) == ["person", None, None, None]
    await wait_out(page)
    await expect(page.locator("hearts-table")).to_be_visible()
    assert await seats(here, game) == ["person", "bot", "bot", "bot"]


async def test_quick_play_comes_back_to_where_one_waits(device: Devices) -> None:
    here = await device()
    page = await quick(here)
    game = id_of(page)
    await page.get_by_role("link", name="Heartline, home").click()
    await page.get_by_role("button", name="Quick play").click()
    await page.wait_for_url(f"**/games/{game}")
    assert len((await here.get("/api/games?mine=1"))["games"]) == 1


async def test_two_who_play_quickly_meet_and_begin_when_they_like(device: Devices) -> None:
    one, other = await device(), await device()
    first = await quick(one)
    second = await quick(other)
    assert id_of(first) == id_of(second)
    await expect(first.get_by_text("2 seats are free")).to_be_visible()
    await expect(second.get_by_text(re.compile("or when Guest-.* fills them with bots"))).to_be_visible()
    await first.get_by_role("button", name="Start with bots now").click()
    for page in (first, second):
        await expect(page.locator("hearts-table")).to_be_visible()
    assert await seats(one, id_of(first)) == ["person", "person", "bot", "bot"]


async def test_whoever_comes_begins_the_wait_anew(device: Devices) -> None:
    one, other = await device(), await device()
    page = await quick(one)
    left = page.get_by_role("timer")
    await expect(left).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    await sit(other, id_of(page))
    await expect(left).to_have_text(re.compile(r"^0:(0\d|10)$"))
    await page.clock.fast_forward(PATIENCE_MS)
    await expect(page.locator("hearts-table")).to_be_visible()
    assert await seats(one, id_of(page)) == ["person", "person", "bot", "bot"]


async def test_all_windows_of_a_device_wait_as_one(device: Devices) -> None:
    here = await device()
    page = await quick(here)
    other = await here.open(f"/games/{id_of(page)}")
    await expect(other.get_by_text("Bots take the free seats in")).to_be_visible()
    await other.get_by_role("button", name="Wait for people").click()
    for each in (page, other):
        await expect(each.get_by_role("region", name="Waiting for players…")).to_have_count(0)
    await wait_out(page)
    assert await seats(here, id_of(page)) == ["person", None, None, None]


async def test_two_who_tapped_at_the_same_moment_find_each_other(device: Devices) -> None:
    one, other = await device(), await device()
    earlier = await quick(one)

    async def nothing(route: Route) -> None:
        await route.fulfill(json={"games": [], "next": None})

    await other.context.route("**/api/games?open=1*", nothing)
    later = await quick(other)
    await other.context.unroute("**/api/games?open=1*")
    own = id_of(later)
    assert own != id_of(earlier)
    await wait_out(later)
    await later.wait_for_url(earlier.url)
    await expect(earlier.get_by_text("2 seats are free")).to_be_visible()
    assert (await other.get(f"/api/games/{own}"))["status"] == "closed"


async def test_a_table_whose_people_have_gone_is_not_waited_at(device: Devices) -> None:
    gone, here = await device(), await device()
    left = await table(gone)
    page = await quick(here)
    assert id_of(page) != left


async def test_who_does_not_want_to_wait_for_others_plays_with_bots(device: Devices) -> None:
    one, other = await device(), await device()
    waiting = await quick(one)
    page = await quick(other)
    await page.get_by_role("button", name="Play with bots instead").click()
    await expect(page.locator("hearts-table")).to_be_visible()
    assert await seats(other, id_of(page)) == ["person", "bot", "bot", "bot"]
    await expect(waiting.get_by_text("3 seats are free")).to_be_visible()
    await waiting.get_by_role("button", name="Wait for people").click()
    await expect(waiting.get_by_role("region", name="Waiting for players…")).to_have_count(0)
    await wait_out(waiting)
    assert await seats(one, id_of(waiting)) == ["person", None, None, None]
