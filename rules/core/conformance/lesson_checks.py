"""The checks of lessons, each played with every line that its steps accept, and of the coach's
situations, each looked for in random games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from bluebear.rules.core.conformance.case import Case, ConformanceError
from bluebear.rules.core.conformance.random_play import walk
from bluebear.rules.core.conformance.static_checks import check_size
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.lessons import Lesson, Position, Situation, begin, follow
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat

_TEXT_MOST: Final = 45, 100
"""English words and Japanese characters of what is said at once."""
_STEPS_MOST: Final = 8


def check_lessons(
    game: Game[Any],  # Any: each game has a state class of its own
    lessons: Mapping[str, Lesson],
) -> None:
    """Play lessons of a game. Raises ConformanceError with all faults, one line each."""
    if wrong := [f"{name} {each}" for name, of in lessons.items() for each in _faults(game, of)]:
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
    yield from _texts(both, *(wrong.text for wrong in step.wrong))
    yield from _points(game, at.state, lesson.learner, step.points)
    for wrong in step.wrong:
        if wrong.rule is not None and wrong.rule not in game.rules:
            yield f"{wrong.line} rests on {wrong.rule}, which is no paragraph"


def check_situations(
    case: Case, situations: Mapping[str, Situation], seeds: Iterable[int]
) -> Sequence[str]:
    """Look for situations in random games; the names of those that did not come up.

    Raises ConformanceError with all faults of their data, and of the places that they point at.
    """
    game, unmet = case.game, dict(situations)
    wrong = [f"{name} {each}" for name, of in situations.items() for each in _gaps(game, of)]
    for at in (step.after for seed in seeds if unmet for step in walk(case, seed)):
        movers = at.movers()
        for seat in at.seats():
            moves = game.plain(at.state, seat) if seat in movers else ()
            lines = [*map(game.grammar.format, moves)]
            for name, each in list(unmet.items()):
                if (points := each.points_at(seat, lines, at.events)) is not None:
                    del unmet[name]
                    wrong += [f"{name} {fault}" for fault in _points(game, at.state, seat, points)]
        if not unmet:
            break
    if wrong:
        raise ConformanceError("\n".join(f"{game.info.key}: situation {each}" for each in wrong))
    return list(unmet)


def _gaps(game: Game[Any], situation: Situation) -> Iterator[str]:
    yield from _texts(situation.text)
    if situation.rule not in game.rules:
        yield f"rests on {situation.rule}, which is no paragraph"
    if not situation.line and not situation.event:
        yield "has neither a line nor an event"
    verb = situation.line.removeprefix("/").partition(" ")[0]
    if situation.line and verb not in game.grammar.verbs:
        yield f"waits for {situation.line}: {verb} is no verb"
    name = situation.event.get("event")
    if situation.event and name not in {event_form(each).name for each in game.events}:
        yield f"waits for {name}, which is no event"


def _texts(*texts: Phrase) -> Iterator[str]:
    for text in texts:
        yield from check_size(f"{text.en!r}", text, _TEXT_MOST)


def _points(game: Game[Any], state: Any, seat: Seat, points: Iterable[str]) -> Iterator[str]:
    for point in points:
        kind, *labels = point.split()
        if kind not in game.info.places:
            yield f"points at {point}: {kind} is no kind of place in game.toml"
        elif unknown := [each for each in labels if not _is_there(game, state, seat, kind, each)]:
            yield f"points at {point}: {unknown} is neither there in the view nor in a line"


def _is_there(game: Game[Any], state: Any, seat: Seat, kind: str, label: str) -> bool:
    """Whether the part of the seat's view for a kind of place has a label, or its number.

    For a kind without a part: whether the view or the lines of the game have the label.
    """
    part: Any = game.tree.dump(game.seen(state, frozenset((seat,))))
    path = game.info.places[kind].format(seat=seat)
    for name in path.split(".") if path else ():
        part = part.get(name, {})
    number = re.sub(r"\D+0*", "", label)  # `n04` is 4 in a view
    if {label, number} & {*re.findall(r"\w+", str(part))}:
        return True
    verbs = game.grammar.verbs
    slots = (slot for verb in verbs.values() for slot in verb.slots)
    return not path and (label[1:] in verbs or any(label in slot.values() for slot in slots))
