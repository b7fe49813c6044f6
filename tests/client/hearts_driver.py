"""Tables of Hearts for tests in the browser: opened and led to a position by HTTP, played at by clicks."""

from collections.abc import Callable, Sequence
from typing import Any

from aiohttp import ClientSession
from playwright.async_api import Locator, Page, expect

from tests.client.conftest import Device

View = dict[str, Any]


def table(page: Page) -> Locator:
    return page.locator("main hearts-table")


def hand(page: Page) -> Locator:
    """The cards of the own hand, from left to right."""
    return table(page).locator(".hand [data-card]")


def trick(page: Page) -> Locator:
    return table(page).locator(".laid [data-card]")


def words(page: Page) -> Locator:
    """The line above the hand."""
    return table(page).locator(".message .words")


def said(page: Page) -> Locator:
    """What a screen reader hears."""
    return page.locator("p.unseen[aria-live='polite']")


async def listen(page: Page) -> None:
    """Has the page keep all that is said from now on: bots that take no time speak over one another."""
    await said(page).evaluate(
        """said => {
          window.heard = "";
          new MutationObserver(() => { window.heard += said.textContent + "\\n"; })
            .observe(said, { characterData: true, childList: true, subtree: true });
        }"""
    )


async def hear(page: Page, pattern: str) -> None:
    """Waits until something has been said, by a pattern of JavaScript, since the page began to `listen`."""
    await page.wait_for_function("pattern => new RegExp(pattern, 's').test(window.heard)", arg=pattern)


async def guest(device: Device) -> None:
    if not await device.context.cookies():
        await device.post("/api/guests")


async def open_table(device: Device, *, bots: int = 3, level: str = "easy", **options: Any) -> View:
    """A new table of this device, which becomes a guest for it."""
    await guest(device)
    view: View = await device.post("/api/games", game="hearts", options=options, bots=bots, level=level)
    return view


async def sit(device: Device, game: str) -> View:
    """Takes the lowest free seat."""
    await guest(device)
    view: View = await device.post(f"/api/games/{game}/seats")
    return view


async def now(device: Device, game: str) -> View:
    """The device's present view."""
    view: View = await device.get(f"/api/games/{game}")
    return view


async def move(device: Device, view: View, text: str) -> View:
    """Makes a move by HTTP."""
    after: View = await device.post(f"/api/games/{view['id']}/moves", move=text, revision=view["revision"])
    return after


def on_turn(view: View) -> bool:
    return view["you"] in view["turn"]


def any_move(view: View) -> str:
    """A legal move of the viewer: the first cards that may be passed, the first that may be played."""
    legal: str = view["legal"][0]
    return f"pass {' '.join(view['hand'][:3])}" if legal == "pass" else legal


async def lead_to(
    device: Device, view: View, wanted: Callable[[View], bool], others: Sequence[Device] = ()
) -> View:
    """Plays for these devices, at a table of bots else, until the first one's view is as wanted."""
    cookies = {each["name"]: each["value"] for each in await device.context.cookies()}
    game = view["id"]
    by_seat = {(await now(each, game))["you"]: each for each in others}
    async with ClientSession(cookies=cookies) as session, session.ws_connect(f"{device.url}/ws") as socket:
        await socket.send_json({"type": "subscribe", "channel": f"games/{game}", "ref": "watch"})
        answered: object = None
        while True:
            message = await socket.receive_json()
            if message["type"] != "game":
                assert message["type"] == "ok", message
                continue
            view = message["view"]
            if wanted(view):
                return view
            assert view["status"] != "finished"
            # Others pass, come and go while one's own move is on its way.
            turn = view["hand_number"], view["status"], view["hand"]
            if on_turn(view) and turn != answered:
                answered = turn
                command = {"type": "move", "game": game, "move": any_move(view)}
                await socket.send_json({**command, "revision": view["revision"], "ref": "move"})
            elif view["turn"] and view["turn"][0] in by_seat:
                other = by_seat[view["turn"][0]]
                seen = await now(other, game)
                if seen["revision"] == view["revision"]:
                    await move(other, seen, any_move(seen))


async def give_up(device: Device, game: str) -> None:
    """Gives the own seat up, at a table where bots may move at any moment."""
    given_up = False
    while not given_up:
        view = await device.get(f"/api/games/{game}")
        answer = await device.context.request.post(
            f"{device.url}/api/games/{game}/resign", data={"revision": view["revision"]}
        )
        given_up = answer.ok


def follows(view: View) -> bool:
    """Whether the viewer is to follow the suit of a trick, and not all his cards are of it."""
    if not on_turn(view) or not view["trick"] or len(view["legal"]) == len(view["hand"]):
        return False
    led = view["trick"][0]["card"][1]
    return all(move.endswith(led) for move in view["legal"])


def moves(view: View) -> bool:
    """Whether the viewer is to play a card."""
    return on_turn(view) and view["status"] == "playing"


async def choose_pass(page: Page) -> None:
    """Passes the first three cards by clicks."""
    for nth in range(3):
        await hand(page).nth(nth).click()
    await page.get_by_role("button", name="Pass to").click()


async def play_on(page: Page) -> None:
    """Plays by clicks to the end of the game: always the first card that may be played."""
    await expect(table(page)).to_be_visible()
    while True:
        await page.wait_for_function(
            """() => {
              const table = document.querySelector("main hearts-table");
              return table.dataset.status === "finished"
                || table.querySelector(".hand .playable, .middle button");
            }"""
        )
        status = await table(page).get_attribute("data-status")
        revision = await table(page).get_attribute("data-revision")
        if status == "finished":
            return
        if status == "passing":
            await choose_pass(page)
        elif status == "moon":
            await table(page).locator(".moon button").first.click()
        else:
            await table(page).locator(".hand .playable").first.click()
        await expect(table(page)).not_to_have_attribute("data-revision", str(revision))
