"""How long may a search go on? A number of seconds, or a number of playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seconds:
    """So long, by whatever clock the search is given."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Playouts:
    """So many playouts: with the same seed the same thought on every machine.

    A plan of a game's own takes it as its width.
    """

    number: int


Budget = Seconds | Playouts


class SearchBudget:
    """What one search may spend and has spent. Owner: the search."""

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
        """How long the search has taken."""
        return self._clock() - self._began

    @property
    def spent(self) -> float:
        """Which part of the budget is gone; 1 or more when all is."""
        if isinstance(self.budget, Playouts):
            return self.playouts / max(1, self.budget.number)
        return self.seconds / max(1e-6, self.budget.seconds)

    def is_wanted(self) -> bool:
        """Whether somebody still waits for an answer."""
        return not self._stopped()

    def goes_on(self) -> bool:
        """Whether one more playout is worth its while: it is waited for, and time is left."""
        if self._stopped():
            return False
        # A number of playouts is looked at between batches, so that none is half.
        return isinstance(self.budget, Playouts) or self.spent < 1
