"""How long a task's own steps hold the loop, without what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any


class Metered:
    """Work to be awaited once; `spent` is told, in seconds, how long each of its steps took.

    A step is what is done from one wait to the next. Some work is judged only when something was
    fetched for it, so whoever sent it is not to be charged by the turn in which it came.
    """

    def __init__(
        self,
        work: Coroutine[Any, Any, None],  # Any: what it waits for is the loop's business
        meter: Callable[[], float],
        spent: Callable[[float], None],
    ) -> None:
        self._work = work
        self._meter = meter
        self._spent = spent

    def __await__(self) -> Generator[Any, Any, None]:  # Any: as above
        step: Callable[[], Any] = partial(self._work.send, None)
        while True:
            try:
                waited_for = self._timed(step)
            except StopIteration:
                return
            try:
                yield waited_for
            except BaseException as problem:  # noqa: BLE001 handed on to the work, a cancellation too
                step = partial(self._work.throw, problem)
            else:
                step = partial(self._work.send, None)

    def _timed(self, step: Callable[[], Any]) -> Any:  # Any: as above
        began = self._meter()
        try:
            return step()
        finally:
            self._spent(self._meter() - began)
