"""What the log can answer a command that it does not write."""


class Stale(Exception):  # noqa: N818 — an answer, not a fault
    """The game is no longer at the revision that the command expected. Nothing has changed: read it again."""


class AlreadyTried(Exception):  # noqa: N818 — as above
    """The player has a ranked game of that day already. Nothing has changed."""


class Unwritable(Exception):  # noqa: N818 — as above
    """The database refuses a value of a change, which is our mistake. Nothing has changed.

    Tells what was broken, never the values: they hold cards.
    """
