"""Lessons: a game played in steps, each with a sentence and the line that it asks for.

A game may have some, as files `lessons/NAME.toml`: options, seed and lines make a position, and
the steps are played on from there. The kit plays them all (`conformance.lesson_checks`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import OptionValue
from bluebear.rules.core.package_data import texts_in
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.tables import DataFile
from bluebear.rules.core.visibility import Event, Seat


class WrongLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to lines of a pattern that a learner is likely to type, with its paragraph."""

    line: str
    text: Phrase
    rule: str | None = None


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
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


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson. `seats` are names, "" the learner's; `lines`, `SEAT LINE`, come before it."""

    title: Phrase
    seats: tuple[str, ...]
    seed: str
    steps: tuple[LessonStep, ...]
    options: dict[str, OptionValue] = {}
    lines: tuple[str, ...] = ()

    @property
    def learner(self) -> Seat:
        """The seat of the person who learns."""
        return Seat(self.seats.index("") + 1)


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
        path.rpartition("/")[2].removesuffix(".toml"): DataFile(Lesson, text, path).value
        for path, text in texts_in(package, "lessons").items()
    }


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
