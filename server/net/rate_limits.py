"""What strangers may cost in time, each bound with its reason; the table of docs/operations.md.

How a bound is held: a bucket for what is spent over time, a share of each tick of the loop for its
time. When many connect at once, or one sends as much as goes, the others have their turn in each
tick.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary


class Cost(StrEnum):
    """What is bounded by time: things done, bytes said, seconds of the loop, calls to the lobby."""

    CONNECTION = "connection"
    REQUEST = "request"
    NOTICE = "told"
    GUEST = "guest"
    ROOM = "room"
    ACCOUNT = "account"
    LOGIN = "login"
    ENTRY = "entry"
    WRONG = "wrong"
    LINES = "lines"
    BYTES = "bytes"
    LOOP = "loop"
    CALL = "call"
    STEPS = "steps"
    ANALYSIS = "analysis"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Bound:
    """So much at once, and so much in a second in the long run."""

    burst: float
    per_second: float
    why: str

    def times(self, count: int) -> Bound:
        """The same for so many together."""
        return Bound(self.burst * count, self.per_second * count, self.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """All bounds by time: for an address (of IPv6 a /64), for a person, for the server.

    A neighbourhood, a /48 of IPv6, has so many times what an address has: all its networks may be
    one stranger's, who gets it for nothing.
    """

    address: Mapping[Cost, Bound]
    person: Mapping[Cost, Bound]
    server: Mapping[Cost, Bound]


NEIGHBOURS: Final = 8
"""Households of one /48 that are there at once."""

BOUNDS: Final = Bounds(
    address={
        Cost.CONNECTION: Bound(60, 1, "a family whose router has just come back, all tabs at once"),
        Cost.REQUEST: Bound(400, 20, "a page of many files, opened again by a whole family"),
        Cost.NOTICE: Bound(
            20, 1 / 5, "repeated connections over the limit are closed without a reply"
        ),
        Cost.GUEST: Bound(20, 1 / 30, "a school class in one evening; names are not harvested"),
        Cost.ROOM: Bound(30, 1 / 60, "a club evening of ten tables, opened again and again"),
        Cost.ACCOUNT: Bound(
            10, 1 / 60, "a family that registers; each one is a hash and a permanent name"
        ),
        Cost.WRONG: Bound(40, 1 / 15, "mistyped numbers, links and passwords of a family"),
        Cost.ENTRY: Bound(10, 1 / 60, "a family that mistypes the server's password"),
        Cost.LINES: Bound(
            600, 100, "a table full of bots that play fast, and a family beside them"
        ),
        Cost.BYTES: Bound(512 * 1024, 4 * 1024, "a club that chats; chat is stored permanently"),
        Cost.LOOP: Bound(0.25, 0.05, "a twentieth of the server: a hundred moves a second"),
        Cost.CALL: Bound(20, 1 / 2, "a family that chats in the lobby"),
        Cost.STEPS: Bound(40_000, 200, "a club that looks at its games of the evening"),
        Cost.ANALYSIS: Bound(10, 1 / 120, "a club's games of the evening; a minute each"),
    },
    person={
        Cost.LOGIN: Bound(20, 1 / 30, "tries for one name, however many addresses guess at it"),
        Cost.BYTES: Bound(64 * 1024, 512, "two hundred long lines at once, then a page a minute"),
        Cost.LOOP: Bound(0.5, 0.05, "what the slowest lines that a person can mean add up to"),
        Cost.CALL: Bound(5, 1 / 4, "a sentence or two; all people in the lobby read them"),
        Cost.STEPS: Bound(15_000, 100, "the longest game from end to end, and two usual ones"),
        Cost.ANALYSIS: Bound(3, 1 / 300, "the games of an evening, one after the other"),
        Cost.REPORT: Bound(3, 1 / 600, "all people at a table but oneself; operators read each"),
    },
    server={
        Cost.CONNECTION: Bound(2_000, 200, "all clients reconnect after a restart"),
        Cost.GUEST: Bound(200, 5, "a link on a popular page; each one is a row for a month"),
        Cost.ROOM: Bound(200, 5, "each one is a row, and a line in the list"),
        Cost.ENTRY: Bound(
            100, 1, "a club that joins at the same time, and guesses from everywhere"
        ),
        Cost.CALL: Bound(40, 4, "more cannot be read in the lobby"),
        Cost.STEPS: Bound(100_000, 600, "a sixteenth of the loop in the long run, in slices"),
        Cost.ANALYSIS: Bound(20, 1 / 60, "what house bots have time for beside their games"),
    },
)
"""The default; measurements lift them."""

YELLS: Final = {Cost.CALL: Bound(1, 1 / 60, "once for each room and minute")}
"""For a room, of sentences about it to the whole lobby."""

NUDGES: Final = {Cost.CALL: Bound(1, 1 / 30, "a player who thinks is not rung all the time")}
"""For a seat, of rings."""

REQUESTS: Final = {
    Cost.CALL: Bound(1, 1 / 60, "a player who has not replied is not asked all the time")
}
"""For a seat, of requests to look into its hand."""

NO_BOUNDS: Final = Bounds(address={}, person={}, server={})
"""For measuring."""


K = TypeVar("K")
V = TypeVar("V")


class TokenBucket:
    """Refills with time, which its owner passes in, in seconds."""

    __slots__ = ("__weakref__", "_at", "_burst", "_left", "_per_second")

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = burst
        self._at = now

    def consume(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` tokens if they are there; whether they were."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if left < amount:
            self._left = left
            return False
        self._left = left - amount
        return True

    def wait(self, now: float, amount: float) -> float:
        """Seconds until `amount` tokens are there; 0 if they are."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        return max(0.0, (amount - left) / self._per_second)

    def charge(self, now: float, amount: float) -> None:
        """Take `amount` also where it is not there, which leaves a debt; below 0 gives back."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        self._left = min(self._burst, left - amount)


def consume_all(buckets: Sequence[TokenBucket], now: float, amount: float = 1.0) -> float:
    """Take `amount` tokens of every bucket, or none of any; seconds to wait for them, 0: taken."""
    for index, bucket in enumerate(buckets):
        if not bucket.consume(now, amount):
            for taken in buckets[:index]:
                taken.charge(now, -amount)
            return wait_for_all(buckets, now, amount)
    return 0.0


def wait_for_all(buckets: Sequence[TokenBucket], now: float, amount: float = 1.0) -> float:
    """Seconds until every bucket has `amount` tokens."""
    return max((bucket.wait(now, amount) for bucket in buckets), default=0.0)


def put_recent(stored: dict[K, V], key: K, value: V, most: int) -> None:
    """Store a value as the one used last; of more than `most` the one idle for longest goes."""
    # Taken out and put back: a dict has its keys in the order in which they were put.
    stored.pop(key, None)
    stored[key] = value
    if len(stored) > most:
        del stored[next(iter(stored))]


_IPV6_PREFIX: Final = 64
"""One household or one machine has a whole network of addresses in IPv6."""
_NEAR_PREFIX: Final = 48
"""So much of IPv6 a customer may get, with 65,536 networks."""
_CACHED: Final = 4096
"""Addresses whose network need not be worked out again."""


@lru_cache(maxsize=_CACHED)
def network_of(address: str) -> str:
    """The network that pays for an address: the IPv4 address itself, or a /64 of IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return str(ipaddress.IPv6Network((int(parsed), _IPV6_PREFIX), strict=False).network_address)
    return str(parsed)


@lru_cache(maxsize=_CACHED)
def neighbourhood_of(network: str) -> str:
    """The /48 of an IPv6 network, as a key of its own; "" for any other."""
    if ":" not in network:
        return ""
    try:
        parsed = ipaddress.IPv6Address(network)
    except ValueError:
        return ""
    return str(ipaddress.IPv6Network((int(parsed), _NEAR_PREFIX), strict=False))


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
