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
    for point in step.points:
        kind, *labels = point.split()
        if kind not in game.info.places:
            yield f"points at {point}: {kind} is no kind of place in game.toml"
        elif unknown := [each for each in labels if not _is_there(game, lesson, at, kind, each)]:
            yield f"points at {point}: {unknown} is neither there in the view nor in a line"
    for wrong in step.wrong:
        if wrong.rule is not None and wrong.rule not in game.rules:
            yield f"{wrong.line} rests on {wrong.rule}, which is no paragraph"


def _is_there(game: Game[Any], lesson: Lesson, at: Position, kind: str, label: str) -> bool:
    """Whether the part of the learner's view for a kind of place has a label, or its number.

    For a kind without a part: whether the view or the lines of the game have the label.
    """
    part: Any = game.tree.dump(game.seen(at.state, frozenset((lesson.learner,))))
    path = game.info.places[kind].format(seat=lesson.learner)
    for name in path.split(".") if path else ():
        part = part.get(name, {})
    number = re.sub(r"\D+0*", "", label)  # `n04` is 4 in a view
    if {label, number} & {*re.findall(r"\w+", str(part))}:
        return True
    verbs = game.grammar.verbs
    slots = (slot for verb in verbs.values() for slot in verb.slots)
    return not path and (label[1:] in verbs or any(label in slot.values() for slot in slots))
