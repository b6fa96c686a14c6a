"""Other draws: what a viewer is told of a draw must not say more than what he sees after it.

The same position and the same move, with other draws: where the eyes see the same afterwards and
something hidden is not the same, they are told the same. So it is after the set-up. An event that
`reveals` something to these eyes is left out, and excuses nothing but itself; so does a die that is
rolled in the open beside a hidden change.
"""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.conformance.differences import Told, told_apart, told_of
from bluebear.rules.core.conformance.flags import Flags
from bluebear.rules.core.conformance.random_play import Position, start
from bluebear.rules.core.event_text import reveals_to
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.visibility import Eyes, Move, Seat

OTHER_SEEDS = 1_000_003
"""How far the seed of the other draws is from the seed of a walk."""


def check_setups(case: Case, seeds: Sequence[int], flags: Flags) -> None:
    """Eyes that see the same of two set-ups have been told the same. Raises ConformanceError."""
    told: dict[tuple[Eyes, bytes], Position] = {}
    for seed in seeds:
        at = start(case, seed)
        for eyes in at.everybody():
            key = eyes, canonical(case.game.tree.view(at.state, eyes))
            before = told.setdefault(key, at)
            flags.compare(before.events, at.events, eyes)
            where = told_apart(heard_of(before, eyes), heard_of(at, eyes))
            if where:
                raise at.fault(
                    f"{sorted(eyes)} sees the same as with seed {before.seed}, but is told"
                    f" otherwise: {where}"
                )


def check_draws(
    at: Position, seat: Seat, move: Move, eyes: Eyes, flags: Flags, *, tries: int
) -> None:
    """The same move with other draws tells these eyes no more than they see."""
    here = at.after(seat, move)
    if here.counter == at.counter:
        return
    tree = at.case.game.tree
    seen, heard = tree.view(here.state, eyes), heard_of(here, eyes)
    for number in range(1, tries + 1):
        there = at.after(seat, move, at.seed + number * OTHER_SEEDS)
        if there.state == here.state or tree.view(there.state, eyes) != seen:
            continue
        flags.compare(here.events, there.events, eyes)
        where = told_apart(heard, heard_of(there, eyes))
        if where:
            line = at.case.game.grammar.format(move)
            raise at.fault(
                f"{line}: {sorted(eyes)} is told what was drawn, and does not see it: {where}"
            )


def heard_of(at: Position, eyes: Eyes) -> list[Told]:
    """What eyes are told of a step, without the events that reveal something to them."""
    return told_of(at, [each for each in at.events if not reveals_to(each, eyes)], eyes)
