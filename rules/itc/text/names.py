"""Names of goods, cards and places as people type and read them, and data that never change."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import LANGS, Lang, Namer, Phrase, Phrases
from bluebear.rules.core.slots import Choice, read_choices
from bluebear.rules.core.tables import shown
from bluebear.rules.itc.data.card_data import TransportCard
from bluebear.rules.itc.data.tables import ACTIONS, CARDS, LIMITS, PLACE, ROUTE, SALE, SIDES, VALUE
from bluebear.rules.itc.data.terms import GOODS, ACard, Die, Good, Kind, Place, Route, TCard
from bluebear.rules.itc.rules.moves import Side
from bluebear.rules.itc.rules.state import Under

CHOICES: Final = read_choices(
    "bluebear.rules.itc",
    place=Place,
    route=Route,
    good=Good,
    die=Die,
    kind=Kind,
    side=Side,
    under=(Under.SMUGGLING, Under.EXPRESS),
)
"""What people may type for nouns and verbs (Rule: itc 17.1)."""
_OF_KINDS: Final = 10
"""The paragraph of kind n of action cards is 11.(n + 10)."""


def label_of(card: TCard) -> str:
    """A transport card as it is written in a line: `195`, or `n07` for a neutral one."""
    return f"n{card:02}" if CARDS[card].neutral else str(card)


EXPLAINED: Final = (
    *(Choice(f"{good}_goods") for good in Good),
    *(Choice(f"{each.value}_die", each.names[1:]) for each in CHOICES["die"]),
    *(each for section in ("route", "place", "kind") for each in CHOICES[section]),
    *(Choice(label_of(card)) for card in CARDS),
)
"""What `/look` explains."""
SEAT_CHOICES: Final = tuple(
    Choice(str(seat), (letter, f"席{seat}")) for seat, letter in enumerate("abcdef", start=1)
)
"""Seats by number, or by the letter that the board shows."""

SHORT_PLACES: Final = {Place(each.value): each.short[0].upper() for each in CHOICES["place"]}
"""Two capital letters for narrow columns: `NA`."""


# The game's sentences, in which money, goods and cards are said as people say them.
#
# A parameter is filled by its name: `{amount}` with an amount of money, `{goods}` with goods
# counted by colour, `{card}` with a transport card, `{action}` with an action card.

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


class CardPhrases(Phrases):
    """Phrases that know money, goods and cards, and explain each card."""

    def __init__(self, entries: Mapping[str, Phrase], *, fallback: Phrases | None = None) -> None:
        super().__init__(entries, fallback=fallback)
        for card in CARDS.values():
            texts = (card_text(card, self, lang, "explain") for lang in LANGS)
            self._entries[f"about.{label_of(card.number)}"] = Phrase(*texts)
        for kind in Kind:
            count = sum(card.copies for card in ACTIONS.values() if card.kind is kind)
            facts = {"kind": kind, "count": count, "paragraph": f"11.{kind + _OF_KINDS}"}
            effects = {lang: self.say(f"effect.{int(kind)}", lang) for lang in LANGS}
            texts = (
                self.say("explain.kind", lang, {**facts, "effect": effects[lang]}) for lang in LANGS
            )
            self._entries[f"about.{int(kind)}"] = Phrase(*texts)

    def label(self, slot: str, value: object, lang: Lang) -> str:
        """A value in the words of its parameter."""
        slot = _SAME.get(slot, slot)
        if isinstance(value, int) and not isinstance(value, Enum):
            if slot in MONEY:
                return f"{value:,}"
            if slot == "card" and value in CARDS:
                return self._transport(TCard(value), lang)
        if slot == "action" and value in ACTIONS:
            return self._action(ACard(str(value)), lang)
        return super().label(slot, value, lang)

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
            super(CardPhrases, self).say("word.counted", lang, {"good": good, "count": count})
            if count > 1
            else self.label("good", good, lang)
            for good in GOODS
            if (count := goods.count(good))
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
        named = [self.label("place", place, lang) for place in card.places]
        if card.route is not None:
            named.append(self.label("route", card.route, lang))
        if not named:
            return self.label("kind", card.kind, lang)
        return super().say("word.naming", lang, {"kind": card.kind, "named": tuple(named)})


def card_text(card: TransportCard, phrases: CardPhrases, lang: Lang, key: str = "look") -> str:
    """What a transport card says, in one line; `explain` says it in a sentence."""
    if card.destination is not None:
        slow, fast = card.routes
        routes = {"route": slow, "other_route": fast}
        return phrases.say(
            f"{key}.neutral_card", lang, {"card": card.number, "goods": card.goods, **routes}
        )
    prices = tuple(
        phrases.say(
            "look.price",
            lang,
            {"route": route, "full": card.full[route], "robbed": card.robbed[route]},
        )
        for route in card.routes
    )
    return phrases.say(
        f"{key}.card", lang, {"card": card.number, "offers": prices, "goods": card.goods}
    )


# The data that never change, for clients that draw the table themselves.


def static() -> Shaped:
    """The board and all cards as data: prices, spaces, what is printed on each card."""
    return {
        "goods": [{"good": g.value, "transport": VALUE[g], "sale": SALE[g]} for g in VALUE],
        "dice": {die.value: sides for die, sides in SIDES.items()},
        "routes": [
            {"route": route.value, **shown(facts, "columns", "rows", "smuggling")}
            for route, facts in ROUTE.items()
        ],
        "places": [
            {"place": place.value, **shown(facts, "spaces", "accepts")}
            for place, facts in PLACE.items()
        ],
        "limits": {"hand": LIMITS.hand, "mega": LIMITS.mega, "per_route": LIMITS.loads_per_route},
        "transports": {
            str(number): {
                **shown(card, "routes", "goods", "at_risk", "full", "robbed"),
                **({"to": card.destination.value} if card.destination is not None else {}),
            }
            for number, card in CARDS.items()
        },
        "actions": {
            code: {
                "number": int(card.kind),
                "kind": card.kind.name.lower(),
                **shown(card, "time", "copies", "places", *(["route"] if card.route else [])),
            }
            for code, card in ACTIONS.items()
        },
    }
