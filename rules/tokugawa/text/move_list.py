"""Legal moves as text, grouped by what they do, so that they are found quickly.

Rule: tokugawa 13.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.text_layout import wrapped
from bluebear.rules.core.visibility import Move
from bluebear.rules.tokugawa.rules import moves as m

_INDENT: Final = 4


class Listing:
    """The lines about a list of legal moves."""

    def __init__(self, moves: Sequence[Move], page: TextPage, phrases: Phrases) -> None:
        self._moves = moves
        self._page = page
        self._phrases = phrases

    def text(self) -> str:
        """One paragraph for each thing that may be done."""
        lines: list[str] = []
        for kind, of in _HEADS.items():
            found = [move for move in self._moves if isinstance(move, kind)]
            if found:
                lines += self._paragraph(kind.__name__.lower(), of(self, found))
        return "\n".join(lines)

    def _paragraph(self, key: str, parts: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """A head, and below it for each part its towns; a part without a name needs no line."""
        yield self._page.say(self._phrases, f"moves.{key}")
        for name, items in parts.items():
            if items:
                cells = ["  " + name, *items] if name else ["  " + items[0], *items[1:]]
                yield from wrapped(cells, self._page.width, _INDENT)

    def _label(self, slot: str, value: object) -> str:
        return self._phrases.word(slot, value, self._page.lang)

    def _named(self, found: Sequence[Any], slot: str) -> Mapping[str, Sequence[str]]:
        """Moves that name one thing only (Any: moves of one kind)."""
        return {"": [self._label(slot, getattr(move, slot)) for move in found]}

    def _from(self, found: Sequence[Any], by: str) -> Mapping[str, Sequence[str]]:
        """By town and way: `Nara plain: Osaka Tokushima`."""
        made: dict[str, list[str]] = {}
        for move in found:
            head = f"{self._label('town', move.origin)} {self._label(by, getattr(move, by))}:"
            made.setdefault(head, []).append(self._label("town", move.town))
        return made

    def _grouped(self, found: Sequence[Any], by: str) -> Mapping[str, Sequence[str]]:
        """What may go to the same towns stands in one line: `archer, spearman: Nara Osaka`."""
        towns: dict[str, list[str]] = {}
        for move in found:
            name = self._label(by, getattr(move, by))
            towns.setdefault(name, []).append(self._label("town", move.town))
        heads: dict[tuple[str, ...], list[str]] = {}
        for name, items in towns.items():
            heads.setdefault(tuple(items), []).append(name)
        several = partial(self._page.say, self._phrases, "moves.several")
        return {several(names=tuple(names)): items for items, names in heads.items()}


_Of = Callable[[Listing, Sequence[Any]], Mapping[str, Sequence[str]]]

_TOWNS: Final[_Of] = partial(Listing._named, slot="town")
_WEAPONS: Final[_Of] = partial(Listing._grouped, by="weapon")

_HEADS: Final[Mapping[type[Move], _Of]] = {
    m.Place: _WEAPONS,
    m.Tax: partial(Listing._named, slot="province"),
    m.Attack: partial(Listing._from, by="approach"),
    m.March: partial(Listing._from, by="way"),
    m.Levy: _WEAPONS,
    m.Build: partial(Listing._grouped, by="building"),
    m.Forge: _TOWNS,
    m.Support: partial(Listing._named, slot="supporter"),
    m.Reroll: lambda _listing, _found: {},
    m.Stand: lambda _listing, _found: {},
    m.Retreat: _TOWNS,
    m.Stay: lambda _listing, _found: {},
    m.Dismiss: _TOWNS,
    m.Pass: lambda _listing, _found: {},
}
"""What is listed how, in the order of the text; {}: the head says it all."""
