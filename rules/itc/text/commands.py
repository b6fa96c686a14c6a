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

_NUMBERS: Final = {names.label_of(card): card for card in (*PLAYER_CARDS, *NEUTRAL_CARDS)}


class CardSlot(WordSlot):
    """A transport card by its index, a neutral one by its number after an n."""

    def __init__(self, name: str, cards: Sequence[TCard]) -> None:
        choices = [Choice(names.label_of(card), _also(card)) for card in cards]
        super().__init__(name, choices, kind=_NUMBERS.__getitem__)
        parts = (PLAYER_CARDS, NEUTRAL_CARDS)
        self._ranges = [
            f"{names.label_of(p[0])}-{names.label_of(p[-1])}" for p in parts if p[0] in cards
        ]

    def _few(self) -> Sequence[str]:
        return self._ranges

    def write(self, value: Any) -> str:
        return names.label_of(value)


def _also(card: TCard) -> tuple[str, ...]:
    return (f"n{card}", f"中立{card}") if card in NEUTRAL_CARDS else ()


class PlaceSlot(WordSlot):
    """A place, in one word or in two: `northamerica`, `north america`."""

    def __init__(self, name: str) -> None:
        super().__init__(name, names.PLACES, kind=Place)

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        pair = "-".join(tokens[at : at + 2])
        if at + 1 < len(tokens) and self._lexicon.exact(fold(pair)) is not None:
            return super().read([pair], 0)[0], at + 2
        return super().read(tokens, at)


class KindNumber(WordSlot):
    """An action card by its number, or by a word for what it does."""

    def __init__(self, name: str, kinds: Sequence[Kind]) -> None:
        super().__init__(name, [names.KIND_CHOICES[kind - 1] for kind in kinds], kind=_kind)

    def write(self, value: Any) -> str:
        return str(int(value))


def _kind(text: str) -> Kind:
    return Kind(int(text))


def _seat(text: str) -> Seat:
    return Seat(int(text))


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
KIND_SLOT: Final = KindNumber("number", tuple(Kind))
ROUTE_SLOT: Final = WordSlot("route", names.ROUTE_CHOICES, kind=Route)
_COLUMN: Final = NumberSlot("column", 1, max(facts.columns for facts in ROUTE.values()))
PLACE_SLOT: Final = PlaceSlot("place")
_ORIGIN: Final = PlaceSlot("origin")
GOOD_SLOT: Final = WordSlot("good", names.GOOD_CHOICES, kind=Good)
_SEAT: Final = WordSlot("seat", names.SEAT_CHOICES, kind=_seat)
UNDER_SLOT: Final = WordSlot(
    "under",
    [
        Choice(Under.SMUGGLING.value, ("密輸",)),
        Choice(Under.EXPRESS.value, ("エクスプレス", "急行")),
    ],
    kind=Under,
)
_SIDE: Final = WordSlot(
    "side",
    [
        Choice(Side.STRAIGHT.value, ("まっすぐ", "直進"), ("s",)),
        Choice(Side.LEFT.value, ("左",), ("l",)),
        Choice(Side.RIGHT.value, ("右",), ("r",)),
    ],
    kind=Side,
)

GRAMMAR: Final = Grammar(
    verbs=[
        Verb("stone", moves.Stone, (PLACE_SLOT,), ("石を置く", "石", "置く", "place")),
        Verb(
            "dice",
            moves.Roll,
            (WordListSlot("dice", names.DIE_CHOICES, kind=Die),),
            ("ダイス", "振る", "roll"),
        ),
        Verb("use", moves.Use, (WordSlot("die", names.DIE_CHOICES, kind=Die),), ("使う",)),
        Verb("load", moves.LoadCard, (HAND_CARD, ROUTE_SLOT, _COLUMN), ("積む",), ("l",)),
        Verb(
            "hide",
            moves.HideUnder,
            (HAND_CARD, ROUTE_SLOT, _COLUMN, UNDER_SLOT),
            ("忍ばせる",),
        ),
        Verb(
            "mega",
            moves.LoadMega,
            (HAND_CARD, _OTHER, ROUTE_SLOT, _COLUMN),
            ("メガ輸送", "メガ"),
        ),
        Verb("move", moves.Step, (ANY_CARD, _SIDE), ("進める",), ("m",)),
        Verb("express", moves.Jump, (ANY_CARD, _COLUMN), ("エクスプレス", "急行")),
        Verb("drop", moves.Drop, (ANY_CARD, GOOD_SLOT), ("手放す",)),
        Verb("keep", moves.Keep, (ANY_CARD,), ("取りやめる",)),
        Verb("land", moves.Land, (ANY_CARD, PLACE_SLOT), ("上陸", "運び込む")),
        Verb("sell", moves.Sell, (PLACE_SLOT, GOOD_SLOT), ("売る", "売却"), ("s",)),
        Verb("attack", moves.Attack, (), ("攻撃",)),
        Verb("play", moves.Play, (KindNumber("kind", PLAIN_KINDS),), ("カード",), ("p",)),
        Verb("rob", moves.Rob, (PLACE_SLOT,), ("盗難",)),
        Verb("unrest", moves.Unrest, (PLACE_SLOT,), ("政治不安",)),
        Verb("transfer", moves.Transfer, (_SEAT, _ORIGIN, PLACE_SLOT), ("他人の石",)),
        Verb("shift", moves.Shift, (_ORIGIN, PLACE_SLOT), ("自分の石",)),
        Verb("obstacle", moves.Obstruct, (ANY_CARD, _SIDE), ("障害物",)),
        Verb("resettle", moves.Resettle, (PLACE_SLOT, _ORIGIN), ("新拠点",)),
        Verb("fetch", moves.Fetch, (_ORIGIN,), ("呼び寄せる",)),
        Verb("organize", moves.Organize, (PLACE_SLOT, _SEAT), ("組織化",)),
        Verb("recruit", moves.Recruit, (_SEAT,), ("引き抜く",)),
        Verb("discard", moves.Discard, (HAND_SLOT,), ("捨てる",)),
        Verb("end", moves.End, (), ("手番終了", "終わり"), ("e",)),
    ],
)


@cache  # bounded: some 20,000 lines exist, nearly all of them of pairs of cards
def _line(choice: Move | Rash) -> str:
    return GRAMMAR.format(choice.move if isinstance(choice, Rash) else choice)


def choices_by_line(table: State, seat: Seat) -> list[Move | Rash]:
    """Every legal move of the seat on turn, sorted by line."""
    return sorted(choices(table), key=_line)


def legal(table: State) -> list[Move]:
    """The legal moves of the seat on turn, sorted by line, without telling which are rash."""
    listed = sorted(choices(table), key=_line)
    return [each.move if isinstance(each, Rash) else each for each in listed]
