"""Can what people were told be explained by what is stored? The idea is Jepsen's.

A history is what its people did: a line was said at some time, and answered `done`, refused, or
not at all. Whatever the weather was, each `done` stands in the journal once, a refused line
nowhere, one without an answer at most once; and if a line was answered before another one was said,
it stands before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum


class Fate(Enum):
    """How a line was answered."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Act:
    """One line in one room: who said it under which id, from when to when, in seconds.

    `ended` is infinite where no answer came; `version` is that of the answer.
    """

    actor: str
    line: str
    began: float
    ended: float
    fate: Fate
    version: int | None = None


Stored = Sequence[tuple[str, str, int]]
"""What a room's journal holds, in order: actor, id, version. Entries without an id are left out."""


def faults_of(history: Sequence[Act], stored: Stored) -> Iterator[str]:
    """What cannot be explained."""
    positions = {(actor, line): version for actor, line, version in stored}
    for (actor, line), count in Counter((actor, line) for actor, line, _ in stored).items():
        if count > 1:
            yield f"{actor} {line} is stored {count} times"
    for act in history:
        position = positions.get((act.actor, act.line))
        if act.fate is Fate.DONE and position is None:
            yield f"{act.actor} {act.line} was done, and is not stored"
        elif act.fate is Fate.DONE and act.version not in (None, position):
            yield f"{act.actor} {act.line} was done at {act.version}, and is stored at {position}"
        elif act.fate is Fate.REFUSED and position is not None:
            yield f"{act.actor} {act.line} was refused, and is stored at {position}"
    yield from _out_of_order(history, positions)


def _out_of_order(history: Sequence[Act], positions: dict[tuple[str, str], int]) -> Iterator[str]:
    """Lines that stand behind one which was said only after their answer had come."""
    registered = [
        (positions[act.actor, act.line], act)
        for act in history
        if (act.actor, act.line) in positions
    ]
    registered.sort(key=lambda pair: pair[0])
    latest: Act | None = None
    for position, act in registered:
        if latest is not None and act.ended < latest.began:
            yield f"{act.actor} {act.line} at {position} was answered before {latest.line} was said"
        if latest is None or act.began > latest.began:
            latest = act
