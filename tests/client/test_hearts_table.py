"""A table of Hearts in a real browser, played at by clicks, with bots that do not take their time."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.client.conftest import Devices
from tests.client.hearts_driver import (
    any_move,
    follows,
    hand,
    hear,
    lead_to,
    listen,
    move,
    moves,
    now,
    on_turn,
    open_table,
    play_on,
    said,
    sit,
    table,
    trick,
    words,
)
from tests.client.hearts_moon import shoot

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_person_plays_with_bots_to_the_end_and_again(device: Devices) -> None:
    here = await device()
    view = await open_table(here, target=1)
    page = await here.open(f"/games/{view['id']}")
    await play_on(page)
    end = await now(here, view["id"])
    names = [each["user"] or each["bot"] for each in end["players"]]
    winner = names[end["winners"][0]]["name"]
    heading = page.locator(".hearts-end h2")
    await expect(heading).to_have_text("You win!" if end["winners"] == [0] else re.compile(f"{winner}|You"))
    await expect(page.locator(".standings li")).to_have_count(4)
    assert await page.locator(".standings b").all_inner_texts() == [
        str(total).replace("-", "−") for total in sorted(end["totals"])
    ]

    await page.get_by_role("region").get_by_role("button", name="Scores").click()
    await expect(page.get_by_role("dialog").locator("tbody tr")).to_have_count(len(end["scores"]))
    await expect(page.get_by_role("dialog").locator(".totals path[class^='line-']")).to_have_count(4)
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Play again").click()
    await page.wait_for_url(lambda url: view["id"] not in url)
    await expect(table(page)).to_have_attribute("data-status", "passing")
    assert page.url.endswith((await now(here, view["id"]))["next"])


async def test_three_cards_are_chosen_passed_and_got(device: Devices) -> None:
    here = await device()
    view = await open_table(here, players=3, bots=2)
    page = await here.open(f"/games/{view['id']}")
    passing = page.get_by_role("button", name=f"Pass to {view['players'][1]['bot']['name']}")
    lifted = table(page).locator(".hand [aria-pressed='true']")
    await expect(hand(page)).to_have_count(17)
    await expect(passing).to_be_disabled()
    for nth in range(3):
        await hand(page).nth(nth).click()
    await expect(lifted).to_have_count(3)
    await hand(page).nth(5).click()
    await expect(words(page)).to_have_text("Three cards are lifted already. Put one back first")
    await hand(page).nth(1).click()
    await expect(lifted).to_have_count(2)
    await expect(passing).to_be_disabled()
    await hand(page).nth(6).click()
    await hand(page).nth(5).click()
    await expect(words(page)).to_have_text("Three cards are lifted already. Put one back first")
    await passing.click()
    await expect(table(page)).to_have_attribute("data-status", "playing")
    await expect(words(page)).not_to_have_class(re.compile("noticed"), timeout=1_000)

    after = await now(here, view["id"])
    assert after["sent"] == [view["hand"][nth] for nth in (0, 2, 6)]
    await expect(table(page).locator(".hand .fresh")).to_have_count(3)
    fresh = (
        await table(page).locator(".hand .fresh").evaluate_all("all => all.map(each => each.dataset.card)")
    )
    assert fresh == after["received"]
    await page.keyboard.press("l")
    giver = view["players"][2]["bot"]["name"]
    await expect(page.get_by_role("dialog").get_by_text(f"{giver} passed you")).to_be_visible()


async def test_a_card_that_may_not_be_played_says_why(device: Devices) -> None:
    here = await device()
    view = await lead_to(here, await open_table(here), follows)
    page = await here.open(f"/games/{view['id']}")
    playable = table(page).locator(".hand .playable")
    await expect(playable).to_have_count(len(view["legal"]))
    suit = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}[view["trick"][0]["card"][1]]
    await table(page).locator(".hand .unplayable").first.click()
    await expect(words(page)).to_have_text(f"You must follow suit: {suit}")
    await expect(hand(page)).to_have_count(len(view["hand"]))
    assert (await now(here, view["id"]))["revision"] == view["revision"]
    card = await playable.first.get_attribute("data-card")
    await playable.first.click()
    await expect(table(page).locator(f".hand [data-card='{card}']")).to_have_count(0)


async def test_a_move_has_nothing_styled_anew_but_what_it_changes(device: Devices) -> None:
    """What is written to the root element, be it the same again, costs the style of the whole page."""
    here = await device()
    view = await lead_to(here, await open_table(here), moves)
    page = await here.open(f"/games/{view['id']}")
    await expect(hand(page)).to_have_count(len(view["hand"]))
    await page.evaluate(
        """() => {
          window.written = 0;
          new MutationObserver(all => { window.written += all.length; })
            .observe(document.documentElement, { attributes: true });
        }"""
    )
    await table(page).locator(".hand .playable").first.click()
    await expect(table(page)).not_to_have_attribute("data-revision", str(view["revision"]))
    assert await page.evaluate("window.written") == 0


async def test_a_card_is_taken_back_where_all_others_are_bots(device: Devices) -> None:
    def won_as_last(view: dict[str, Any]) -> bool:
        mine = view["last"] and view["last"]["seat"] == view["you"]
        return bool(mine and on_turn(view) and view["status"] == "playing" and 0 < len(view["hand"]) < 13)

    here = await device()
    view = await lead_to(here, await open_table(here), won_as_last)
    page = await here.open(f"/games/{view['id']}")
    await expect(hand(page)).to_have_count(len(view["hand"]))
    await page.get_by_role("button", name="Take back").click()
    await expect(hand(page)).to_have_count(len(view["hand"]) + 1)
    await expect(trick(page)).to_have_count(3)
    await expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    await expect(said(page)).to_contain_text("The last move was taken back.")


async def test_a_reload_shows_the_same_table(device: Devices) -> None:
    here = await device()
    view = await lead_to(here, await open_table(here, players=5, bots=4), follows)
    page = await here.open(f"/games/{view['id']}")
    cards = "all => all.map(each => each.dataset.card)"
    await expect(hand(page)).to_have_count(len(view["hand"]))
    before = await hand(page).evaluate_all(cards), await trick(page).evaluate_all(cards)
    await page.reload()
    await expect(hand(page)).to_have_count(len(view["hand"]))
    assert (await hand(page).evaluate_all(cards), await trick(page).evaluate_all(cards)) == before
    assert before == (view["hand"], [each["card"] for each in view["trick"]])
    await table(page).locator(".hand .playable").first.click()
    await expect(hand(page)).to_have_count(len(view["hand"]) - 1)


async def test_who_shoots_the_moon_chooses(device: Devices) -> None:
    people = [await device() for _ in range(4)]
    shooter, view = await shoot(people)
    mine = await people[shooter].open(f"/games/{view['id']}")
    other = await people[shooter - 1].open(f"/games/{view['id']}")
    await expect(mine.get_by_role("heading", name="You have shot the moon!")).to_be_visible()
    name = view["players"][shooter]["user"]["name"]
    await expect(words(other)).to_have_text(f"{name} has shot the moon and chooses")
    await mine.get_by_role("button", name="Take 26 off your own total").click()
    await expect(table(mine)).to_have_attribute("data-status", "passing")
    await expect(table(mine).locator(".mine .tally b")).to_have_text("−26")
    await expect(said(other)).to_contain_text(f"{name} −26")


async def test_giving_up_leaves_the_cards_to_a_bot(device: Devices) -> None:
    here, other = await device(), await device()
    view = await open_table(here, players=3, bots=1, turn_seconds=0)
    await sit(other, view["id"])
    page = await here.open(f"/games/{view['id']}")
    await page.get_by_role("button", name="Give up").click()
    await expect(page.get_by_role("dialog")).to_contain_text("A bot plays your cards to the end")
    await page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    assert not (await now(here, view["id"]))["players"][0]["resigned"]
    await page.get_by_role("button", name="Give up").click()
    await page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    await expect(words(page)).to_have_text("You have given up. A bot plays your cards.")
    await expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    await expect(hand(page)).to_have_count(0)
    assert (await now(here, view["id"]))["players"][0]["resigned"]
    after = await now(other, view["id"])
    await move(other, after, any_move(after))


async def test_giving_up_among_bots_alone_closes_the_table_as_the_window_says(device: Devices) -> None:
    here, other = await device(), await device()
    view = await open_table(here)
    page, watching = await here.open(f"/games/{view['id']}"), await other.open(f"/games/{view['id']}")
    await expect(table(watching)).to_be_visible()
    await listen(watching)
    await page.get_by_role("button", name="Give up").click()
    await expect(page.get_by_role("dialog")).to_contain_text("it closes at once, without a result")
    await page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    await expect(page.get_by_role("heading", name="This table is closed")).to_be_visible()
    await expect(page.locator(".end-sheet")).to_contain_text("the game ended without a result")
    await expect(page.locator(".standings li")).to_have_count(4)
    await expect(page.locator(".standings .rank")).to_have_count(0)
    # No bot plays on at a table that is closed.
    await hear(watching, r"has given up\. This table is closed")
    await expect(table(watching).get_by_text(", gave up, total 0")).to_be_attached()


async def test_who_plays_no_hearts_fetches_nothing_of_its_table(device: Devices) -> None:
    here = await device()
    page = await here.open()
    await page.goto(f"{here.url}/games/{await here.game()}")
    await expect(page.locator("main heart-board")).to_be_visible()
    table_parts = re.compile(r"/src/(render/hearts|pages/hearts\.js)|/style/hearts")
    assert not [each.url for each in here.requests if table_parts.search(each.url)]
    view = await open_table(here)
    await page.goto(f"{here.url}/games/{view['id']}")
    await expect(hand(page)).to_have_count(13)
    assert [each.url for each in here.requests if table_parts.search(each.url)]
