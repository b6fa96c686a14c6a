"""Budgets of a search: a number of seconds, or a number of playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seconds:
    """A time limit, by the clock that the search is given."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Playouts:
    """A number of playouts: with equal seeds the result is the same on every machine.

    A game's own plan uses it as its width.
    """

    number: int


Budget = Seconds | Playouts


class SearchBudget:
    """The budget of one search, and what it has spent. Owned by the search."""

    __slots__ = ("_began", "_clock", "_stopped", "budget", "playouts")

    def __init__(
        self, budget: Budget, clock: Callable[[], float], stopped: Callable[[], bool]
    ) -> None:
        self.budget = budget
        self.playouts = 0
        self._clock = clock
        self._stopped = stopped
        self._began = clock()

    @property
    def seconds(self) -> float:
        """The time that the search has taken."""
        return self._clock() - self._began

    @property
    def spent(self) -> float:
        """The fraction of the budget that is spent; 1 or more if all of it is."""
        if isinstance(self.budget, Playouts):
            return self.playouts / max(1, self.budget.number)
        return self.seconds / max(1e-6, self.budget.seconds)

    def is_wanted(self) -> bool:
        """Whether the result of the search is still needed."""
        return not self._stopped()

    def has_budget(self) -> bool:
        """Whether to run one more playout: the result is needed and the budget is not spent."""
        if self._stopped():
            return False
        # Playouts are counted between batches, so that no batch is incomplete.
        return isinstance(self.budget, Playouts) or self.spent < 1
