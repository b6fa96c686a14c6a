"""The time for a decision: by the room's clock, less a margin for the network."""

from __future__ import annotations

import re
from typing import Final, cast

from bluebear.clients.sdk import MoveClock, RoomView, Seat
from bluebear.protocol import Branch

SECONDS: Final = 10.0
"""For a decision without a clock, or on a clock by days: people are waiting."""

MARGIN_SECONDS: Final = 0.5
"""Reserved from a clock for the round trip to the server."""

LEAST_SECONDS: Final = 0.1
"""The minimum for a decision: the server allows a little more than the clock shows."""

DECISIONS: Final = 40
"""The time left on a clock is divided by this number of decisions."""

_BY_SECONDS: Final = re.compile(r"(\d+)\+(\d+)")


def bank_of(clock: str) -> int | None:
    """The seconds for the game on a clock by seconds; None for any other clock."""
    by_seconds = _BY_SECONDS.fullmatch(clock)
    return None if by_seconds is None else int(by_seconds[1])


def clock_for(room: RoomView, seat: Seat, now_ms: int, seconds: float) -> MoveClock:
    """The time for a decision of a seat at the server's time `now_ms`; at most `seconds`."""
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
