"""Processor time of the event loop, charged to the connection that it is spent for.

All work for one payer is added up, to its microseconds: frames as they come, tasks that they
have started, and what is done when an entry is in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Protocol


class Payer(Protocol):
    """Who pays for time of the loop."""

    unpaid: float
    """Seconds of work that are not charged yet."""


class CpuMeter:
    """Owned by the app. `meter` returns the seconds that the loop's thread has worked."""

    __slots__ = ("_since", "meter", "payer")

    def __init__(self, meter: Callable[[], float] = float) -> None:
        self.meter = meter
        self.payer: Payer | None = None
        """The payer of what the loop does now; None: the server itself."""
        self._since = 0.0

    def turn_to(self, payer: Payer | None) -> Payer | None:
        """Work for `payer` from now on; returns the payer until now."""
        now, before = self.meter(), self.payer
        if before is not None:
            before.unpaid += now - self._since
        self.payer, self._since = payer, now
        return before

    def metered(self, work: Coroutine[Any, Any, None]) -> Coroutine[Any, Any, None]:
        """`work` that goes on later, charged to the payer of now."""
        return work if self.payer is None else CpuMeteredTask(work, self, self.payer)


class CpuMeteredTask(Coroutine[Any, Any, None]):  # Any: what work waits for is the loop's business
    """A coroutine each step of which is charged to a payer.

    A step is what is done from one wait to the next. Some lines are judged only when something was
    fetched for them, which is long after the turn in which they came.
    """

    def __init__(
        self, work: Coroutine[Any, Any, None], cpu: CpuMeter, payer: Payer
    ) -> None:  # Any: as above
        self.cr_await = work  # by this name debuggers follow what a task waits for
        self._cpu = cpu
        self._payer = payer

    def send(self, value: Any) -> Any:  # Any: as above
        """Do the next step."""
        before = self._cpu.turn_to(self._payer)
        try:
            return self.cr_await.send(value)
        finally:
            self._cpu.turn_to(before)

    def throw(self, *problem: Any) -> Any:  # Any: as the base class has it
        """Do the next step, which begins with a problem: a cancellation, or what a wait met."""
        before = self._cpu.turn_to(self._payer)
        try:
            return self.cr_await.throw(*problem)
        finally:
            self._cpu.turn_to(before)

    def close(self) -> None:
        """End it, also before it has begun."""
        self.cr_await.close()

    def __await__(self) -> Generator[Any, Any, None]:  # Any: as above
        return (yield from self.cr_await.__await__())
