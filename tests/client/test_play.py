"""Heart to Heart in a real browser, by taps."""

import pytest
from playwright.async_api import expect

from tests.client.conftest import DOCUMENTED, WINNING_LINE, Devices, board, info, play, tap

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_documented_deal_from_the_first_page_to_the_win(device: Devices) -> None:
    here = await device()
    page = await here.open()
    await page.get_by_role("button", name="Play a deal code").click()
    await page.get_by_role("textbox", name="Deal code", exact=True).fill(" hh1-n-aaaaaam ")
    await page.keyboard.press("Enter")
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await expect(info(page, 3)).to_have_text(DOCUMENTED)
    await expect(page.locator("main [data-card]")).to_have_count(26)
    await expect(page.locator("[data-pos='1']")).to_have_attribute("data-card", "TH")
    await expect(page.locator("[data-stock]")).to_have_attribute("data-stock", "26")

    revision = await play(page, WINNING_LINE[:10], 0)
    await expect(page.locator("[data-pos='25']")).not_to_have_attribute("data-card", "4H")
    await expect(page.locator("[data-pos='25']")).to_be_hidden()
    await expect(page.locator("[data-stock]")).to_have_attribute("data-stock", "17")
    await expect(info(page, 1)).to_have_text("10")
    await expect(info(page, 2)).to_have_text("10")

    await play(page, WINNING_LINE[10:], revision)
    await expect(page.get_by_role("heading", name="You won!")).to_be_visible()
    await expect(info(page, 1)).to_have_text("250")
    await expect(info(page, 2)).to_have_text(str(len(WINNING_LINE)))
    await expect(page.locator("main [data-pos][data-card]")).to_have_count(0)

    await page.get_by_role("link", name="Home", exact=True).last.click()
    entry = page.locator(".game.status-won")
    await expect(entry).to_contain_text("250 points · 89 moves")


async def test_tip_then_waste_leaves_the_waste_selected(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game()}")
    tip, waste = page.locator("[data-pos='25']"), page.locator("[data-waste]")
    await tap(page, "25")
    await expect(tip).to_have_attribute("aria-pressed", "true")
    await tap(page, "waste")
    await expect(tip).to_have_attribute("aria-pressed", "false")
    await expect(waste).to_have_attribute("aria-pressed", "true")
    await tap(page, "waste")
    await expect(waste).to_have_attribute("aria-pressed", "false")


async def test_the_stock_lets_go_of_a_selected_waste_card_only(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game()}")
    await tap(page, "waste")
    await tap(page, "stock")
    await expect(board(page)).to_have_attribute("data-revision", "1")
    await expect(page.locator("[data-waste]")).to_have_attribute("aria-pressed", "false")
    await tap(page, "25")
    await tap(page, "stock")
    await expect(board(page)).to_have_attribute("data-revision", "2")
    await expect(page.locator("[data-pos='25']")).to_have_attribute("aria-pressed", "true")


async def test_a_covered_card_does_nothing(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game()}")
    covered = page.locator("[data-pos='1']")
    await tap(page, "25")
    await tap(page, "1")
    await expect(covered).to_have_attribute("aria-pressed", "false")
    await expect(page.locator("[data-pos='25']")).to_have_attribute("aria-pressed", "true")
    await expect(covered).to_have_accessible_name("10 of hearts, row 1, covered")
    await expect(page.locator("[data-pos='25']")).to_have_accessible_name("4 of hearts, row 7, free")


async def test_move_errors_are_told_only_when_asked_for(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game()}")
    slip = page.get_by_text("Must be the same rank").first
    await tap(page, "25")
    await tap(page, "waste")
    await expect(page.locator("[data-waste]")).to_have_attribute("aria-pressed", "true")
    await expect(slip).to_have_count(0)
    await page.locator(".controls").get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Move errors").check()
    await page.keyboard.press("Escape")
    await tap(page, "25")
    await expect(slip).to_be_visible()
    await page.reload()
    await tap(page, "25")
    await tap(page, "waste")
    await expect(slip).to_be_visible()


async def test_the_placement_helper_outlines_mates_and_dims_the_rest(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:9])}")
    await expect(page.locator(".outlined")).to_have_count(1)
    await expect(page.locator("[data-pos='25'].outlined")).to_have_count(1)
    await tap(page, "25")
    await expect(page.locator("[data-pos].dimmed")).to_have_count(24)
    await expect(page.locator("[data-waste].dimmed")).to_have_count(0)
    await page.locator(".controls").get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Placement helper").uncheck()
    await page.keyboard.press("Escape")
    await expect(page.locator("main :is(.outlined, .dimmed)")).to_have_count(0)


async def test_undo_goes_back_to_the_deal(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:12])}")
    undo = page.get_by_role("button", name="Undo")
    for left in range(11, -1, -1):
        await undo.click()
        await expect(info(page, 2)).to_have_text(str(left))
    await expect(undo).to_be_disabled()
    await expect(info(page, 1)).to_have_text("0")
    await expect(page.locator("main [data-pos][data-card]")).to_have_count(25)
    await expect(page.locator("[data-stock]")).to_have_attribute("data-stock", "26")
    await expect(page.locator("[data-waste]")).to_have_attribute("data-card", "AH")


async def test_the_waste_turns_over_in_order(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(['draw'] * 26)}")
    stock = page.locator("[data-stock]")
    await expect(stock).to_have_accessible_name("The stock is empty. Turn the waste over")
    await play(page, ["recycle"], 26)
    await expect(stock).to_have_attribute("data-stock", "27")
    await expect(page.locator("[data-waste]")).to_have_attribute("data-waste", "0")
    await expect(page.locator("[data-waste][data-card]")).to_have_count(0)
    await play(page, ["draw"], 27)
    await expect(page.locator("[data-waste]")).to_have_attribute("data-card", "AH")


async def test_a_double_click_is_two_taps_and_never_a_doubled_move(device: Devices) -> None:
    here = await device()
    game = await here.game()
    page = await here.open(f"/games/{game}")
    await page.locator("[data-stock]").dblclick()
    await expect(board(page)).to_have_attribute("data-revision", "2")
    await page.locator("[data-pos='25']").dblclick()
    await expect(page.locator("[data-pos='25']")).to_have_attribute("aria-pressed", "false")
    assert (await here.get(f"/api/games/{game}"))["ply"] == 2

    await page.locator(".controls").get_by_role("button", name="New game").click()
    await page.get_by_role("button", name="Deal at random").dblclick()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    assert len((await here.get("/api/games?mine=1"))["games"]) == 2


async def test_many_fast_taps_are_all_made_in_order(device: Devices) -> None:
    here = await device()
    game = await here.game()
    page = await here.open(f"/games/{game}")
    stock = page.locator("[data-stock]")
    await expect(stock).to_have_attribute("data-stock", "26")
    await stock.evaluate("stock => { for (let i = 0; i < 9; i++) stock.click() }")
    await tap(page, "25")
    await tap(page, "waste")
    await expect(info(page, 1)).to_have_text("10")
    assert (await here.get(f"/api/games/{game}"))["ply"] == 10


async def test_a_resigned_game_keeps_its_score(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE[:10])}")
    await page.get_by_role("button", name="Give up").click()
    await page.get_by_role("button", name="Play on").click()
    await page.get_by_role("button", name="Give up").click()
    await page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    await expect(page.get_by_role("heading", name="Game given up")).to_be_visible()
    await expect(page.locator(".ending")).to_contain_text("10 points · 10 moves")
    await tap(page, "24")
    await expect(page.locator("[data-pos='24']")).to_have_attribute("aria-pressed", "false")
    await page.get_by_role("button", name="Same deal again").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await expect(info(page, 3)).to_have_text(DOCUMENTED)
