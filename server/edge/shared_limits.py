"""Wrong tries hold at all edges: what one takes for a guess, the others take, too.

Each edge takes what a try costs before anything is waited for, so at one edge a bound is exact. The
others hear of it a moment later and take it also where nothing is left, which is a debt: whoever
guesses at several edges in that moment waits for it afterwards, so in the long run no more is
guessed than at one.
"""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.server.edge.others import Others
from bluebear.server.edge.words import Spent
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import Cost

TELL_SECONDS: Final = 0.1
"""What is given back within so long, as by every token that is right, is not told."""

_COSTS: Final = frozenset(map(str, Cost))


class SharedRateLimits:
    """Owned by the app; hears of the budgets of this edge and of those of the others."""

    def __init__(self, budgets: Budgets, others: Others) -> None:
        self._budgets = budgets
        self._others = others
        self._spent: dict[tuple[Cost, str, str], float] = {}
        self._timer: asyncio.TimerHandle | None = None
        budgets.on_cost = self._spends
        others.hears(Spent, self._spent_elsewhere)

    def _spends(self, cost: Cost, network: str, person: str, amount: float) -> None:
        if self._others.way is None:
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
            self._others.tell(Spent(spent))

    def _spent_elsewhere(self, word: Spent) -> None:
        now = asyncio.get_running_loop().time()
        for cost, network, person, amount in word.spent:
            # An edge of a later version may count what this one does not know.
            if cost in _COSTS:
                self._budgets.add_remote_cost(Cost(cost), now, network, person, amount)

    def close(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
