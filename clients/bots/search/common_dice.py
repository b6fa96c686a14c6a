"""Dice that stay common: drawn by what they are rolled for, not by what was rolled before."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.chance import FastChance

_MASK: Final = 2**64 - 1
_MIX: Final = 0xBF58476D1CE4E5B9


def mixed(*numbers: int) -> int:
    """A seed out of several numbers; all of them matter."""
    made = 0x9E3779B97F4A7C15
    for number in numbers:
        made = ((made ^ (number & _MASK)) * _MIX) & _MASK
        made ^= made >> 29
    return made


class Dice(FastChance):
    """The draws of one playout. Playouts of one seed that roll for the same thing roll the same."""

    __slots__ = ("_seed", "_times")

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._seed = seed
        self._times: dict[tuple[int, ...], int] = {}

    def turn_to(self, key: tuple[int, ...]) -> None:
        """The next draws are for this; when they were before, they are for it once more."""
        times = self._times[key] = self._times.get(key, 0) + 1
        self._state = mixed(self._seed, times, *key)
