"""How a game ended: places, scores, and how these came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bluebear.rules.core.visibility import Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's end: its place from 1 (shared places have the same number) and its score."""

    seat: Seat
    place: int
    score: int


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the breakdown of a score: phrase `score.KEY`, points, the rule it rests on."""

    seat: Seat
    key: str
    points: int
    rule: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: standings by seat, and how the scores came about."""

    standings: tuple[Standing, ...]
    breakdown: tuple[ScoreLine, ...] = ()


def ranking(scores: Mapping[Seat, int]) -> tuple[Standing, ...]:
    """Standings where more is better and equal scores share the place."""
    return tuple(
        Standing(seat, 1 + sum(other > score for other in scores.values()), score)
        for seat, score in sorted(scores.items())
    )
