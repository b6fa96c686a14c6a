"""Chance: the only randomness a game sees.

Three implementations: `HmacChance` for real games (anybody can recompute every draw once the seed
is out), `FastChance` for search and benchmarks, `ScriptedChance` for tests and exact odds.
`NoChance` refuses to draw at all. One call is one draw, whatever it returns, and draws are numbered
from 1; number 0 is the drawing of the seats.
"""

from __future__ import annotations

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeVar

from bluebear.rules.core.merge_patch import canonical

T = TypeVar("T")

SEED_BYTES: Final = 32
SEAT_SEED_BYTES: Final = 16
_COMMIT_DOMAIN: Final = b"bluebear-seed-1"
_WORD: Final = 2**32
_BLOCK: Final = 64
"""Bytes of a block of SHA-256."""
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


class Chance(ABC):
    """A source of draws; `counter` is the number of the last draw."""

    __slots__ = ("counter",)

    def __init__(self, counter: int = 0) -> None:
        self.counter = counter

    @abstractmethod
    def _below(self, bound: int, part: int) -> int:
        """A uniform whole number from 0 to bound - 1, the part-th of the present draw."""

    def pick(self, bound: int) -> int:
        """One draw: a uniform whole number from 0 to bound - 1; ValueError if there is none."""
        if not 0 < bound <= _WORD:
            raise ValueError(f"a draw from {bound} things")
        self.counter += 1
        return self._below(bound, 0)

    def die(self, sides: int = 6) -> int:
        """One draw: a die from 1 to `sides`."""
        return self.pick(sides) + 1

    def weighted(self, counts: Sequence[int]) -> int:
        """One draw from a pile nobody has ordered: the index of one of sum(counts) equal items."""
        at = self.pick(sum(counts))
        for index, count in enumerate(counts):
            at -= count
            if at < 0:
                return index
        raise ValueError("counts are not negative")

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """One draw: the items in a uniformly random order (Fisher-Yates)."""
        self.counter += 1
        made = list(items)
        for part, last in enumerate(range(len(made) - 1, 0, -1)):
            other = self._below(last + 1, part)
            made[last], made[other] = made[other], made[last]
        return tuple(made)


@lru_cache(maxsize=256)
def _keyed(key: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """The two hashes of an HMAC that have read the key: a game draws under one key all the time."""
    assert len(key) <= _BLOCK
    padded = key.ljust(_BLOCK, b"\0")
    return hashlib.sha256(padded.translate(_INNER)), hashlib.sha256(padded.translate(_OUTER))


def _hmac(key: bytes, message: bytes) -> bytes:
    """What `hmac.digest(key, message, "sha256")` gives, in less than half of its time."""
    kept_inner, kept_outer = _keyed(key)
    inner, outer = kept_inner.copy(), kept_outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


class HmacChance(Chance):
    """Verifiable draws: draw i reads HMAC-SHA-256(key, u64 i || u32 block) as 32-bit numbers."""

    __slots__ = ("_block", "_key", "_stream", "_stream_of", "_used")

    def __init__(self, key: bytes, counter: int = 0) -> None:
        super().__init__(counter)
        self._key = key
        self._stream_of = -1
        self._stream = b""
        self._block = 0
        self._used = 0

    def _word(self) -> int:
        if self._stream_of != self.counter:
            self._stream_of, self._stream, self._block, self._used = self.counter, b"", 0, 0
        if self._used == len(self._stream):
            message = self.counter.to_bytes(8, "big") + self._block.to_bytes(4, "big")
            self._stream = _hmac(self._key, message)
            self._block += 1
            self._used = 0
        word = self._stream[self._used : self._used + 4]
        self._used += 4
        return int.from_bytes(word, "big")

    def _below(self, bound: int, part: int) -> int:
        limit = _WORD - _WORD % bound
        while True:
            word = self._word()
            if word < limit:
                return word % bound


class FastChance(Chance):
    """Quick draws from a small seed (SplitMix64), for search, tests and benchmarks."""

    __slots__ = ("_state",)

    _MASK: Final = 2**64 - 1

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._state = seed & self._MASK

    def _below(self, bound: int, part: int) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & self._MASK
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & self._MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & self._MASK
        return ((word ^ (word >> 31)) * bound) >> 64


class ScriptedChance(Chance):
    """Draws that a test has written down: the results of `pick`, one after the other.

    Raises ScriptError when a result is impossible or the script is at its end. A shuffle reads one
    result for each item but the first: the place, counted from 0, that the last item left goes to.
    """

    __slots__ = ("_left",)

    def __init__(self, *picks: int) -> None:
        super().__init__()
        self._left = list(picks)

    @property
    def left(self) -> tuple[int, ...]:
        """What was not drawn yet."""
        return tuple(self._left)

    def _below(self, bound: int, part: int) -> int:
        if not self._left:
            raise ScriptError(f"draw {self.counter} of {bound}: the script is at its end")
        made = self._left.pop(0)
        if not 0 <= made < bound:
            raise ScriptError(f"draw {self.counter}: {made} is not below {bound}")
        return made


class ScriptError(Exception):
    """A scripted draw was asked for something that the test has not written down."""


class NoChance(Chance):
    """Refuses to draw, so that nobody looks at dice and takes back; see `WouldDraw`."""

    __slots__ = ()

    def _below(self, bound: int, part: int) -> int:
        raise WouldDraw


class WouldDraw(Exception):
    """A move drew although more moves were to follow in the same entry."""


class _Explorer(Chance):
    """Follows one path of results and notes where it could have branched."""

    __slots__ = ("path", "taken", "weight")

    def __init__(self, path: Sequence[int]) -> None:
        super().__init__()
        self.path = path
        self.taken: list[tuple[int, int]] = []
        self.weight = Fraction(1)

    def _below(self, bound: int, part: int) -> int:
        at = len(self.taken)
        made = self.path[at] if at < len(self.path) else 0
        self.taken.append((made, bound))
        self.weight /= bound
        return made


def every_outcome(run: Callable[[Chance], T]) -> Iterator[tuple[Fraction, T]]:
    """All results of a function of chance, each with its exact probability.

    >>> dict((total, weight) for weight, total in every_outcome(lambda chance: chance.die(2)))
    {1: Fraction(1, 2), 2: Fraction(1, 2)}
    """
    path: list[int] | None = []
    while path is not None:
        explorer = _Explorer(path)
        made = run(explorer)
        yield explorer.weight, made
        path = _next_path(explorer.taken)


def _next_path(taken: list[tuple[int, int]]) -> list[int] | None:
    made = list(taken)
    while made:
        result, bound = made.pop()
        if result + 1 < bound:
            return [before for before, _ in made] + [result + 1]
    return None


def commitment(seed: bytes) -> str:
    """What is shown before the game: the hash of the server's seed, in hexadecimal digits."""
    return hashlib.sha256(_COMMIT_DOMAIN + seed).hexdigest()


def chance_key(seed: bytes, header: Mapping[str, Any]) -> bytes:
    """The key of a game's draws, from the server's seed and everything that was fixed at the start.

    `header` is a plain tree: game id, game key, rules version, options, seats, seat seeds.
    """
    return hmac.digest(seed, canonical(dict(header)), "sha256")


def seat_order(seed: bytes, header: Mapping[str, Any], seats: Sequence[T]) -> tuple[T, ...]:
    """The drawing of the seats: draw 0, on a key whose header has no order yet."""
    return HmacChance(chance_key(seed, header), counter=-1).shuffle(seats)
