"""Four people at one table, each in a browser of his own, play a whole game by taps and clicks.

The shuffle is random, so they see to it that the game is short: one of them wins all tricks that he can, and
the others leave him every heart.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from playwright.async_api import BrowserContext, Page, WebSocketRoute, expect

from tests.client.conftest import Device, Devices
from tests.client.hearts_driver import hand, table, trick, words

pytestmark = pytest.mark.asyncio(loop_scope="session")

TARGET = 50
MOST_A_HAND = 26
PATIENCE_S = 120

NEVER = {"cards": -1}

STANDINGS = """all => all.map(line =>
  [".rank", ".name", "b"].map(part => line.querySelector(part).textContent))"""

HELD = "all => all.map(each => each.dataset.card)"

PLAY = """([seen, until, takesAll]) => new Promise((resolve, reject) => {
  const RISING = "23456789TJQKA";
  const rank = card => RISING.indexOf(card[0]);
  const points = card => card === "QS" || card[1] === "H";
  const cards = selector => [...document.querySelectorAll(selector)].map(each => each.dataset.card);
  const shown = selector => document.querySelector(selector) !== null;
  const asked = () => {
    const what = shown("main .hearts-end") ? "end"
      : shown(".panel-of-pass") ? "pass"
      : shown(".moon") ? "moon"
      : shown(".hand:not([hidden]) .playable") ? "play" : null;
    const hand = cards(".hand [data-card]");
    const number = document.querySelector(".info dd")?.textContent;
    const totals = [...document.querySelectorAll(".sitter .tally b")];
    return {
      key: [what, number, hand.length].join("/"), what, hand, hand_number: Number(number),
      playable: cards(".hand .playable"),
      touch: navigator.maxTouchPoints > 0,
      totals: totals.map(each => Number(each.textContent.replace("−", "-"))),
    };
  };
  const isReached = ({ what, hand_number, hand, totals }) =>
    what === "end" || until.next
      || (what === "play" && hand.length === until.cards
        && (hand_number === until.hand || Math.max(...totals) >= until.total));
  const choices = ({ what, hand, playable }) => {
    // To be rid of: points first, then what wins least.
    const worse = (one, other) => points(other) - points(one) || rank(one) - rank(other);
    const lower = (one, other) => rank(one) - rank(other);
    const higher = (one, other) => rank(other) - rank(one);
    if (what === "pass") return hand.toSorted(takesAll ? lower : higher).slice(0, 3);
    return [playable.toSorted(takesAll ? higher : worse)[0]];
  };
  const frame = () => new Promise(requestAnimationFrame);
  const answer = async now => {
    if (now.what === "moon") return document.querySelector(".moon button").click();
    for (const card of choices(now)) document.querySelector(`.hand [data-card="${card}"]`).click();
    if (now.what !== "pass") return;
    const pass = document.querySelector(".panel-of-pass button");
    while (pass.disabled) await frame();
    pass.click();
  };
  let busy = false;
  const look = async () => {
    const now = asked();
    if (busy || !now.what || now.key === seen) return;
    if (isReached(now)) {
      observer.disconnect();
      resolve({ ...now, choices: now.what === "end" ? [] : choices(now) });
      return;
    }
    busy = true;
    seen = now.key;
    await answer(now).catch(reject);
    busy = false;
    look();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, {subtree: true, childList: true, attributes: true});
  look();
})"""
"""Plays as its player would, with `until` telling where to stop; resolves with what the page asks for then.

A question counts as new once it is another than the one last answered. `until` has the cards that are held
and either the number of the hand or the total that somebody must have; or `next`, to stop at what is asked
first. The cards are clicked within the page: a tap through the browser's input takes ten times as long.
"""


class Asked(NamedTuple):
    """What a page asks of its player, as it is seen there."""

    key: str
    what: str
    """`pass`, `play`, `moon`, or `end` when the game is over."""
    hand: list[str]
    hand_number: int
    playable: list[str]
    totals: list[int]
    touch: bool
    choices: list[str]
    """The cards with which he would answer."""


class Person:
    """Somebody at the table, and the page that he plays on."""

    def __init__(self, page: Page, *, takes_all: bool = False) -> None:
        self.page = page
        self._takes_all = takes_all
        self._answered = ""

    async def asked(self) -> Asked:
        """Waits until there is something to do."""
        return await self._played({"next": True})

    async def play(self, until: Mapping[str, int] = NEVER) -> Asked:
        """Does what the page asks for, up to the end of the game or to what he shall not do any more.

        The pass and the first card are tapped, through the browser's own input.
        """
        while not self._answered or self._answered.startswith("pass"):
            asked = await self.asked()
            if asked.what == "end":
                return asked
            await self.answer(asked)
        return await self._played(until)

    async def _played(self, until: Mapping[str, object]) -> Asked:
        told = self.page.evaluate(PLAY, [self._answered, until, self._takes_all])
        asked = Asked(**await asyncio.wait_for(told, PATIENCE_S))
        self._answered = self._answered if until.get("next") else ""
        return asked

    async def answer(self, asked: Asked) -> None:
        self._answered = asked.key
        if asked.what == "moon":
            await self.page.get_by_role("button", name="to everybody else").click()
        for card in asked.choices:
            held = table(self.page).locator(f".hand [data-card='{card}']")
            await (held.tap() if asked.touch else held.click())
        if asked.what == "pass":
            await self.page.get_by_role("button", name="Pass to").click()


class Line:
    """The connection of a device's pages. It can be cut as when a phone loses its network."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._sides: list[WebSocketRoute] = []

    async def lay(self) -> None:
        """For pages that are opened from now on."""
        await self._context.route_web_socket("**/ws", self._through)

    def _through(self, page_side: WebSocketRoute) -> None:
        self._sides += [page_side, page_side.connect_to_server()]

    async def cut(self) -> None:
        await self._context.set_offline(True)
        for side in self._sides:
            await side.close()
        self._sides.clear()

    async def mend(self) -> None:
        await self._context.set_offline(False)


def in_hand(number: int, cards: int) -> dict[str, int]:
    """When it is the turn of someone who still has so many cards of this hand of the game."""
    return {"hand": number, "cards": cards}


MAY_BE_LAST = {"total": TARGET - MOST_A_HAND, "cards": 5}
"""When it is somebody's turn in the middle of a hand that may end the game."""


async def open_by_link(page: Page) -> str:
    """The address of a new table for four, up to 50 and without a clock, that is in no list."""
    await page.get_by_role("button", name="New table").click()
    window = page.get_by_role("dialog")
    await window.get_by_text("Points, moon, time").click()
    for name, value in {"public": "no", "target": str(TARGET), "turn_seconds": "0"}.items():
        await window.locator(f"[name={name}][value='{value}']").check()
    await window.get_by_role("button", name="Open the table").click()
    return await page.locator(".invitation output").inner_text()


async def join(device: Device, link: str) -> Page:
    """Follows the link and takes a seat. With the last one the game begins."""
    page = await device.context.new_page()
    await page.goto(link)
    await page.get_by_role("button", name="Take a seat").click()
    await expect(page.get_by_role("button", name="Leave the table").or_(table(page))).to_be_visible()
    return page


async def as_shown(page: Page) -> tuple[list[str], list[str]]:
    """The hand and the trick, once the trick before has gone to its winner."""
    await expect(table(page)).not_to_contain_class("holding")
    return await hand(page).evaluate_all(HELD), await trick(page).evaluate_all(HELD)


async def reload(person: Person) -> None:
    """Plays, and loads the page anew in the middle of the first hand."""
    asked = await person.play(until=in_hand(1, cards=9))
    before = await as_shown(person.page)
    await person.page.reload()
    assert await person.asked() == asked
    assert await as_shown(person.page) == before
    await person.play()


async def lose_connection(person: Person, line: Line, other: Page) -> None:
    """Plays, and loses the network when a card is to be played; the card is tapped while it is away."""
    asked = await person.play(until=in_hand(1, cards=6))
    await line.cut()
    lost = person.page.get_by_text("Connection lost. Reconnecting…")
    await expect(lost.first).to_be_visible()
    await expect(table(other).locator(".sitter.away")).to_have_count(1)
    await person.answer(asked)
    await expect(hand(person.page)).to_have_count(5)
    await line.mend()
    await expect(lost).to_have_count(0)
    await expect(table(other).locator(".sitter.away")).to_have_count(0)
    await person.play()


async def change_device(person: Person, second: Device) -> None:
    """Plays, and goes on elsewhere in the second hand. The page that he leaves open follows."""
    asked = await person.play(until=in_hand(2, cards=8))
    first, there = person.page, await second.open()
    await sign_in_by_code(there, await link_code(first))
    await there.locator(".game.hearts").click()
    await there.wait_for_url(first.url)
    await expect(hand(there)).to_have_count(8)
    assert await as_shown(there) == await as_shown(first)
    person.page = there
    await person.answer(asked)
    await expect(hand(first)).to_have_count(7)
    await person.play()


async def link_code(page: Page) -> str:
    window = page.get_by_role("dialog")
    await page.locator(".tools .account").click()
    await window.get_by_role("button", name="Sign another device in").click()
    code = await window.locator("output").inner_text()
    await page.keyboard.press("Escape")
    return code


async def sign_in_by_code(page: Page, code: str) -> None:
    window = page.get_by_role("dialog")
    await page.locator(".tools .account").click()
    await window.get_by_role("button", name="Sign in").click()
    await window.get_by_role("button", name="Use a link code instead").click()
    await window.get_by_role("textbox", name="Link code").fill(code)
    await page.keyboard.press("Enter")
    await expect(window).to_have_count(0)


async def give_up(person: Person) -> None:
    """Plays, and leaves the cards to a bot in the first hand that may be the last."""
    await person.play(until=MAY_BE_LAST)
    await person.page.get_by_role("button", name="Give up").click()
    await person.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    await expect(words(person.page)).to_have_text("You have given up. A bot plays your cards.")
    assert (await person.play()).what == "end"


async def standings(page: Page, own: str) -> list[list[str]]:
    """Rank, name and total of each line of the window at the end, with the viewer's own name."""
    lines = page.locator(".hearts-end .standings li")
    await expect(lines).to_have_count(4)
    return [[text.replace("You", own) for text in line] for line in await lines.evaluate_all(STANDINGS)]


async def test_four_people_play_a_whole_game(device: Devices) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    tablet: dict[str, Any] = {"viewport": {"width": 768, "height": 1024}, "has_touch": True}
    devices = [await device(), await device(**phone), await device(**tablet), await device(**phone)]
    second = await device(viewport={"width": 412, "height": 915}, has_touch=True)
    line = Line(devices[2].context)
    await line.lay()

    opened = await devices[0].open()
    link = await open_by_link(opened)
    pages = [opened, *[await join(each, link) for each in devices[1:]]]
    people = [Person(page, takes_all=page is opened) for page in pages]
    await asyncio.gather(
        change_device(people[0], second),
        reload(people[1]),
        lose_connection(people[2], line, other=pages[0]),
        give_up(people[3]),
    )

    view = await devices[0].get(f"/api/games/{link.rpartition('/')[2]}")
    assert view["status"] == "finished"
    assert [each["resigned"] for each in view["players"]] == [False, False, False, True]
    names = [each["user"]["name"] for each in view["players"]]
    ends = [await standings(page, name) for page, name in zip(pages, names, strict=True)]
    ends.append(await standings(people[0].page, names[0]))
    assert ends == [ends[0]] * 5
    expected = sorted(range(4), key=lambda seat: (seat == 3, view["totals"][seat]))
    assert [name.removesuffix(" gave up") for _, name, _ in ends[0]] == [names[seat] for seat in expected]
    assert [total for *_, total in ends[0]] == [str(view["totals"][seat]) for seat in expected]
