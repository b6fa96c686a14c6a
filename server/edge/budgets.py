"""What strangers may cost: bounds by address, by person and for the whole server.

People and connections are free for whoever makes them, so what they cost is bounded by where they
come from, too. Everything is taken before it is waited for, and given back where it was in vain.
The bounds and their reasons are in `bounds`.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.bucket import Bucket
from bluebear.server.edge.bounds import NEIGHBOURS, Bound, Bounds, Cost
from bluebear.server.limits import SPENDERS_MAX
from bluebear.server.observe import count
from bluebear.server.recent import keep

_IPV6_PREFIX: Final = 64
"""One household or one machine has a whole network of addresses in IPv6."""
_NEAR_PREFIX: Final = 48
"""So much of IPv6 a customer may get, with 65,536 networks."""
_KNOWN: Final = 4096
"""Addresses whose network need not be worked out again: each line asks for it several times."""

TOLD_ELSEWHERE: Final = frozenset((Cost.WRONG, Cost.LOGIN, Cost.ENTRY))
"""Bounds on wrong tries: a guess at one edge is one at all."""

Heed: TypeAlias = Callable[[Cost, str, str, float], None]
"""Is told of a cost by network, person and amount."""


@lru_cache(maxsize=_KNOWN)
def network_of(address: str) -> str:
    """Where somebody comes from: an IPv4 address, or a /64 of IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return str(ipaddress.IPv6Network((int(found), _IPV6_PREFIX), strict=False).network_address)
    return str(found)


@lru_cache(maxsize=_KNOWN)
def neighbourhood_of(network: str) -> str:
    """The /48 of an IPv6 network, as a key of its own; "" for any other."""
    if ":" not in network:
        return ""
    try:
        found = ipaddress.IPv6Address(network)
    except ValueError:
        return ""
    return str(ipaddress.IPv6Network((int(found), _NEAR_PREFIX), strict=False))


class Spending:
    """What each key (an address, a person, or the server as a whole) has left of some bounds."""

    def __init__(self, bounds: Mapping[Cost, Bound]) -> None:
        self.bounds = bounds
        self._buckets: dict[tuple[Cost, str], Bucket] = {}

    def wait(self, cost: Cost, key: str, now: float, amount: float = 1.0) -> float:
        """Seconds until a key can spend so much; 0 if it can now, or is not bounded."""
        bucket = self._bucket(cost, key, now)
        return 0.0 if bucket is None else bucket.wait(now, amount)

    def take(self, cost: Cost, key: str, now: float, amount: float = 1.0) -> None:
        """Spend, also below zero: what something has cost may be known only afterwards."""
        bucket = self._bucket(cost, key, now)
        if bucket is not None:
            bucket.spend(now, amount)

    def _bucket(self, cost: Cost, key: str, now: float) -> Bucket | None:
        bound = self.bounds.get(cost)
        if bound is None:
            return None
        bucket = self._buckets.get((cost, key))
        if bucket is None:
            bucket = Bucket(bound.burst, bound.per_second, now)
        keep(self._buckets, (cost, key), bucket, SPENDERS_MAX)
        return bucket


def too_much(wait_ms: int) -> NotAllowed:
    """The refusal of what costs more than there is left."""
    return NotAllowed("too_much", seconds=-(-wait_ms // 1000), retry_ms=wait_ms)


class Budgets:
    """Owned by the app. Waits are in milliseconds, for whoever is told to come again."""

    def __init__(self, bounds: Bounds) -> None:
        self._address = Spending(bounds.address)
        near = {cost: bound.times(NEIGHBOURS) for cost, bound in bounds.address.items()}
        self._near = Spending(near)
        self._person = Spending(bounds.person)
        self._server = Spending(bounds.server)
        self._open: Counter[str] = Counter()
        self.heed: Heed = _nobody
        """Is told what is taken of bounds that hold at all edges."""

    # Connections that are open, also those that have not said hello.

    def comes(self, address: str) -> None:
        """A connection of an address is open."""
        self._open.update(_keys(address))

    def goes(self, address: str) -> None:
        """It is no more."""
        for key in _keys(address):
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]

    def is_crowded(self, address: str, most: int) -> bool:
        """Whether so many of one address are there already, or of its neighbourhood."""
        here, *near = (self._open[key] for key in _keys(address))
        return here >= most or any(count >= most * NEIGHBOURS for count in near)

    # What is spent with time.

    def take(
        self, cost: Cost, now: float, *, address: str, person: str = "", amount: float = 1.0
    ) -> int:
        """Spend on behalf of a person at an address; the wait in ms if that is too much.

        Nothing is spent then. `address` "" is the house itself, which is not bounded.
        """
        if not address:
            return 0
        accounts = self._accounts(cost, address, person)
        wait = max([spending.wait(cost, key, now, amount) for spending, key in accounts], default=0)
        if wait > 0:
            count(f"budget.{cost}")
            return int(wait * 1000) + 1
        for spending, key in accounts:
            spending.take(cost, key, now, amount)
        self._tell(cost, address, person, amount)
        return 0

    def wait(
        self, cost: Cost, now: float, *, address: str, person: str = "", amount: float = 1.0
    ) -> int:
        """The wait in ms until so much can be spent; 0 if it can now."""
        if not address:
            return 0
        accounts = self._accounts(cost, address, person)
        longest = max(
            [spending.wait(cost, key, now, amount) for spending, key in accounts], default=0
        )
        return int(longest * 1000) + 1 if longest > 0 else 0

    def used_up(self, now: float) -> bool:
        """Whether the server's own bound on connections or on new people lets nobody in now."""
        return any(self._server.wait(cost, "", now) > 0 for cost in (Cost.CONNECTION, Cost.GUEST))

    def charge(
        self, cost: Cost, now: float, amount: float, *, address: str, person: str = ""
    ) -> None:
        """What something has cost, known afterwards; it may leave a debt."""
        if address:
            for spending, key in self._accounts(cost, address, person):
                spending.take(cost, key, now, amount)
            self._tell(cost, address, person, amount)

    def _tell(self, cost: Cost, address: str, person: str, amount: float) -> None:
        if cost in TOLD_ELSEWHERE:
            self.heed(cost, network_of(address), person, amount)

    def spent_elsewhere(
        self, cost: Cost, now: float, network: str = "", person: str = "", amount: float = 1.0
    ) -> None:
        """Somebody at another edge has spent; "": what the whole server has for everybody."""
        self._server.take(cost, "", now, amount)
        if network:
            for spending, key in self._places(network):
                spending.take(cost, key, now, amount)
        if person:
            self._person.take(cost, person, now, amount)

    def give_back(self, cost: Cost, now: float, *, address: str, person: str = "") -> None:
        """What was taken led to nothing."""
        self.charge(cost, now, -1.0, address=address, person=person)

    def _accounts(self, cost: Cost, address: str, person: str) -> list[tuple[Spending, str]]:
        """Who pays for something: those for whom it is bounded."""
        made = self._places(address) if cost in self._address.bounds else []
        if cost in self._server.bounds:
            made.append((self._server, ""))
        if person and cost in self._person.bounds:
            made.append((self._person, person))
        return made

    def _places(self, address: str) -> list[tuple[Spending, str]]:
        return list(zip((self._address, self._near), _keys(address), strict=False))


@lru_cache(maxsize=_KNOWN)
def _keys(address: str) -> tuple[str, ...]:
    network = network_of(address)
    near = neighbourhood_of(network)
    return (network, near) if near else (network,)


def _nobody(cost: Cost, network: str, person: str, amount: float) -> None:
    """Nobody wants to hear of it."""
