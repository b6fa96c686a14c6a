"""Sequential halving: finds the best of a few candidates with a budget of trials.

Every remaining candidate is tried on the same deals and dice, batch after batch. After each share
of the budget the worse half is dropped. The first candidate, the greedy one, is never dropped:
another is preferred only if it is significantly better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bluebear.clients.bots.search.budget import SearchBudget

LEAST_BATCHES: Final = 24
"""Minimum number of batches before a lead can count as certain."""
CERTAIN: Final = 4.0
"""A lead of this many standard errors counts as certain."""
BATCHES_MAX: Final = 20_000
"""More than a minute of the fastest playouts that we have; bounds the memory of a search."""

Trial = Callable[[int, Sequence[int]], Sequence[float] | None]
"""(number of the batch, candidates) -> the value of each; None if it was stopped."""


@dataclass(frozen=True, slots=True)
class Race:
    """The values of each candidate in the batches that it took part in."""

    values: tuple[tuple[float, ...], ...]
    left: tuple[int, ...]

    def mean(self, candidate: int) -> float:
        """The mean value; 0 without a trial."""
        values = self.values[candidate]
        return math.fsum(values) / len(values) if values else 0.0

    def error(self, candidate: int) -> float:
        """The standard error of the mean; 1, the whole range, with less than two trials."""
        return mean_and_error(self.values[candidate])[1]

    def chosen(self, sure: float) -> int:
        """The best remaining candidate if it beats the first by `sure` standard errors, else 0."""
        best = max(self.left, key=lambda each: (self.mean(each), -each))
        if best == 0:
            return 0
        mean, error = self.lead(best, 0)
        return best if mean > sure * error else 0

    def lead(self, one: int, other: int) -> tuple[float, float]:
        """The mean lead of one candidate over another on the same deals, and its error."""
        pairs = zip(self.values[one], self.values[other], strict=False)
        return mean_and_error([ours - theirs for ours, theirs in pairs])


def race(number: int, play: Trial, purse: SearchBudget) -> Race:
    """Try candidates until the budget is spent or the best is certain."""
    values: list[list[float]] = [[] for _ in range(number)]
    left = list(range(number))
    rounds = max(1, math.ceil(math.log2(number)))
    batch = 0
    for turn in range(1, rounds + 1):
        while batch < BATCHES_MAX:
            got = play(batch, left)
            if got is None:
                return _race_of(values, left)
            for candidate, value in zip(left, got, strict=True):
                values[candidate].append(value)
            batch += 1
            if purse.spent >= turn / rounds:
                break
            if batch % LEAST_BATCHES == 0 and is_certain(_race_of(values, left)):
                return _race_of(values, left)
        if turn < rounds:
            left = _better_half(values, left)
    return _race_of(values, left)


def is_certain(race: Race) -> bool:
    """Whether the lead of the best remaining candidate is certain."""
    best = max(race.left, key=race.mean)
    leads = (race.lead(best, other) for other in race.left if other != best)
    return all(mean > CERTAIN * error for mean, error in leads)


def _better_half(values: Sequence[Sequence[float]], left: Sequence[int]) -> list[int]:
    """The better half in its old order, always with the first candidate."""
    keep = max(2, (len(left) + 1) // 2)
    ranked = sorted(left, key=lambda each: (-math.fsum(values[each]), each))
    return sorted({0, *ranked[:keep]})


def _race_of(values: Sequence[Sequence[float]], left: Sequence[int]) -> Race:
    return Race(tuple(map(tuple, values)), tuple(left))


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error; the error is 1 with less than two values."""
    number = len(values)
    if number < 2:
        return (values[0] if values else 0.0), 1.0
    mean = math.fsum(values) / number
    variance = math.fsum([(value - mean) ** 2 for value in values]) / (number - 1)
    return mean, math.sqrt(variance / number)
