"""What all parts of the server use: the clock, chance, tasks, the meter of the loop's time, logs.

Timers are the running loop's own. All work for one payer is added up, to its microseconds: frames
as they come, tasks that they have started, and what is done when an entry is in the journal. Logs
never contain contents, names of secrets, tokens.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final, Protocol, TypeAlias

from bluebear.protocol import Branch, canonical


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


LOG: Final = logging.getLogger("bluebear")

COUNTERS: Final[Counter[str]] = Counter()
"""What has happened how often since the start, by name; bounded by the names in the code."""


def count(name: str, by: int = 1) -> None:
    """Count something that happened."""
    COUNTERS[name] += by


def log(level: int, what: str, **fields: object) -> None:
    """One structured line: what happened, and the fields that tell where."""
    LOG.log(level, what, extra={"fields": fields})


def log_bug(bug: BaseException | None, what: str = "bug", **fields: object) -> None:
    """A mistake of the program that was caught, with its traceback and the fields of `log`."""
    LOG.error(what, exc_info=bug, extra={"fields": fields})
    count("bugs")


FAIL_POINTS: Final[list[Callable[[str], object]]] = []
"""Called with the name of each fail point that is passed; tests make the server fail there."""


def fail_point(name: str) -> None:
    """Pass a place where a failure would hurt most."""
    for passed in FAIL_POINTS:
        passed(name)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON: time, level, what, its fields, and the traceback of a bug."""
        made: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            made["trace"] = self.formatException(record.exc_info)
        return json.dumps(made, ensure_ascii=False, default=str)


def start_logging() -> None:
    """Write logs to the standard error stream, one JSON object a line."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # The library logs each abrupt end of a connection with its trace; we count them instead.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


BOUNDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""In seconds; the disk of a busy server answers in two of them, a person waits for one."""


class Times:
    """So many that took at most so long; owned by the part that measures."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Something took so long."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class Payer(Protocol):
    """Who pays for time of the loop."""

    unpaid: float
    """Seconds of work that are not charged yet."""


class CpuMeter:
    """Owned by the app. `meter` returns the seconds that the loop's thread has worked."""

    __slots__ = ("_since", "meter", "payer")

    def __init__(self, meter: Callable[[], float] = float) -> None:
        self.meter = meter
        self.payer: Payer | None = None
        """The payer of what the loop does now; None: the server itself."""
        self._since = 0.0

    def turn_to(self, payer: Payer | None) -> Payer | None:
        """Work for `payer` from now on; returns the payer until now."""
        now, before = self.meter(), self.payer
        if before is not None:
            before.unpaid += now - self._since
        self.payer, self._since = payer, now
        return before

    def metered(self, work: Work) -> Work:
        """`work` that goes on later, charged to the payer of now."""
        return work if self.payer is None else CpuMeteredTask(work, self, self.payer)


Work: TypeAlias = Coroutine[Any, Any, object]  # Any: what work waits for is the loop's business


class CpuMeteredTask(Coroutine[Any, Any, object]):  # Any: as above
    """A coroutine each step of which is charged to a payer.

    A step is what is done from one wait to the next. Some lines are judged only when something was
    fetched for them, which is long after the turn in which they came.
    """

    def __init__(self, work: Work, cpu: CpuMeter, payer: Payer) -> None:
        self.cr_await = work  # by this name debuggers follow what a task waits for
        self._cpu = cpu
        self._payer = payer

    def send(self, value: Any) -> Any:  # Any: as above
        """Do the next step."""
        before = self._cpu.turn_to(self._payer)
        try:
            return self.cr_await.send(value)
        finally:
            self._cpu.turn_to(before)

    def throw(self, *problem: Any) -> Any:  # Any: as the base class has it
        """Do the next step, which begins with a problem: a cancellation, or what a wait met."""
        before = self._cpu.turn_to(self._payer)
        try:
            return self.cr_await.throw(*problem)
        finally:
            self._cpu.turn_to(before)

    def close(self) -> None:
        """End it, also before it has begun."""
        self.cr_await.close()

    def __await__(self) -> Generator[Any, Any, object]:  # Any: as above
        return (yield from self.cr_await.__await__())


class Tasks:
    """What runs beside the lines; empty when its owner is closed."""

    def __init__(self, meter: CpuMeter | None = None) -> None:
        """`meter` charges what is started to the payer of that moment."""
        self._meter = meter
        self._running: dict[asyncio.Task[object], None] = {}

    @property
    def quiet(self) -> bool:
        """Whether nothing runs."""
        return not self._running

    def start(self, work: Work) -> asyncio.Task[object]:
        """Run something to its end; a bug in it is logged."""
        if self._meter is not None:
            work = self._meter.metered(work)
        task = asyncio.get_running_loop().create_task(work)
        self._running[task] = None
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._running.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            log_bug(task.exception(), "task failed")

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


async def first_of(*ends: Coroutine[Any, Any, object], seconds: float | None = None) -> None:
    """Wait until one of them is over, or for so long; the others are cancelled."""
    tasks = [asyncio.ensure_future(each) for each in ends]
    await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
