"""What `heartline prune` leaves: of guests at tables, where nobody waits for who is no more; of sessions."""

from collections.abc import Awaitable, Callable

from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.clock import system_clock
from server.log.log import Log
from server.log.model import GameId, UserId
from server.rooms.position import Fill, Join
from server.rooms.rooms import Rooms
from tests.rooms.conftest import names
from tests.test_cli import Heartline, execute, on, query, with_accounts
from tests.test_cli import heartline as heartline
from tests.test_cli import mali as mali
from tests.test_cli import on_database as on_database


def at_tables(work: Callable[[Rooms], Awaitable[None]]) -> Callable[[AsyncEngine], Awaitable[None]]:
    async def run(engine: AsyncEngine) -> None:
        async with Log(engine) as log:
            await work(Rooms(log, Hub(), system_clock, names))

    return run


def test_nobody_waits_at_a_table_for_a_guest_who_is_removed(
    heartline: Heartline, on_database: str, mali: UserId
) -> None:
    idle = with_accounts(on_database, lambda accounts: accounts.new_guest("a test")).caller.user
    tables: list[GameId] = []

    async def sit_down(rooms: Rooms) -> None:
        for owner, joining in ((mali, idle), (mali, idle), (idle, None)):
            game = GameId((await rooms.open_table(owner, {}))["id"])
            tables.append(game)
            if joining is not None:
                await rooms.submit(game, Join(joining, "Guest"))
        await rooms.submit(tables[1], Fill(mali, None, "easy"))

    on(on_database, at_tables(sit_down))
    execute(on_database, "UPDATE users SET created_at = created_at - interval '91 days'")
    execute(on_database, "UPDATE device_sessions SET seen_at = seen_at - interval '91 days'")

    assert heartline("prune", "--guests-idle-days", 90).out.startswith("Guests removed: 1,")

    waiting, running, alone = tables
    assert query(on_database, f"SELECT user_id FROM seats WHERE game_id = '{waiting}' AND seat = 1") == [None]
    left = f"SELECT resigned AND bot_name IS NOT NULL FROM seats WHERE game_id = '{running}' AND seat = 1"
    assert query(on_database, left) == [True]
    assert query(on_database, f"SELECT status FROM games WHERE id = '{alone}'") == ["closed"]
    assert query(on_database, f"SELECT count(*) FROM seats WHERE user_id = '{mali}' AND NOT finished") == [2]


def test_sessions_that_are_over_go_as_well(heartline: Heartline, on_database: str, mali: UserId) -> None:
    for days in (399, 400):
        with_accounts(on_database, lambda accounts: accounts.new_guest("a test"))
        execute(
            on_database,
            "UPDATE device_sessions SET seen_at = now() - make_interval(days => :days)"
            " WHERE user_id <> :mali AND seen_at > now() - interval '1 day'",
            days=days,
            mali=mali,
        )
    assert heartline("prune", "--guests-idle-days", 500).status == 0
    left = "SELECT date_part('day', now() - seen_at)::int FROM device_sessions WHERE user_id <> '{}'"
    assert query(on_database, left.format(mali)) == [399]
