"""One worker: a process that thinks about one job at a time, and stops when it is told to."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from multiprocessing import context
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol

from clients.bots.search.jobs import Answer, Job, answer
from rules import games

NICE: Final = 10
"""Thinking takes what the server and its players leave."""

START: Final = "forkserver"
"""Workers are made by a process that has nothing but the rules: no sockets, no threads."""


class Flag(Protocol):
    """A number that two processes see: that of the job that may go on."""

    value: int


class LostError(Exception):
    """The worker ended on its way to an answer."""


class Worker:
    """A worker's process, seen from the house. Its methods block: they belong into a thread."""

    def __init__(self, places: Sequence[str]) -> None:
        made = context.ForkServerContext()
        made.set_forkserver_preload([__name__, *_packages(places)])
        ours, theirs = made.Pipe()
        self._flag: Flag = made.RawValue("Q", 0)
        self._number = 0
        self._pipe = ours
        self._process = made.Process(
            target=serve, args=(theirs, self._flag, tuple(places)), daemon=True
        )
        self._process.start()
        theirs.close()

    def think(self, job: Job) -> Answer:
        """What came of a job. Raises LostError, or what thinking raised."""
        self._number += 1
        self._flag.value = self._number
        try:
            self._pipe.send((self._number, job))
            made = self._pipe.recv()
        except (EOFError, OSError):
            raise LostError from None
        if isinstance(made, Exception):
            raise made
        assert isinstance(made, Answer)
        return made

    def stop(self) -> None:
        """Let the present job end with what it has; from any thread, at once."""
        self._flag.value = 0

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid

    def kill(self) -> None:
        """End the process, whatever it does; who waits for its answer has LostError."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait for that."""
        self.kill()
        self._process.join()
        self._pipe.close()


def serve(pipe: Connection[Any, Any], flag: Flag, places: Sequence[str]) -> None:
    """Answer jobs until the house closes its end; what runs in a worker's process."""
    # Ctrl-C is for the program that people see; we end when its pipe does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    known = games(places)
    while True:
        try:
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        made = _answered(job, known, flag, number)
        try:
            pipe.send(made)
        except OSError:
            return


def _answered(job: Job, known: Any, flag: Flag, number: int) -> Answer | Exception:  # Any: games
    try:
        return answer(job, known, lambda: flag.value != number)
    except Exception as problem:  # noqa: BLE001 - it is raised where the answer is awaited
        return RuntimeError(f"{type(problem).__name__}: {problem}")


def _packages(places: Sequence[str]) -> list[str]:
    """The packages of the games, to be imported once for all workers."""
    return sorted(game.package for game in games(places).values())
