"""Choosing by trials: all plans run the same trials, and the worse half drops out, until one is left."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Plan = TypeVar("Plan", bound=Hashable)
World = TypeVar("World")

_FEWEST = 4
"""How many trials each plan gets at least before any drops out."""


def race(
    plans: Sequence[Plan], deal: Callable[[], World], trial: Callable[[World, Plan], float], trials: int
) -> Plan:
    """The plan with the least cost over about so many trials in all."""
    costs = dict.fromkeys(plans, 0.0)
    heats = (len(plans) - 1).bit_length()
    left = list(plans)
    for _ in range(heats):
        for _ in range(max(_FEWEST, trials // heats // len(left))):
            world = deal()
            for plan in left:
                costs[plan] += trial(world, plan)
        left.sort(key=costs.__getitem__)
        left = left[: (len(left) + 1) // 2]
    return left[0]
