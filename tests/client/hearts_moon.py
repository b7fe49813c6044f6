"""A hand of Hearts, among people in a browser each, in which one of them shoots the moon."""

import random
from collections.abc import Sequence

from server.games.hearts.cards import CARDS
from server.games.hearts.state import Hearts
from tests.client.conftest import Device
from tests.client.hearts_driver import View, move, now, open_table, sit
from tests.games.hearts_tables import arranged, greedy


async def shoot(devices: Sequence[Device]) -> tuple[int, View]:
    """Four people play a first hand in which one of them shoots the moon: his seat and his view, to choose.

    Not every deal has such a hand: then they open another table.
    """
    while True:
        game = (await open_table(devices[0], bots=0, turn_seconds=0))["id"]
        for each in devices[1:]:
            await sit(each, game)
        views = [await now(each, game) for each in devices]
        shooter, passes = _passes([view["hand"] for view in views])
        for each, view, cards in zip(devices, views, passes, strict=True):
            await move(each, view, " ".join(["pass", *cards]))
        views = [await now(each, game) for each in devices]
        line = _moon_line([" ".join(view["hand"]) for view in views], views[0]["turn"][0], shooter)
        if line is not None:
            for seat, text in line:
                await move(devices[seat], await now(devices[seat], game), text)
            return shooter, await now(devices[shooter], game)


def _passes(hands: list[list[str]]) -> tuple[int, list[list[str]]]:
    """The seat that is strongest after all have passed to the left for its sake, and what each passes."""

    def for_the_sake_of(shooter: int) -> list[list[str]]:
        lowest_first = [sorted(hand, key=_strength) for hand in hands]
        right = (shooter - 1) % len(hands)
        return [cards[-3:] if seat == right else cards[:3] for seat, cards in enumerate(lowest_first)]

    def strength_of(shooter: int) -> int:
        passes = for_the_sake_of(shooter)
        kept = set(hands[shooter]) - set(passes[shooter])
        return sum(map(_strength, [*kept, *passes[shooter - 1]]))

    best = max(range(len(hands)), key=strength_of)
    return best, for_the_sake_of(best)


def _strength(card: str) -> int:
    return int(CARDS[card] % 13) ** 3


def _moon_line(hands: list[str], leader: int, shooter: int) -> list[tuple[int, str]] | None:
    """Moves with which a seat takes all penalty cards; None if a few hundred tries find none."""
    rng = random.Random(0)
    for _ in range(300):
        state: Hearts = arranged(hands, leader=leader, first=True)
        line: list[tuple[int, str]] = []
        while state.status == "playing" and state.hand_number == 1:
            seat, text = greedy(state, state.table.seats[shooter], rng)
            # Without chance all tries would be the same.
            if rng.random() < 0.2:
                text = rng.choice(state.legal(seat))
            line.append((seat, text))
            state.play(seat, text)
        if state.status == "moon" and state.turn() == (shooter,):
            return line
    return None
