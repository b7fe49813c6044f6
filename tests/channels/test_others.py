"""Who is on the other nodes: what each has said last, as long as it says so."""

from server.channels.others import Others
from server.log.model import UserId

ANN, BEN, CARL = UserId("ann"), UserId("ben"), UserId("carl")


def test_a_player_is_there_while_any_node_says_so() -> None:
    others = Others()
    assert others.hear("one", "games/a", [ANN, BEN], 0) == {ANN, BEN}
    assert others.hear("two", "games/a", [BEN, CARL], 1) == {CARL}
    assert others.hear("two", "games/b", [ANN], 2) == {ANN}
    assert [others.connected("games/a", each) for each in (ANN, BEN, CARL, None)] == [True, True, True, False]
    assert others.hear("one", "games/a", [ANN], 3) == set()
    assert others.hear("two", "games/a", [], 4) == {BEN, CARL}
    assert others.attended("games/a")
    assert others.hear("one", "games/a", [], 5) == {ANN}
    assert not others.attended("games/a")
    assert others.connected("games/b", ANN)


def test_what_is_not_said_again_is_forgotten() -> None:
    others = Others()
    others.hear("one", "games/a", [ANN, BEN], 0)
    others.hear("two", "games/a", [BEN], 1)
    others.hear("one", "games/b", [CARL], 0)
    others.hear("one", "games/b", [CARL], 2)
    assert list(others.forget(0)) == []
    assert list(others.forget(1)) == [("games/a", ANN)]
    assert set(others.forget(3)) == {("games/a", BEN), ("games/b", CARL)}
    assert not others.attended("games/a")
    assert not others.attended("games/b")
