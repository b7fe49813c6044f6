"""A game of Hearts in progress: the fold of its moves."""

from collections.abc import Sequence
from typing import Any, Final, Literal, Self

from server.games.errors import IllegalMove, Reason
from server.games.game import Seat, View
from server.games.hearts.cards import JACK, NAMES, PENALTY, PLAYED, PLAYS, SUIT_OF, Card, Hand, names
from server.games.hearts.deal import commitment, deal
from server.games.hearts.options import PASSED, Direction, Table
from server.games.hearts.passing import Passed, get, give, read_pass, received, written
from server.games.hearts.scoring import moon_row, winners, with_jack
from server.games.hearts.tricks import discards, leads, refusal, winner

Status = Literal["passing", "playing", "moon", "finished"]

_MOON_ADD: Final = "moon add"
_MOON_SUBTRACT: Final = "moon subtract"


class Hearts:
    """A position of Hearts. What is kept by seat is indexed by it; only `play` changes anything."""

    __slots__ = (
        "broken", "commitment", "counts", "direction", "first", "hand_number", "hands", "held", "jack",
        "last_trick", "leader", "may_take_back", "on_turn", "over", "playable", "scores", "seed", "sent",
        "stake", "status", "table", "taken", "totals", "trick", "widow", "widow_seat",
    )  # fmt: skip

    table: Table
    seed: bytes
    commitment: str
    status: Status
    over: bool
    """Whether the game is finished."""
    totals: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    """What each finished hand added to the totals."""

    on_turn: tuple[Seat, ...]
    playable: list[str]
    """The cards that may be played now, as moves. It may be a suit of a hand itself, so it is only read."""
    may_take_back: Seat | None
    """The seat that made the last move, if it may ask for it back.

    None before the first move and after one that revealed the passed cards, was the last card of a
    hand, or chose what a moon does: the reveal, a hand's end and the game's are never taken back.
    """

    hand_number: int
    """From 1."""
    direction: Direction
    hands: list[Hand]
    counts: list[int]
    """How many cards each hand holds."""
    sent: list[Passed]
    """The cards that each seat has passed in this hand; empty before its pass."""
    widow: tuple[Card, ...]
    widow_seat: Seat | None
    """Who has taken the widow."""
    taken: list[int]
    """The penalties taken in this hand, without the widow's."""
    jack: Seat | None
    """Who has taken the jack of diamonds, where it counts."""
    broken: bool

    first: bool
    """Whether this is the first trick of the hand."""
    leader: Seat
    trick: list[Card]
    held: list[Card]
    """The cards of cancelled tricks on the table."""
    stake: int
    """The penalties on the table, in the trick and held."""
    last_trick: tuple[Seat, tuple[Card, ...], Seat | None] | None
    """Who led it, its cards, and who took it."""

    def __init__(self, table: Table, seed: bytes) -> None:
        self.table = table
        self.seed = seed
        self.commitment = commitment(seed)
        self.totals = (0,) * table.players
        self.scores = ()
        self.over = False
        self.may_take_back = None
        self.last_trick = None
        self.hand_number = 0
        self._deal()

    def turn(self) -> tuple[Seat, ...]:
        """The seats that may move now, lowest first: several while cards are passed."""
        return self.on_turn

    def legal(self, seat: Seat) -> list[str]:
        """The moves that `seat` may make; just `pass` while it may pass any three of its cards."""
        if seat not in self.on_turn:
            return []
        if self.status == "playing":
            return self.playable.copy()
        return ["pass"] if self.status == "passing" else [_MOON_ADD, _MOON_SUBTRACT]

    def play(self, seat: Seat, move: str) -> str:
        """Makes a move and returns its one spelling: a pass sorted as a hand, all else as it is.

        Raises:
            IllegalMove: the rules forbid it, or `seat` is not on turn. Nothing has changed.
        """
        if seat not in self.on_turn:
            raise IllegalMove(Reason.NOT_A_MOVE, "It is not your turn: wait for the others.")
        if self.status != "playing":
            return self._pass(seat, move) if self.status == "passing" else self._choose_moon(seat, move)
        table, trick, hand = self.table, self.trick, self.hands[seat]
        if move not in self.playable:
            raise refusal(move, hand, trick, self.first, table.lowest_club)
        card = PLAYED[move]
        hand[SUIT_OF[card]].remove(move)
        self.counts[seat] -= 1
        trick.append(card)
        self.may_take_back = seat
        cost = PENALTY[card]
        if cost:
            self.stake += cost
            self.broken = True
        if len(trick) < table.players:
            self._give_turn(table.left[seat])
            return move
        self._finish_trick()
        if self.counts[seat]:
            self._give_turn(self.leader)
        else:
            self._finish_play()
        return move

    def view(self, seat: Seat | None, *, revealed: bool = False) -> View:
        """What `seat` may see; a spectator (None) sees no hand, and `revealed` shows all hands."""
        view: View = {
            "status": self.status,
            "hand_number": self.hand_number,
            "pass": self.direction,
            "hand": None,
            "sent": None,
            "received": None,
            "counts": self.counts.copy(),
            "passed": list(map(bool, self.sent)),
            "trick": self._shown(self.leader, self.trick),
            "held": [NAMES[card] for card in self.held],
            "last_trick": self._last_trick(),
            "broken": self.broken,
            "points": with_jack(self.taken, self.jack),
            "totals": list(self.totals),
            "scores": [list(row) for row in self.scores],
            "winners": winners(self.totals) if self.over else None,
            "commitment": self.commitment,
        }
        if seat is not None:
            view["hand"] = names(self.hands[seat])
            if self.sent[seat]:
                view["sent"] = [NAMES[card] for card in self.sent[seat]]
                if self.status != "passing":
                    view["received"] = [NAMES[card] for card in received(self.sent, self.direction)[seat]]
        if self.over:
            view["seed"] = self.seed.hex()
        if revealed:
            view["hands"] = [names(hand) for hand in self.hands]
        return view

    def result(self) -> dict[str, Any]:
        """Status, totals, scores and winners, as in the view."""
        return {
            "status": self.status,
            "totals": list(self.totals),
            "scores": [list(row) for row in self.scores],
            "winners": winners(self.totals) if self.over else None,
        }

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = [[suit.copy() for suit in hand] for hand in self.hands]
        twin.playable = self.playable.copy()
        twin.counts = self.counts.copy()
        twin.sent = self.sent.copy()
        twin.taken = self.taken.copy()
        twin.trick = self.trick.copy()
        twin.held = self.held.copy()
        return twin

    def _deal(self) -> None:
        """Deals the next hand."""
        table = self.table
        players = table.players
        self.hand_number += 1
        self.direction = table.direction(self.hand_number)
        self.hands, self.widow = deal(table, self.seed, self.hand_number)
        self.counts = [table.hand_size] * players
        self.sent = [()] * players
        self.widow_seat = None
        self.taken = [0] * players
        self.jack = None
        self.broken = False
        self.first = True
        self.leader = Seat(0)
        self.trick = []
        self.held = []
        self.stake = 0
        if self.direction == "none":
            self._begin_play()
        else:
            self.status = "passing"
            self.on_turn = table.seats
            self.playable = []

    def _pass(self, seat: Seat, move: str) -> str:
        cards = read_pass(move, self.hands[seat])
        give(self.hands[seat], cards)
        self.counts[seat] -= PASSED
        self.sent[seat] = cards
        place = self.on_turn.index(seat)
        self.on_turn = self.on_turn[:place] + self.on_turn[place + 1 :]
        self.may_take_back = seat
        if not self.on_turn:
            self._reveal()
        return written(cards)

    def _reveal(self) -> None:
        """All have passed: the passed cards go into the hands that get them."""
        for hand, passed in zip(self.hands, received(self.sent, self.direction), strict=True):
            get(hand, passed)
        self.counts = [self.table.hand_size] * self.table.players
        self.may_take_back = None
        self._begin_play()

    def _begin_play(self) -> None:
        lowest = self.table.lowest_club
        if lowest is None:
            self.leader = Seat((self.hand_number - 1) % self.table.players)
        else:
            self.leader = next(seat for seat in self.table.seats if PLAYS[lowest] in self.hands[seat][0])
        self.status = "playing"
        self._give_turn(self.leader)

    def _give_turn(self, seat: Seat) -> None:
        """`seat` is to lead, or to play to the trick that has been led."""
        table, trick, hand = self.table, self.trick, self.hands[seat]
        if trick:
            playable = hand[SUIT_OF[trick[0]]] or discards(hand, self.first)
        else:
            playable = leads(hand, self.first, self.broken, table.lowest_club)
        self.playable = list(dict.fromkeys(playable)) if table.cancelling else playable
        self.on_turn = table.alone[seat]

    def _finish_trick(self) -> None:
        """The trick is complete: its winner takes all on the table, or all stays there if there is none."""
        table, trick, leader = self.table, self.trick, self.leader
        self.first = False
        self.trick = []
        place = winner(trick, table.cancelling)
        if place is None and self.counts[leader]:
            self.last_trick = (leader, tuple(trick), None)
            self.held += trick
            return
        taker = table.order[leader][place or 0]
        self.last_trick = (leader, tuple(trick), taker)
        self.held = []
        self.taken[taker] += self.stake
        self.stake = 0
        if table.jack_counts and JACK in trick:
            self.jack = taker
        if self.widow_seat is None:
            self.widow_seat = taker
        self.leader = taker

    def _finish_play(self) -> None:
        """All cards are played: the hand is scored, or waits for what its moon shall do."""
        self.may_take_back = None
        taken = self.taken.copy()
        if self.widow_seat is not None:
            taken[self.widow_seat] += sum(PENALTY[card] for card in self.widow)
        table = self.table
        if max(taken) < table.all_points:
            self._score(with_jack(taken, self.jack))
            return
        shooter = Seat(taken.index(table.all_points))
        if table.moon == "choice":
            self.status = "moon"
            self.on_turn = table.alone[shooter]
        else:
            self._score_moon(shooter, add=table.moon == "add")

    def _choose_moon(self, shooter: Seat, move: str) -> str:
        if move not in (_MOON_ADD, _MOON_SUBTRACT):
            raise IllegalMove(Reason.NOT_A_MOVE, "You shot the moon: say `moon add` or `moon subtract`.")
        self._score_moon(shooter, add=move == _MOON_ADD)
        return move

    def _score_moon(self, shooter: Seat, *, add: bool) -> None:
        row = moon_row(shooter, self.table.all_points, self.table.players, add=add)
        self._score(with_jack(row, self.jack))

    def _score(self, row: list[int]) -> None:
        """Ends the hand, and the game if a total reaches the target; else the next hand is dealt."""
        self.may_take_back = None
        self.scores += (tuple(row),)
        self.totals = tuple([total + points for total, points in zip(self.totals, row, strict=True)])
        if max(self.totals) < self.table.target:
            self._deal()
            return
        self.status = "finished"
        self.over = True
        self.on_turn = ()
        self.sent = [()] * self.table.players

    def _shown(self, leader: Seat, cards: Sequence[Card]) -> list[dict[str, Any]]:
        """The cards of a trick, complete or not, with who played each."""
        return list(map(_played, self.table.order[leader], cards))

    def _last_trick(self) -> dict[str, Any] | None:
        if self.last_trick is None:
            return None
        leader, cards, taker = self.last_trick
        return {"cards": self._shown(leader, cards), "winner": taker}


def _played(seat: Seat, card: Card) -> dict[str, Any]:
    return {"seat": seat, "card": NAMES[card]}
