"""Where two worlds differ for a viewer, in words that a fault can say: events, fields, paths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from bluebear.rules.core.conformance.random_play import Position
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import Event, Eyes


class Told(NamedTuple):
    """What eyes are told of one event, as data and in words."""

    event: str
    view: Shaped
    sentences: tuple[str | None, ...]


def told_of(at: Position, events: Sequence[Event], eyes: Eyes) -> list[Told]:
    """What eyes are told of some events; what they do not learn of is left out."""
    phrases = at.case.game.phrases
    told = []
    for event in events:
        view = event_view(event, eyes)
        if view is not None:
            said = tuple(event_text(phrases, event, eyes, lang=lang) for lang in LANGS)
            told.append(Told(type(event).__name__, view, said))
    return told


def told_apart(here: Sequence[Told], there: Sequence[Told]) -> str:
    """`Drew.card`: the first event that is told otherwise, and its field; empty if none is."""
    for ours, theirs in zip_longest(here, there):
        if ours == theirs:
            continue
        if ours is None or theirs is None or ours.event != theirs.event:
            return " or ".join(each.event for each in (ours, theirs) if each is not None)
        return ours.event + seen_apart(ours.view, theirs.view)
    return ""


def seen_apart(here: object, there: object) -> str:
    """`.seats.1.hand`: the path to the first part of two views that differs; empty if none does."""
    if isinstance(here, dict) and isinstance(there, dict):
        for name in sorted(here.keys() | there.keys()):
            if here.get(name) != there.get(name):
                return f".{name}{seen_apart(here.get(name), there.get(name))}"
    return ""
