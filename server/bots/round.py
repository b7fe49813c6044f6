"""One hand in play, as fast as Python allows: what bots look at, and what they try moves out on.

It keeps the rules of play that `server.games.hearts` states; a test plays both side by side.
"""

from typing import Self

from server.bots.deck import Bit, Bits, Deck

NOBODY = -1
SEVERAL = -2


class Round:
    """A position in the play of one hand. A bot that looks at one knows only its own entry of `hands`."""

    __slots__ = (
        "alone", "best", "best_seat", "broken", "cards", "deck", "first", "gone", "hands", "jack",
        "jack_counts", "jack_seat", "leader", "led", "left", "lowest_club", "only", "players", "stake",
        "taken", "trick", "turn", "void_count", "voids", "widow", "widow_seat",
    )  # fmt: skip

    deck: Deck
    players: int
    cards: Bits
    """All cards of the table, those that lie in the widow too."""
    lowest_club: int
    """The card that leads to the first trick, or -1."""
    jack_counts: bool

    hands: list[Bits]
    gone: Bits
    """Cards that have been played."""
    left: int
    """How many cards are still to be played."""
    voids: list[Bits]
    """For each seat the suits that it has shown not to hold."""
    void_count: list[int]
    """For each suit, how many seats have shown not to hold it."""
    taken: list[int]
    """Penalties by seat, without the jack."""
    only: int
    """The seat that has taken all penalties so far, or NOBODY or SEVERAL."""
    jack_seat: int
    """Who took the jack of diamonds, where it counts."""
    widow: int
    """The penalties in the widow, as far as they are known and nobody has them yet."""
    widow_seat: int
    """Who has taken the widow, or NOBODY."""

    first: bool
    broken: bool
    leader: int
    turn: int
    trick: list[Bit]
    led: Bits
    """The suit that was led to this trick."""
    alone: Bits
    """The cards of that suit in the trick that no equal card cancels."""
    best: int
    """The highest of them, or -1."""
    best_seat: int
    stake: int
    """The penalties on the table, in this trick and in cancelled ones."""
    jack: bool
    """Whether the jack lies on the table and counts."""

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = self.hands.copy()
        twin.voids = self.voids.copy()
        twin.void_count = self.void_count.copy()
        twin.taken = self.taken.copy()
        twin.trick = self.trick.copy()
        return twin

    def legal(self) -> Bits:
        """The cards that the seat on turn may play."""
        hand = self.hands[self.turn]
        if self.trick:
            following = hand & self.led
            if following:
                return following
            return (self.first and hand & self.deck.harmless) or hand
        if self.first:
            if self.lowest_club >= 0:
                return 1 << self.lowest_club
            harmless = hand & self.deck.harmless
            if harmless:
                return harmless
        return hand if self.broken else hand & ~self.deck.hearts or hand

    def play(self, card: Bit) -> None:
        """The seat on turn plays a card, which must be legal."""
        seat, deck, trick = self.turn, self.deck, self.trick
        bit = 1 << card
        self.hands[seat] &= ~bit
        self.gone |= bit
        self.left -= 1
        if not trick:
            self.led = deck.suit[card]
            self.best, self.best_seat, self.alone = card, seat, bit
        elif not bit & self.led:
            self._miss(seat)
        elif deck.copies == 2:
            self._follow_in_two_decks(card)
        elif card > self.best:
            self.best, self.best_seat = card, seat
        trick.append(card)
        cost = deck.penalty[card]
        if cost:
            self.stake += cost
            self.broken = True
        elif self.jack_counts and bit & deck.jacks:
            self.jack = True
        if len(trick) < self.players:
            seat += 1
            self.turn = seat if seat < self.players else 0
        else:
            self._finish_trick()

    def _miss(self, seat: int) -> None:
        """A seat has shown that it holds none of the suit led."""
        if not self.voids[seat] & self.led:
            self.voids[seat] |= self.led
            self.void_count[self.deck.suits.index(self.led)] += 1

    def _follow_in_two_decks(self, card: Bit) -> None:
        bit, twin = 1 << card, 1 << (card ^ 1)
        self.alone = self.alone ^ twin if self.alone & twin else self.alone | bit
        self.best = self.alone.bit_length() - 1
        if self.best == card:
            self.best_seat = self.turn
        elif self.best >= 0:
            self.best_seat = (self.leader + self.trick.index(self.best)) % self.players

    def put_in_widow(self, penalties: int) -> None:
        """Says what the widow holds. If somebody has it already, it counts for that seat at once."""
        if self.widow_seat == NOBODY:
            self.widow = penalties
        elif penalties:
            self._take(self.widow_seat, penalties)

    def _finish_trick(self) -> None:
        self.trick = []
        self.first = False
        if self.best >= 0 or not self.left:
            taker = self.best_seat if self.best >= 0 else self.leader
            if self.widow_seat == NOBODY:
                self.widow_seat = taker
                self.stake += self.widow
                self.widow = 0
            if self.stake:
                self._take(taker, self.stake)
                self.stake = 0
            if self.jack:
                self.jack_seat, self.jack = taker, False
            self.leader = taker
        self.turn = self.leader

    def _take(self, taker: int, penalties: int) -> None:
        self.taken[taker] += penalties
        if self.only == NOBODY:
            self.only = taker
        elif self.only != taker:
            self.only = SEVERAL
