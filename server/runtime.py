"""What all parts take as parameters: the wall clock in ms, chance, and tasks with an owner.

Timers are the running loop's own.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeAlias

from bluebear.protocol import Branch, canonical
from bluebear.server.net.cpu_meter import CpuMeter
from bluebear.server.observe import count


class Clock(Protocol):
    """Tells the time of day."""

    def now(self) -> int:
        """Milliseconds since 1970."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000


FreshBytes: TypeAlias = Callable[[int], bytes]
"""Gives so many random bytes."""


def token_from(domain: str, fresh: bytes) -> str:
    """A secret of 128 bits, derived from fresh random bytes for one purpose."""
    return hashlib.sha256(domain.encode() + fresh).hexdigest()[:32]


def token_hash(token: str) -> str:
    """How a token is kept: 128 random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def body_hash(body: Branch) -> str:
    """A short name of a body (a catalogue, a game's data) that changes when the body does."""
    return hashlib.sha256(canonical(body)).hexdigest()[:16]


Work: TypeAlias = Coroutine[Any, Any, None]  # Any: what it waits for


class Tasks:
    """What runs beside the lines; empty when its owner is closed."""

    def __init__(self, meter: CpuMeter | None = None) -> None:
        """`meter` charges what is started to the payer of that moment."""
        self._meter = meter
        self._running: set[asyncio.Task[None]] = set()

    @property
    def quiet(self) -> bool:
        """Whether nothing runs."""
        return not self._running

    def start(self, work: Work) -> asyncio.Task[None]:
        """Run something to its end; a bug in it is logged."""
        if self._meter is not None:
            work = self._meter.metered(work)
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            count("bugs")
            logging.getLogger("bluebear").error("task failed", exc_info=task.exception())

    def cancel(self) -> None:
        """Cancel what still runs."""
        for task in self._running:
            task.cancel()

    async def close(self, seconds: float = 0.0) -> None:
        """Wait so long for what still runs, then cancel it and wait for that."""
        if seconds and self._running:
            await asyncio.wait(self._running, timeout=seconds)
        self.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
