"""Orientations by the sides of the arms: `esw`, or `n-esw` for road north, railway the others.

Rule: railroad_ink 12.1.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from bluebear.rules.railroad_ink.pieces import ORIENTATIONS, Arms, Piece, Turn
from bluebear.rules.railroad_ink.squares import SIDES, Line, Side

_LETTERS: Final = {
    letter: side
    for side, letters in zip(SIDES, ("n北上", "e東右", "s南下", "w西左"), strict=True)
    for letter in letters
}
_WRITTEN: Final = re.compile(f"(?P<roads>[{''.join(_LETTERS)}]*)(?P<dash>[-ー]?)(?P<rails>.*)")


def letters(arms: Arms) -> str:
    """The arms as letters: `esw` for one kind of line, `n-esw` where roads and railways meet."""
    roads, rails = (
        "".join(side.name.lower() for side in SIDES if arms[side] is line)
        for line in (Line.ROAD, Line.RAILWAY)
    )
    return f"{roads}-{rails}" if roads and rails else roads or rails


def letters_of(piece: Piece, turn: Turn) -> str:
    """The arms of a piece in a canonical turn, as letters."""
    return _letters(piece)[turn]


@cache  # bounded: 15 pieces
def _letters(piece: Piece) -> dict[Turn, str]:
    return {turn: letters(arms) for turn, arms in ORIENTATIONS[piece].items()}


def turns_written(piece: Piece, given: str) -> list[Turn] | None:
    """The canonical turns in which a piece has its arms at these sides; None if it is no such text.

    Without a dash roads and railways count alike, so several turns may fit.
    """
    match = _WRITTEN.fullmatch(given)
    if match is None or not given:
        return None
    first, second = _sides(match["roads"]), _sides(match["rails"])
    if first is None or second is None:
        return None
    found = []
    for turn, arms in ORIENTATIONS[piece].items():
        roads = frozenset(side for side in SIDES if arms[side] is Line.ROAD)
        rails = frozenset(side for side in SIDES if arms[side] is Line.RAILWAY)
        fits = (roads, rails) == (first, second) if match["dash"] else roads | rails == first
        if fits:
            found.append(turn)
    return found


def _sides(given: str) -> frozenset[Side] | None:
    """The sides that letters name, each at most once."""
    sides = [_LETTERS[letter] for letter in given if letter in _LETTERS]
    unique = frozenset(sides)
    return unique if len(unique) == len(given) else None
