"""Legal moves as text: verb by verb, what differs in the last word on one line (Rule: itc 17.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import groupby
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.slots import Slot, by_number
from bluebear.rules.core.text_layout import flowed, wrapped
from bluebear.rules.core.visibility import Move
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.moves import Side
from bluebear.rules.itc.rules.state import Under
from bluebear.rules.itc.text.commands import GRAMMAR
from bluebear.rules.itc.text.names import CardPhrases

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


def format_moves(moves: Sequence[Move], page: TextPage, phrases: CardPhrases) -> str:
    """What a seat may do: for each verb an example and all arguments."""
    ordered = sorted(moves, key=lambda move: by_number(GRAMMAR.format(move)))
    return "\n".join(
        line
        for verb, group in groupby(ordered, key=_verb)
        for line in _verb_lines(verb, list(group), page, phrases)
    )


def _verb(move: Move) -> str:
    return GRAMMAR.verb_of(move).name


def _verb_lines(
    verb: str, moves: Sequence[Move], page: TextPage, phrases: CardPhrases
) -> Iterator[str]:
    line = localized_line(GRAMMAR, phrases, GRAMMAR.format(moves[-1]), page.lang)
    title = page.say(phrases, f"moves.{verb}", line=line)
    yield from flowed(title, page.width, _INDENT)
    arguments = [_arguments(move, page, phrases) for move in moves]
    for head, rows in groupby(arguments, key=_head):
        last = [row[-1] + " " for row in rows if row]
        first = f"    {' '.join(head)}:" if head else "   "
        if last:
            yield from wrapped([first, *last], page.width, _INDENT)


def _head(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[:-1]


def _arguments(move: Move, page: TextPage, phrases: CardPhrases) -> tuple[str, ...]:
    """The arguments of a line, one by one, in words that may be typed."""
    verb = GRAMMAR.verb_of(move)
    return tuple(_argument(slot, getattr(move, slot.name), page, phrases) for slot in verb.slots)


def _argument(
    slot: Slot, value: Any, page: TextPage, phrases: CardPhrases
) -> str:  # Any: a field of a move
    parts = value if isinstance(value, tuple) else (value,)
    kinds = [_SLOTS.get(type(each)) for each in parts]
    if page.lang == "en" or None in kinds:
        return slot.write(value)
    return " ".join(
        phrases.word(kind, each, page.lang) for kind, each in zip(kinds, parts, strict=True) if kind
    )
