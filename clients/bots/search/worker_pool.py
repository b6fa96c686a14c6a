"""A pool of search workers: schedules jobs and limits their time.

The room that has had the least time is next. If there are more jobs than workers, each job gets
less time, down to none, before a queue grows.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from bluebear.clients.bots.search.jobs import Work
from bluebear.clients.bots.search.worker import LostError, Worker
from bluebear.rules import EVERYWHERE

SPARED: Final = 2
"""Processors reserved for the server and its house bots."""
KILL_SECONDS: Final = 0.3
"""A worker that does not stop within this time is replaced."""
LEAST_SHARE: Final = 0.1
"""A job is refused if it would get less than this share of its time."""
ROOMS_MAX: Final = 10_000
"""Maximum number of rooms whose used time is stored."""

R = TypeVar("R")

log = logging.getLogger(__name__)


class BusyError(Exception):
    """The pool is overloaded: play without a search."""


class Workers:
    """All workers of the house bots, in the running loop. The first job starts them."""

    def __init__(
        self,
        packages: Sequence[str] = EVERYWHERE,
        *,
        number: int | None = None,
        start: Callable[[Sequence[str]], Worker] = Worker,
        sleep: Callable[[float], asyncio.Future[None]] | None = None,
    ) -> None:
        self.number = number or max(1, (os.cpu_count() or 1) - SPARED)
        self._packages = packages
        self._start = start
        self._sleep = sleep or (lambda seconds: asyncio.ensure_future(asyncio.sleep(seconds)))
        self._threads = ThreadPoolExecutor(self.number, thread_name_prefix="thinking")
        self._all: list[Worker] = []
        self._free: list[Worker] = []
        self._waiting: list[tuple[str, asyncio.Future[Worker]]] = []
        """The queued jobs: room, and the worker that it gets."""
        self._used: dict[str, float] = {}
        self._stopping: set[asyncio.Task[None]] = set()
        self._closed = False

    async def think(self, room: str, work: Work[R]) -> R:
        """Run a job of a room and return its result. Cancelling stops the search.

        Raises BusyError, LostError, or RuntimeError with the job's exception.
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
        """The time limit of a job at the current load; BusyError if it is too small."""
        wanting = len(self._all) - len(self._free) + len(self._waiting) + 1
        share = min(1.0, self.number / wanting)
        if share < LEAST_SHARE or self._closed:
            raise BusyError
        return seconds * share

    async def _worker(self, room: str) -> Worker:
        """A free worker, at once or when it is the room's turn."""
        self._begin(room)
        if self._free:
            return self._free.pop()
        if len(self._all) < self.number:
            made = self._start(self._packages)
            self._all.append(made)
            return made
        ready: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append((room, ready))
        try:
            return await ready
        except asyncio.CancelledError:
            if (room, ready) in self._waiting:
                self._waiting.remove((room, ready))
            elif ready.done() and not ready.cancelled():
                self._release(ready.result())
            raise

    def _begin(self, room: str) -> None:
        """Start a new room with the used time of the room with the least."""
        if room in self._used:
            return
        if len(self._used) >= ROOMS_MAX:
            del self._used[next(iter(self._used))]
        self._used[room] = min(self._used.values(), default=0.0)

    def _release(self, worker: Worker) -> None:
        """Give a free worker to the waiting room with the least used time."""
        if worker not in self._all:
            return
        while self._waiting:
            first = min(self._waiting, key=lambda each: self._used.get(each[0], 0.0))
            self._waiting.remove(first)
            if not first[1].done():
                first[1].set_result(worker)
                return
        self._free.append(worker)

    def _lose(self, worker: Worker) -> None:
        """Replace a lost worker: now for a waiting job, else when it is needed."""
        if worker not in self._all:
            return
        self._all.remove(worker)
        if self._waiting and not self._closed:
            made = self._start(self._packages)
            self._all.append(made)
            self._release(made)

    async def _stop(self, worker: Worker, thinking: asyncio.Future[R]) -> None:
        """Stop a job whose result is not needed; replace the worker if it does not stop."""
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
        # Killed, they block no thread; one that is just being started ends with its thread.
        self._threads.shutdown()
        for worker in self._all:
            worker.close()
        self._all.clear()
        self._free.clear()
