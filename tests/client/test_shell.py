"""What is around every page holds when a part of the client can't be fetched."""

import pytest
from playwright.async_api import Route, expect

from tests.client.conftest import Devices
from tests.client.hearts_driver import give_up, open_table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def cut(route: Route) -> None:
    await route.abort("connectionfailed")


@pytest.mark.parametrize("part", ["src/pages/daily.js", "style/days.css"])
async def test_a_page_that_could_not_be_fetched_is_asked_for_again(device: Devices, part: str) -> None:
    here = await device()
    await here.context.route(f"**/client/{part}", cut)
    page = await here.open()
    daily = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Daily deal")
    await daily.click()
    await expect(page.get_by_role("heading", name="The table can’t be reached")).to_be_visible()
    await here.context.unroute(f"**/client/{part}")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".dayhead")).to_be_visible()
    assert await page.evaluate("performance.getEntriesByType('navigation').length") == 1


async def test_a_later_visit_asks_again_by_itself(device: Devices) -> None:
    here = await device()
    await here.context.route("**/client/src/pages/hearts-rules.js", cut)
    page = await here.open("/rules/hearts")
    await expect(page.get_by_role("heading", name="The table can’t be reached")).to_be_visible()
    await here.context.unroute("**/client/src/pages/hearts-rules.js")
    await page.get_by_role("link", name="Heartline, home").click()
    await page.get_by_role("link", name="How to play Hearts").click()
    await expect(page.get_by_role("heading", name="How to play Hearts")).to_be_visible()


async def test_a_replay_whose_table_could_not_be_fetched_says_so(device: Devices) -> None:
    here = await device()
    game = (await open_table(here))["id"]
    await give_up(here, game)
    await here.context.route("**/client/src/render/hearts/replayed.js", cut)
    page = await here.open(f"/games/{game}#0")
    await expect(page.get_by_role("heading", name="The table can’t be reached")).to_be_visible()
    await here.context.unroute("**/client/src/render/hearts/replayed.js")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".looked hearts-table")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
async def test_the_account_is_at_hand_while_playing_on_a_phone(
    device: Devices, width: int, height: int
) -> None:
    here = await device(viewport={"width": width, "height": height})
    page = await here.open(f"/games/{await here.game()}")
    await page.get_by_role("button", name="You play as a guest").click()
    await expect(page.get_by_role("dialog").get_by_role("button", name="Sign in")).to_be_visible()


async def test_a_link_code_stands_in_no_address_that_is_asked_for(device: Devices) -> None:
    here = await device()
    await here.game()
    page = await here.open()
    await page.locator(".tools .account").click()
    await page.get_by_role("button", name="Sign another device in").click()
    code = await page.locator("output").inner_text()
    picture = page.get_by_role("img", name="QR code of this sign-in")
    await expect(picture).to_have_js_property("complete", True)
    assert await picture.evaluate("picture => picture.naturalWidth") > 0
    assert not [request.url for request in here.requests if code in request.url]
