"""Time of the event loop: the connection that pays for it, and how much a tick has of what.

All work for one payer is added up, to its microseconds: frames as they come, tasks that they
have started, and what is done when an entry is in the journal. When many connect at once, or one
sends as much as goes, the other connections have their turn in each tick.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any, Final, Protocol, TypeAlias
from weakref import WeakValueDictionary


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


Call: TypeAlias = Callable[[], None]


class TickLimiter:
    """Lets `most` calls run in a tick of the loop, the others in the next ones, in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._done = 0
        self._waiting: deque[Call] = deque()

    def run(self, call: Call) -> None:
        """Call it now, or in a tick that has room for it."""
        if self._done == self._most:
            self._waiting.append(call)
            return
        if not self._done:
            asyncio.get_running_loop().call_soon(self._next)
        self._done += 1
        call()

    async def wait(self) -> None:
        """Wait for a tick that has room."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.run(partial(_resolve, turn))
        await turn

    def _next(self) -> None:
        self._done = 0
        for _ in range(min(self._most, len(self._waiting))):
            self.run(self._waiting.popleft())


class TickBudget:
    """How long frames have been handled in this tick of the loop; it ends by time.

    `most` seconds for all together, of which a network gets `share` at the most: who plays
    somewhere else waits for little more than that, whatever a network sends.
    """

    def __init__(self, most: float, share: float) -> None:
        self._most = most
        self._share_most = share
        self._shares: WeakValueDictionary[str, TickShare] = WeakValueDictionary()
        self._started: list[TickShare] = []
        self._used = 0.0
        self.over = False
        """Whether no frame is handled any more in this tick."""

    def share(self, network: str) -> TickShare:
        """The share of a network in each tick; all its connections have it together."""
        share = self._shares.get(network)
        if share is None:
            share = self._shares[network] = TickShare(self)
        return share

    def spend(self, share: TickShare, seconds: float) -> None:
        """Work took `seconds` of this tick; the share of its network counts it, if it has one."""
        if seconds <= 0:
            return
        if not self._started:
            asyncio.get_running_loop().call_soon(self._next)
        self._used += seconds
        self.over = self._used >= self._most
        if share.tick is not self:
            return
        if not share.used:
            self._started.append(share)
        share.used += seconds
        share.over = share.used >= self._share_most

    def _next(self) -> None:
        for share in self._started:
            share.used, share.over = 0.0, False
        self._started.clear()
        self._used, self.over = 0.0, False


class TickShare:
    """What one network has of a tick."""

    __slots__ = ("__weakref__", "over", "tick", "used")

    def __init__(self, tick: TickBudget) -> None:
        self.tick = tick
        self.used = 0.0
        self.over = False
        """Whether no frame of this network is handled any more in this tick."""


UNLIMITED: Final = TickShare(TickBudget(float("inf"), float("inf")))
"""The share of a connection without limits, as the house bots have it."""


def _resolve(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
