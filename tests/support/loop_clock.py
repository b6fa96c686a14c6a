"""A wall clock for simulations."""

from __future__ import annotations

import asyncio


class LoopClock:
    """A wall clock that goes with the loop's time, for simulations in virtual time."""

    def __init__(self, epoch: int = 1_700_000_000_000) -> None:
        self.epoch = epoch

    def now(self) -> int:
        """Milliseconds since 1970, counted from the epoch by the loop's time."""
        return self.epoch + int(asyncio.get_running_loop().time() * 1000)
