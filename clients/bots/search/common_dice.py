"""Common random numbers: a roll depends on its purpose, not on earlier rolls."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.chance import FastChance

_MASK: Final = 2**64 - 1
_MIX: Final = 0xBF58476D1CE4E5B9


def mixed(*numbers: int) -> int:
    """A seed that depends on all of several numbers."""
    made = 0x9E3779B97F4A7C15
    for number in numbers:
        made = ((made ^ (number & _MASK)) * _MIX) & _MASK
        made ^= made >> 29
    return made


class Dice(FastChance):
    """The draws of one playout. Playouts with equal seeds roll equally for equal purposes."""

    __slots__ = ("_seed", "_times")

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._seed = seed
        self._times: dict[tuple[int, ...], int] = {}

    def turn_to(self, key: tuple[int, ...]) -> None:
        """Use the draws of this purpose from now on; a repeated purpose continues its draws."""
        times = self._times[key] = self._times.get(key, 0) + 1
        self._state = mixed(self._seed, times, *key)
