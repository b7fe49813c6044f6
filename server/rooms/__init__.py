"""Live games: a log, the state that it replays to, and who is watching."""
