"""What `greedy` judges by: what is worth most at once, and where lines may still go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.railroad_ink.ink import Ink, arms_of, both, drawn_in
from bluebear.rules.railroad_ink.lines import Lines, added
from bluebear.rules.railroad_ink.moves import Draw, Special, piece_of
from bluebear.rules.railroad_ink.paper import paper_of
from bluebear.rules.railroad_ink.scoring import points_of
from bluebear.rules.railroad_ink.squares import ALL, INSIDE, NUMBER, STEPS, Side
from bluebear.rules.railroad_ink.state import ROUNDS, Table

POINT: Final = 60
"""One point, in the units of a worth."""
HOPE: Final = 12
"""What an end that may still be continued gains for each round that is left."""
_SPARED: Final = 12
"""What a special route must gain at least, for each round that is left."""

_NORTH, _EAST, _SOUTH, _WEST = (both(squares) for squares in INSIDE)
"""The lines that have a neighbour at each side."""


def worths(table: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
    """What each drawing gains; `/done`, which is there when no face has room, gains nothing."""
    lines = paper_of(table.seats[seat], table.dice).lines
    left = ROUNDS - table.round
    before = worth_of(lines, left)
    gains = [_gain(lines, move, left, before) for move in moves]
    # A special route that does not gain enough is worse than anything else.
    poor = min(gains) - 1
    return [
        poor if isinstance(move, Special) and gain < 0 else gain
        for move, gain in zip(moves, gains, strict=True)
    ]


def _gain(lines: Lines, move: Move, left: int, before: int) -> int:
    if not isinstance(move, Draw | Special):
        return 0
    after = added(lines, piece_of(move), require(move.turn), NUMBER[require(move.square)])
    gain = worth_of(after, left) - before
    return gain - (_SPARED * left + 1) if isinstance(move, Special) else gain


def worth_of(lines: Lines, left: int) -> int:
    """Points, and what open ends promise while rounds are left."""
    return POINT * points_of(lines).total + HOPE * left * ends_with_room(lines.ink)


def ends_with_room(ink: Ink) -> int:
    """The arms that face a free square."""
    free = both(ALL & ~drawn_in(ink))
    north, east, south, west = arms_of(ink)
    return (
        (north & _NORTH & free << -STEPS[Side.N]).bit_count()
        + (east & _EAST & free >> STEPS[Side.E]).bit_count()
        + (south & _SOUTH & free >> STEPS[Side.S]).bit_count()
        + (west & _WEST & free << -STEPS[Side.W]).bit_count()
    )
