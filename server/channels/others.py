"""Who is connected to the other nodes, as far as they have said lately."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from server.log.model import UserId


class _Said(NamedTuple):
    users: frozenset[UserId]
    at: float


class Others:
    """The players whom other nodes have connected to a channel. What is not said again is forgotten."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, _Said]] = {}
        """By channel and node."""

    def connected(self, channel: str, user: UserId | None) -> bool:
        """Whether a node has a player connected."""
        return any(user in said.users for said in self._said.get(channel, {}).values())

    def attended(self, channel: str) -> bool:
        """Whether any has."""
        return channel in self._said

    def channels(self) -> Collection[str]:
        """Where any has."""
        return self._said.keys()

    def hear(self, node: str, channel: str, users: Collection[UserId], at: float) -> Collection[UserId]:
        """Takes what a node says at a time (the loop's): all players whom it has connected to a channel.

        Answers who has come or gone.
        """
        before = self._users(channel)
        by_node = self._said.setdefault(channel, {})
        if users:
            by_node[node] = _Said(frozenset(users), at)
        else:
            by_node.pop(node, None)
        if not by_node:
            del self._said[channel]
        return before ^ self._users(channel)

    def forget(self, before: float) -> Iterator[tuple[str, UserId]]:
        """Forgets what was said before a time; tells the channels and players who are gone by that."""
        for channel, by_node in tuple(self._said.items()):
            for node, said in tuple(by_node.items()):
                if said.at < before:
                    yield from ((channel, user) for user in self.hear(node, channel, (), before))

    def _users(self, channel: str) -> frozenset[UserId]:
        return frozenset[UserId]().union(*(said.users for said in self._said.get(channel, {}).values()))
