"""Hands that the others may hold: every one agrees with all that a seat has seen."""

import random
from typing import Final, NamedTuple

from server.bots.deck import Bits, each
from server.bots.seen import Seen

_TRIES: Final = 50


class World(NamedTuple):
    """One way in which the unseen cards may lie."""

    hands: list[Bits]
    widow: int
    """The penalties in the widow."""


class Worlds:
    """Deals the unseen cards among the others, again and again."""

    def __init__(self, seen: Seen) -> None:
        round = seen.round
        hand = round.hands[seen.seat]
        unseen = round.cards & ~round.gone & ~hand
        self._penalty = round.deck.penalty
        self._hands = [known if seat != seen.seat else hand for seat, known in enumerate(seen.known)]
        self._room = [count - held.bit_count() for count, held in zip(seen.counts, self._hands, strict=True)]
        for held in self._hands:
            unseen &= ~held
        widow = unseen.bit_count() - sum(self._room)
        others = [seat for seat, room in enumerate(self._room) if room]
        self._room.append(widow)
        self._places = [
            (
                list(each(unseen & suit)),
                [seat for seat in others if not round.voids[seat] & suit] + [-1] * bool(widow),
            )
            for suit in round.deck.suits
            if unseen & suit
        ]
        # A suit that few may hold is dealt first: its cards find room then.
        self._places.sort(key=lambda place: len(place[1]))

    def deal(self, rng: random.Random) -> World:
        """One world. Should no deal agree with all voids within some tries, one that breaks them."""
        for _ in range(_TRIES):
            world = self._try(rng)
            if world:
                return world
        return self._any(rng)

    def _try(self, rng: random.Random) -> World | None:
        room, hands, widow = self._room.copy(), self._hands.copy(), 0
        for cards, seats in self._places:
            for card in cards:
                chance = rng.random() * sum([room[seat] for seat in seats])
                for seat in seats:
                    chance -= room[seat]
                    if chance < 0:
                        break
                else:
                    return None
                room[seat] -= 1
                if seat < 0:
                    widow += self._penalty[card]
                else:
                    hands[seat] |= 1 << card
        return World(hands, widow)

    def _any(self, rng: random.Random) -> World:
        cards = [card for some, _ in self._places for card in some]
        rng.shuffle(cards)
        hands = self._hands.copy()
        for seat, room in enumerate(self._room[:-1]):
            for _ in range(room):
                hands[seat] |= 1 << cards.pop()
        return World(hands, sum(self._penalty[card] for card in cards))
