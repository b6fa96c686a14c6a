"""Legal moves as text, grouped by what they do (Rule: tokugawa 13.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from bluebear.rules.core.text_layout import wrapped
from bluebear.rules.core.visibility import Move
from bluebear.rules.tokugawa.rules import moves as m
from bluebear.rules.tokugawa.text.names import TownTexts

_Parts = Mapping[str, Sequence[str]]
"""By head what is listed behind it; a part without a head needs none."""


def format_moves(sheet: TownTexts, moves: Sequence[Move]) -> str:
    """One paragraph for each thing that may be done."""
    lines: list[str] = []
    for kind, parts_of in _KINDS.items():
        if found := [move for move in moves if isinstance(move, kind)]:
            lines.append(sheet.phrase(f"moves.{kind.__name__.lower()}"))
            for head, items in parts_of(sheet, found).items():
                first, *rest = [head, *items] if head else items
                lines += wrapped(["  " + first, *rest], sheet.page.width, sheet.indent)
    return "\n".join(lines)


def _alone(sheet: TownTexts, found: Sequence[Move]) -> _Parts:
    """The head says it all."""
    return {}


def _named(sheet: TownTexts, found: Sequence[Any], slot: str) -> _Parts:
    """Moves that name one thing only (Any: moves of one kind)."""
    return {"": [sheet.label(slot, getattr(move, slot)) for move in found]}


def _from(sheet: TownTexts, found: Sequence[Any], by: str) -> _Parts:
    """By town and way: `Nara plain: Osaka Tokushima`."""
    made: dict[str, list[str]] = {}
    for move in found:
        head = f"{sheet.label('town', move.origin)} {sheet.label(by, getattr(move, by))}:"
        made.setdefault(head, []).append(sheet.label("town", move.town))
    return made


def _grouped(sheet: TownTexts, found: Sequence[Any], by: str) -> _Parts:
    """What may go to the same towns stands in one line: `archer, spearman: Nara Osaka`."""
    towns: dict[str, list[str]] = {}
    for move in found:
        name = sheet.label(by, getattr(move, by))
        towns.setdefault(name, []).append(sheet.label("town", move.town))
    heads: dict[tuple[str, ...], list[str]] = {}
    for name, items in towns.items():
        heads.setdefault(tuple(items), []).append(name)
    return {
        sheet.phrase("moves.several", names=tuple(names)): items for items, names in heads.items()
    }


_Of = Callable[[TownTexts, Sequence[Any]], _Parts]  # Any: moves of one kind

_TOWNS: Final[_Of] = partial(_named, slot="town")
_WEAPONS: Final[_Of] = partial(_grouped, by="weapon")

_KINDS: Final[Mapping[type[Move], _Of]] = {
    m.Place: _WEAPONS,
    m.Tax: partial(_named, slot="province"),
    m.Attack: partial(_from, by="approach"),
    m.March: partial(_from, by="way"),
    m.Levy: _WEAPONS,
    m.Build: partial(_grouped, by="building"),
    m.Forge: _TOWNS,
    m.Support: partial(_named, slot="supporter"),
    m.Reroll: _alone,
    m.Stand: _alone,
    m.Retreat: _TOWNS,
    m.Stay: _alone,
    m.Dismiss: _TOWNS,
    m.Pass: _alone,
}
"""What is listed how, in the order of the text."""
