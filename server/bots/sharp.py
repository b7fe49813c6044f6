"""The sharp bot: deals the unseen cards again and again, plays each deal out, and takes what ends best."""

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from server.bots import thumb
from server.bots.deck import Bit, Bits, each
from server.bots.moon import choose_moon
from server.bots.passing import by_danger
from server.bots.playout import Policy, bold, cost, play_out
from server.bots.race import race
from server.bots.round import NOBODY, Round
from server.bots.seen import Seen, deck_at, passing_step, seen, start, table_of
from server.bots.worlds import World, Worlds
from server.games.game import View
from server.games.hearts.options import PASSED

BUDGET: Final = 24_000
"""How many cards are played in thought for one move, about."""

_PASS_POOL: Final = 6
"""How many of the most dangerous cards the three to pass are chosen from."""


def choose(views: Sequence[View], seed: int) -> str:
    """The move of the seat whose views these are."""
    view, rng = views[-1], random.Random(seed)  # noqa: S311 — dice, not secrets
    if view["status"] == "passing":
        return _choose_pass(view, rng)
    if view["status"] == "moon":
        return choose_moon(view)
    if len(view["legal"]) == 1:
        move: str = view["legal"][0]
        return move
    known = seen(views)
    return f"play {known.round.deck.names[_choose_card(known, rng)]}"


def _choose_pass(view: View, rng: random.Random) -> str:
    """The three cards to pass, as `pass …`."""
    at, seat, step = table_of(view), view["you"], passing_step(view)
    deck, round = deck_at(at), start(at)
    round.hands[seat] = deck.bits(view["hand"])
    pool = by_danger(deck, round.hands[seat], jack_counts=at.jack_counts)[:_PASS_POOL]
    plans = [sum(1 << card for card in three) for three in combinations(pool, PASSED)]
    worlds = Worlds(Seen(at, seat, round, [at.hand_size] * at.players, [0] * at.players))

    def deal() -> tuple[list[Bits], list[Bits]]:
        """The hands of all, and what the others pass."""
        hands = worlds.deal(rng).hands
        passed = [by_danger(deck, hand, jack_counts=at.jack_counts)[:PASSED] for hand in hands]
        return hands, [sum(1 << card for card in three) for three in passed]

    def trial(world: tuple[list[Bits], list[Bits]], plan: Bits) -> float:
        hands, passed = world[0], world[1].copy()
        passed[seat] = plan
        end = round.copy()
        end.hands = [
            hand & ~passed[one] | passed[(one - step) % at.players] for one, hand in enumerate(hands)
        ]
        end.turn = end.leader = next(one for one in at.seats if end.hands[one] >> end.lowest_club & 1)
        play_out(end, seat, thumb.card)
        return cost(end, seat)

    best = race(plans, deal, trial, BUDGET // round.left)
    return " ".join(["pass", *[deck.names[card] for card in each(best)]])


def _choose_card(known: Seen, rng: random.Random) -> Bit:
    """The card to play."""
    round, seat = known.round, known.seat
    cards = _distinct(round)
    if len(cards) == 1:
        return cards[0]
    plans: list[tuple[Bit, Policy]] = [(card, thumb.card) for card in cards]
    if round.only in (NOBODY, seat):
        plans += [(card, bold) for card in cards]
    worlds = Worlds(known)

    def trial(world: World, plan: tuple[Bit, Policy]) -> float:
        card, policy = plan
        end = round.copy()
        end.hands = world.hands.copy()
        end.put_in_widow(world.widow)
        end.play(card)
        play_out(end, seat, policy)
        return cost(end, seat)

    return race(plans, lambda: worlds.deal(rng), trial, BUDGET // round.left)[0]


def _distinct(round: Round) -> list[Bit]:
    """The legal cards, but of neighbours that do the same only the highest."""
    deck, legal = round.deck, round.legal()
    between = round.cards & ~round.gone & ~round.hands[round.turn]
    for card in round.trick:
        between |= 1 << card
    cards: list[Bit] = []
    for card in each(legal):
        last = cards[-1] if cards else None
        if (
            last is not None
            and deck.suit[last] == deck.suit[card]
            and deck.penalty[last] == deck.penalty[card]
            and not (1 << last | 1 << card) & deck.jacks
            and not between & ((1 << card) - (1 << last))
        ):
            cards[-1] = card
        else:
            cards.append(card)
    return cards
