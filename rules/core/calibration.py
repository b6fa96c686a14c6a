"""How reliable a game's win probabilities are: `chances.toml`, measured on played games.

The search estimates each seat's probability of finishing first. For each number of seats and each
stage of the game, `python -m bluebear.clients.bots.search.calibration KEY` measures whether these
estimates predict results better than the base rate (each seat's share of the games), and writes the
file. Where they do, people see probabilities as numbers. Elsewhere, and in a game without the file,
moves are compared in words.

The measure is the Brier score: the mean squared difference between probability and result, lower
is better. Numbers are whole, as everywhere in the rules: scores are in parts of `SCALE`.
"""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from typing import Annotated, Final

from msgspec import Meta

from bluebear.rules.core.game_info import GameInfo
from bluebear.rules.core.package_data import find_file
from bluebear.rules.core.search_model import Stage
from bluebear.rules.core.tables import Entry, Text, game_file

FILE: Final = "chances.toml"
SCALE: Final = 100_000
"""A score or an error of 1 is stored as this number."""
GAMES_LEAST: Final = 400
"""In a stage measured in fewer games no probability is shown."""
ERRORS_LEAST: Final = 2
"""Standard errors by which probabilities must beat the base rate to be shown."""
PERCENT: Final = 100

_Score = Annotated[int, Meta(ge=0, le=SCALE)]
_Counted = Annotated[int, Meta(ge=1)]
_Percent = Annotated[int, Meta(ge=0, le=PERCENT)]


class MeasuredStage(Entry, rename={"low": "from"}):
    """The measurement of the stage from `low` to below `to` percent of the game.

    `brier` is the score of the probabilities, `base` that of the base rate on the same positions,
    one from each game. `error` is the standard error of their difference.
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
        """Whether probabilities in this stage may be shown as numbers."""
        better = self.base - self.brier
        return self.games >= GAMES_LEAST and better > ERRORS_LEAST * self.error


class MeasuredSeats(Entry):
    """The measurements of one run of the command, for one number of seats."""

    seats: _Counted
    command: Text
    stage: Annotated[tuple[MeasuredStage, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        for before, stage in pairwise(self.stage):
            if stage.low < before.to:
                raise ValueError(f"stage from: {stage.low}, the stage before ends at {before.to}")


class Calibration(Entry):
    """The measurements of one game's probabilities, as in its file; none without a file."""

    measured: tuple[MeasuredSeats, ...] = ()

    def is_reliable(self, stage: Stage) -> bool:
        """Whether probabilities in this stage may be shown as numbers."""
        stages = (each for of in self.measured if of.seats == stage.seats for each in of.stage)
        return any(each.low <= stage.percent < each.to and each.is_reliable for each in stages)


def load_calibration(package: str, info: GameInfo) -> Calibration:
    """Read the `chances.toml` of a game; empty if there is none. DataError names a wrong field."""
    if not resources.files(package).joinpath(find_file(package, FILE)).is_file():
        return Calibration()
    file = game_file(Calibration, package, FILE)
    numbers = [each.seats for each in file.value.measured]
    for at, seats in enumerate(numbers):
        if not info.seats.min <= seats <= info.seats.max:
            what = f"{seats}, the game is for {info.seats.min} to {info.seats.max}"
            raise file.fault(what, "measured", at, "seats")
        if seats in numbers[:at]:
            raise file.fault(f"{seats} stands twice", "measured", at, "seats")
    return file.value
