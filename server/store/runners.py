"""A thread beside the loop, in which jobs run one after the other."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias, TypeVar

_T = TypeVar("_T")

_Job: TypeAlias = tuple[
    # Any: jobs differ in their results.
    Callable[[], Any],
    asyncio.AbstractEventLoop,
    "asyncio.Future[Any]",
]


class WorkerThread:
    """Runs jobs in a thread of its own.

    A commit is one job, thousands of times a second, so this is as little as that takes;
    `concurrent.futures` spends 20 us more on each.
    """

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def run(self, job: Callable[[], _T]) -> _T:
        """What a job returns or raises; ends, or is cancelled, only when the job has ended."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[_T] = loop.create_future()
        self._jobs.put((job, loop, result))
        try:
            return await result
        except asyncio.CancelledError:
            # What is put after it runs after it, so the end of this one is also the other's.
            last = loop.create_task(self.run(_nothing))
            while not last.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.shield(last)
            raise

    def _work(self) -> None:
        while (taken := self._jobs.get()) is not None:
            job, loop, result = taken
            value, failure = None, None
            try:
                value = job()
            except BaseException as error:  # noqa: BLE001  # it is raised again where it is awaited
                failure = error
            loop.call_soon_threadsafe(_settle, result, value, failure)

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()


def _settle(result: asyncio.Future[Any], value: Any, failure: BaseException | None) -> None:
    # Any: see `_Job`.
    if result.cancelled():
        return
    if failure is None:
        result.set_result(value)
    else:
        result.set_exception(failure)


def _nothing() -> None:
    """The job that waits for those before it."""
