"""The lines of the game: `/load 195 grey 1`, `/land 170 northamerica`, `/sell africa black`.

Longer forms that people may type stand in `long_forms`. Rule: itc 17.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from bluebear.rules.core.game import Rash
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.slots import Choice, NumberSlot, WordListSlot, WordSlot, fold
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc.data.card_data import Time
from bluebear.rules.itc.data.tables import ACTIONS, NEUTRAL_CARDS, PLAYER_CARDS, ROUTE
from bluebear.rules.itc.data.terms import Die, Good, Kind, Place, Route, TCard
from bluebear.rules.itc.rules import moves
from bluebear.rules.itc.rules.cards import PLAIN_KINDS
from bluebear.rules.itc.rules.moves import HandCard, Side
from bluebear.rules.itc.rules.state import State, Under
from bluebear.rules.itc.rules.turns import choices
from bluebear.rules.itc.text import names
from bluebear.rules.itc.text.names import CHOICES

_KINDS: Final = dict(zip(Kind, CHOICES["kind"], strict=True))
_NUMBERS: Final = {names.label_of(card): card for card in (*PLAYER_CARDS, *NEUTRAL_CARDS)}


class CardSlot(WordSlot):
    """A transport card by its index, a neutral one by its number after an n."""

    def __init__(self, name: str, cards: Sequence[TCard]) -> None:
        also = {card: (f"n{card}", f"中立{card}") for card in NEUTRAL_CARDS}
        choices = [Choice(names.label_of(card), also.get(card, ())) for card in cards]
        super().__init__(name, choices, kind=_NUMBERS.__getitem__)
        parts = (PLAYER_CARDS, NEUTRAL_CARDS)
        self._ranges = [
            f"{names.label_of(p[0])}-{names.label_of(p[-1])}" for p in parts if p[0] in cards
        ]

    def _few(self) -> Sequence[str]:
        return self._ranges

    def write(self, value: Any) -> str:
        return names.label_of(value)


class PlaceSlot(WordSlot):
    """A place, in one word or in two: `northamerica`, `north america`."""

    def __init__(self, name: str) -> None:
        super().__init__(name, CHOICES["place"], kind=Place)

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        pair = "-".join(tokens[at : at + 2])
        if at + 1 < len(tokens) and self._lexicon.exact(fold(pair)) is not None:
            return super().read([pair], 0)[0], at + 2
        return super().read(tokens, at)


def _kind_slot(name: str, kinds: Sequence[Kind]) -> WordSlot:
    """An action card by its number, or by a word for what it does."""
    return WordSlot(name, [_KINDS[kind] for kind in kinds], kind=lambda text: Kind(int(text)))


HAND_CARD: Final = CardSlot("card", PLAYER_CARDS)
ANY_CARD: Final = CardSlot("card", (*PLAYER_CARDS, *NEUTRAL_CARDS))
_OTHER: Final = CardSlot("other", PLAYER_CARDS)
HAND_SLOT: Final = WordSlot(
    "card",
    [
        *(Choice(str(card)) for card in PLAYER_CARDS),
        *(Choice(code) for code, card in ACTIONS.items() if card.time is not Time.AT_ONCE),
    ],
    kind=HandCard,
)
KIND_SLOT: Final = _kind_slot("number", tuple(Kind))
ROUTE_SLOT: Final = WordSlot("route", CHOICES["route"], kind=Route)
_COLUMN: Final = NumberSlot("column", 1, max(facts.columns for facts in ROUTE.values()))
PLACE_SLOT: Final = PlaceSlot("place")
_ORIGIN: Final = PlaceSlot("origin")
GOOD_SLOT: Final = WordSlot("good", CHOICES["good"], kind=Good)
_SEAT: Final = WordSlot("seat", names.SEAT_CHOICES, kind=lambda text: Seat(int(text)))
_UNDER: Final = WordSlot("under", CHOICES["under"], kind=Under)
_SIDE: Final = WordSlot("side", CHOICES["side"], kind=Side)
_DICE: Final = WordListSlot("dice", CHOICES["die"], kind=Die)

GRAMMAR: Final = Grammar(
    verbs=[
        Verb("stone", moves.Stone, (PLACE_SLOT,)),
        Verb("dice", moves.Roll, (_DICE,)),
        Verb("use", moves.Use, (WordSlot("die", CHOICES["die"], kind=Die),)),
        Verb("load", moves.LoadCard, (HAND_CARD, ROUTE_SLOT, _COLUMN)),
        Verb("hide", moves.HideUnder, (HAND_CARD, ROUTE_SLOT, _COLUMN, _UNDER)),
        Verb("mega", moves.LoadMega, (HAND_CARD, _OTHER, ROUTE_SLOT, _COLUMN)),
        Verb("move", moves.Step, (ANY_CARD, _SIDE)),
        Verb("express", moves.Jump, (ANY_CARD, _COLUMN)),
        Verb("drop", moves.Drop, (ANY_CARD, GOOD_SLOT)),
        Verb("keep", moves.Keep, (ANY_CARD,)),
        Verb("land", moves.Land, (ANY_CARD, PLACE_SLOT)),
        Verb("sell", moves.Sell, (PLACE_SLOT, GOOD_SLOT)),
        Verb("attack", moves.Attack),
        Verb("play", moves.Play, (_kind_slot("kind", PLAIN_KINDS),)),
        Verb("rob", moves.Rob, (PLACE_SLOT,)),
        Verb("unrest", moves.Unrest, (PLACE_SLOT,)),
        Verb("transfer", moves.Transfer, (_SEAT, _ORIGIN, PLACE_SLOT)),
        Verb("shift", moves.Shift, (_ORIGIN, PLACE_SLOT)),
        Verb("obstacle", moves.Obstruct, (ANY_CARD, _SIDE)),
        Verb("resettle", moves.Resettle, (PLACE_SLOT, _ORIGIN)),
        Verb("fetch", moves.Fetch, (_ORIGIN,)),
        Verb("organize", moves.Organize, (PLACE_SLOT, _SEAT)),
        Verb("recruit", moves.Recruit, (_SEAT,)),
        Verb("discard", moves.Discard, (HAND_SLOT,)),
        Verb("end", moves.End),
    ],
    names=CHOICES["verb"],
)


@cache  # bounded: some 20,000 lines exist, nearly all of them of pairs of cards
def _line(choice: Move | Rash) -> str:
    return GRAMMAR.format(choice.move if isinstance(choice, Rash) else choice)


def choices_by_line(table: State, seat: Seat) -> list[Move | Rash]:
    """Every legal move of the seat on turn, sorted by line."""
    return sorted(choices(table), key=_line)


def legal(table: State) -> list[Move]:
    """The legal moves of the seat on turn, sorted by line, without telling which are rash."""
    listed = choices_by_line(table, table.turn.seat)
    return [each.move if isinstance(each, Rash) else each for each in listed]
