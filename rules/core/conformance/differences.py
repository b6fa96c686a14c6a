"""Where two worlds differ for a viewer, as text for an error: event, field, path."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from bluebear.rules.core.conformance.random_play import Position
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import Event, Eyes


class Announced(NamedTuple):
    """One event as it is announced to some eyes, as data and in each language."""

    event: str
    view: Shaped
    sentences: tuple[str | None, ...]


def announced(at: Position, events: Sequence[Event], eyes: Eyes) -> list[Announced]:
    """Some events as they are announced to these eyes; hidden ones are left out."""
    phrases = at.case.game.phrases
    made = []
    for event in events:
        view = event_view(event, eyes)
        if view is not None:
            sentences = tuple(event_text(phrases, event, eyes, lang=lang) for lang in LANGS)
            made.append(Announced(type(event).__name__, view, sentences))
    return made


def event_difference(here: Sequence[Announced], there: Sequence[Announced]) -> str:
    """`Drew.card`: the first event that differs, and its field; empty if none does."""
    for ours, theirs in zip_longest(here, there):
        if ours == theirs:
            continue
        if ours is None or theirs is None or ours.event != theirs.event:
            return " or ".join(each.event for each in (ours, theirs) if each is not None)
        return ours.event + view_difference(ours.view, theirs.view)
    return ""


def view_difference(here: object, there: object) -> str:
    """`.seats.1.hand`: the path to the first difference of two views; empty if there is none."""
    if isinstance(here, dict) and isinstance(there, dict):
        for name in sorted(here.keys() | there.keys()):
            if here.get(name) != there.get(name):
                return f".{name}{view_difference(here.get(name), there.get(name))}"
    return ""
