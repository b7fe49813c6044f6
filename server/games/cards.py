"""Ranks, and the texts of cards."""

from typing import Final, NewType

Rank = NewType("Rank", int)
"""A card's rank: 0 is the ace, 12 the king."""

Card = NewType("Card", str)
"""A card as views and moves write it: rank, then suit (`TH` is the ten of hearts)."""

RANKS: Final = "A23456789TJQK"

HEART_CARDS: Final = tuple(Card(f"{rank}H") for rank in RANKS)
"""The card of hearts of each rank."""
