"""A worker: a process that runs one search job at a time, and can be interrupted.

Workers are forked from a process that has loaded the rules, but has no sockets and no threads. A
stop is a number that the search polls, and a signal for code that does not poll: some evaluations
take a quarter of a second. The signal interrupts them.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol, TypeVar, cast

from bluebear.clients.bots.search.jobs import Work
from bluebear.clients.bots.search.playouts import PlayoutCancelled
from bluebear.clients.bots.strategies import Games
from bluebear.rules import games

R = TypeVar("R")

NICE: Final = 10
"""Searches get the processor time that the server and its players leave."""
NICENESS: Final = "BLUEBEAR_BOTS_NICE"
"""The environment variable with another niceness."""

STOP: Final = signal.SIGURG
"""A signal that is ignored by a process that has not installed its handler yet."""

LOOK_SECONDS: Final = 0.03
"""In seconds of processor time: playouts poll at least every 10 ms."""


class CancelFlag(Protocol):
    """A number shared by two processes: the id of the job that may continue."""

    value: int


class LostError(Exception):
    """The worker process ended before its reply."""


class Worker:
    """The parent's handle of a worker process, which the first job starts.

    `think` and `close` block: call them in a thread.
    """

    def __init__(self, packages: Sequence[str]) -> None:
        self._made = context.ForkServerContext()
        self._flag: CancelFlag = self._made.RawValue("Q", 0)
        self._packages = tuple(packages)
        self._number = 0
        self._pipe: Connection[Any, Any] | None = None
        self._process: BaseProcess | None = None
        self._killed = False

    def think(self, work: Work[R]) -> R:
        """Run a job and return its result. Raises LostError, or RuntimeError with its exception."""
        self._number += 1
        self._flag.value = self._number
        pipe = self._pipe or self._started()
        if self._killed:
            raise LostError
        try:
            pipe.send((self._number, work))
            made = pipe.recv()
        except (EOFError, OSError):
            raise LostError from None
        if isinstance(made, Exception):
            raise made
        return cast(R, made)

    def _started(self) -> Connection[Any, Any]:
        """Start the process; the first one loads the rules once for all later ones."""
        packages = sorted(game.package for game in games(self._packages).values())
        self._made.set_forkserver_preload([__name__, *packages])
        ours, theirs = self._made.Pipe()
        self._process = self._made.Process(
            target=serve, args=(theirs, self._flag, self._packages), daemon=True
        )
        self._process.start()
        theirs.close()
        self._pipe = ours
        return ours

    def stop(self) -> None:
        """Ask the running job to return what it has; callable from any thread."""
        self._flag.value = 0
        if self.pid is not None and not self._killed:
            with suppress(ProcessLookupError):
                os.kill(self.pid, STOP)

    @property
    def pid(self) -> int | None:
        """The process id; None before the start."""
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """Kill the process; a pending `think` raises LostError."""
        self._killed = True
        if self._process is not None and self._process.pid is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process and wait for its end."""
        self.kill()
        if self._process is not None and self._pipe is not None:
            self._process.join()
            self._pipe.close()


def serve(pipe: Connection[Any, Any], flag: CancelFlag, packages: Sequence[str]) -> None:
    """Run jobs until the parent closes the pipe: the main function of a worker process."""
    # Ctrl-C is for the foreground program; a worker ends with its pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stopping = _Stopping(flag)
    signal.signal(STOP, stopping.on_signal)
    signal.signal(signal.SIGPROF, stopping.break_off)
    os.nice(int(os.environ.get(NICENESS) or NICE))
    installed = games(packages)
    # Loaded objects stay: the garbage collector took up to 0.1 s at a time to scan them.
    gc.freeze()
    while True:
        try:
            number, work = pipe.recv()
        except (EOFError, OSError):
            return
        made = _answered(work, installed, stopping, number)
        try:
            pipe.send(made)
        except OSError:
            return


class _Stopping:
    """The stop request of the running job. Owned by the worker process."""

    def __init__(self, flag: CancelFlag) -> None:
        self._flag = flag
        self.number: int | None = None
        """The job's number; None between jobs, when a signal is late."""

    def is_wanted(self) -> bool:
        """Whether the running job should stop."""
        return self._flag.value != self.number

    def on_signal(self, signum: int, frame: object) -> None:
        """Signal handler: gives the search a moment to poll."""
        signal.setitimer(signal.ITIMER_PROF, LOOK_SECONDS)

    def break_off(self, signum: int, frame: object) -> None:
        """Timer handler: interrupts the job, like a playout that polls."""
        if self.number is not None and self.is_wanted():
            raise PlayoutCancelled


def _answered(work: Work[R], installed: Games, stopping: _Stopping, number: int) -> R | Exception:
    try:
        stopping.number = number
        try:
            return work.done(installed, stopping.is_wanted)
        finally:
            stopping.number = None
    except Exception as problem:  # noqa: BLE001 - it is raised where the answer is awaited
        return RuntimeError(f"{type(problem).__name__}: {problem}")
