"""Legal moves as text: verb by verb, what differs in the last word on one line (Rule: itc 17.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import groupby
from typing import Any, Final

from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.slots import Slot, by_number
from bluebear.rules.core.text_layout import wrapped
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Move
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.moves import Side
from bluebear.rules.itc.rules.state import State, Under
from bluebear.rules.itc.text.commands import GRAMMAR

_INDENT: Final = 6
_SLOTS: Final[dict[type[Enum], str]] = {
    Place: "spot",
    Route: "route",
    Good: "good",
    Die: "die",
    Side: "side",
    Under: "under",
}
"""Whose words a Japanese list shows; each may be typed as it stands there."""


def format_moves(sheet: GameTexts[State], moves: Sequence[Move]) -> str:
    """What a seat may do: for each verb an example and all arguments."""
    ordered = sorted(moves, key=lambda move: by_number(GRAMMAR.format(move)))
    return "\n".join(
        line
        for verb, group in groupby(ordered, key=lambda move: GRAMMAR.verb_of(move).name)
        for line in _verb_lines(sheet, verb, list(group))
    )


def _verb_lines(sheet: GameTexts[State], verb: str, moves: Sequence[Move]) -> Iterator[str]:
    line = localized_line(GRAMMAR, sheet.phrases, GRAMMAR.format(moves[-1]), sheet.page.lang)
    yield from sheet.lines(sheet.phrase(f"moves.{verb}", line=line), _INDENT)
    slots = GRAMMAR.verbs[verb].slots
    arguments = [
        tuple(_argument(sheet, slot, getattr(move, slot.name)) for slot in slots) for move in moves
    ]
    for head, rows in groupby(arguments, key=lambda row: row[:-1]):
        last = [row[-1] + " " for row in rows if row]
        first = f"    {' '.join(head)}:" if head else "   "
        if last:
            yield from wrapped([first, *last], sheet.page.width, _INDENT)


def _argument(sheet: GameTexts[State], slot: Slot, value: Any) -> str:  # Any: a field of a move
    parts = value if isinstance(value, tuple) else (value,)
    kinds = [_SLOTS.get(type(each)) for each in parts]
    if sheet.page.lang == "en" or None in kinds:
        return slot.write(value)
    return " ".join(
        sheet.label(kind, each) for kind, each in zip(kinds, parts, strict=True) if kind
    )
