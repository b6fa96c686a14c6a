"""Patience that a starved machine does not use up: what waits for a processor is not late."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_SECONDS: Final = 600.0
"""However starved the machine is, no client waits for longer."""
_NANO: Final = 1e-9


class Patience:
    """So many seconds, without those in which these processes had to wait for a processor.

    A process that hangs waits for none, so for it they are seconds of the clock; so they are where
    the system does not say how long a process has waited (`/proc/PID/schedstat`).
    """

    def __init__(self, seconds: float, processes: Callable[[], Iterable[int]]) -> None:
        self._seconds = seconds
        self._processes = processes
        self._began = time.monotonic()
        self._before = {pid: _starved(pid) for pid in processes()}

    def check(self, what: Callable[[], str]) -> None:
        """Raise TimeoutError when it is used up; `what` was waited for."""
        took = time.monotonic() - self._began
        since = (_starved(pid) - self._before.get(pid, 0.0) for pid in self._processes())
        # Of a process that has ended nothing is known any more.
        starved = sum(max(0.0, each) for each in since)
        if took - starved > self._seconds or took > MOST_SECONDS:
            raise TimeoutError(f"{what()}\n{took:.0f} s, {starved:.0f} of them without a processor")


def children_of(pid: int) -> list[int]:
    """The processes that a process has begun, and itself; where the system says so."""
    with suppress(OSError, ValueError):
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    return [pid]


def _starved(pid: int) -> float:
    """Seconds for which a process was ready to run, and others ran."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) * _NANO
    return 0.0
