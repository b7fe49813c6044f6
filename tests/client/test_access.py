"""The keyboard and the screen reader play everything."""

import pytest
from playwright.async_api import expect

from tests.client.conftest import WINNING_LINE, Devices, board, info
from tests.client.hearts_driver import hand, open_table
from tests.client.places import HOPELESS, stuck_line

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_game_is_played_by_keys_alone(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game()}")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    for revision in range(1, 10):
        await page.keyboard.press("d")
        await expect(board(page)).to_have_attribute("data-revision", str(revision))
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("[data-pos='25']")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-pos='25']")).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("[data-stock]")).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("[data-waste]")).to_be_focused()
    await page.keyboard.press("Space")
    await expect(info(page, 1)).to_have_text("10")
    await expect(page.locator("main :focus")).to_be_visible()

    await page.keyboard.press("u")
    await expect(info(page, 1)).to_have_text("0")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Escape")
    await expect(page.locator("[aria-pressed='true']")).to_have_count(0)

    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="In short")).to_be_visible()
    await page.keyboard.press("d")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(info(page, 2)).to_have_text("9")


async def test_a_card_that_leaves_hands_the_focus_on(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:9])}")
    await page.locator("[data-waste]").focus()
    await page.keyboard.press("Enter")
    await page.locator("[data-pos='25']").focus()
    await page.keyboard.press("Enter")
    await expect(info(page, 1)).to_have_text("10")
    await expect(page.locator("[data-pos='23']")).to_be_focused()


async def test_who_plays_by_keys_is_never_nowhere(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:-1])}")
    for place in ("[data-pos='1']", "[data-waste]"):
        await page.locator(place).focus()
        await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="You won!")).to_be_focused()

    await page.goto(f"{here.url}/games/{await here.game(stuck_line(), HOPELESS)}")
    sheet = page.get_by_role("dialog")
    await expect(sheet).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("main")).to_be_focused()
    await page.get_by_role("button", name="What now?").focus()
    await page.keyboard.press("Enter")
    await expect(sheet.get_by_role("button", name="Undo")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="What now?")).to_have_count(0)
    await expect(page.locator("main")).to_be_focused()

    await page.locator(".controls").get_by_role("button", name="Give up").focus()
    await page.keyboard.press("Enter")
    await sheet.get_by_role("button", name="Give up").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Game given up")).to_be_focused()


async def test_what_happens_is_announced(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:8])}")
    said = page.locator("[aria-live='polite']")
    await expect(board(page)).to_have_attribute("data-revision", "8")
    await page.keyboard.press("d")
    await expect(said).to_have_text("Drawn: 4 of hearts.")
    await page.locator("[data-pos='25']").click()
    await page.locator("[data-waste]").click()
    await expect(said).to_have_text("A pair with the waste: 4. Score: 10.")
    await page.keyboard.press("u")
    await expect(said).to_have_text("Taken back – A pair with the waste: 4.")


async def test_a_window_gives_the_focus_back(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game()}")
    button = page.locator(".controls").get_by_role("button", name="Settings")
    await button.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(button).to_be_focused()


async def test_letters_are_turned_off_for_who_dictates(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(['draw'])}")
    sheet = page.get_by_role("dialog")
    await expect(board(page)).to_have_attribute("data-revision", "1")
    await page.get_by_role("button", name="Settings").first.click()
    async with page.expect_response("**/api/me"):
        await sheet.get_by_role("switch", name="Letter keys").uncheck()
    await page.keyboard.press("Escape")
    for key in ("d", "u", "n", "?"):
        await page.keyboard.press(key)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-pos='25']")).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Escape")
    await expect(page.locator("[aria-pressed='true']")).to_have_count(0)
    await expect(sheet).to_have_count(0)
    await page.locator(".controls").get_by_role("button", name="Help").click()
    await expect(sheet.locator("kbd")).to_have_text(["← ↑ ↓ →", "Enter", "Esc"])

    await page.goto(f"{here.url}/games/{(await open_table(here))['id']}")
    await expect(hand(page)).to_have_count(13)
    for key in ("s", "l", "?"):
        await page.keyboard.press(key)
    await page.keyboard.press("ArrowRight")
    await expect(hand(page).first).to_be_focused()
    await expect(sheet).to_have_count(0)
    await page.locator(".controls").get_by_role("button", name="Help").click()
    await expect(sheet.locator("kbd")).to_have_text(["← →", "Enter", "Esc"])
    assert (await here.get("/api/me"))["settings"]["letter_keys"] is False
