"""Where a server dies by itself: by chance, or wherever none has died before."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from tests.sim.virtual_loop import CrashPoint

_FIRST_TIME: Final = 0.12
"""How likely a server dies where none has been before, so that seldom awaits have their turn."""


def random_crash_point(chance: random.Random, steps: int) -> CrashPoint:
    """A server dies once in so many steps; more often where few have been before."""
    passed: Counter[str] = Counter()

    def crash_point(await_points: list[str]) -> bool:
        position = await_points[-1] if await_points else ""
        passed[position] += 1
        return chance.random() < 1 / steps + _FIRST_TIME / passed[position]

    return crash_point


def chosen_crash_point(aims: set[str]) -> CrashPoint:
    """A server dies where none has died before."""

    def crash_point(await_points: list[str]) -> bool:
        struck = aims.intersection(await_points)
        aims.difference_update(struck)
        return bool(struck)

    return crash_point
