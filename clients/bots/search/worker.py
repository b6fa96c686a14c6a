"""One worker: a process that thinks about one job at a time, and stops when it is told to.

Workers are forked by a process that has loaded the rules and nothing else: no sockets, no threads.
A word to stop is a number that thinking looks at, and a signal for what does not look: some
judgements of a game take a quarter of a second. That one breaks off whatever is going on.
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

from bluebear.clients.bots.search.jobs import Games, Work
from bluebear.clients.bots.search.playouts import PlayoutCancelled
from bluebear.rules import games

R = TypeVar("R")

NICE: Final = 10
"""Thinking takes what the server and its players leave."""
NICENESS: Final = "BLUEBEAR_BOTS_NICE"
"""The variable of the environment that says how nice it is instead."""

STOP: Final = signal.SIGURG
"""A signal that does nothing to a process that has not got so far as to listen for it."""

LOOK_SECONDS: Final = 0.03
"""Of processor time: playouts look at least every hundredth of a second."""


class CancelFlag(Protocol):
    """A number that two processes see: that of the job that may go on."""

    value: int


class LostError(Exception):
    """The worker ended on its way to an answer."""


class Worker:
    """A worker's process, seen from the house. It is started by the first job.

    `think` and `close` block: they belong into a thread.
    """

    def __init__(self, places: Sequence[str]) -> None:
        self._made = context.ForkServerContext()
        self._flag: CancelFlag = self._made.RawValue("Q", 0)
        self._places = tuple(places)
        self._number = 0
        self._pipe: Connection[Any, Any] | None = None
        self._process: BaseProcess | None = None
        self._killed = False

    def think(self, work: Work[R]) -> R:
        """What came of it. Raises LostError, or RuntimeError with what thinking raised."""
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
        """Start the process; the first of all loads the rules, once for those that follow."""
        self._made.set_forkserver_preload([__name__, *_packages(self._places)])
        ours, theirs = self._made.Pipe()
        self._process = self._made.Process(
            target=serve, args=(theirs, self._flag, self._places), daemon=True
        )
        self._process.start()
        theirs.close()
        self._pipe = ours
        return ours

    def stop(self) -> None:
        """Let the present job end with what it has; from any thread, at once."""
        self._flag.value = 0
        if self.pid is not None and not self._killed:
            with suppress(ProcessLookupError):
                os.kill(self.pid, STOP)

    @property
    def pid(self) -> int | None:
        """The number of its process; None before it was started."""
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """End the process, whatever it does; who waits for its answer has LostError."""
        self._killed = True
        if self._process is not None and self._process.pid is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process and wait for that."""
        self.kill()
        if self._process is not None and self._pipe is not None:
            self._process.join()
            self._pipe.close()


def serve(pipe: Connection[Any, Any], flag: CancelFlag, places: Sequence[str]) -> None:
    """Answer jobs until the house closes its end; what runs in a worker's process."""
    # Ctrl-C is for the program that people see; we end when its pipe does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stopping = _Stopping(flag)
    signal.signal(STOP, stopping.heard)
    signal.signal(signal.SIGPROF, stopping.break_off)
    os.nice(int(os.environ.get(NICENESS) or NICE))
    known = games(places)
    # What is loaded stays: looking through it for garbage took up to a tenth of a second at a time.
    gc.freeze()
    while True:
        try:
            number, work = pipe.recv()
        except (EOFError, OSError):
            return
        made = _answered(work, known, stopping, number)
        try:
            pipe.send(made)
        except OSError:
            return


class _Stopping:
    """The word to stop, for the job that is being thought about. Owner: the worker's process."""

    def __init__(self, flag: CancelFlag) -> None:
        self._flag = flag
        self.number: int | None = None
        """The job's; None between two of them, when a signal comes too late."""

    def is_wanted(self) -> bool:
        """Whether somebody wants the present job to end."""
        return self._flag.value != self.number

    def heard(self, signum: int, frame: object) -> None:
        """The signal: thinking has a moment to look by itself."""
        signal.setitimer(signal.ITIMER_PROF, LOOK_SECONDS)

    def break_off(self, signum: int, frame: object) -> None:
        """The moment is over: whatever is going on ends, as where a playout looks."""
        if self.number is not None and self.is_wanted():
            raise PlayoutCancelled


def _answered(work: Work[R], known: Games, stopping: _Stopping, number: int) -> R | Exception:
    try:
        stopping.number = number
        try:
            return work.done(known, stopping.is_wanted)
        finally:
            stopping.number = None
    except Exception as problem:  # noqa: BLE001 - it is raised where the answer is awaited
        return RuntimeError(f"{type(problem).__name__}: {problem}")


def _packages(places: Sequence[str]) -> list[str]:
    """The packages of the games, to be imported once for all workers."""
    return sorted(game.package for game in games(places).values())
