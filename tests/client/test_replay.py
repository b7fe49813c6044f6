"""Looking back over games in a real browser: to any move, by any way, and on from there."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.client.conftest import DOCUMENTED, WINNING_LINE, Device, Devices, board, info, tap

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAST = len(WINNING_LINE)


def place(page: Page) -> Locator:
    return page.locator(".playback .place")


def words(page: Page) -> Locator:
    return page.locator(".playback .words > :first-child")


async def at(page: Page, ply: int, of: int = LAST) -> None:
    """Waits until the position after so many moves is on the table."""
    await expect(place(page)).to_have_text(f"Move {ply:,} of {of:,}")
    await expect(page.locator(".stage")).to_have_attribute("data-ply", str(ply))


async def resigned(here: Device, moves: list[str]) -> str:
    game = await here.game(moves)
    await here.post(f"/api/games/{game}/resign", revision=len(moves))
    return game


def record_of(moves: list[str]) -> dict[str, Any]:
    """The record of an unfinished game whose moves are a second apart."""
    begun = datetime(2026, 11, 29, 12, tzinfo=UTC)
    times = [f"{begun + timedelta(seconds=n):%Y-%m-%dT%H:%M:%S.000Z}" for n in range(len(moves) + 1)]
    return {
        "format": "heartline/1",
        "game": "heart-to-heart",
        "options": {},
        "deal": DOCUMENTED,
        "players": ["Nora"],
        "moves": [{"seat": 0, "move": move, "at": time} for move, time in zip(moves, times[1:], strict=True)],
        "result": {
            "status": "playing",
            "score": 0,
            "moves": len(moves),
            "undone": 0,
            "clock_ms": 1000 * max(0, len(moves) - 1),
        },
        "created_at": times[0],
        "finished_at": None,
    }


async def choose(page: Page, record: dict[str, Any] | bytes) -> None:
    content = record if isinstance(record, bytes) else json.dumps(record).encode()
    await page.locator("input[type=file]").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": content}
    )


async def test_every_way_through_a_won_game(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE)}")
    await page.get_by_role("link", name="Replay").click()
    await at(page, 0)
    await expect(words(page)).to_have_text("The deal.")
    await expect(page.get_by_role("button", name="To the start")).to_be_disabled()
    for _ in range(10):
        await page.get_by_role("button", name="Forward").click()
    await at(page, 10)
    await expect(words(page)).to_have_text("A pair with the waste: 4.")
    await expect(info(page, 1)).to_have_text("10")
    await page.get_by_role("button", name="Back").click()
    await at(page, 9)
    await expect(info(page, 1)).to_have_text("0")
    await expect(page.locator("[data-pos='25']")).to_have_attribute("data-card", "4H")
    await page.get_by_role("button", name="To the end").click()
    await at(page, LAST)
    await expect(board(page)).to_have_attribute("data-status", "won")
    await expect(page.get_by_role("button", name="Play on from here")).to_be_disabled()

    for key, ply in (
        ("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 0),
        ("ArrowLeft", 0), ("PageDown", 10), ("PageUp", 0), ("End", LAST), ("ArrowRight", LAST),
    ):  # fmt: skip
        await page.keyboard.press(key)
        await at(page, ply)

    slider = page.get_by_role("slider", name="Move")
    await slider.fill("30")
    await at(page, 30)
    await slider.press("ArrowRight")
    await at(page, 31)
    await page.locator("move-list [data-ply='28']").click()
    await at(page, 28)
    await expect(page.locator("move-list [aria-current]")).to_contain_text("28")
    await expect(page).to_have_url(re.compile("/games/.*#28$"))


async def test_a_position_has_an_address(device: Devices) -> None:
    here, elsewhere = await device(), await device()
    game = await here.game(WINNING_LINE)
    page = await elsewhere.open(f"/games/{game}#12")
    await at(page, 12)
    await page.reload()
    await at(page, 12)
    await page.evaluate("location.hash = '#40'")
    await at(page, 40)
    await page.evaluate("location.hash = '#4000'")
    await at(page, LAST)
    await elsewhere.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.locator("move-list [data-ply='80']").click()
    await page.get_by_role("button", name="Copy link").click()
    await expect(page.locator(".pill.notice")).to_be_visible()
    link = await page.evaluate("navigator.clipboard.readText()")
    assert link == f"{here.url}/games/{game}#80"
    await page.goto(f"{here.url}/rules/heart-to-heart")
    await page.goto(link)
    await at(page, 80)
    await page.locator(".skip").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()
    await at(page, 80)


async def test_it_plays_by_itself_at_any_speed_until_the_end(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE)}#80")
    await at(page, 80)
    for speed in ("1×", "2×", "4×"):
        await expect(page.locator(".speed")).to_have_text(speed)
        await page.locator(".speed").click()
    await expect(page.locator(".speed")).to_have_text("8×")
    await page.keyboard.press("Space")
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await at(page, LAST)
    await expect(page.get_by_role("button", name="Play by itself")).to_be_visible()
    await page.locator(".speed").click()
    await expect(page.locator(".speed")).to_have_text("0.5×")
    await page.keyboard.press("Space")
    await at(page, 0)
    await page.keyboard.press("Space")
    await expect(page.get_by_role("button", name="Play by itself")).to_be_visible()


async def test_play_on_from_here(device: Devices) -> None:
    here, elsewhere = await device(), await device()
    game = await here.game(WINNING_LINE)
    page = await elsewhere.open(f"/games/{game}#20")
    await at(page, 20)
    await page.get_by_role("button", name="Play on from here").click()
    await expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    assert game not in page.url
    await expect(info(page, 2)).to_have_text("20")
    await tap(page, "stock")
    await expect(info(page, 2)).to_have_text("21")
    assert (await here.get(f"/api/games/{game}"))["ply"] == LAST


async def test_the_same_deal_again(device: Devices) -> None:
    here = await device()
    page = await here.open(f"/games/{await resigned(here, ['draw'] * 3)}#1")
    await at(page, 1, 3)
    await page.get_by_role("button", name="Same deal again").click()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await expect(info(page, 3)).to_have_text(DOCUMENTED)


async def test_ones_own_unfinished_game_and_that_of_another(device: Devices) -> None:
    here, elsewhere = await device(), await device()
    game = await here.game(WINNING_LINE[:12])
    page = await here.open(f"/games/{game}#12")
    await at(page, 12, 12)
    await expect(page.get_by_role("button", name="Play on from here")).to_have_count(0)
    await page.get_by_role("link", name="Back to the table").click()
    await expect(board(page)).to_have_attribute("data-revision", "12")

    page = await elsewhere.open(f"/games/{game}#12")
    await expect(page.get_by_role("heading", name="Still being played")).to_be_visible()
    await page.get_by_role("link", name="Watch it live").click()
    await expect(board(page)).to_have_attribute("data-revision", "12")


async def test_a_record_is_downloaded_and_looked_at_again(device: Devices, tmp_path: Path) -> None:
    here = await device()
    page = await here.open(f"/games/{await here.game(WINNING_LINE)}#0")
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Record").click()
    download = await downloading.value
    await download.save_as(tmp_path / "record.json")
    text = (tmp_path / "record.json").read_bytes()

    page = await here.open("/replay")
    await choose(page, text)
    await expect(page.get_by_text("The record is right: every move and the result.")).to_be_visible()
    await page.keyboard.press("End")
    await at(page, LAST)
    await expect(board(page)).to_have_attribute("data-status", "won")
    assert len((await here.get("/api/games?mine=1"))["games"]) == 1

    await page.get_by_role("button", name="Another record").click()
    await choose(page, text.replace(b'"score":250', b'"score":240'))
    await expect(page.get_by_text("The record is wrong.")).to_be_visible()
    await expect(page.get_by_text("The result is wrong in score: the moves make it 250.")).to_be_visible()


async def test_what_is_wrong_with_a_record_is_named_by_its_move(device: Devices) -> None:
    here = await device(viewport={"width": 360, "height": 640})
    page = await here.open("/replay")
    await choose(page, b"once upon a time")
    await expect(page.get_by_role("alert")).to_contain_text("This file is no record of a game.")
    record = record_of(["draw", "draw", "25-1", "draw"])
    await choose(page, record)
    await expect(page.get_by_role("alert")).to_contain_text("The record is wrong at move 3.")
    await expect(page.get_by_role("alert")).to_be_in_viewport()
    await page.get_by_role("button", name="Moves").click()
    await page.keyboard.press("End")
    await at(page, 2, 2)
    await page.get_by_role("button", name="Another record").click()
    record["moves"][1]["at"] = "noon"
    await choose(page, record)
    await expect(page.get_by_role("alert")).to_contain_text("The record is wrong at move 2.")
    record["moves"][1]["at"] = record["moves"][0]["at"]
    record["deal"] = "HH1-N-A"
    await choose(page, record)
    await expect(page.get_by_role("alert")).to_contain_text("The record is wrong.")
    await expect(page.get_by_role("alert")).to_contain_text("After HH1-N- come seven letters")
    for nonsense in (b'{"format": 1}', b"once upon a time"):
        await choose(page, nonsense)
        await expect(page.get_by_role("alert")).to_have_text("This file is no record of a game.")
    await choose(page, b" " * 1_100_000)
    await expect(page.get_by_role("alert")).to_contain_text("That is too large.")


async def test_what_is_wrong_with_a_record_is_told_in_the_language_of_the_page(device: Devices) -> None:
    page = await (await device(locale="th-TH")).open("/replay")
    record = record_of(["draw", "25-1"])
    await choose(page, record)
    said = page.get_by_role("alert")
    await expect(said).to_have_text("บันทึกผิดที่ตาที่ 2Nora เล่นแบบนี้ไม่ได้")
    await page.goto(page.url.split("#")[0])
    record["deal"] = "HH1-N-A"
    await choose(page, record)
    await expect(said).to_have_text("บันทึกนี้ไม่ถูกต้อง")


async def test_of_a_record_that_was_changed_no_end_is_told(device: Devices) -> None:
    page = await (await device(locale="vi-VN")).open("/replay")
    await choose(page, record_of(["draw"] * 3) | {"digest": "0" * 64})
    await expect(page.get_by_role("alert")).to_contain_text("có chỗ đã bị sửa hoặc bị thiếu")
    await expect(page.locator(".panel header")).to_contain_text("Nora")
    await expect(page.locator(".panel header")).not_to_contain_text("Đang chơi")


async def test_five_thousand_moves(device: Devices) -> None:
    length = 5000
    here = await device()
    page = await here.open("/replay")
    await choose(page, record_of((["draw"] * 26 + (["recycle"] + ["draw"] * 27) * 200)[:length]))
    await at(page, 0, length)
    await page.keyboard.press("End")
    await at(page, length, length)
    await expect(page.locator("move-list li")).not_to_have_count(0)
    assert await page.locator("move-list li").count() < 50

    # Once all is there, each step is on the table in the next frame, and asks the server for nothing.
    await expect(page.locator(".curve .line")).to_have_attribute("d", "M0 100L5000 100")
    asked = len(here.requests)
    late = await page.evaluate(
        """async () => {
          const late = [];
          for (let ply = 4999; ply > 4939; ply--) {
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
            await new Promise(requestAnimationFrame);
            if (document.querySelector(".stage").dataset.ply !== String(ply)) late.push(ply);
          }
          return late;
        }"""
    )
    assert late == []
    await at(page, 4940, length)
    await page.get_by_role("slider", name="Move").fill("1234")
    await at(page, 1234, length)
    await expect(page.locator("move-list [aria-current]")).to_contain_text("1,234")
    assert len(here.requests) == asked
