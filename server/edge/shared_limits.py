"""Wrong tries count at all nodes: what one node charges for a guess, the others charge, too.

A node charges a try before it awaits anything, so at one node a bound is exact. The others charge
it a moment later, as a debt where nothing is left: guesses at several nodes in that moment delay
later ones, so in the long run no more is guessed than at one.
"""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import Cost

TELL_SECONDS: Final = 0.1
"""What is given back within so long, as by every token that is right, is not told."""

_COSTS: Final = frozenset(map(str, Cost))


class Spent(NodeMessage, frozen=True):
    """The costs of recent wrong tries: which bound, the network, the person, how much."""

    spent: list[tuple[str, str, str, float]]


class SharedRateLimits:
    """Owned by the app; shares the costs of the budgets of this node with the others."""

    def __init__(self, budgets: Budgets, peers: Peers) -> None:
        self._budgets = budgets
        self._peers = peers
        self._spent: dict[tuple[Cost, str, str], float] = {}
        self._timer: asyncio.TimerHandle | None = None
        budgets.on_cost = self._spends
        peers.hears(Spent, self._spent_elsewhere)

    def _spends(self, cost: Cost, network: str, person: str, amount: float) -> None:
        if not self._peers.ids:
            return
        key = cost, network, person
        self._spent[key] = self._spent.get(key, 0.0) + amount
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        spent = [
            (str(cost), network, person, amount)
            for (cost, network, person), amount in self._spent.items()
            if amount
        ]
        self._spent.clear()
        if spent:
            self._peers.tell(Spent(spent))

    def _spent_elsewhere(self, message: Spent) -> None:
        now = asyncio.get_running_loop().time()
        for cost, network, person, amount in message.spent:
            # A node of a later version may count what this one does not know.
            if cost in _COSTS:
                self._budgets.add_remote_cost(Cost(cost), now, network, person, amount)

    def close(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
