"""The checks of lessons: every one is played, with each line that its steps accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from bluebear.rules.core.conformance.case import ConformanceError
from bluebear.rules.core.game import Game
from bluebear.rules.core.lessons import Lesson, Position, begin, follow
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.refusal import Refusal

STEP_MOST: Final = 45, 100
"""English words and Japanese characters of what one step says."""
_STEPS_MOST: Final = 8


def check_lessons(
    game: Game[Any],  # Any: each game has a state class of its own
    lessons: Mapping[str, Lesson],
) -> None:
    """Play lessons of a game. Raises ConformanceError with all faults, one line each."""
    wrong = [f"{name} {each}" for name, of in lessons.items() for each in _faults(game, of)]
    if wrong:
        raise ConformanceError("\n".join(f"{game.info.key}: lesson {each}" for each in wrong))


def _faults(game: Game[Any], lesson: Lesson) -> Iterator[str]:
    if not 1 <= len(lesson.steps) <= _STEPS_MOST or lesson.steps[-1].wanted:
        yield f"has {len(lesson.steps)} steps: 1 to {_STEPS_MOST}, of which the last is only read"
        return
    at = Position(None, 0, 0)
    try:
        at = begin(game, lesson)
        for step in lesson.steps:
            yield from (f"step {at.step + 1}: {fault}" for fault in _data(game, lesson, at))
            legal = map(game.grammar.format, game.legal(at.state, lesson.learner))
            for line in legal if step.wanted else ():
                if any(fnmatchcase(line, wanted) for wanted in step.wanted):
                    other = follow(game, lesson, at, line)
                    for rest in lesson.steps[other.step :]:
                        other = follow(game, lesson, other, rest.shown)
            at = follow(game, lesson, at, step.shown)
    except Refusal as refusal:
        yield f"cannot be played on after step {at.step}: {refusal.code} {refusal.params}"


def _data(game: Game[Any], lesson: Lesson, at: Position) -> Iterator[str]:
    step = lesson.steps[at.step]
    both = Phrase(f"{step.title.en} {step.text.en}", f"{step.title.ja} {step.text.ja}")
    for text in (both, *(wrong.text for wrong in step.wrong)):
        size = len(text.en.split()), len(text.ja.strip())
        if not all(size) or size[0] > STEP_MOST[0] or size[1] > STEP_MOST[1]:
            yield f"{size} words and Japanese characters, at most {STEP_MOST}: {text.en}"
    view = game.tree.dump(game.seen(at.state, frozenset((lesson.learner,))))
    slots = (slot for verb in game.grammar.verbs.values() for slot in verb.slots)
    names = {*re.findall(r"\w+", str(view)), *(text for slot in slots for text in slot.values())}
    for point in step.points:
        if unknown := set(point.split()[1:]) - names:
            yield f"points at {point}: {unknown} is neither in the view nor in a line"
    for wrong in step.wrong:
        if wrong.rule is not None and wrong.rule not in game.rules:
            yield f"{wrong.line} rests on {wrong.rule}, which is no paragraph"
