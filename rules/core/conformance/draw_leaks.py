"""Checks that the events of a draw reveal no more than the viewer's next view.

One move is played several times from one position, with different draws. If the eyes see equal
views afterwards although the states differ, they must get equal events. The same holds after the
set-up. An event that `reveals` something to these eyes is not compared, but it excuses no other
event.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.conformance.flags import Flags
from bluebear.rules.core.conformance.random_play import Position, Step, start
from bluebear.rules.core.event_text import event_text, event_view, reveals_to
from bluebear.rules.core.merge_patch import Shaped, canonical
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import Event, Eyes

OTHER_SEEDS = 1_000_003
"""How far the seed of the other draws is from the seed of a walk."""


def check_setups(case: Case, seeds: Sequence[int], flags: Flags) -> None:
    """Eyes with equal views of two set-ups must get equal events. Raises ConformanceError."""
    first: dict[tuple[Eyes, bytes], Position] = {}
    for seed in seeds:
        at = start(case, seed)
        for eyes in at.all_eyes():
            key = eyes, canonical(case.game.tree.view(at.state, eyes))
            if (before := first.setdefault(key, at)) is at:
                continue
            flags.compare(before.events, at.events, eyes)
            if where := event_difference(unrevealing(before, eyes), unrevealing(at, eyes)):
                raise at.fault(
                    f"{sorted(eyes)} sees the same as with seed {before.seed}, but is told"
                    f" otherwise: {where}"
                )


def check_draws(step: Step, eyes: Eyes, flags: Flags, *, tries: int) -> None:
    """The events of a move must reveal no more of its draws than the views do."""
    at, here = step.before, step.after
    if here.counter == at.counter:
        return
    tree = at.case.game.tree
    seen, events = tree.view(here.state, eyes), unrevealing(here, eyes)
    for number in range(1, tries + 1):
        there = at.after(step.seat, step.move, at.seed + number * OTHER_SEEDS)
        if there.state == here.state or tree.view(there.state, eyes) != seen:
            continue
        flags.compare(here.events, there.events, eyes)
        if where := event_difference(events, unrevealing(there, eyes)):
            what = f"{sorted(eyes)} is sent what was drawn, and does not see it: {where}"
            raise at.fault(f"{step.line}: {what}")


def unrevealing(at: Position, eyes: Eyes) -> list[Announced]:
    """The events of a step for these eyes, without those that reveal something to them."""
    return announced(at, [each for each in at.events if not reveals_to(each, eyes)], eyes)


# Where two worlds differ, as text for an error: event, field, path.


class Announced(NamedTuple):
    """One event as it is announced to some eyes, as data and in each language."""

    event: str
    view: Shaped
    sentences: tuple[str | None, ...]


def announced(at: Position, events: Sequence[Event], eyes: Eyes) -> list[Announced]:
    """Some events as they are announced to these eyes; hidden ones are left out."""
    phrases = at.case.game.phrases
    shown = ((event, event_view(event, eyes)) for event in events)
    return [
        Announced(
            type(each).__name__,
            view,
            tuple(event_text(phrases, each, eyes, lang=lang) for lang in LANGS),
        )
        for each, view in shown
        if view is not None
    ]


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
