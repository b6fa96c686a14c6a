"""Whom the loop works for at each moment, and how long it has worked for each.

All work for one who pays is added up, to its microseconds: frames as they come, tasks that they
have begun, and what is done when an entry is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Protocol


class Payer(Protocol):
    """Who pays for time of the loop."""

    unpaid: float
    """Seconds that were worked for this one and are not charged yet."""


class Stopwatch:
    """Owned by the app. `meter` counts the seconds that the loop's thread has worked."""

    __slots__ = ("_since", "meter", "payer")

    def __init__(self, meter: Callable[[], float] = lambda: 0.0) -> None:
        self.meter = meter
        self.payer: Payer | None = None
        """For whom the loop works now; None: for the server itself."""
        self._since = 0.0

    def turn_to(self, payer: Payer | None) -> Payer | None:
        """Work for another one from now on; gives for whom it was until now."""
        now, before = self.meter(), self.payer
        if before is not None:
            before.unpaid += now - self._since
        self.payer, self._since = payer, now
        return before

    def carried(self, work: Coroutine[Any, Any, None]) -> Coroutine[Any, Any, None]:
        """Work that goes on later, and is for the same one as what is done now."""
        return work if self.payer is None else Metered(work, self, self.payer)


class Metered(Coroutine[Any, Any, None]):  # Any: what work waits for is the loop's business
    """Work, each step of which is worked for who pays for it.

    A step is what is done from one wait to the next. Some work is judged only when something was
    fetched for it, so whoever sent it is not to be charged by the turn in which it came.
    """

    def __init__(
        self, work: Coroutine[Any, Any, None], watch: Stopwatch, payer: Payer
    ) -> None:  # Any: as above
        self.cr_await = work  # by this name debuggers follow what a task waits for
        self._watch = watch
        self._payer = payer

    def send(self, value: Any) -> Any:  # Any: as above
        """Do the next step."""
        before = self._watch.turn_to(self._payer)
        try:
            return self.cr_await.send(value)
        finally:
            self._watch.turn_to(before)

    def throw(self, *problem: Any) -> Any:  # Any: as the base class has it
        """Do the next step, which begins with a problem: a cancellation, or what a wait met."""
        before = self._watch.turn_to(self._payer)
        try:
            return self.cr_await.throw(*problem)
        finally:
            self._watch.turn_to(before)

    def close(self) -> None:
        """End it, also before it has begun."""
        self.cr_await.close()

    def __await__(self) -> Generator[Any, Any, None]:  # Any: as above
        return (yield from self.cr_await.__await__())
