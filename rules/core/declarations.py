"""The moves and events that the modules of a game declare as classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.package_data import OLDER
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import DRAFT, Event, Move

T = TypeVar("T")


def check_declared(moves: Iterable[type[Move]], events: Iterable[type[Event]]) -> None:
    """Raise VisibilityError if a move or an event is declared wrongly: when the game loads."""
    for move in moves:
        tree_of(move, inside_seat=True)
    for event in events:
        event_form(event)


def classes_below(base: type[T], package: str) -> tuple[type[T], ...]:
    """The subclasses of `base` defined in a package, sorted by name.

    Those in the folders of older rules versions (`rulesN`) are left out.
    """
    found: dict[str, type[T]] = {}
    waiting = [base]
    while waiting:
        for cls in waiting.pop().__subclasses__():
            waiting.append(cls)
            if hasattr(cls, DRAFT):
                continue
            below = cls.__module__.removeprefix(package)
            inside = cls.__module__ == package or below.startswith(".")
            if inside and OLDER.match(below[1:].partition(".")[0]) is None:
                found[cls.__qualname__] = cls
    return tuple(found[name] for name in sorted(found))
