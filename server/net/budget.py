"""The one gate of what comes from outside: what it costs, who pays, and when it is handled.

A line, a query, a request for a snapshot, a hello and an HTTP request are charged here, each with
its kind and its size, to address, person and server: people and connections cost their
maker nothing, so what they cost is limited by where they come from, too. All costs are taken before
anything is awaited, and given back where it was in vain. The limits and their reasons are in
`rate_limits`.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Final, Protocol, TypeAlias
from weakref import WeakValueDictionary

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.net.rate_limits import (
    NEIGHBOURS,
    NO_BOUNDS,
    UNLIMITED,
    Bound,
    Bounds,
    Cost,
    TickBudget,
    TokenBucket,
    consume_all,
    neighbourhood_of,
    network_of,
    put_recent,
    wait_for_all,
)
from bluebear.server.runtime import CpuMeter, count

_CACHED: Final = 4096
"""Addresses whose networks need not be worked out again."""

SHARED_COSTS: Final = frozenset((Cost.WRONG, Cost.LOGIN, Cost.ENTRY))
"""Limits on wrong tries: a guess at one edge is one at all."""

SpareWork: TypeAlias = Callable[[], bool]
"""Work beside the play; returns whether it continues in a task.

A tick starts one of these at the most: how long that takes is known afterwards.
"""


class Commits(Protocol):
    """What waits for the disk: the writer of the store."""

    def is_committing(self) -> bool:
        """Whether an entry is on its way to the disk."""


class CostSharer(Protocol):
    """Tells other nodes what was spent at this one."""

    def spent(self, cost: Cost, network: str, person: str, amount: float) -> None:
        """A network and a person have spent so much."""


@lru_cache(maxsize=_CACHED)
def _keys(address: str) -> tuple[str, ...]:
    network = network_of(address)
    near = neighbourhood_of(network)
    return (network, near) if near else (network,)


def too_much(wait_ms: int) -> NotAllowed:
    """The refusal of what costs more than there is left."""
    return NotAllowed("too_much", seconds=-(-wait_ms // 1000), retry_ms=wait_ms)


class TokenBuckets:
    """What each key (an address, a person, or the server as a whole) has left of some limits.

    Of `SPENDERS_MAX` keys the buckets are remembered, and of all that a connection refers to.
    """

    def __init__(self, bounds: Mapping[Cost, Bound]) -> None:
        self.bounds = bounds
        self._recent: dict[tuple[Cost, str], TokenBucket] = {}
        self._in_use: WeakValueDictionary[tuple[Cost, str], TokenBucket] = WeakValueDictionary()

    def get(self, cost: Cost, key: str, now: float) -> TokenBucket | None:
        """The bucket of a key, full if it is new; None where `cost` is not limited."""
        bound = self.bounds.get(cost)
        if bound is None:
            return None
        which = (cost, key)
        bucket = self._recent.get(which) or self._in_use.get(which)
        if bucket is None:
            bucket = self._in_use[which] = TokenBucket(bound.burst, bound.per_second, now)
        put_recent(self._recent, which, bucket, limits.SPENDERS_MAX)
        return bucket

    def wait(self, cost: Cost, key: str, now: float) -> float:
        """Seconds until a key can spend 1; 0 if it can now, or is not limited."""
        bucket = self.get(cost, key, now)
        return 0.0 if bucket is None else bucket.wait(now, 1.0)

    def consume(self, cost: Cost, key: str, now: float) -> float:
        """Spend 1, or return the seconds to wait for it."""
        bucket = self.get(cost, key, now)
        return 0.0 if bucket is None or bucket.consume(now) else bucket.wait(now, 1.0)

    def charge(self, cost: Cost, key: str, now: float, amount: float = 1.0) -> None:
        """Spend, also below zero: what something has cost may be known only afterwards."""
        bucket = self.get(cost, key, now)
        if bucket is not None:
            bucket.charge(now, amount)


class Budgets:
    """All limits over time. Owned by the app. Waits are in ms, 0: none."""

    def __init__(
        self, bounds: Bounds, cpu: CpuMeter | None = None, commits: Commits | None = None
    ) -> None:
        self.cpu = cpu or CpuMeter()
        self.ticks = TickBudget(
            limits.TURN_SECONDS,
            limits.TURN_SECONDS if bounds is NO_BOUNDS else limits.NETWORK_SECONDS,
        )
        self.queries = FairQueue(self.cpu, limits.ASIDES_SECONDS, commits)
        """Queries and snapshots."""
        self._address = TokenBuckets(bounds.address)
        near = {cost: bound.times(NEIGHBOURS) for cost, bound in bounds.address.items()}
        self._near = TokenBuckets(near)
        self._person = TokenBuckets(bounds.person)
        self._server = TokenBuckets(bounds.server)
        self._open: Counter[str] = Counter()
        self.sharer: CostSharer | None = None
        """Receives what is taken of limits that hold at all nodes."""

    # Open connections, also those that have not said hello.

    def connection_opened(self, address: str) -> None:
        """A connection of an address is open."""
        self._open.update(_keys(address))

    def connection_closed(self, address: str) -> None:
        """It is closed."""
        for key in _keys(address):
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]

    def is_over_connection_limit(self, address: str, most: int) -> bool:
        """Whether an address has `most` connections already, or its neighbourhood its share."""
        here, *near = (self._open[key] for key in _keys(address))
        return here >= most or any(count >= most * NEIGHBOURS for count in near)

    # What is spent with time. The address "" is that of house bots, which have no limits.

    def consume(
        self, cost: Cost, now: float, *, address: str, person: str = "", amount: float = 1.0
    ) -> int:
        """Spend `amount` on behalf of a person at an address, or nothing; the wait for it."""
        wait = consume_all(self.buckets(cost, now, address, person), now, amount)
        if wait > 0:
            return refused(cost, wait)
        self._report(cost, address, person, amount)
        return 0

    def retry_after_ms(
        self, cost: Cost, now: float, *, address: str, person: str = "", amount: float = 1.0
    ) -> int:
        """The wait until `amount` can be spent."""
        wait = wait_for_all(self.buckets(cost, now, address, person), now, amount)
        return int(wait * 1000) + 1 if wait > 0 else 0

    def charge(
        self, cost: Cost, now: float, amount: float, *, address: str, person: str = ""
    ) -> None:
        """Spend what something has cost, known afterwards; it may leave a debt."""
        for bucket in self.buckets(cost, now, address, person):
            bucket.charge(now, amount)
        self._report(cost, address, person, amount)

    def is_used_up(self, now: float) -> bool:
        """Whether the server-wide limit on connections or on new guests is exhausted."""
        return any(self._server.wait(cost, "", now) > 0 for cost in (Cost.CONNECTION, Cost.GUEST))

    def add_remote_cost(
        self, cost: Cost, now: float, network: str = "", person: str = "", amount: float = 1.0
    ) -> None:
        """Charge what was spent at another edge; network and person "": by the whole server."""
        self._server.charge(cost, "", now, amount)
        if network:
            for buckets, key in zip((self._address, self._near), _keys(network), strict=False):
                buckets.charge(cost, key, now, amount)
        if person:
            self._person.charge(cost, person, now, amount)

    def buckets(self, cost: Cost, now: float, address: str, person: str) -> tuple[TokenBucket, ...]:
        """The buckets that pay for something: none for house bots."""
        if not address:
            return ()
        keys = [*zip((self._address, self._near), _keys(address), strict=False)]
        keys.append((self._server, ""))
        if person:
            keys.append((self._person, person))
        made = []
        for buckets, key in keys:
            bucket = buckets.get(cost, key, now)
            if bucket is not None:
                made.append(bucket)
        return tuple(made)

    def _report(self, cost: Cost, address: str, person: str, amount: float) -> None:
        if address and cost in SHARED_COSTS and self.sharer is not None:
            self.sharer.spent(cost, network_of(address), person, amount)


class ConnectionCosts:
    """What one connection costs, charged to its address and its person.

    A line, a query and a snapshot cost the same: one of the lines that an address may say, and the
    time that the loop works for it, now and later.
    """

    __slots__ = (
        *("_budgets", "_bytes", "_lines", "address", "network", "owes_until", "person"),
        *("share", "unpaid"),
    )

    def __init__(self, budgets: Budgets, address: str) -> None:
        self._budgets = budgets
        self.address = address
        self.network = network_of(address) if address else ""
        """As `network_of` has it; "": a house bot, which pays for nothing."""
        self.share = budgets.ticks.share(self.network) if address else UNLIMITED
        """What its network has of each tick of the loop."""
        self.person = ""
        self.unpaid = 0.0
        """Seconds of the loop that are not charged yet."""
        self.owes_until = 0.0
        """Until when (loop time) its lines have to wait for what earlier ones have cost."""
        # Cached for as long as they pay: each line would look them up again.
        self._lines: tuple[TokenBucket, ...] | None = None
        self._bytes: tuple[TokenBucket, ...] | None = None

    def charge_to(self, person: str) -> None:
        """From now on `person` pays, with the address."""
        self.person, self._bytes = person, None

    def consume(self, now: float, size: int = 0) -> int:
        """Spend a line of `size` bytes, where they are stored or read by others; the wait in ms
        if that is too much.
        """
        if now < self.owes_until:
            return self.retry_after_ms(now)
        if self._lines is None:
            self._lines = self._budgets.buckets(Cost.LINES, now, self.address, "")
        # Each connection has its rate; a person with many of them has no more than this.
        wait = consume_all(self._lines, now)
        if wait > 0:
            return refused(Cost.LINES, wait)
        return self._consume_bytes(now, size) if size else 0

    def _consume_bytes(self, now: float, size: int) -> int:
        if self._bytes is None:
            self._bytes = self._budgets.buckets(Cost.BYTES, now, self.address, self.person)
        wait = consume_all(self._bytes, now, float(size))
        return refused(Cost.BYTES, wait) if wait > 0 else 0

    def spend(self, cost: Cost, amount: float = 1.0, *, person: str | None = None) -> None:
        """Spend on behalf of `person`, by default the one connected. Raises NotAllowed("too_much").

        What is spent before an await cannot be spent twice meanwhile; `refund` gives it back.
        """
        now, payer = asyncio.get_running_loop().time(), self.person if person is None else person
        wait = self._budgets.consume(cost, now, address=self.address, person=payer, amount=amount)
        if wait:
            raise too_much(wait)

    @contextmanager
    def paid(self, cost: Cost, *, person: str | None = None) -> Iterator[None]:
        """Spend on what is done meanwhile, unless it is refused. Raises NotAllowed("too_much")."""
        self.spend(cost, person=person)
        try:
            yield
        except Refusal:
            self.refund(cost, person=person)
            raise

    def refund(self, cost: Cost, *, person: str | None = None) -> None:
        """Give back what was spent in vain."""
        now, payer = asyncio.get_running_loop().time(), self.person if person is None else person
        self._budgets.charge(cost, now, -1.0, address=self.address, person=payer)

    def pay(self, size: int) -> None:
        """Charge an entry of `size` bytes. Raises NotAllowed("too_much")."""
        wait = self._consume_bytes(asyncio.get_running_loop().time(), size)
        if wait:
            raise too_much(wait)

    def retry_after_ms(self, now: float) -> int:
        """The wait until what earlier lines have cost is made good; 0: it is."""
        if self.unpaid >= limits.CHARGED_SECONDS:
            self.settle(now)
        if now >= self.owes_until:
            return 0
        return refused(Cost.LOOP, self.owes_until - now)

    def worked(self, seconds: float, now: float) -> None:
        """The loop has worked `seconds` for a request of this connection."""
        if seconds > limits.SLOW_LINE_SECONDS:
            count("lines.slow")
        self._budgets.ticks.spend(self.share, seconds)
        if self.unpaid >= limits.CHARGED_SECONDS:
            self.settle(now)

    def end(self, now: float) -> None:
        """The connection is closed: charge what is unpaid, and remember its buckets as used now."""
        self.settle(now)
        for cost in (Cost.LINES, Cost.BYTES):
            self._budgets.buckets(cost, now, self.address, self.person)

    def settle(self, now: float) -> None:
        """Charge what is unpaid; the connection has to wait where that is too much."""
        spent, self.unpaid = self.unpaid, 0.0
        if spent <= 0 or not self.network:
            return
        buckets = self._budgets.buckets(Cost.LOOP, now, self.address, self.person)
        for bucket in buckets:
            bucket.charge(now, spent)
        self.owes_until = now + wait_for_all(buckets, now, 0.0)


class FairQueue:
    """What connections ask for beside the play: a little in each tick of the loop.

    Networks have it in turn, one request each, so that who asks for much waits behind who asks for
    little, and who plays waits for neither: while a commit is under way, a move waits for each tick
    of the loop that comes before its end, so long ticks are put off meanwhile. Each request that
    continues in a task has a step in each tick, so a network has `QUERIES_RUNNING` of them at a
    time. `most` are the seconds of a tick for all together.
    """

    def __init__(self, cpu: CpuMeter, most: float, commits: Commits | None) -> None:
        self._cpu = cpu
        self._most = most
        self._commits = commits
        self._put_off_until = 0.0
        """Loop time at which a tick is due even while a commit is under way."""
        self._used = 0.0
        self._running = Counter[str]()
        """Requests of each network that continue in tasks."""
        self._waiting: dict[str, deque[tuple[ConnectionCosts, SpareWork]]] = {}
        """By network, the next one first."""
        self._blocked: dict[str, deque[tuple[ConnectionCosts, SpareWork]]] = {}
        """The same of networks that have as many running as they may."""
        self._is_scheduled = False

    def run(self, payer: ConnectionCosts, work: SpareWork) -> None:
        """Do `work` now, or in a tick that has time for it. House bots never wait."""
        if not payer.network:
            work()
            return
        network = payer.network
        queue = self._blocked.get(network) or self._waiting.get(network)
        if queue is not None:
            queue.append((payer, work))
        elif (
            self._waiting
            or self._used >= self._most
            or self._is_full(network)
            or self._is_committing()
        ):
            self._waiting[network] = deque([(payer, work)])
        else:
            self._do(payer, work)
        if not self._is_scheduled and (self._waiting or self._used):
            self._schedule()

    def is_over(self, network: str) -> bool:
        """Whether so much of a network waits already that no more is taken."""
        queue = self._blocked.get(network) or self._waiting.get(network)
        return queue is not None and len(queue) >= limits.QUERIES_WAITING

    def _is_full(self, network: str) -> bool:
        return self._running[network] >= limits.QUERIES_RUNNING

    def follow(self, payer: ConnectionCosts, task: asyncio.Task[object]) -> None:
        """A request continues in `task`: count it until that ends."""
        network = payer.network
        if not network:
            return
        self._running[network] += 1
        task.add_done_callback(lambda _: self._ended(network))

    def _ended(self, network: str) -> None:
        self._running[network] -= 1
        if not self._running[network]:
            del self._running[network]
        queue = self._blocked.pop(network, None)
        if queue is not None:
            self._waiting[network] = queue
            if not self._is_scheduled:
                self._schedule()

    def _is_committing(self) -> bool:
        return self._commits is not None and self._commits.is_committing()

    def _do(self, payer: ConnectionCosts, work: SpareWork) -> float:
        """Do `work`; returns the seconds that it took."""
        before = self._cpu.turn_to(payer)
        unpaid = payer.unpaid
        continues = True
        try:
            continues = work()
        finally:
            self._cpu.turn_to(before)
            spent = payer.unpaid - unpaid
            self._used = self._most if continues else self._used + spent
        return spent

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._is_scheduled:
            self._put_off_until = loop.time() + limits.ASIDES_LATE_SECONDS
        self._is_scheduled = True
        if self._waiting and self._is_committing() and loop.time() < self._put_off_until:
            # Not in the very next tick: a loop that never rests would take the commit's processor.
            loop.call_later(limits.COMMIT_LOOK_SECONDS, self._schedule)
        else:
            loop.call_soon(self._next_tick)

    def _next_tick(self) -> None:
        self._is_scheduled, self._used = False, 0.0
        if self._waiting:
            # Before anything is done: a bug in one must not stop the others.
            self._schedule()
        while self._waiting and self._used < self._most:
            network = next(iter(self._waiting))
            queue = self._waiting.pop(network)
            if self._is_full(network):
                self._blocked[network] = queue
                continue
            payer, work = queue.popleft()
            if queue:
                self._waiting[network] = queue
            payer.worked(self._do(payer, work), asyncio.get_running_loop().time())


def check_wait(seconds: float) -> None:
    """Raises NotAllowed("too_much") where there are seconds to wait."""
    if seconds > 0:
        raise too_much(int(seconds * 1000) + 1)


def refused(cost: Cost, seconds: float) -> int:
    """Count a refusal; returns its wait in ms."""
    count(f"budget.{cost}")
    return int(seconds * 1000) + 1
