"""How far the chances of a game may be trusted: `chances.toml`, measured on games that were played.

The search promises each seat a chance to be first. Where these chances were nearer to the results
than the base rate (each seat's share of the games) is measured for each number of seats and each
stage of the game, by `python -m bluebear.clients.bots.search.calibration KEY`, which writes the
file. Only there a chance is shown to people as a number; elsewhere, and in a game without the file,
moves are compared in words.

How near predictions were is the Brier score: the mean square of the distance between a chance and
the result, less is better. Numbers are whole, as everywhere in the rules: scores are in parts of
`SCALE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from bluebear.rules.core.game_info import GameInfo, sentence_of
from bluebear.rules.core.package_data import DataError, file_of, read_toml
from bluebear.rules.core.search_model import Stage

FILE: Final = "chances.toml"
SCALE: Final = 100_000
"""Scores and their errors are in so many parts of 1."""
GAMES_LEAST: Final = 400
"""A stage that was measured in fewer games has no numbers."""
ERRORS_LEAST: Final = 2
"""By so many standard errors chances must beat the base rate."""
PERCENT: Final = 100

_Score = Annotated[int, Meta(ge=0, le=SCALE)]
_Counted = Annotated[int, Meta(ge=1)]
_Percent = Annotated[int, Meta(ge=0, le=PERCENT)]
_Text = Annotated[str, Meta(min_length=1)]


class MeasuredStage(Struct, frozen=True, forbid_unknown_fields=True, rename={"low": "from"}):
    """What was measured in the stage from `low` to below `to` percent of the game.

    `brier` is the score of the chances, `base` that of the base rate on the same positions, one of
    each game; `error` is the standard error of their difference.
    """

    low: _Percent
    to: _Percent
    games: _Counted
    brier: _Score
    base: _Score
    error: _Score

    @property
    def is_told(self) -> bool:
        """Whether chances in this stage are worth a number."""
        better = self.base - self.brier
        return self.games >= GAMES_LEAST and better > ERRORS_LEAST * self.error


class MeasuredSeats(Struct, frozen=True, forbid_unknown_fields=True):
    """What one run of the command has measured, for one number of seats."""

    seats: _Counted
    command: _Text
    stage: Annotated[tuple[MeasuredStage, ...], Meta(min_length=1)]


class _File(Struct, forbid_unknown_fields=True):
    measured: Annotated[tuple[MeasuredSeats, ...], Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured of the chances of one game, by the number of seats."""

    measured: Mapping[int, MeasuredSeats] = field(default_factory=dict)

    def is_told(self, stage: Stage) -> bool:
        """Whether a chance of this stage may be shown as a number."""
        measured = self.measured.get(stage.seats)
        return measured is not None and any(
            each.low <= stage.percent < each.to and each.is_told for each in measured.stage
        )

    @property
    def tells(self) -> bool:
        """Whether there is any stage with numbers."""
        return any(stage.is_told for each in self.measured.values() for stage in each.stage)


def load_calibration(package: str, info: GameInfo) -> Calibration:
    """What the `chances.toml` of a game says; nothing where there is none.

    DataError names the file, the field and what is wrong with it.
    """
    if not resources.files(package).joinpath(FILE).is_file():
        return Calibration()
    where = file_of(package, FILE)
    try:
        file = msgspec.convert(read_toml(package, FILE), _File)
    except msgspec.ValidationError as problem:
        raise DataError(f"{where}: {sentence_of(problem)}") from problem
    for wrong in _faults(file, info):
        raise DataError(f"{where}: {wrong}")
    return Calibration({each.seats: each for each in file.measured})


def _faults(file: _File, info: GameInfo) -> Iterator[str]:
    seats = [each.seats for each in file.measured]
    for at, measured in enumerate(file.measured):
        name = f"measured[{at}]"
        if not info.min_seats <= measured.seats <= info.max_seats:
            bounds = f"{info.min_seats} to {info.max_seats}"
            yield f"{name}.seats: {measured.seats}, the game is for {bounds}"
        if measured.seats in seats[:at]:
            yield f"{name}.seats: {measured.seats} stands twice"
        end = 0
        for number, stage in enumerate(measured.stage):
            if stage.low < end:
                yield f"{name}.stage[{number}].from: {stage.low}, the stage before ends at {end}"
            if stage.to <= stage.low:
                yield f"{name}.stage[{number}].to: {stage.to} is not beyond from, {stage.low}"
            end = stage.to
