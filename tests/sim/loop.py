"""An event loop in virtual time: when nothing is ready, its clock jumps to the next timer.

There are no sockets and no threads: work for a thread (hashing a password) is done at once, and
the loop's time does not move meanwhile. Where everybody waits for something that cannot come any
more, the loop says so instead of hanging. Whatever runs on behalf of a `Life` can be ended at once.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
from asyncio.base_events import BaseEventLoop
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, ParamSpec, TypeVar, TypeVarTuple
from weakref import WeakSet, WeakValueDictionary

P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_CLOSING_PASSES: Final = 10
"""A cancelled task needs a pass of the loop to end, its owner another one to notice."""


class Stuck(Exception):
    """Everybody waits, and no timer will ring."""


class Life:
    """All tasks and timers that somebody has set going, and what these have set going."""

    def __init__(self) -> None:
        self._context = copy_context()
        self._context.run(_LIFE.set, self)
        self._numbers = itertools.count()
        self._tasks: WeakSet[asyncio.Task[Any]] = WeakSet()  # Any: what a task gives is not ours
        self._timers: WeakValueDictionary[int, asyncio.TimerHandle] = WeakValueDictionary()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call something on this life's behalf."""
        return self._context.copy().run(function, *args, **kwargs)

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a task on this life's behalf, and wait for it."""
        return await asyncio.get_running_loop().create_task(work, context=self._context.copy())

    def note(self, begun: asyncio.Task[Any] | asyncio.TimerHandle) -> None:
        """The loop has set something going for this life."""
        if isinstance(begun, asyncio.TimerHandle):
            # Timers are compared by what they call and when: two may be equal.
            self._timers[next(self._numbers)] = begun
        else:
            self._tasks.add(begun)

    async def end(self) -> None:
        """Cancel everything, and what callbacks that are on their way still set going."""
        quiet = 0
        while quiet < _CLOSING_PASSES:
            running = [task for task in self._tasks if not task.done()]
            for task in running:
                task.cancel()
            for timer in list(self._timers.values()):
                timer.cancel()
            quiet = 0 if running else quiet + 1
            await asyncio.sleep(0)


_LIFE: Final[ContextVar[Life | None]] = ContextVar("life", default=None)


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

    def pass_time(self, seconds: float) -> None:
        """Something holds the loop for so long: nobody's timer rings meanwhile."""
        self._selector.now += seconds

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """See `AbstractEventLoop.call_at`."""
        timer = super().call_at(when, callback, *args, context=context)
        life = _LIFE.get() if context is None else context.get(_LIFE)
        if life is not None:
            life.note(timer)
        return timer

    def create_task(
        self,
        coro: Generator[Any, None, T] | Coroutine[Any, Any, T],
        *,
        name: object = None,
        context: Context | None = None,
    ) -> asyncio.Task[T]:
        """See `AbstractEventLoop.create_task`."""
        task = super().create_task(coro, name=name, context=context)
        life = _LIFE.get() if context is None else context.get(_LIFE)
        if life is not None:
            life.note(task)
        return task

    def run_in_executor(
        self, executor: object, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
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
    """Run something in a virtual loop of its own.

    Fails if it leaves a task running, or if a callback has raised what nobody saw.
    """
    unseen: list[BaseException | str] = []

    def note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        unseen.append(context.get("exception") or context["message"])

    with asyncio.Runner(debug=False, loop_factory=VirtualLoop) as runner:
        runner.get_loop().set_exception_handler(note)
        made = runner.run(_watched(main))
    for trouble in unseen:
        raise trouble if isinstance(trouble, BaseException) else AssertionError(trouble)
    return made


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
