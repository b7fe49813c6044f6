"""Heartline: a card room whose games are append-only logs of moves, replayed through pure rules."""
