"""Inputs made of other inputs, by chance alone: what a seed gives, it gives again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from tests.fuzz.target import INPUT_MAX_BYTES

_CHANGES: Final = (1, 1, 1, 2, 3, 4)
_STRANGE: Final = (
    b"\x00", b"\xff", b"\x80", b"\r\n", b" ", b"\t", b"-1", b"99999999999999999999", b"1e309",
    b"\xef\xbd\x8f", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xf0\x9f\x90\xbb", b"[[[[", b'"', b"{",
)  # fmt: skip


class Mutator:
    """Breaks inputs of one language; owned by one run."""

    def __init__(self, seed: str, terms: Sequence[bytes]) -> None:
        self._chance = random.Random(seed)
        self._terms = (*terms, *_STRANGE)
        self._changes: Sequence[Callable[[bytes], bytes]] = (
            self._flip, self._set, self._set, self._cut, self._drop,
            self._repeat, self._noise, self._term, self._term,
        )  # fmt: skip

    def made(self, pool: Sequence[bytes]) -> bytes:
        """An input made of one or two others."""
        chance = self._chance
        data = chance.choice(pool)
        if chance.random() < 0.2:
            other = chance.choice(pool)
            data = data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]
        for _ in range(chance.choice(_CHANGES)):
            data = chance.choice(self._changes)(data or b" ")
        return data[:INPUT_MAX_BYTES]

    def _flip(self, data: bytes) -> bytes:
        at = self._chance.randrange(len(data))
        return data[:at] + bytes((data[at] ^ 1 << self._chance.randrange(8),)) + data[at + 1 :]

    def _set(self, data: bytes) -> bytes:
        at = self._chance.randrange(len(data))
        return data[:at] + self._chance.randbytes(1) + data[at + 1 :]

    def _cut(self, data: bytes) -> bytes:
        return data[: self._chance.randrange(len(data))]

    def _drop(self, data: bytes) -> bytes:
        at = self._chance.randrange(len(data))
        return data[:at] + data[at + self._chance.randint(1, 8) :]

    def _repeat(self, data: bytes) -> bytes:
        at = self._chance.randrange(len(data))
        piece = data[at : at + self._chance.randint(1, 16)]
        return data[:at] + piece * self._chance.randint(2, 40) + data[at:]

    def _noise(self, data: bytes) -> bytes:
        at = self._chance.randint(0, len(data))
        return data[:at] + self._chance.randbytes(self._chance.randint(1, 8)) + data[at:]

    def _term(self, data: bytes) -> bytes:
        at = self._chance.randint(0, len(data))
        taken = self._chance.choice((0, 0, 1, 4))
        return data[:at] + self._chance.choice(self._terms) + data[at + taken :]
