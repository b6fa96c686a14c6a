"""Chance: the only randomness a game sees.

`HmacChance` is for real games: once the seed is published, every draw can be recomputed.
`FastChance` is for search and benchmarks. `NoChance` refuses to draw.
One call is one draw, whatever it returns. Draws are numbered from 1; draw 0 is the random order
of the seats.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from struct import Struct
from typing import Any, Final, TypeVar

from bluebear.rules.core.merge_patch import canonical

T = TypeVar("T")

SEED_BYTES: Final = 32
SEAT_SEED_BYTES: Final = 16
_COMMIT_DOMAIN: Final = b"bluebear-seed-1"
_UINT32: Final = 2**32
_MESSAGE: Final = Struct(">QI")
_NUMBER: Final = Struct(">I")


class Chance(ABC):
    """A source of draws; `counter` is the number of the last draw."""

    __slots__ = ("counter",)

    def __init__(self, counter: int = 0) -> None:
        self.counter = counter

    @abstractmethod
    def _below(self, bound: int, part: int) -> int:
        """A uniform whole number from 0 to bound - 1; `part` counts those of one draw from 0."""

    def pick(self, bound: int) -> int:
        """One draw: a uniform whole number from 0 to bound - 1. ValueError for a bad `bound`."""
        if not 0 < bound <= _UINT32:
            raise ValueError(f"a draw from {bound} things")
        self.counter += 1
        return self._below(bound, 0)

    def die(self, sides: int = 6) -> int:
        """One draw: a die from 1 to `sides`."""
        return self.pick(sides) + 1

    def weighted(self, counts: Sequence[int]) -> int:
        """One draw: an index, with a probability proportional to its count."""
        sums = [*itertools.accumulate(counts)]
        return bisect(sums, self.pick(sums[-1]))

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """One draw: the items in a uniformly random order (Fisher-Yates)."""
        self.counter += 1
        made = list(items)
        for part, last in enumerate(range(len(made) - 1, 0, -1)):
            other = self._below(last + 1, part)
            made[last], made[other] = made[other], made[last]
        return tuple(made)


@lru_cache(maxsize=256)
def _keyed(key: bytes) -> hmac.HMAC:
    """An HMAC after the key; cached, since a game has one key. For copies only."""
    return hmac.new(key, digestmod="sha256")


class HmacChance(Chance):
    """Verifiable draws: draw i reads HMAC-SHA-256(key, u64 i || u32 block) as 32-bit numbers."""

    __slots__ = ("_block", "_keyed", "_numbers")

    def __init__(self, key: bytes, counter: int = 0) -> None:
        super().__init__(counter)
        self._keyed = _keyed(key)
        self._numbers: Iterator[tuple[int, ...]] = iter(())
        self._block = 0

    def _below(self, bound: int, part: int) -> int:
        if part == 0:
            self._numbers, self._block = iter(()), 0
        limit = _UINT32 - _UINT32 % bound
        while True:
            for (number,) in self._numbers:
                if number < limit:
                    return number % bound
            # A copy after the key takes less than half of the time of `hmac.digest`.
            block = self._keyed.copy()
            block.update(_MESSAGE.pack(self.counter, self._block))
            self._numbers = _NUMBER.iter_unpack(block.digest())
            self._block += 1


class FastChance(Chance):
    """Quick draws from a small seed (SplitMix64), for search, tests and benchmarks."""

    __slots__ = ("_state",)

    _MASK: Final = 2**64 - 1

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._state = seed & self._MASK

    def _below(self, bound: int, part: int) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & self._MASK
        bits = self._state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & self._MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & self._MASK
        return ((bits ^ (bits >> 31)) * bound) >> 64


class NoChance(Chance):
    """Refuses to draw, so that no player sees a draw and then takes it back; see `WouldDraw`."""

    __slots__ = ()

    def _below(self, bound: int, part: int) -> int:
        raise WouldDraw


class WouldDraw(Exception):
    """A move drew although more moves were to follow in the same entry."""


def commitment(seed: bytes) -> str:
    """The hash of the server's seed in hexadecimal digits, published before the game."""
    return hashlib.sha256(_COMMIT_DOMAIN + seed).hexdigest()


def chance_key(seed: bytes, header: Mapping[str, Any]) -> bytes:
    """The key of a game's draws: the server's seed with everything that is fixed at the start.

    `header` is a plain tree: game id, game key, rules version, options, seats, seat seeds.
    """
    return hmac.digest(seed, canonical(dict(header)), "sha256")


def seat_order(seed: bytes, header: Mapping[str, Any], seats: Sequence[T]) -> tuple[T, ...]:
    """The random order of the seats: draw 0, with a key whose header has no order yet."""
    return HmacChance(chance_key(seed, header), counter=-1).shuffle(seats)
