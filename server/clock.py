"""Time as a parameter: the wall clock in ms. Timers are the running loop's own."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time of day."""

    def now(self) -> int:
        """Milliseconds since 1970."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
