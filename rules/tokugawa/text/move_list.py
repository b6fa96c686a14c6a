"""Legal moves as text, grouped by what they do, so that they are found quickly.

Rule: tokugawa 13.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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

    def _towns(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        """Moves that name a town only (Any: moves of one kind)."""
        return {"": [self._label("town", move.town) for move in found]}

    def _weapons(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        return self._grouped(found, "weapon", "town")

    def _buildings(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        return self._grouped(found, "building", "town")

    def _provinces(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        return {"": [self._label("province", move.province) for move in found]}

    def _marches(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        """By town and way: `Nara plain: Osaka Tokushima`."""
        made: dict[str, list[str]] = {}
        for move in found:
            head = f"{self._label('town', move.origin)} {self._label('way', move.way)}:"
            made.setdefault(head, []).append(self._label("town", move.town))
        return made

    def _attacks(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        made: dict[str, list[str]] = {}
        for move in found:
            head = f"{self._label('town', move.origin)} {self._label('approach', move.approach)}:"
            made.setdefault(head, []).append(self._label("town", move.town))
        return made

    def _supports(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        return {"": [self._label("supporter", move.supporter) for move in found]}

    def _nothing(self, found: Sequence[Any]) -> Mapping[str, Sequence[str]]:
        """Moves without an argument: their head says it all."""
        return {}

    def _grouped(self, found: Sequence[Any], by: str, what: str) -> Mapping[str, Sequence[str]]:
        """What may go to the same towns stands in one line: `archer, spearman: Nara Osaka`."""
        towns: dict[str, list[str]] = {}
        for move in found:
            name = self._label(by, getattr(move, by))
            towns.setdefault(name, []).append(self._label(what, getattr(move, what)))
        heads: dict[tuple[str, ...], list[str]] = {}
        for name, items in towns.items():
            heads.setdefault(tuple(items), []).append(name)
        return {self._several(names): items for items, names in heads.items()}

    def _several(self, names: Sequence[str]) -> str:
        return self._page.say(self._phrases, "moves.several", names=tuple(names))


_Of = Callable[[Listing, Sequence[Any]], Mapping[str, Sequence[str]]]

_HEADS: Final[Mapping[type[Move], _Of]] = {
    m.Place: Listing._weapons,
    m.Tax: Listing._provinces,
    m.Attack: Listing._attacks,
    m.March: Listing._marches,
    m.Levy: Listing._weapons,
    m.Build: Listing._buildings,
    m.Forge: Listing._towns,
    m.Support: Listing._supports,
    m.Reroll: Listing._nothing,
    m.Stand: Listing._nothing,
    m.Retreat: Listing._towns,
    m.Stay: Listing._nothing,
    m.Dismiss: Listing._towns,
    m.Pass: Listing._nothing,
}
"""What is listed how, in the order of the text."""
