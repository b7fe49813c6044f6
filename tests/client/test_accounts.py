"""A guest becomes an account, and the account has two devices."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.client.conftest import DOCUMENTED, WINNING_LINE, Devices, board, info, play

pytestmark = pytest.mark.asyncio(loop_scope="session")


def sheet(page: Page) -> Locator:
    return page.get_by_role("dialog")


async def account(page: Page) -> None:
    await page.locator(".tools .account").click()


async def register(page: Page, name: str) -> None:
    await account(page)
    await sheet(page).get_by_role("button", name="Register").click()
    await page.get_by_role("textbox", name="Name").fill(name)
    await page.get_by_label("Password", exact=True).fill("three little hearts")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    await page.keyboard.press("Escape")


async def test_a_guest_plays_registers_and_goes_on_on_a_second_device(device: Devices) -> None:
    first, second = await device(viewport={"width": 360, "height": 740}), await device()
    page = await first.open()
    await page.get_by_role("button", name="Play a deal code").click()
    await page.get_by_role("textbox", name="Deal code", exact=True).fill(DOCUMENTED)
    await page.keyboard.press("Enter")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await play(page, ["draw", "draw"], 0)
    await page.get_by_role("link", name="Heartline, home").click()
    await register(page, "Second-Device")
    await expect(page.get_by_role("link", name="Play on")).to_be_visible()

    await account(page)
    await sheet(page).get_by_role("button", name="Sign another device in").click()
    code = await sheet(page).locator("output").inner_text()
    there = await second.open()
    await account(there)
    await sheet(there).get_by_role("button", name="Sign in").click()
    await sheet(there).get_by_role("button", name="Use a link code instead").click()
    await there.get_by_role("textbox", name="Link code").fill(code)
    await there.keyboard.press("Enter")
    await there.get_by_role("link", name="Play on").click()
    await expect(info(there, 2)).to_have_text("2")

    await page.keyboard.press("Escape")
    await account(page)
    await sheet(page).get_by_role("button", name="Devices").click()
    await expect(page.locator(".device-list li")).to_have_count(2)
    other = page.locator(".device-list li", has_not_text="This device")
    await other.get_by_role("button", name="Sign out").click()
    await expect(page.locator(".device-list li")).to_have_count(1)
    await expect(there.get_by_text("This device was signed out.").first).to_be_visible()
    await expect(there.get_by_text("You are watching Second-Device")).to_be_visible()


async def test_mistakes_are_told_at_their_field(device: Devices) -> None:
    one, two = await device(), await device()
    page = await one.open()
    await register(page, "Taken-Name")
    page = await two.open()
    await account(page)
    await sheet(page).get_by_role("button", name="Register").click()
    name = page.get_by_role("textbox", name="Name")
    password = page.get_by_label("Password", exact=True)
    await name.fill("taken-name")
    await password.fill("long enough")
    await page.keyboard.press("Enter")
    await expect(name).to_have_accessible_description("This name is taken. Choose another.")
    for reserved in ("guest-1", "Deleted_x", "ME"):
        await name.fill(reserved)
        await page.keyboard.press("Enter")
        await expect(name).to_have_accessible_description("This name is reserved. Choose another.")
        await name.fill("!")
        await page.keyboard.press("Enter")
        await expect(name).to_have_accessible_description(re.compile("letters, digits"))
    await name.fill("free-name")
    await password.fill("short")
    await page.keyboard.press("Enter")
    await expect(password).to_have_accessible_description("Choose a password of 8 to 128 characters.")
    await sheet(page).get_by_role("button", name="I have an account").click()
    await page.get_by_role("textbox", name="Name").fill("Taken-Name")
    await page.get_by_label("Password", exact=True).fill("not this one")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Name and password, or the code, don’t fit.")).to_be_visible()


async def test_settings_and_language_follow_the_account(device: Devices) -> None:
    one, two = await device(), await device()
    page = await one.open()
    await register(page, "Moves-House")
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Placement helper").uncheck()
    await page.get_by_role("radio", name="Dark").check()
    await page.get_by_role("radio", name="Tiếng Việt").check()
    await expect(page.get_by_role("heading", name="Cài đặt")).to_be_visible()

    there = await two.open()
    await account(there)
    await sheet(there).get_by_role("button", name="Sign in").click()
    await there.get_by_role("textbox", name="Name").fill("moves-house")
    await there.get_by_label("Password", exact=True).fill("three little hearts")
    await there.keyboard.press("Enter")
    await expect(there.locator("html")).to_have_attribute("lang", "vi")
    await expect(there.locator("html")).to_have_attribute("data-theme", "dark")
    game = await two.game(WINNING_LINE[:9])
    await there.goto(f"{two.url}/games/{game}")
    await expect(info(there, 2)).to_have_text("9")
    await expect(there.locator("main .outlined")).to_have_count(0)


async def test_a_setting_that_could_not_be_saved_goes_back_and_says_so(device: Devices) -> None:
    here = await device()
    await here.post("/api/guests")
    page = await here.open()
    await expect(page.locator(".tools .account")).to_have_text("Guest")
    await page.get_by_role("button", name="Settings").click()
    helper, theme = (
        page.get_by_role("switch", name="Placement helper"),
        page.get_by_role("radio", name="Dark"),
    )
    await expect(helper).to_be_visible()
    await here.context.set_offline(True)
    await helper.click()
    said = sheet(page).get_by_role("alert")
    await expect(said).to_have_text("The server can’t be reached. Check the connection.")
    await expect(helper).to_be_checked()
    await theme.click()
    await expect(theme).not_to_be_checked()
    await expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    await page.get_by_role("radio", name="Tiếng Việt").click()
    await expect(page.get_by_role("radio", name="English")).to_be_checked()
    await here.context.set_offline(False)
    await helper.click()
    await expect(helper).not_to_be_checked()
    await page.reload()
    await page.get_by_role("button", name="Settings").click()
    await expect(helper).not_to_be_checked()


async def test_who_blocks_cookies_is_told_so(device: Devices) -> None:
    here = await device()

    async def forget(route: Route) -> None:
        response = await route.fetch()
        await here.context.clear_cookies()
        await route.fulfill(
            status=response.status, body=await response.body(), content_type="application/json"
        )

    await here.context.route("**/api/guests", forget)
    page = await here.open()
    await page.get_by_role("button", name="Play now").click()
    await expect(page.locator(".notice")).to_have_text(
        "Your browser blocks cookies. Allow them for this site, then try again."
    )
    await expect(page.locator(".tools .account")).to_have_text("Sign in")


async def test_another_window_goes_on_as_the_same_person(device: Devices) -> None:
    here = await device()
    one, two = await here.open(), await here.open()
    for page in (one, two):
        await expect(page.locator(".tools .account")).to_have_text("Sign in")
    await two.get_by_role("button", name="Play now").click()
    await expect(one.locator(".tools .account")).to_have_text("Guest")
    await expect(one.get_by_role("link", name="Play on")).to_be_visible()


async def test_signing_out_leaves_nothing_behind(device: Devices) -> None:
    here = await device()
    await here.game(["draw"])
    page = await here.open()
    await register(page, "Leaves-Nothing")
    await account(page)
    await sheet(page).get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await expect(page.locator(".game")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()


async def test_a_new_password_signs_the_other_devices_out(device: Devices) -> None:
    one, two = await device(), await device()
    page, there = await one.open(), await two.open(f"/games/{await one.game()}")
    await page.reload()
    await register(page, "New-Password")
    await account(there)
    await sheet(there).get_by_role("button", name="Sign in").click()
    await there.get_by_role("textbox", name="Name").fill("New-Password")
    await there.get_by_label("Password", exact=True).fill("three little hearts")
    await there.keyboard.press("Enter")
    await expect(there.get_by_role("button", name="Undo")).to_be_visible()

    await account(page)
    await sheet(page).get_by_role("button", name="Change password").click()
    old, new = page.get_by_label("Present password"), page.get_by_label("New password")
    await old.fill("not this one")
    await new.fill("four little hearts")
    await page.keyboard.press("Enter")
    await expect(old).to_have_accessible_description("This is not your present password.")
    await old.fill("three little hearts")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Password changed.").first).to_be_visible()
    await expect(there.get_by_text("This device was signed out.").first).to_be_visible()


async def test_an_account_is_deleted_after_asking(device: Devices) -> None:
    here = await device()
    page = await here.open()
    await register(page, "Goes-Away")
    await account(page)
    await expect(sheet(page).get_by_role("link", name="Download my data")).to_be_visible()
    await sheet(page).get_by_role("button", name="Delete account").click()
    await sheet(page).get_by_role("button", name="Cancel").click()
    await account(page)
    await sheet(page).get_by_role("button", name="Delete account").click()
    await sheet(page).get_by_role("button", name="Delete for good").click()
    await expect(page.get_by_text("The account is deleted.").first).to_be_visible()
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible()


async def test_two_windows_that_begin_at_once_are_one_guest(device: Devices) -> None:
    here = await device()
    both = await here.open(), await here.open()
    for page in both:
        await expect(page.locator(".tools .account")).to_have_text("Sign in")
    go_on = asyncio.Event()

    async def hold(route: Route) -> None:
        await go_on.wait()
        await route.continue_()

    await here.context.route("**/api/guests", hold)
    for page in both:
        await page.evaluate("document.querySelector('.hero .primary').click()")
    go_on.set()
    for page in both:
        await expect(board(page)).to_have_attribute("data-revision", "0")
        await expect(page.get_by_role("button", name="Undo")).to_be_visible()
        await play(page, ["draw"], 0)
    assert len((await here.get("/api/games?mine=1"))["games"]) == 2
    asked = [request.url for request in here.requests if request.method == "POST"]
    assert len([url for url in asked if url.endswith("/api/guests")]) == 1


async def choose_dark_vietnamese(page: Page) -> None:
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Move errors").check()
    await page.get_by_role("radio", name="Dark").check()
    await page.get_by_role("radio", name="Tiếng Việt").check()
    await expect(page.get_by_role("heading", name="Cài đặt")).to_be_visible()
    await page.keyboard.press("Escape")


@pytest.mark.parametrize("way", ["play", "register"])
async def test_what_a_visitor_chose_goes_with_his_account(device: Devices, way: str) -> None:
    here = await device()
    page = await here.open()
    await choose_dark_vietnamese(page)
    if way == "play":
        await page.get_by_role("button", name="Chơi ngay").click()
        await expect(board(page)).to_have_attribute("data-revision", "0")
    else:
        await account(page)
        await sheet(page).get_by_role("button", name="Đăng ký").click()
        await page.locator("[name=name]").fill("Chose-Before")
        await page.locator("[name=password]").fill("three little hearts")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="Chose-Before")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    me = await here.get("/api/me")
    assert me["locale"] == "vi"
    assert me["settings"]["move_errors"]
    assert me["settings"]["theme"] == "dark"
