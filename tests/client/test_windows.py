"""What windows and pages take with them when they close, and what the browser's Back does to them."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.client.conftest import WINNING_LINE, Devices, board
from tests.client.hearts_driver import hand, open_table, table

pytestmark = pytest.mark.asyncio(loop_scope="session")


def window(page: Page) -> Any:
    return page.get_by_role("dialog")


async def test_back_closes_a_window_and_only_then_leaves_the_page(device: Devices) -> None:
    page = await (await device()).open("/rules/hearts")
    await page.get_by_role("link", name="Heartline, home").click()
    await page.get_by_role("button", name="Settings").click()
    await expect(window(page)).to_be_visible()
    await page.go_back()
    await expect(window(page)).to_have_count(0)
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", name="How to play Hearts")).to_be_visible()


async def test_a_window_closed_in_another_way_leaves_no_step_behind(device: Devices) -> None:
    page = await (await device()).open("/rules/hearts")
    await page.get_by_role("link", name="Heartline, home").click()
    for _ in range(2):
        await page.get_by_role("button", name="Settings").click()
        await expect(window(page)).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(window(page)).to_have_count(0)
    await page.wait_for_function("history.state === null")
    await page.go_back()
    await expect(page.get_by_role("heading", name="How to play Hearts")).to_be_visible()
    await page.go_forward()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await page.go_forward()
    await page.wait_for_function("history.state === null")
    await expect(window(page)).to_have_count(0)


async def test_a_page_loaded_anew_under_a_window_is_one_step_from_the_page_before(device: Devices) -> None:
    here = await device()
    page = await here.open("/rules/hearts")
    await page.get_by_role("link", name="Heartline, home").click()
    await page.get_by_role("button", name="Settings").click()
    await expect(window(page)).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await page.wait_for_function("history.state === null")
    await expect(window(page)).to_have_count(0)
    await page.go_back()
    await expect(page.get_by_role("heading", name="How to play Hearts")).to_be_visible()


async def test_a_link_in_a_window_takes_its_place(device: Devices) -> None:
    here = await device()
    game = await here.game()
    page = await here.open(f"/games/{game}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await page.keyboard.press("?")
    await expect(window(page)).to_be_visible()
    steps = await page.evaluate("history.length")
    await window(page).get_by_role("link").click()
    await expect(page.get_by_role("heading", name="How to play Heart to Heart")).to_be_visible()
    assert steps == await page.evaluate("history.length")
    await expect(page.locator("main")).to_be_focused()
    await page.go_back()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await expect(window(page)).to_have_count(0)
    await expect(page.locator("main")).to_be_focused()


async def test_the_keys_of_a_table_end_with_it(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{(await open_table(here))['id']}")
    await expect(hand(page)).to_have_count(13)
    await page.get_by_role("link", name="Heartline, home").click()
    await expect(page.locator(".daycard h2")).to_be_visible()
    for key in ("s", "l", "u", "p"):
        await page.keyboard.press(key)
    assert await page.evaluate("new Promise(requestAnimationFrame).then(() => history.state)") is None
    await page.get_by_role("button", name="Settings").click()
    await expect(window(page)).to_have_count(1)
    await expect(window(page)).to_have_accessible_name("Settings")


async def test_the_example_stops_when_its_page_is_left(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    await expect(page.locator(".example [data-pos][data-card]")).to_have_count(25)
    await page.get_by_role("button", name="Play by itself").click()
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await page.get_by_role("link", name="Heartline, home").click()
    await page.get_by_role("link", name="How to play Heart to Heart").click()
    await expect(page.get_by_role("button", name="Play by itself")).to_be_visible()


async def test_a_tap_beside_a_window_closes_it_and_touches_nothing_else(device: Devices) -> None:
    here = await device(has_touch=True, viewport={"width": 1280, "height": 800})
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:9])}")
    await expect(board(page)).to_have_attribute("data-revision", "9")
    await page.get_by_role("button", name="Settings").first.tap()
    await expect(window(page)).to_be_visible()
    waste = await page.locator("[data-waste]").bounding_box()
    assert waste
    # As slow as a finger: what closed when it came down would be gone when it is lifted.
    touch = await here.context.new_cdp_session(page)
    point = {"x": waste["x"] + waste["width"] - 4, "y": waste["y"] + waste["height"] - 4}
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    await page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await expect(window(page)).to_have_count(0)
    await expect(page.locator("[aria-pressed='true']")).to_have_count(0)


async def test_the_edge_of_a_window_is_not_beside_it(device: Devices) -> None:
    page = await (await device(viewport={"width": 800, "height": 400})).open()
    await page.get_by_role("button", name="New table").click()
    await expect(window(page)).to_be_visible()
    # A browser without a screen draws no scroll bar: this is the room of one.
    await window(page).evaluate("sheet => { sheet.style.paddingRight = '12px'; }")
    box = await window(page).bounding_box()
    assert box
    await page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    await page.keyboard.press("Tab")
    await expect(window(page)).to_be_visible()


async def test_an_answer_that_comes_late_stays_out_of_the_next_window(device: Devices) -> None:
    here = await device()
    await here.post("/api/guests")
    go_on = asyncio.Event()

    async def hold(route: Route) -> None:
        await go_on.wait()
        await route.continue_()

    await here.context.route("**/api/link-codes", hold)
    page = await here.open()
    await page.locator(".tools .account").click()
    await page.get_by_role("button", name="Sign another device in").click()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="New table").click()
    await expect(window(page)).to_have_accessible_name("New table")
    async with page.expect_response("**/api/qr"):
        go_on.set()
    await window(page).get_by_role("button", name="Open the table").click()
    await expect(page.locator(".invitation")).to_be_visible()


async def test_a_window_about_an_account_closes_when_it_becomes_another(device: Devices) -> None:
    here = await device()
    for name in ("Winnie", "Wanda"):
        await here.context.clear_cookies()
        await here.post("/api/users", name=name, password="three little hearts")
    page, other = await here.open(), await here.open()
    await expect(page.locator(".tools .account")).to_have_text("Wanda")
    await page.locator(".tools .account").click()
    await page.get_by_role("button", name="Delete account").click()
    await expect(window(page)).to_have_accessible_name("Delete Wanda?")
    await other.locator(".tools .account").click()
    await other.get_by_role("button", name="Sign out").click()
    await expect(other.locator(".tools .account")).to_have_text("Sign in")
    await expect(window(page)).to_have_count(0)
    await expect(page.locator(".tools .account")).to_have_text("Sign in")


async def test_tab_goes_from_the_third_card_to_the_pass(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{(await open_table(here))['id']}")
    await expect(hand(page)).to_have_count(13)
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
    await expect(page.locator(".hand [aria-pressed='true']")).to_have_count(3)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Pass to")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(table(page)).not_to_have_attribute("data-status", "passing")


async def test_words_that_can_not_be_fetched_are_asked_for_again(device: Devices) -> None:
    here = await device()

    async def cut(route: Route) -> None:
        await route.abort("connectionfailed")

    await here.context.route("**/client/locales/en.json", cut)
    page = await here.open()
    await expect(page.get_by_text("The table can’t be reached. Trying again…")).to_be_visible()
    await here.context.unroute("**/client/locales/en.json")
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
