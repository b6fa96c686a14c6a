"""How long may a decision take? By the clock of the room, less what the network needs."""

from __future__ import annotations

import re
from typing import Final, cast

from bluebear.clients.sdk import MoveClock, RoomView, Seat
from bluebear.protocol import Branch

SECONDS: Final = 10.0
"""For a decision where no clock runs, or one that counts days: people are waiting."""

MARGIN_SECONDS: Final = 0.5
"""Kept back of a clock, for the way to the server and back."""

LEAST_SECONDS: Final = 0.1
"""Nobody is asked to decide in no time: the server gives a little, too."""

DECISIONS: Final = 40
"""Into so many decisions what is left on a clock is divided."""

_BY_SECONDS: Final = re.compile(r"(\d+)\+(\d+)")


def bank_of(clock: str) -> int | None:
    """The seconds that a clock by seconds gives for the game; None for any other clock."""
    by_seconds = _BY_SECONDS.fullmatch(clock)
    return None if by_seconds is None else int(by_seconds[1])


def clock_for(room: RoomView, seat: Seat, now_ms: int, seconds: float) -> MoveClock:
    """The time for a decision of a seat, by the server's time of now; `seconds` at most."""
    table = cast(Branch, room.view.get("room", {}))
    options = cast("dict[str, str]", table.get("options", {}))
    by_seconds = _BY_SECONDS.fullmatch(options.get("clock", ""))
    chairs = cast("dict[str, Branch]", table.get("seats", {}))
    chair = chairs.get(str(seat), {})
    deadline = chair.get("deadline")
    if by_seconds is None or not isinstance(deadline, int):
        return MoveClock(max(seconds, LEAST_SECONDS))
    left = max(0.0, (deadline - now_ms) / 1000)
    usable = max(0.0, left - MARGIN_SECONDS)
    share = left / DECISIONS + int(by_seconds[2])
    return MoveClock(max(LEAST_SECONDS, min(seconds, usable, share)), left)
