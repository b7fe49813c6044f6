"""Who watches what on this node, and who is there on the others."""

from collections.abc import Callable, Collection

from server.channels.others import Others
from server.channels.outbox import Outbox
from server.log.model import UserId


class Hub:
    """The watchers of every channel, by user: all devices of one user see the same."""

    def __init__(self) -> None:
        self._watchers: dict[str, dict[UserId | None, set[Outbox]]] = {}
        self._channels: dict[Outbox, set[str]] = {}
        self.others = Others()
        self.on_change: Callable[[str], None] = lambda _: None
        """Called when the first watcher of a channel has come, or its last has gone."""
        self.on_presence: Callable[[str, UserId], None] = lambda _channel, _user: None
        """Called when a user's first device on a node has come to a channel, or his last has gone."""

    def subscribe(self, channel: str, outbox: Outbox) -> None:
        """Lets a socket watch a channel. What still waits of an earlier subscription is dropped."""
        outbox.forget(channel)
        is_first = channel not in self._watchers
        has_come = not self.here(channel, outbox.user)
        self._watchers.setdefault(channel, {}).setdefault(outbox.user, set()).add(outbox)
        self._channels.setdefault(outbox, set()).add(channel)
        if is_first:
            self.on_change(channel)
        if has_come and outbox.user is not None:
            self.on_presence(channel, outbox.user)

    def unsubscribe(self, channel: str, outbox: Outbox) -> None:
        """Ends that. Nothing of the channel is sent to the socket any more."""
        outbox.forget(channel)
        channels = self._channels.get(outbox, set())
        if channel not in channels:
            return
        channels.remove(channel)
        if not channels:
            del self._channels[outbox]
        by_user = self._watchers[channel]
        by_user[outbox.user].remove(outbox)
        has_gone = not by_user[outbox.user]
        if has_gone:
            del by_user[outbox.user]
        if not by_user:
            del self._watchers[channel]
            self.on_change(channel)
        if has_gone and outbox.user is not None:
            self.on_presence(channel, outbox.user)

    def leave(self, outbox: Outbox) -> None:
        """Ends all subscriptions of a socket."""
        for channel in tuple(self._channels.get(outbox, ())):
            self.unsubscribe(channel, outbox)

    def subscriptions(self, outbox: Outbox) -> Collection[str]:
        """The channels that a socket watches."""
        return self._channels.get(outbox, ())

    def watched(self, channel: str) -> bool:
        """Whether anybody watches a channel here."""
        return channel in self._watchers

    def attended(self, channel: str) -> bool:
        """Whether anybody watches a channel here, or a player on another node."""
        return channel in self._watchers or self.others.attended(channel)

    def channels(self) -> set[str]:
        """The channels that anybody watches here, or a player on another node."""
        return {*self._watchers, *self.others.channels()}

    def here(self, channel: str, user: UserId | None) -> bool:
        """Whether a user watches a channel from some device that is connected to this node."""
        return user in self._watchers.get(channel, ())

    def connected(self, channel: str, user: UserId | None) -> bool:
        """Whether a user watches a channel from some device, or a player does on another node."""
        return self.here(channel, user) or self.others.connected(channel, user)

    def publish(
        self, channel: str, payload_for: Callable[[UserId | None], bytes], *, but: UserId | None = None
    ) -> None:
        """Sends the newest state of a channel to all who watch it, to each user his own.

        `but` is a user who is told in another way.
        """
        for user, outboxes in self._watchers.get(channel, {}).items():
            if but is not None and user == but:
                continue
            payload = payload_for(user)
            for outbox in outboxes:
                outbox.push(channel, payload)
