"""A target with a mistake in it, by which the engines are proven: they must find it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzz.target import Target


def _planted(data: bytes) -> None:
    """A mistake that four right bytes in a row lead to: chance alone needs some 2**32 tries."""
    if data[:1] == b"b":
        if data[1:2] == b"e":
            if data[2:3] == b"a":
                if data[3:4] == b"r":
                    raise AssertionError("a planted mistake")


PLANTED: Final = Target("planted", "a planted mistake", _planted, (), lambda: (b"....",))
TARGETS: Final[Mapping[str, Target]] = {PLANTED.name: PLANTED}
