"""Where a server dies by itself: by chance, or wherever none has died before."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from tests.sim.virtual_loop import Doom

_FIRST_TIME: Final = 0.12
"""How likely a server dies where none has been before, so that seldom awaits have their turn."""


def chance_doom(chance: random.Random, steps: int) -> Doom:
    """A server dies once in so many steps; more often where few have been before."""
    passed: Counter[str] = Counter()

    def doom(places: list[str]) -> bool:
        position = places[-1] if places else ""
        passed[position] += 1
        return chance.random() < 1 / steps + _FIRST_TIME / passed[position]

    return doom


def aimed_doom(aims: set[str]) -> Doom:
    """A server dies where none has died before."""

    def doom(places: list[str]) -> bool:
        struck = aims.intersection(places)
        aims.difference_update(struck)
        return bool(struck)

    return doom
