"""An event loop in virtual time: when nothing is ready, its clock jumps to the next timer.

There are no sockets and no threads: work for a thread (hashing a password) is done at once, and
the loop's time does not move meanwhile. Where everybody waits for something that cannot come any
more, the loop says so instead of hanging.
"""

from __future__ import annotations

import asyncio
import functools
from asyncio.base_events import BaseEventLoop
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_CLOSING_PASSES: Final = 10
"""A cancelled task needs a pass of the loop to end, its owner another one to notice."""


class Stuck(Exception):
    """Everybody waits, and no timer will ring."""


class _Selector:
    """Stands where the loop waits for sockets: here waiting is what moves the time."""

    def __init__(self) -> None:
        self.now = 0.0

    def select(self, timeout: float | None) -> list[tuple[Any, int]]:  # Any: a selector's key
        if timeout is None:
            raise Stuck("everybody waits, and no timer will ring")
        self.now += timeout
        return []

    def close(self) -> None:
        """There is nothing to close."""


class VirtualLoop(BaseEventLoop):
    """Runs on virtual seconds that begin at 0."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Selector()

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._selector.now

    def run_in_executor(  # type: ignore[override]  # typeshed's is generic over unpacked arguments
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:  # Any: whatever the function takes
        """Do a thread's work at once; who asked gets it with the loop's next turn."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  # it belongs to whoever awaits the future
            future.set_exception(error)
        return future

    def _process_events(self, events: object) -> None:
        """No socket ever has news."""

    def _write_to_self(self) -> None:
        """No other thread ever wakes this loop."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run something in a virtual loop of its own; fails if it leaves a task running."""
    with asyncio.Runner(debug=False, loop_factory=VirtualLoop) as runner:
        return runner.run(_watched(main))


async def _watched(main: Awaitable[T]) -> T:
    made = await main
    me = asyncio.current_task()
    for _ in range(_CLOSING_PASSES):
        if asyncio.all_tasks() == {me}:
            return made
        await asyncio.sleep(0)
    left = sorted(repr(task) for task in asyncio.all_tasks() if task is not me)
    raise AssertionError("left tasks running:\n  " + "\n  ".join(left))


def virtual(scene: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make an asynchronous scene a test that runs in virtual time."""

    @functools.wraps(scene)
    def test(*args: P.args, **kwargs: P.kwargs) -> None:
        run(scene(*args, **kwargs))

    return test


__all__ = ["Stuck", "VirtualLoop", "run", "virtual"]
