"""The state of a Hearts table alone: it runs in the browser on views as the engine makes them."""

from typing import Any

import pytest
from playwright.async_api import Page

from server.games.game import Seat
from server.games.hearts.state import Hearts
from tests.client.conftest import Devices
from tests.games.hearts_tables import arranged, setup

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLE = """
const { newTable, receive, refused } = await import("/client/src/state/table.js");
const hearts = await import("/client/src/state/hearts.js");
const table = newTable("g");
receive(table, views[0], true);
"""


def seen(state: Hearts, seat: int = 0, revision: int = 0, **more: Any) -> dict[str, Any]:
    """What a seat sees of a table of people."""
    players = [
        {"seat": each, "user": {"id": f"u{each}", "name": f"P{each}"}, "bot": None, "resigned": False}
        for each in range(state.table.players)
    ]
    common = {
        "game": "hearts", "revision": revision, "ply": revision, "players": players, "you": seat,
        "options": {"variant": "cancellation" if state.table.cancelling else "standard"},
        "turn": list(state.turn()), "legal": state.legal(Seat(seat)), "last": None, "takeback": None,
        "started_at": "2026-11-30T00:00:00Z", "finished_at": None,
    }  # fmt: skip
    return {**state.view(Seat(seat)), **common, **more}


async def run(device: Devices, body: str, *views: dict[str, Any]) -> Any:
    page: Page = await (await device()).open("/rules/hearts")
    return await page.evaluate(f"async views => {{ {TABLE} {body} }}", list(views))


async def test_three_cards_are_lifted_and_no_fourth(device: Devices) -> None:
    state = setup(bytes(32))
    held = state.view(Seat(0))["hand"]
    slips, sent = await run(
        device,
        """
        const slips = [0, 1, 2, 3].map(i => hearts.tap(table, views[0].hand[i]));
        slips.push(hearts.canPass(table));
        hearts.tap(table, views[0].hand[1]);
        hearts.pass(table);
        slips.push(table.sent);
        hearts.tap(table, views[0].hand[4]);
        hearts.pass(table);
        return [slips, table.sent];
        """,
        seen(state),
    )
    assert slips == [None, None, None, "enough", True, None]
    assert sent == {"kind": "move", "move": f"pass {held[0]} {held[2]} {held[4]}", "revision": 0}


async def test_the_passes_of_others_overtake_ones_own(device: Devices) -> None:
    state = setup(bytes(32))
    before = seen(state)
    state.play(Seat(2), "pass " + " ".join(state.view(Seat(2))["hand"][:3]))
    other = seen(state, revision=1)
    state.play(Seat(0), "pass " + " ".join(before["hand"][:3]))
    own = seen(state, revision=2)
    states = await run(
        device,
        """
        for (const card of views[0].hand.slice(0, 3)) hearts.tap(table, card);
        hearts.pass(table);
        receive(table, views[1]);
        const still = [table.sent !== null, table.chosen.length];
        receive(table, views[2]);
        return [...still, table.sent, table.chosen.length];
        """,
        before,
        other,
        own,
    )
    assert states == [True, 3, None, 0]


async def test_a_card_is_sent_once_and_only_on_turn(device: Devices) -> None:
    state = arranged(["2C 5H", "3C 6H", "4C 7H", "5C 8H"])
    slips, sent = await run(
        device,
        """
        const slips = [hearts.tap(table, "5H"), hearts.tap(table, "2C"), hearts.tap(table, "5H")];
        const { sent } = table;
        refused(table, undefined);
        receive(table, views[1], true);
        return [[...slips, hearts.tap(table, "3C")], sent];
        """,
        seen(state),
        seen(state, seat=1),
    )
    assert slips == ["unplayable", None, None, "not_yet"]
    assert sent == {"kind": "move", "move": "play 2C", "revision": 0}


async def test_a_move_is_asked_back_only_while_it_can_be(device: Devices) -> None:
    state = arranged(["2C 5H", "3C 6H", "4C 7H", "5C 8H"])
    state.play(Seat(0), "play 2C")
    mine = {"seat": 0, "move": "play 2C"}
    passing = setup(bytes(32))
    passing.play(Seat(0), "pass " + " ".join(passing.view(Seat(0))["hand"][:3]))
    assert await run(
        device,
        "return views.map(view => hearts.mayTakeBack(view));",
        seen(state, last=mine),
        seen(state, last={"seat": 1, "move": "play 3C"}),
        seen(state, last=mine, takeback={"seat": 0, "waiting_for": [1]}),
        seen(passing, last={"seat": 0, "move": "pass 2C 3C 4C"}),
        seen(setup(bytes(32)), last=mine),
    ) == [True, False, False, True, False]


async def test_a_card_on_its_way_is_asked_back_once_it_lies(device: Devices) -> None:
    state = arranged(["2C 5H", "3C 6H", "4C 7H", "5C 8H"])
    before = seen(state)
    state.play(Seat(0), "play 2C")
    may, sent = await run(
        device,
        """
        const { resume } = await import("/client/src/state/solitaire.js");
        const may = [hearts.canAskBack(table)];
        hearts.tap(table, "2C");
        may.push(hearts.canAskBack(table));
        hearts.askBack(table);
        may.push(hearts.canAskBack(table));
        receive(table, views[1]);
        resume(table);
        return [may, table.sent];
        """,
        before,
        seen(state, revision=1, last={"seat": 0, "move": "play 2C"}),
    )
    assert may == [False, True, False]
    assert sent == {"kind": "undo", "revision": 1}


async def test_nothing_is_asked_of_who_has_given_up(device: Devices) -> None:
    state = arranged(["2C 5H", "3C 6H", "4C 7H", "5C 8H"])
    before = seen(state)
    state.play(Seat(0), "play 2C")
    after = seen(state, turn=[0], last={"seat": 0, "move": "play 2C"})
    for view in (before, after):
        view["players"][0]["resigned"] = True
    assert await run(
        device,
        "return views.map(view => [hearts.mayMove(view), hearts.mayTakeBack(view)]);",
        before,
        after,
        seen(arranged(["2C 5H", "3C 6H", "4C 7H", "5C 8H"])),
    ) == [[False, False], [False, False], [True, False]]


async def test_who_passes_to_whom(device: Devices) -> None:
    assert await run(
        device,
        """
        return ["left", "right", "across", "none"].map(pass => {
          const { to, from } = hearts.neighbours({ ...views[0], pass }, 3);
          return [to, from];
        });
        """,
        seen(setup(bytes(32))),
    ) == [[0, 2], [2, 0], [1, 1], [3, 3]]


async def test_equal_totals_share_a_rank_and_who_gave_up_is_last(device: Devices) -> None:
    view = seen(setup(bytes(32)), totals=[7, 3, 3, 9])
    view["players"][1]["resigned"] = True
    assert await run(
        device, "return hearts.standings(views[0]).map(each => [each.seat, each.rank]);", view
    ) == [[2, 1], [0, 2], [3, 3], [1, 4]]
    assert await run(
        device,
        "return hearts.standings(views[0]).map(each => [each.seat, each.rank]);",
        seen(setup(bytes(32)), totals=[7, 3, 3, 9]),
    ) == [[1, 1], [2, 1], [0, 3], [3, 4]]


async def test_equal_cards_of_a_trick_cancel_each_other(device: Devices) -> None:
    hands = ["2S", "QS", "QS", "AS", "3H", "3H"]
    state = arranged(hands, variant="cancellation")
    for seat, card in enumerate(hands[:5]):
        state.play(Seat(seat), f"play {card}")
    assert await run(device, "return [...hearts.cancelled(views[0].trick)];", seen(state)) == ["QS"]


async def test_more_than_two_are_waited_for_by_their_number(device: Devices) -> None:
    state = setup(bytes(32))
    views = [seen(state, legal=[], you=None, turn=turn) for turn in ([2, 3], [1, 2, 3])]
    assert await run(
        device,
        """
        const { speak } = await import("/client/src/i18n.js");
        const { prompt } = await import("/client/src/heartswords.js");
        await speak("en");
        return views.map(prompt);
        """,
        *views,
    ) == ["Waiting for P2 and P3 to pass", "Waiting for 3 players to pass"]
