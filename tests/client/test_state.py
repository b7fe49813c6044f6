"""The state modules alone: no page, no server. They run in the browser on views as the engine makes them."""

from typing import Any

import pytest
from playwright.async_api import Page

from server.games import GAMES
from server.games.game import Seat
from tests.client.conftest import DOCUMENTED, WINNING_LINE, Devices

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLE = """
const { newTable, receive, refused, cutOff } = await import("/client/src/state/table.js");
const { tap, undo, resume, help } = await import("/client/src/state/solitaire.js");
const table = newTable("g");
receive(table, view(0), true);
"""


def views(moves: list[str]) -> list[dict[str, Any]]:
    """The player's view before each move and after the last."""
    state = GAMES["heart-to-heart"].setup({}, DOCUMENTED)
    seen: list[dict[str, Any]] = []
    for ply, move in enumerate([*moves, ""]):
        legal = state.legal(Seat(0))
        seen.append({**state.view(Seat(0)), "you": 0, "legal": legal, "revision": ply, "undoable": ply})
        if move:
            state.play(Seat(0), move)
    return seen


async def run(page: Page, body: str, start: int = 0, moves: int = 12) -> Any:
    """Runs `body` with a table that has seen the view after `start` moves of the winning line."""
    seen = views(WINNING_LINE[: start + moves])[start:]
    script = f"async views => {{ const view = n => structuredClone(views[n]); {TABLE} {body} }}"
    return await page.evaluate(script, seen)


async def test_a_tap_on_the_stock_is_sent_once_and_the_next_waits(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    sent, waiting, then = await run(
        page,
        """
        tap(table, "stock");
        tap(table, "stock");
        const first = { ...table.sent }, waiting = table.waiting.length;
        receive(table, view(1));
        resume(table);
        return [first, waiting, table.sent];
        """,
    )
    assert sent == {"kind": "move", "move": "draw", "revision": 0}
    assert waiting == 1
    assert then == {"kind": "move", "move": "draw", "revision": 1}


async def test_a_heart_card_is_selected_at_once_while_a_draw_is_on_its_way(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    selected, waiting, sent = await run(
        page,
        """
        tap(table, "stock");
        tap(table, 25);
        const selected = table.selected;
        tap(table, "waste");
        const waiting = table.waiting.length;
        receive(table, view(1));
        resume(table);
        return [selected, waiting, table.sent];
        """,
        start=8,
    )
    assert selected == 25
    assert waiting == 1
    assert sent == {"kind": "move", "move": "25-w", "revision": 9}


async def test_another_rank_becomes_the_selected_card(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    slip, selected, sent = await run(
        page, 'tap(table, 25); const slip = tap(table, "waste"); return [slip, table.selected, table.sent];'
    )
    assert (slip, selected, sent) == ("different_rank", "waste", None)


async def test_covered_cards_and_empty_places_take_no_tap(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    assert await run(page, "tap(table, 1); tap(table, 24); return table.selected;") is None
    assert await run(page, "tap(table, 25); return table.selected;", start=10) is None


async def test_a_stale_revision_shows_the_truth_and_forgets_what_waited(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    assert await run(
        page,
        """
        tap(table, "stock"); tap(table, "stock");
        refused(table, view(2));
        return [table.view.revision, table.sent, table.waiting.length];
        """,
    ) == [2, None, 0]


async def test_a_lost_connection_keeps_the_one_command_that_may_have_arrived(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    unheard = 'tap(table, "stock"); tap(table, "stock"); cutOff(table); receive(table, view({}), true);'
    state = "return [table.sent?.revision ?? null, table.waiting.length];"
    assert await run(page, unheard.format(0) + state) == [0, 0]
    assert await run(page, unheard.format(1) + state) == [None, 0]


async def test_a_player_who_is_too_far_ahead_is_told(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    assert await run(
        page,
        """
        const slips = Array.from({ length: 14 }, () => tap(table, "stock"));
        return [table.waiting.length, slips[12], slips[13], undo(table)];
        """,
    ) == [12, None, "ahead", "ahead"]


async def test_a_straggler_changes_nothing(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    assert (
        await run(page, "receive(table, view(3)); receive(table, view(2)); return table.view.revision;") == 3
    )


async def test_a_selected_card_that_is_gone_is_let_go(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    assert await run(page, 'tap(table, "waste"); receive(table, view(1)); return table.selected;') is None
    assert await run(page, "tap(table, 25); receive(table, view(1)); return table.selected;") == 25
    assert await run(page, "tap(table, 25); receive(table, view(1)); return table.selected;", start=9) is None


async def test_the_helper_knows_mates_from_the_legal_moves_alone(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    outlined, matching = await run(
        page,
        """
        const { outlined } = help(table);
        tap(table, 25);
        return [[...outlined], [...help(table).matching]];
        """,
        start=9,
    )
    assert outlined == [25]
    assert sorted(matching, key=str) == [25, "waste"]


async def test_undo_is_asked_for_only_while_there_is_one_left(device: Devices) -> None:
    page = await (await device()).open("/rules/heart-to-heart")
    assert await run(page, "undo(table); return table.sent;") is None
    assert await run(page, "undo(table); return table.sent;", start=3) == {"kind": "undo", "revision": 3}
