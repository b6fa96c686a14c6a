"""Lessons: a game played in steps, each with a sentence and the line that it asks for.

A game may have some, as files `lessons/NAME.toml`: options, seed and lines make a position, and
the steps are played on from there. What the coach says during other games are situations, tables
of `coach/*.toml`. The kit plays and looks for them all (`conformance.lesson_checks`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

from msgspec import field

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import OptionValue
from bluebear.rules.core.package_data import files_in
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.tables import Entry, game_file
from bluebear.rules.core.visibility import Event, Seat


class WrongLine(Entry):
    """The answer to lines of a pattern that a learner is likely to type, with its paragraph."""

    line: str
    text: Phrase
    rule: str | None = None


class LessonStep(Entry):
    """One step. `wanted` are patterns of the lines that end it, the first the one to show; without
    any it is only read. `then` are the lines of other seats after it, `SEAT LINE`. `points` are
    what it speaks of: a kind of place, then the words that lead to it in the learner's view.
    """

    title: Phrase
    text: Phrase
    points: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    wrong: tuple[WrongLine, ...] = ()

    @property
    def shown(self) -> str:
        """The line that ends the step; "" where it is only read."""
        return self.wanted[0] if self.wanted else ""


class Lesson(Entry):
    """One lesson. `seats` are names, "" the learner's; `lines`, `SEAT LINE`, come before it."""

    title: Phrase
    seats: tuple[str, ...]
    seed: str
    steps: tuple[LessonStep, ...]
    options: dict[str, OptionValue] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    @property
    def learner(self) -> Seat:
        """The seat of the person who learns."""
        return Seat(self.seats.index("") + 1)


class Situation(Entry):
    """What is said when a situation is new to a person, with its paragraph.

    It is there when a legal line of the seat has the pattern `line`, and an event that the seat
    sees has these fields, `event` its name; the value `me` is the seat. At least one is given.
    `points` are places, with words of that line, `{1}`, or fields of that event, `{site}`.
    """

    text: Phrase
    rule: str
    line: str = ""
    event: dict[str, str | int] = field(default_factory=dict)
    points: tuple[str, ...] = ()

    def points_at(
        self, seat: Seat, lines: Iterable[str], events: Iterable[Event]
    ) -> tuple[str, ...] | None:
        """The places that it points at; None where the situation is not there."""
        fields = {name: seat if value == "me" else value for name, value in self.event.items()}
        views = (event_view(each, frozenset((seat,))) or {} for each in events)
        view = next((each for each in views if fields.items() <= each.items()), {})
        line = next((each for each in lines if fnmatchcase(each, self.line)), "")
        if (self.event and not view) or (self.line and not line):
            return None
        return tuple(point.format(*line.split(), **view) for point in self.points)


class Position(NamedTuple):
    """Where a learner is: the game, the number of its last draw, the step from 0, the events."""

    state: Any  # Any: each game has a state class of its own
    counter: int
    step: int
    events: tuple[Event, ...] = ()


@cache
def lessons_of(package: str) -> Mapping[str, Lesson]:
    """The lessons of a game's package by name, in order. Raises DataError."""
    return {
        name.removeprefix("lessons/").removesuffix(".toml"): game_file(Lesson, package, name).value
        for name in files_in(package, "lessons")
    }


@cache
def situations_of(package: str) -> Mapping[str, Situation]:
    """The situations of a game's package by name, in order. Raises DataError."""
    files = files_in(package, "coach")
    tables = (game_file(dict[str, Situation], package, file).value for file in files)
    return {name: each for table in tables for name, each in table.items()}


def begin(game: Game[Any], lesson: Lesson) -> Position:
    """The position at the first step. Raises what `Game.play` does for a wrong line."""
    chance = _chance(lesson, 0)
    made = game.setup(game.info.complete(lesson.options), len(lesson.seats), chance)
    return _played(game, lesson, Position(made.state, chance.counter, 0), lesson.lines)


def follow(game: Game[Any], lesson: Lesson, at: Position, line: str) -> Position:
    """The next step: after the learner's line, or "" where the step is only read.

    Raises NotAllowed: lesson_line with the lesson's answer, or what the game says of a line that it
    refuses and the lesson does not answer.
    """
    step, move = lesson.steps[at.step], (f"{lesson.learner} {line}",) if line else ()
    if not any(fnmatchcase(line, wanted) for wanted in step.wanted or ("",)):
        for wrong in step.wrong:
            if fnmatchcase(line, wrong.line):
                raise NotAllowed("lesson_line", rule=wrong.rule, answer=wrong.text)
        _played(game, lesson, at, move if step.wanted else ())
        lines = (step.shown, "/learn show") if step.wanted else ("/learn next",)
        answer = game.phrases.find("lesson.another")
        raise NotAllowed("lesson_line", answer=answer, candidates=lines)
    made = _played(game, lesson, at._replace(events=()), (*move, *step.then))
    return made._replace(step=at.step + 1)


def _played(game: Game[Any], lesson: Lesson, at: Position, lines: tuple[str, ...]) -> Position:
    """The position after lines of seats; one line may be several moves, `/a ; /b`."""
    for each in lines:
        seat, _, moves = each.partition(" ")
        for text in moves.split(" ; "):
            chance = _chance(lesson, at.counter)
            made = game.play(at.state, Seat(int(seat)), game.grammar.parse(text), chance)
            at = Position(made.state, chance.counter, at.step, (*at.events, *made.events))
    return at


def _chance(lesson: Lesson, counter: int) -> HmacChance:
    return HmacChance(hashlib.sha256(lesson.seed.encode()).digest(), counter)
