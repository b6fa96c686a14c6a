"""Other draws: what a viewer is told of a draw must not say more than what he sees after it.

The same position and the same move, with other draws: where the eyes see the same afterwards and
something hidden is not the same, they are told the same. So it is after the set-up. An event that
`reveals` is left out, and excuses nothing but itself; so does a die that is rolled in the open
beside a hidden change.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.conformance.case import Case
from rules.core.conformance.walk import Position, start
from rules.core.merging import Shaped, canonical
from rules.core.phrases import LANGS
from rules.core.telling import event_text, event_view
from rules.core.vision import Event, Eyes, Move, Seat

OTHER_SEEDS = 1_000_003
"""How far the seed of the other draws is from the seed of a walk."""


def check_setups(case: Case, seeds: Sequence[int]) -> None:
    """Eyes that see the same of two set-ups have been told the same. Raises ConformanceError."""
    told: dict[tuple[Eyes, bytes], tuple[int, object]] = {}
    for seed in seeds:
        at = start(case, seed)
        for eyes in at.everybody():
            key = eyes, canonical(case.game.tree.view(at.state, eyes))
            before, heard = told.setdefault(key, (seed, heard_of(at, at.events, eyes)))
            if heard != heard_of(at, at.events, eyes):
                raise at.fault(
                    f"{sorted(eyes)} sees the same as with seed {before}, but is told otherwise"
                )


def check_draws(at: Position, seat: Seat, move: Move, eyes: Eyes, *, tries: int) -> None:
    """The same move with other draws tells these eyes no more than they see."""
    here = at.after(seat, move)
    if here.counter == at.counter:
        return
    tree = at.case.game.tree
    seen, heard = tree.view(here.state, eyes), heard_of(at, here.events, eyes)
    for number in range(1, tries + 1):
        there = at.after(seat, move, at.seed + number * OTHER_SEEDS)
        if there.state == here.state or tree.view(there.state, eyes) != seen:
            continue
        if heard_of(at, there.events, eyes) != heard:
            line = at.case.game.grammar.format(move)
            raise at.fault(f"{line}: {sorted(eyes)} is told what was drawn, and does not see it")


def heard_of(at: Position, events: Sequence[Event], eyes: Eyes) -> list[tuple[Shaped, object]]:
    """What eyes hear of events, as data and in words, without those that reveal."""
    phrases = at.case.game.phrases
    heard: list[tuple[Shaped, object]] = []
    for event in events:
        shown = None if type(event).reveals else event_view(event, eyes)
        if shown is not None:
            heard.append((shown, [event_text(phrases, event, eyes, lang=lang) for lang in LANGS]))
    return heard
