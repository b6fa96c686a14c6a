"""The workers of a house: who thinks next, for how long, and what happens when nobody waits.

A room that has had the least time goes first. Where more wants to be thought than there are workers
for, everybody thinks shorter, down to not at all, before a queue grows.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from bluebear.clients.bots.search.jobs import Work
from bluebear.clients.bots.search.worker import LostError, Worker
from bluebear.rules import EVERYWHERE

SPARED: Final = 2
"""Processors that are left to the server and to its house."""
KILL_SECONDS: Final = 0.3
"""A worker that goes on for so long after it was stopped is replaced."""
LEAST_SHARE: Final = 0.1
"""With less than so much of its time a job is not thought about at all."""
ROOMS_MAX: Final = 10_000
"""Of so many rooms it is known how long they have thought."""

R = TypeVar("R")

log = logging.getLogger(__name__)


class BusyError(Exception):
    """Too much is being thought already: play without."""


class Thinks(Protocol):
    """What does one piece of work at a time; `Worker` is one."""

    def think(self, work: Work[R]) -> R:
        """Blocks until there is an answer. Raises LostError."""

    def stop(self) -> None:
        """Lets the present job end soon."""

    def kill(self) -> None:
        """Ends it at once."""

    def close(self) -> None:
        """Ends it and waits for that."""


@dataclass(slots=True)
class _Waiting:
    """A job in the queue. Owner: the workers."""

    room: str
    ready: asyncio.Future[Thinks]


class Workers:
    """All workers of a house, in the running loop. They are started by the first job."""

    def __init__(
        self,
        places: Sequence[str] = EVERYWHERE,
        *,
        number: int | None = None,
        start: Callable[[Sequence[str]], Thinks] = Worker,
        sleep: Callable[[float], asyncio.Future[None]] | None = None,
    ) -> None:
        self.number = number or max(1, (os.cpu_count() or 1) - SPARED)
        self._places = places
        self._start = start
        self._sleep = sleep or (lambda seconds: asyncio.ensure_future(asyncio.sleep(seconds)))
        self._threads = ThreadPoolExecutor(self.number, thread_name_prefix="thinking")
        self._all: list[Thinks] = []
        self._free: list[Thinks] = []
        self._waiting: list[_Waiting] = []
        self._used: dict[str, float] = {}
        self._stopping: set[asyncio.Task[None]] = set()
        self._closed = False

    async def think(self, room: str, work: Work[R]) -> R:
        """What came of some work of a room. Cancelled, it stops thinking.

        Raises BusyError, LostError, or RuntimeError with what thinking raised.
        """
        work = work.within(self._share(work.seconds))
        worker = await self._worker(room)
        loop = asyncio.get_running_loop()
        began = loop.time()
        thinking = loop.run_in_executor(self._threads, lambda: worker.think(work))
        try:
            return await asyncio.shield(thinking)
        except LostError:
            self._lose(worker)
            raise
        finally:
            self._used[room] = self._used.get(room, 0.0) + loop.time() - began
            if thinking.done():
                self._release(worker)
            else:
                task = asyncio.create_task(self._stop(worker, thinking))
                self._stopping.add(task)
                task.add_done_callback(self._stopping.discard)

    def _share(self, seconds: float) -> float:
        """How long a job may take while so many others want to think; BusyError: not at all."""
        wanting = len(self._all) - len(self._free) + len(self._waiting) + 1
        share = min(1.0, self.number / wanting)
        if share < LEAST_SHARE or self._closed:
            raise BusyError
        return seconds * share

    async def _worker(self, room: str) -> Thinks:
        """A worker that is free, now or when it is the room's turn."""
        self._begin(room)
        if self._free:
            return self._free.pop()
        if len(self._all) < self.number:
            made = self._start(self._places)
            self._all.append(made)
            return made
        waiting = _Waiting(room, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            return await waiting.ready
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif waiting.ready.done() and not waiting.ready.cancelled():
                self._release(waiting.ready.result())
            raise

    def _begin(self, room: str) -> None:
        """A room that is new begins with what the one with the least has had."""
        if room in self._used:
            return
        if len(self._used) >= ROOMS_MAX:
            del self._used[next(iter(self._used))]
        self._used[room] = min(self._used.values(), default=0.0)

    def _release(self, worker: Thinks) -> None:
        """A worker has nothing to do: it goes to the room that has had the least."""
        if worker not in self._all:
            return
        while self._waiting:
            first = min(self._waiting, key=lambda each: self._used.get(each.room, 0.0))
            self._waiting.remove(first)
            if not first.ready.done():
                first.ready.set_result(worker)
                return
        self._free.append(worker)

    def _lose(self, worker: Thinks) -> None:
        """A worker is gone; another one is started when it is needed, or now for who waits."""
        if worker not in self._all:
            return
        self._all.remove(worker)
        if self._waiting and not self._closed:
            made = self._start(self._places)
            self._all.append(made)
            self._release(made)

    async def _stop(self, worker: Thinks, thinking: asyncio.Future[R]) -> None:
        """Nobody waits for this any more: stop it, and replace it where it does not."""
        worker.stop()
        patience = self._sleep(KILL_SECONDS)
        await asyncio.wait((thinking, patience), return_when=asyncio.FIRST_COMPLETED)
        if not thinking.done():
            log.warning("a worker went on for %.1f s after it was stopped", KILL_SECONDS)
            worker.kill()
            with suppress(LostError, RuntimeError):
                await thinking
            self._lose(worker)
            return
        patience.cancel()
        if thinking.exception() is None or not isinstance(thinking.exception(), LostError):
            self._release(worker)
        else:
            self._lose(worker)

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in self._all:
            worker.kill()
        if self._stopping:
            await asyncio.wait(self._stopping)
        # Killed, they keep no thread waiting; one that was just being started ends with its thread.
        self._threads.shutdown()
        for worker in self._all:
            worker.close()
        self._all.clear()
        self._free.clear()
