"""The result of a game: ranks, scores, and what the scores consist of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bluebear.rules.core.visibility import Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """The rank of a seat from 1 (`place`; equal for a tie) and its score."""

    seat: Seat
    place: int
    score: int


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score's breakdown: phrase `score.KEY`, points, paragraph of the rules."""

    seat: Seat
    key: str
    points: int
    rule: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: standings by seat, and the breakdown of the scores."""

    standings: tuple[Standing, ...]
    breakdown: tuple[ScoreLine, ...] = ()


def ranking(scores: Mapping[Seat, int]) -> tuple[Standing, ...]:
    """Standings by score, more is better; equal scores share a rank."""
    return tuple(
        Standing(seat, 1 + sum(other > score for other in scores.values()), score)
        for seat, score in sorted(scores.items())
    )
