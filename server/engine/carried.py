"""What of a room's time is not in its journal, and goes along when it becomes another engine's.

Times are spans, never readings of a clock: the next engine's is another one.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct


class Carried(Struct, array_like=True, frozen=True):
    """How long (seconds) the turn runs, the room is awake and who is absent has been so.

    `here` are the people who were in the room, `asked_about` those of whom it was asked whether
    they are to be replaced. `asleep_at` is since when (ms) nobody was there; None: somebody was,
    up to `at` (ms).
    """

    turn: float
    awake: float
    absent: dict[str, float]
    here: list[str]
    asked_about: list[str]
    asleep_at: int | None
    at: int


_DECODER: Final = msgspec.msgpack.Decoder(Carried)


def pack_carried(carried: Carried) -> bytes:
    """As it is handed along."""
    return msgspec.msgpack.encode(carried)


def carried_of(body: bytes) -> Carried | None:
    """The same, read; None where another version has written what this one cannot read."""
    try:
        return _DECODER.decode(body) if body else None
    except msgspec.DecodeError:
        return None
