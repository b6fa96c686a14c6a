"""The game's sentences, in which money, goods and cards are said as people say them.

A parameter is filled by its name: `{amount}` with an amount of money, `{goods}` with goods
counted by colour, `{card}` with a transport card, `{action}` with an action card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

from bluebear.rules.core.phrases import Lang, Namer, Phrases
from bluebear.rules.itc.data import ACTIONS, CARDS
from bluebear.rules.itc.names import label_of
from bluebear.rules.itc.terms import GOODS, ACard, Good, TCard

MONEY: Final = frozenset({"amount", "bonus", "fine", "full", "goal", "money", "price", "robbed"})
"""Parameters in euro, written in groups of three digits."""

_SAME: Final = {
    "actions": "action",
    "cards": "card",
    "continents": "place",
    "dice": "die",
    "goods": "good",
    "hand": "action",
    "held": "action",
    "kinds": "kind",
    "origin": "place",
    "other_place": "place",
    "other_good": "good",
    "other_route": "route",
    "places": "place",
    "routes": "route",
    "sides": "side",
}
"""Parameters that are said with the words of another one."""


def counted(goods: tuple[Good, ...]) -> tuple[tuple[Good, int], ...]:
    """Goods by colour with their numbers, the cheapest first; colours without any are left out."""
    return tuple((good, goods.count(good)) for good in GOODS if good in goods)


def spread(counts: Sequence[int]) -> tuple[Good, ...]:
    """Goods one by one, from their numbers by colour."""
    return tuple(good for good, count in zip(GOODS, counts, strict=True) for _ in range(count))


class Words(Phrases):
    """Phrases that know money, goods and cards."""

    def word(self, slot: str, value: object, lang: Lang) -> str:
        """A value in the words of its parameter."""
        slot = _SAME.get(slot, slot)
        if isinstance(value, int) and not isinstance(value, Enum):
            if slot in MONEY:
                return f"{value:,}"
            if slot == "card" and value in CARDS:
                return self._transport(TCard(value), lang)
        if slot == "action" and value in ACTIONS:
            return self._action(ACard(str(value)), lang)
        return super().word(slot, value, lang)

    def say(
        self,
        key: str,
        lang: Lang,
        params: Mapping[str, Any] | None = None,  # Any: as in the base class
        name_of: Namer | None = None,
    ) -> str:
        """The sentence of a key; a list of goods is counted by colour first."""
        made = dict(params or {})
        if isinstance(made.get("goods"), tuple):
            made["goods"] = self.goods(made["goods"], lang)
        return super().say(key, lang, made, name_of)

    def goods(self, goods: tuple[Good, ...], lang: Lang) -> str:
        """Goods counted by colour: `white x5, black x4`."""
        parts = [
            super(Words, self).say("word.counted", lang, {"good": good, "count": count})
            if count > 1
            else self.word("good", good, lang)
            for good, count in counted(goods)
        ]
        return (", " if lang == "en" else "、").join(parts)

    def _transport(self, number: TCard, lang: Lang) -> str:
        card = CARDS[number]
        if card.destination is None:
            return str(number)
        params = {"label": label_of(number), "place": card.destination}
        return super().say("word.neutral", lang, params)

    def _action(self, code: ACard, lang: Lang) -> str:
        card = ACTIONS[code]
        named = [self.word("place", place, lang) for place in card.places]
        if card.route is not None:
            named.append(self.word("route", card.route, lang))
        if not named:
            return self.word("kind", card.kind, lang)
        return super().say("word.naming", lang, {"kind": card.kind, "named": tuple(named)})
