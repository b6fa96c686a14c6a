"""`greedy`: draws what is worth most at once, with an eye on where lines may still go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.core.chance import Chance
from rules.core.vision import Move, Seat, held
from rules.railroad_ink.ink import Ink, arms_of, both, drawn_in
from rules.railroad_ink.lines import Lines, added
from rules.railroad_ink.moves import Draw, Special, piece_of
from rules.railroad_ink.paper import paper_of
from rules.railroad_ink.scoring import points_of
from rules.railroad_ink.squares import ALL, INSIDE, NUMBER, STEPS
from rules.railroad_ink.state import ROUNDS, Table

_POINT: Final = 60
"""One point, in the units of a worth."""
_HOPE: Final = 12
"""What an end that may still be continued gains for each round that is left."""
_SPARED: Final = 12
"""What a special route must gain at least, for each round that is left."""

_INSIDE: Final = tuple(both(squares) for squares in INSIDE)


def greedy(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    """The drawing of the highest worth; `/done` when only poor special routes are left."""
    lines = paper_of(view.seats[seat], view.dice).lines
    left = ROUNDS - view.round
    before = _worth(lines, left)
    best: list[Move] = []
    highest = 0
    for move in moves:
        if isinstance(move, Draw | Special):
            after = added(lines, piece_of(move), held(move.turn), NUMBER[held(move.square)])
            gain = _worth(after, left) - before
            if isinstance(move, Special):
                gain -= _SPARED * left + 1
                if gain < 0:
                    continue
        else:
            gain = 0  # /done: there is no room for any face that is left
        if not best or gain > highest:
            best, highest = [move], gain
        elif gain == highest:
            best.append(move)
    return best[chance.pick(len(best))]


def _worth(lines: Lines, left: int) -> int:
    """Points, and what open ends promise while rounds are left."""
    return _POINT * points_of(lines).total + _HOPE * left * _ends_with_room(lines.ink)


def _ends_with_room(ink: Ink) -> int:
    """The arms that face a free square."""
    free = both(ALL & ~drawn_in(ink))
    count = 0
    for lines, step, inside in zip(arms_of(ink), STEPS, _INSIDE, strict=True):
        there = free << -step if step < 0 else free >> step
        count += (lines & inside & there).bit_count()
    return count
