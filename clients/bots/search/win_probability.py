"""The value of the end of a playout to a seat, and where it is good enough to be shown.

`python -m bluebear.clients.bots.search.calibration KEY` measures for each number of seats and each
stage of a game whether the chances predict results better than the base rate (each seat's share of
the games), and writes the game's `chances.toml`. Where they do, people see chances as numbers.
Elsewhere, and in a game without the file, moves are compared in words.

The measure is the Brier score: the mean squared difference between chance and result, lower is
better. In the file it is a whole number, in parts of `SCALE`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Final, TypeVar

from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import PlayoutEnd
from bluebear.rules.core.tables import Constraint, Entry, Text, game_file
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")

MARGIN_SHARE: Final = 0.05
"""The weight of the lead in a value, so that decided games are still played well."""
MARGIN_SPREADS: Final = 4.0
"""A lead of this many spreads counts as large."""
_FURTHEST: Final = 700.0
"""Beyond it `exp` overflows."""


Chances = tuple[float, ...]
"""The chance of each seat to be first, seat 1 first."""


def chance_of(rest: PlayoutEnd, seat: Seat) -> float:
    """The chance to be first, from 0 to 1: a softmax of the seats' expected points.

    In a finished game: 1, 0, or the seat's share of a tie for first.
    """
    if rest.first:
        return 1 / len(rest.first) if seat in rest.first else 0.0
    points = sum(rest.terms[seat - 1])
    spread = max(1, rest.spread)
    return 1 / sum([_exp((sum(terms) - points) / spread) for terms in rest.terms])


def chances_of(rest: PlayoutEnd) -> Chances:
    """The chance of each seat to be first."""
    return tuple(chance_of(rest, Seat(at)) for at in range(1, len(rest.terms) + 1))


def mean_of(rows: Sequence[Chances]) -> Chances:
    """The mean chance of each seat."""
    return tuple(math.fsum(each) / len(rows) for each in zip(*rows, strict=True))


def value_of(rest: PlayoutEnd, seat: Seat) -> float:
    """The value for a search: the chance, plus a little of the lead over the best opponent."""
    points = sum(rest.terms[seat - 1])
    rivals = [sum(terms) for at, terms in enumerate(rest.terms, start=1) if at != seat]
    # A single player has no opponents to compare with: the value is the player's points.
    lead = points - max(rivals, default=0)
    spread = MARGIN_SPREADS * max(1, rest.spread)
    margin = 1 / (1 + _exp(-lead / spread))
    return (1 - MARGIN_SHARE) * chance_of(rest, seat) + MARGIN_SHARE * margin


def _exp(exponent: float) -> float:
    return math.exp(min(_FURTHEST, exponent))


# Where chances are shown as numbers.

FILE: Final = "chances.toml"
SCALE: Final = 100_000
"""A score or an error of 1 is stored as this number."""
GAMES_LEAST: Final = 400
"""In a stage measured in fewer games no chance is shown."""
ERRORS_LEAST: Final = 2
"""Standard errors by which chances must beat the base rate to be shown."""
PERCENT: Final = 100

_Score = Annotated[int, Constraint(ge=0, le=SCALE)]
_Counted = Annotated[int, Constraint(ge=1)]
_Percent = Annotated[int, Constraint(ge=0, le=PERCENT)]


class MeasuredStage(Entry, rename={"low": "from"}):
    """The measurement of the stage from `low` to below `to` percent of the game.

    `brier` is the score of the chances, `base` that of the base rate on the same positions, one
    from each game. `error` is the standard error of their difference.
    """

    low: _Percent
    to: _Percent
    games: _Counted
    brier: _Score
    base: _Score
    error: _Score

    def __post_init__(self) -> None:
        if self.to <= self.low:
            raise ValueError(f"to: {self.to} is not beyond from, {self.low}")

    @property
    def is_reliable(self) -> bool:
        """Whether chances in this stage may be shown as numbers."""
        better = self.base - self.brier
        return self.games >= GAMES_LEAST and better > ERRORS_LEAST * self.error


class MeasuredSeats(Entry):
    """The measurements of one run of the command, for one number of seats."""

    seats: _Counted
    command: Text
    stage: Annotated[tuple[MeasuredStage, ...], Constraint(min_length=1)]

    def __post_init__(self) -> None:
        for before, stage in pairwise(self.stage):
            if stage.low < before.to:
                raise ValueError(f"stage from: {stage.low}, the stage before ends at {before.to}")


class Measurements(Entry):
    """The contents of a `chances.toml`."""

    measured: tuple[MeasuredSeats, ...] = ()


@cache  # bounded: the games
def measured(game: Game[Any]) -> dict[int, MeasuredSeats]:  # Any: any state
    """What a game's file has, by number of seats. DataError names a wrong field."""
    file, seats = game_file(Measurements, game.package, FILE, otherwise=""), game.info.seats
    made: dict[int, MeasuredSeats] = {}
    for at, each in enumerate(file.value.measured):
        if not seats.min <= each.seats <= seats.max:
            what = f"{each.seats}, the game is for {seats.min} to {seats.max}"
            raise file.fault(what, "measured", at, "seats")
        if each.seats in made:
            raise file.fault(f"{each.seats} stands twice", "measured", at, "seats")
        made[each.seats] = each
    return made


def in_numbers(game: Game[S], state: S) -> bool:
    """Whether chances may be shown as numbers in a state or view: if its stage is reliable."""
    if game.thinker is None or (stage := game.thinker.stage(state)) is None:
        return False
    of_seats = measured(game).get(stage.seats)
    stages = () if of_seats is None else of_seats.stage
    return any(each.low <= stage.percent < each.to and each.is_reliable for each in stages)
