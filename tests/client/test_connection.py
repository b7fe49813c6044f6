"""The page and the server lose each other, and several devices have one game open."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.client.conftest import WINNING_LINE, Devices, Server, board, info, play, serving, tap
from tests.client.lost import lose_an_answer
from tests.conftest import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def mortal(postgres: Postgres) -> AsyncIterator[Server]:
    """A server that a test may kill."""
    async with serving(postgres) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser, mortal: Server) -> AsyncIterator[Devices]:
    """Makes devices that visit the mortal server."""
    devices = Devices(browser, mortal.url)
    yield devices
    for each in devices.all:
        await each.context.close()
        assert each.wrong == []


async def test_a_killed_server_costs_no_move(mortal: Server, visitor: Devices) -> None:
    here = await visitor()
    game = await here.game()
    page = await here.open(f"/games/{game}")
    await play(page, WINNING_LINE[:10], 0)
    await mortal.kill()
    await expect(page.get_by_text("Connection lost. Reconnecting…").first).to_be_visible()
    await tap(page, "stock")
    await tap(page, "24")
    await expect(page.locator("[data-pos='24']")).to_have_attribute("aria-pressed", "true")
    await mortal.start()
    await expect(board(page)).to_have_attribute("data-revision", "11")
    await expect(page.get_by_text("Connection lost. Reconnecting…")).to_have_count(0)
    await tap(page, "24")
    await play(page, WINNING_LINE[11:14], 11)
    await expect(info(page, 1)).to_have_text("20")
    assert (await here.get(f"/api/games/{game}"))["ply"] == 14


async def test_a_page_loaded_while_the_server_is_away_says_so_and_comes_back(
    mortal: Server, visitor: Devices
) -> None:
    here = await visitor()
    game = await here.game()
    page = await here.open("/")
    resume = page.get_by_role("link", name="Play on")
    await expect(resume).to_be_visible()
    await mortal.kill()
    await resume.click()
    await expect(page.get_by_text("Connection lost. Reconnecting…").first).to_be_visible()
    await mortal.start()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    assert page.url.endswith(f"/games/{game}")


async def test_a_reload_in_the_middle_shows_the_same_table(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:30])}")
    await play(page, ["draw", "draw"], 30)
    cards = await board(page).evaluate(
        "board => [...board.querySelectorAll('[data-card]')].map(each => each.dataset.card)"
    )
    await page.reload()
    await expect(board(page)).to_have_attribute("data-revision", "32")
    assert cards == await board(page).evaluate(
        "board => [...board.querySelectorAll('[data-card]')].map(each => each.dataset.card)"
    )
    await expect(info(page, 2)).to_have_text("32")


async def test_a_second_window_and_a_spectator_follow_live(device: Devices) -> None:
    here, other = await device(), await device()
    path = f"/games/{await here.game(WINNING_LINE[:8])}"
    one, two, watching = await here.open(path), await here.open(path), await other.open(path)
    await expect(watching.get_by_text("You are watching Guest-")).to_be_visible()
    await expect(watching.get_by_role("button", name="Undo")).to_have_count(0)
    await play(one, WINNING_LINE[8:10], 8)
    for page in (two, watching):
        await expect(info(page, 1)).to_have_text("10")
        await expect(page.locator("[data-pos='25']")).to_be_hidden()
    await two.get_by_role("button", name="Undo").click()
    for page in (one, watching):
        await expect(page.locator("[data-pos='25']")).to_have_attribute("data-card", "4H")
    await tap(watching, "25")
    await expect(watching.locator("[data-pos='25']")).to_have_attribute("aria-pressed", "false")


async def test_two_windows_that_move_at_once_agree_without_alarm(device: Devices) -> None:
    here = await device()
    game = await here.game()
    one, two = await here.open(f"/games/{game}"), await here.open(f"/games/{game}")
    for page in (one, two):
        await expect(board(page)).to_have_attribute("data-revision", "0")
    await asyncio.gather(*(tap(page, "stock") for page in (one, two)))
    last = (await here.get(f"/api/games/{game}"))["revision"]
    assert last in (1, 2)
    for page in (one, two):
        await expect(board(page)).to_have_attribute("data-revision", str(last))
        await expect(page.locator(".notice")).to_have_count(0)
    await play(one, ["draw"], last)


async def test_a_move_whose_answer_is_lost_counts_once(device: Devices) -> None:
    """The connection is cut after the server has the move and before the page hears of it."""
    here = await device()
    cut = await lose_an_answer(here.context)
    game = await here.game()
    page = await here.open(f"/games/{game}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await tap(page, "stock")
    await asyncio.wait_for(cut.wait(), 10)
    await expect(board(page)).to_have_attribute("data-revision", "1")
    await play(page, ["draw"], 1)
    assert (await here.get(f"/api/games/{game}"))["ply"] == 2


async def test_a_sent_move_shows_as_pending_until_the_server_agrees(device: Devices) -> None:
    here = await device()
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def route(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        page_side.on_message(
            lambda message: (
                held.append((server_side, message))
                if '"type":"move"' in str(message)
                else server_side.send(message)
            )
        )

    await here.context.route_web_socket("**/ws", route)
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:9])}")
    await tap(page, "25")
    await tap(page, "waste")
    await expect(page.locator("[data-pos='25'].leaving")).to_have_count(1)
    await expect(page.locator("[data-pos='25']")).to_have_attribute("data-card", "4H")
    assert len(held) == 1
    held[0][0].send(held[0][1])
    await expect(info(page, 1)).to_have_text("10")
    await expect(page.locator(".leaving")).to_have_count(0)


PLACES = """() => [...document.querySelectorAll("main .loose")].map(card => card.style.transform)"""


async def test_a_move_that_is_cut_off_lies_where_the_log_has_it(device: Devices) -> None:
    here = await device()
    gone = asyncio.Event()
    sides: list[WebSocketRoute] = []

    def route(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        sides.append(page_side)

        def pass_on(message: str | bytes) -> None:
            if '"type":"move"' in str(message) and len(sides) == 1:
                gone.set()
            else:
                server_side.send(message)

        page_side.on_message(pass_on)

    await here.context.route_web_socket("**/ws", route)
    page = await here.open(f"/games/{await here.game()}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    before = await page.evaluate(PLACES)
    await tap(page, "stock")
    await asyncio.wait_for(gone.wait(), 10)
    assert before != await page.evaluate(PLACES)
    await here.context.set_offline(True)
    await expect(page.locator(".pill.lost")).to_be_visible()
    assert before == await page.evaluate(PLACES)
    await here.context.set_offline(False)
    await expect(board(page)).to_have_attribute("data-revision", "1")


async def test_a_network_that_goes_is_told_of_at_once_and_costs_no_move(device: Devices) -> None:
    here = await device()
    game = await here.game()
    page = await here.open(f"/games/{game}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    lost = page.locator(".pill.lost")
    await here.context.set_offline(True)
    await expect(lost).to_have_text("Connection lost. Reconnecting…", timeout=3_000)
    await tap(page, "stock")
    await here.context.set_offline(False)
    await expect(board(page)).to_have_attribute("data-revision", "1", timeout=3_000)
    await expect(lost).to_have_count(0)
    assert (await here.get(f"/api/games/{game}"))["ply"] == 1


COVERED = """pill => {
  const over = pill.getBoundingClientRect();
  return [...document.querySelectorAll("main [data-card], main [data-stock]")].filter(card => {
    const { left, right, top, bottom } = card.getBoundingClientRect();
    return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
  }).length;
}"""
"""How many cards of the table lie under a line that is said over it."""


@pytest.mark.parametrize("size", [(1280, 800), (844, 390)])
async def test_who_is_told_of_a_lost_connection_sees_all_his_cards(
    device: Devices, size: tuple[int, int]
) -> None:
    here = await device(viewport={"width": size[0], "height": size[1]})
    page = await here.open(f"/games/{await here.game()}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await here.context.set_offline(True)
    lost = page.locator(".pill.lost")
    await expect(lost).to_be_visible()
    assert await lost.evaluate(COVERED) == 0
