"""An event loop in virtual time: when nothing is ready, its clock jumps to the next timer.

There are no sockets and no threads: work for a thread (hashing a password) is done at once, and
the loop's time does not move meanwhile. If all tasks wait for something that cannot happen any
more, the loop raises instead of hanging. All that runs on behalf of a `Life` can be ended at once.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import itertools
from asyncio.base_events import BaseEventLoop
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

SELDOM_SECONDS: Final = 60.0
"""Between two looks of a server at how it is, where months pass and nothing stalls."""
_PACKAGE: Final = f"{Path(__file__).parents[2]}/bluebear/"
_SERVER: Final = f"{_PACKAGE}server/"

DAY_SECONDS: Final = 24 * 3600
AWAKE_SECONDS: Final = 600
_RESOLUTION: Final = 1e-9
"""Timers that are so near are due."""

_CLOSING_PASSES: Final = 10
"""A cancelled task needs a pass of the loop to end, its owner another one to notice."""


class Stuck(Exception):
    """All tasks wait, and no timer is due."""


CrashPoint = Callable[[list[str]], bool]
"""Whether a life ends where its task waits, see `await_points_of`."""


class Died(Exception):
    """Who was waited for is dead."""


class Life:
    """All tasks and timers of an owner, and those that these have started.

    It may be given an end: before each step, which is a task's run after each await and whatever
    the owner calls a step, a callback decides whether it dies. Then `dies` is called, and nothing
    of it runs any more.

    It may be suspended, as a process that was sent SIGSTOP: no task and no timer of it runs until
    it is thawed, and then all that was due runs, in its order.
    """

    def __init__(self, dies: Callable[[], None] = lambda: None) -> None:
        self._dies = dies
        self._crash_point: CrashPoint | None = None
        self._halted: list[asyncio.Future[None]] = []
        self.frozen = False
        self._still: list[Callable[[], object]] = []
        self.dead = False
        self.await_points: list[str] = []
        """Where it died by itself, as `await_points_of` names it."""
        self._context = copy_context()
        self._context.run(_LIFE.set, self)
        # By number, in the order of their starts: a set has objects in another order each time.
        self._numbers = itertools.count()
        self._tasks: WeakValueDictionary[int, asyncio.Task[Any]]  # Any: what they give is not ours
        self._tasks = WeakValueDictionary()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call something on this life's behalf."""
        return self._context.copy().run(function, *args, **kwargs)

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a task on this life's behalf, and wait for it. Raises `Died`."""
        task = asyncio.get_running_loop().create_task(work, context=self._context.copy())
        await asyncio.wait({task})
        if task.cancelled():
            raise Died
        return task.result()

    def ends(self, crash_point: CrashPoint | None) -> None:
        """Let it die by itself where `crash_point` says so; None: nowhere."""
        self._crash_point = crash_point

    def step(self, task: Coroutine[Any, Any, Any] | None = None) -> bool:
        """Run one step, of a task if one is given. Returns whether this still lives."""
        if self._crash_point is not None and not self.dead:
            positions = await_points_of(task)
            if self._crash_point(positions):
                self.dead, self.await_points = True, positions
                self._dies()
        return not self.dead

    def halt(self) -> Any:  # Any: what a task waits for
        """An awaitable that never ends, for a task that must not run on.

        Stored here, since nothing else refers to the task.
        """
        future = asyncio.get_running_loop().create_future()
        self._halted.append(future)
        return next(future.__await__())

    def freeze(self) -> None:
        """Stand still from now on."""
        self.frozen = True

    def thaw(self) -> None:
        """Go on with what is due by now."""
        self.frozen = False
        still, self._still = self._still, []
        for each in still:
            each()

    def later(self, what: Callable[[], object]) -> None:
        """Do something when it is thawed."""
        self._still.append(what)

    def thawed(self) -> Any:  # Any: what a task waits for
        """What a task waits for that comes upon its turn while all stand still."""
        future = asyncio.get_running_loop().create_future()
        self.later(partial(_let_go, future))
        return next(future.__await__())

    def ring(self, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        """A timer of it is due; what it sets going is this life's also when it stood still."""
        if self.frozen:
            self.later(partial(copy_context().run, callback, *args))
        else:
            callback(*args)

    def note(self, begun: asyncio.Task[Any]) -> None:
        """The loop has set a task going for this life."""
        self._tasks[next(self._numbers)] = begun

    async def end(self) -> None:
        """Cancel everything, and what callbacks that are on their way still set going."""
        self.dead = True
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        quiet = 0
        while quiet < _CLOSING_PASSES:
            running = [task for task in self._tasks.values() if not task.done()]
            for task in running:
                task.cancel()
            loop.cancel_timers(self)
            quiet = 0 if running else quiet + 1
            await asyncio.sleep(0)


def _let_go(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def await_points_of(
    task: Any,
) -> list[str]:  # Any: coroutines, wrapped or plain, and what they wait for
    """The lines of the server on which a task waits, as `server/file:line`, the innermost last."""
    results = []
    while task is not None:
        frame = getattr(task, "cr_frame", None)
        if frame is not None and frame.f_code.co_filename.startswith(_SERVER):
            results.append(f"{frame.f_code.co_filename.removeprefix(_PACKAGE)}:{frame.f_lineno}")
        task = getattr(task, "cr_await", None)
    return results


class _Steps(Coroutine[Any, Any, T]):
    """A coroutine that asks its life before it goes on; in a dead one it waits for its end."""

    def __init__(self, life: Life, inner: Coroutine[Any, Any, T]) -> None:
        self._life = life
        self._inner = inner

    def send(self, value: Any) -> Any:  # Any: what futures and loops give each other
        if self._life.frozen:
            return self._life.thawed()
        return self._inner.send(value) if self._life.step(self._inner) else self._life.halt()

    def throw(self, *error: Any) -> Any:  # Any: as the base class has it
        return self._inner.throw(*error)

    def close(self) -> None:
        self._inner.close()

    def __await__(self) -> Generator[Any, Any, T]:
        return self._inner.__await__()


_LIFE: Final[ContextVar[Life | None]] = ContextVar("life", default=None)


def _life_of(timer: asyncio.TimerHandle) -> Life | None:
    context: Context = timer._context  # type: ignore[attr-defined]  # typeshed does not name it
    return context.get(_LIFE)


class VirtualLoop(BaseEventLoop):
    """Runs on virtual seconds that begin at 0."""

    _ready: deque[asyncio.Handle]
    _stopping: bool

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        self._timers: list[tuple[float, asyncio.TimerHandle]] = []
        """A heap; of two for one moment the handles are compared, which are equal then."""

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._now

    def pass_time(self, seconds: float) -> None:
        """Code blocks the loop for so long: no timer fires meanwhile."""
        self._now += seconds

    def _run_once(self) -> None:
        """Do what is ready. If nothing is, waiting is what moves the time."""
        ready, timers = self._ready, self._timers
        while timers and timers[0][1].cancelled():
            heappop(timers)
        if not ready and not self._stopping:
            if not timers:
                raise Stuck("everybody waits, and no timer will ring")
            self._now += max(0.0, timers[0][0] - self._now)
        end = self._now + _RESOLUTION
        while timers and timers[0][0] < end:
            ready.append(heappop(timers)[1])
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle.cancelled():
                handle._run()

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """See `AbstractEventLoop.call_at`."""
        life = _LIFE.get() if context is None else context.get(_LIFE)
        if life is None:
            timer = asyncio.TimerHandle(when, callback, args, self, context)
        else:
            timer = asyncio.TimerHandle(when, life.ring, (callback, *args), self, context)
        heappush(self._timers, (when, timer))
        return timer

    def cancel_timers(self, life: Life) -> None:
        """Cancel those that were set for a life, also where they are due."""
        for handle in (*(timer for _, timer in self._timers), *self._ready):
            if isinstance(handle, asyncio.TimerHandle) and _life_of(handle) is life:
                handle.cancel()

    def create_task(
        self,
        coro: Generator[Any, None, T] | Coroutine[Any, Any, T],
        *,
        name: object = None,
        context: Context | None = None,
    ) -> asyncio.Task[T]:
        """See `AbstractEventLoop.create_task`."""
        life = _LIFE.get() if context is None else context.get(_LIFE)
        if life is None:
            return super().create_task(coro, name=name, context=context)
        if isinstance(coro, Coroutine):
            coro = _Steps(life, coro)
        task = super().create_task(coro, name=name, context=context)
        life.note(task)
        return task

    def run_in_executor(
        self, executor: object, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Do a thread's work at once; who asked gets it with the loop's next turn."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  # it belongs to the awaiter
            future.set_exception(error)
        return future

    def _write_to_self(self) -> None:
        """No other thread ever wakes this loop."""


async def sleep_days(days: int) -> None:
    """Let days pass on a machine that is awake for the last ten minutes of each.

    What the server does every minute of a month would take seconds.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    for _ in range(days):
        loop.pass_time(DAY_SECONDS - AWAKE_SECONDS)
        await asyncio.sleep(AWAKE_SECONDS)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a separate virtual loop.

    Fails if it leaves a task running, or if a callback has raised an error that no code handled.
    """
    unseen: list[BaseException | str] = []

    def note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        unseen.append(context.get("exception") or context["message"])

    with (
        _no_sweeping(),
        asyncio.Runner(debug=False, loop_factory=VirtualLoop) as runner,
    ):
        runner.get_loop().set_exception_handler(note)
        made = runner.run(_watched(main))
    for error in unseen:
        raise error if isinstance(error, BaseException) else AssertionError(error)
    return made


@contextmanager
def _no_sweeping() -> Iterator[None]:
    """Garbage waits: looking for it took a seventh of a storm's time, and comes when it likes."""
    swept = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if swept:
            gc.enable()


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
