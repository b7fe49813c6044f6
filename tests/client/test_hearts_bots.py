"""Whole games of Hearts in a real browser: a person plays with bots by clicks; a stranger who watches is sent
no card before it is played.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import pytest
from playwright.async_api import Locator, Page, WebSocket, expect

from server.log.record import HeartsRecord, read, verify
from tests.client.conftest import Device, Devices
from tests.client.hearts_driver import View, lead_to, move, now, open_table, play_on, sit

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).parents[2]

CARD = re.compile(r"(?<![\w-])[2-9TJQKA][CDHS](?![\w-])")
"""A card in the raw text of a message. Ids and names may have the same letters within."""


@pytest.mark.parametrize(
    ("players", "variant"),
    [(3, "standard"), (5, "standard"), (7, "standard"), (8, "cancellation")],
)
async def test_a_person_plays_a_whole_game_with_bots(device: Devices, players: int, variant: str) -> None:
    here = await device()
    view = await open_table(here, players=players, bots=players - 1, variant=variant, target=15)
    page = await here.open(f"/games/{view['id']}")
    await play_on(page)
    await expect(page.locator(".hearts-end h2")).to_be_visible()
    end = await now(here, view["id"])
    assert max(end["totals"]) >= 15
    assert await figures(page.locator(".hearts-end .standings b")) == sorted(end["totals"])
    rows, totals = await score_sheet(page)
    assert totals == end["totals"] == [sum(column) for column in zip(*rows, strict=True)]

    record = await record_of(here, view["id"])
    assert verify(record) is None
    assert record.result.totals == totals
    assert record.result.scores == rows


async def score_sheet(page: Page) -> tuple[list[list[int]], list[int]]:
    """What the window of scores shows: a row for each hand, and the totals below."""
    await page.locator(".hearts-end").get_by_role("button", name="Scores").click()
    sheet = page.get_by_role("dialog").locator(".score-sheet")
    await expect(sheet).to_be_visible()
    rows = [await figures(row.locator("td")) for row in await sheet.locator("tbody tr").all()]
    return rows, await figures(sheet.locator("tfoot td"))


async def figures(cells: Locator) -> list[int]:
    return [int(text.replace("−", "-")) for text in await cells.all_inner_texts()]


async def record_of(device: Device, game: str) -> HeartsRecord:
    """The record as anybody gets it."""
    response = await device.context.request.get(f"{device.url}/api/games/{game}/record")
    record = read(await response.body())
    assert isinstance(record, HeartsRecord)
    return record


class Referee:
    """Knows from the record of a finished game alone what a stranger might see at each of its moves."""

    def __init__(self, record: HeartsRecord) -> None:
        self._record = record
        self._open = list(lying_open(record))

    def leaked(self, text: str) -> list[str]:
        """What a message tells that a stranger must not know yet: cards, passes, the seed."""
        told = json.loads(text)
        ply = told.get("view", told).get("ply", 0)
        if ply == len(self._record.moves):
            return []
        cards = Counter(CARD.findall(text)) - self._open[ply]
        return [
            *cards.elements(),
            *re.findall(r"pass [2-9TJQKA].", text),
            *re.findall(self._record.seed, text),
        ]


def lying_open(record: HeartsRecord) -> Iterator[Counter[str]]:
    """The cards that may be read in a message after 0, 1, 2, … moves, each as often as it may stand there.

    They are those of the trick, of the tricks that lie cancelled, and of the trick before; and the card just
    played, which is told twice more: as the last move and as what has happened.
    """
    players = int(record.options["players"])
    two_decks = 104 // players * players
    trick: list[str] = []
    held: list[str] = []
    before: list[str] = []
    played = 0
    yield Counter()
    for made in record.moves:
        kind, *cards = made.move.split()
        if kind != "play":
            yield Counter(trick + held + before)
            continue
        trick += cards
        played += 1
        if len(trick) == players:
            held = held + trick if cancelled(trick) and played % two_decks else []
            before, trick = trick, []
        yield Counter(trick + held + before + 2 * cards)


def cancelled(trick: Sequence[str]) -> bool:
    """Whether each card of the suit led lies there twice, so that nobody wins: only with two decks."""
    return all(trick.count(card) == 2 for card in trick if card[1] == trick[0][1])


class Watcher:
    """A page that follows a game, and all that it was sent."""

    def __init__(self, device: Device, page: Page) -> None:
        self.page = page
        self.frames: list[str] = []
        self._device = device
        page.on("websocket", self._listen)

    @classmethod
    async def of(cls, device: Device, game: str) -> Self:
        page = await device.context.new_page()
        watcher = cls(device, page)
        await page.goto(f"{device.url}/games/{game}")
        return watcher

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.frames.append(str(text)))

    async def answers(self) -> list[str]:
        """What the server answered to the page's requests, but for files that are the same for everybody."""
        texts = []
        for request in self._device.answered:
            response = await request.response()
            assert response
            path = request.url.removeprefix(self._device.url)
            if path.startswith("/api/"):
                texts.append(await response.text())
            else:
                name = "client/index.html" if path.startswith("/games/") else path[1:]
                assert await response.body() == (ROOT / name).read_bytes()
        return texts


def over(view: View) -> bool:
    return bool(view["status"] == "finished")


async def watchers(other: Device, own: Device, game: str) -> tuple[Watcher, Watcher]:
    """A stranger, who watches a table from before it is full, and a player's page."""
    stranger, player = await Watcher.of(other, game), await Watcher.of(own, game)
    await expect(stranger.page.get_by_role("button", name="Take a seat")).to_be_visible()
    return stranger, player


async def judge(device: Device, game: str, stranger: Watcher, player: Watcher) -> None:
    """Searches all that a stranger was sent in a finished game, and for comparison what a player was sent."""
    for watcher in (stranger, player):
        await expect(watcher.page.locator(".hearts-end")).to_be_visible()
    record = await record_of(device, game)
    assert verify(record) is None
    referee = Referee(record)
    views = [told["view"] for told in map(json.loads, stranger.frames) if told["type"] == "game"]
    assert {view["ply"] for view in views} >= {0, len(record.moves)}
    assert {view["commitment"] for view in views} == {record.commitment}
    for text in [*stranger.frames, *await stranger.answers()]:
        assert referee.leaked(text) == [], text

    hands = [text for text in player.frames if re.search(r'"hand":\["', text)]
    assert hands
    assert all(map(referee.leaked, hands))


async def take_back_a_pass(people: Sequence[Device], game: str) -> None:
    """The first passes, has all others agree that he takes it back, and passes other cards."""
    first, *others = people
    view = await now(first, game)
    passed = await move(first, view, f"pass {' '.join(view['hand'][:3])}")
    await first.post(f"/api/games/{game}/undo", revision=passed["revision"])
    for each in others:
        await each.post(f"/api/games/{game}/undo/answer", accept=True)
    await move(first, await now(first, game), f"pass {' '.join(view['hand'][-3:])}")


async def test_a_stranger_sees_no_card_before_it_is_played(device: Devices) -> None:
    people = [await device() for _ in range(3)]
    view = await open_table(people[0], players=3, bots=0, target=30, turn_seconds=0)
    stranger, player = await watchers(await device(), people[0], view["id"])
    for each in people[1:]:
        await sit(each, view["id"])
    await take_back_a_pass(people, view["id"])
    await lead_to(people[0], view, over, others=people[1:])
    await judge(people[0], view["id"], stranger, player)


async def test_a_stranger_sees_no_widow_and_no_card_of_two_decks(device: Devices) -> None:
    here = await device()
    view = await open_table(here, players=6, bots=0, variant="cancellation", target=30)
    stranger, player = await watchers(await device(), here, view["id"])
    await here.post(f"/api/games/{view['id']}/bots", level="easy")
    await lead_to(here, view, over)
    await judge(here, view["id"], stranger, player)


def push(ply: int, **view: Any) -> str:
    return json.dumps({"type": "game", "view": {"ply": ply, **view}})


async def test_the_referee_finds_what_is_hidden() -> None:
    record = read((ROOT / "tests/golden/hearts/standard-4.json").read_bytes())
    assert isinstance(record, HeartsRecord)
    referee = Referee(record)
    moves = [each.move for each in record.moves]
    passed, first, second = moves[0], moves[4], moves[5]
    assert referee.leaked(push(4, hand=[first[5:]])) == [first[5:]]
    assert referee.leaked(push(5, last=first)) == []
    assert referee.leaked(push(5, trick=[first[5:], second[5:]])) == [second[5:]]
    assert referee.leaked(push(9, last=moves[8], last_trick=moves[4:8])) == []
    assert referee.leaked(push(13, last=moves[12], last_trick=moves[4:8])) != []
    assert referee.leaked(push(1, last="pass")) == []
    assert passed[:7] in referee.leaked(push(1, last=passed))
    assert referee.leaked(push(4, seed=record.seed)) == [record.seed]
    assert referee.leaked(push(len(moves), seed=record.seed, last=moves[-1])) == []
