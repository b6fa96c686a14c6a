"""What `cards.toml` says: transport cards, neutral ones among them, and action cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from bluebear.rules.core.tables import Constraint, DataFile, Entry, Text
from bluebear.rules.itc.data.board_data import STEP, Board, Euro
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, ACard, Good, Kind, Place, Route, TCard

_NEUTRALS_EACH: Final = 4
"""Rule: itc 1.3."""
_SIZES: Final = {"neutral": 24, "transport": 69, "action": 80}
"""Rule: itc 1.3, 1.4."""
_ROUTES: Final = tuple(Route)


class Time(StrEnum):
    """When an action card is played (Rule: itc 11.1)."""

    AT_ONCE = "at_once"
    WITH_LOAD = "with_load"
    BEFORE_ROLL = "before_roll"
    AFTER_ROLL = "after_roll"
    AFTER_CHOICE = "after_choice"
    ANY = "any"


class _Transport(Entry):
    """A line of a transport card: two routes, the slower first, and goods."""

    routes: tuple[Route, Route]
    goods: tuple[Good, ...]

    def __post_init__(self) -> None:
        first, second = map(_ROUTES.index, self.routes)
        if first >= second:
            raise ValueError("routes are two, the slower first")
        if not self.goods:
            raise ValueError("goods is empty")


class _NeutralCard(_Transport):
    """A neutral card; its last good is at risk (Rule: itc 5.1)."""

    number: Annotated[int, Constraint(ge=1, le=99)]
    to: Place

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.to is Place.MARKET:
            raise ValueError("to is a continent")


class _PlayerCard(_Transport):
    """A player's card with its printed prices by route (Rule: itc 4.1)."""

    index: Annotated[int, Constraint(ge=100, le=999)]
    full: tuple[Euro, Euro]
    robbed: tuple[Euro, Euro]
    at_risk: Good


class _ActionKind(Entry):
    """A kind of action cards; `names` are the cards that name places or routes."""

    number: Kind
    kind: Text
    time: Time
    copies: Annotated[int, Constraint(ge=1, le=80)]
    amount: Annotated[int, Constraint(ge=0, le=9)] = 0
    names: tuple[Text, ...] = ("",)

    def __post_init__(self) -> None:
        if self.kind != self.number.name.lower():
            raise ValueError(f"{self.number:d} is {self.number.name.lower()}")


class _File(Entry):
    neutral: tuple[_NeutralCard, ...]
    transport: tuple[_PlayerCard, ...]
    action: tuple[_ActionKind, ...]


@dataclass(frozen=True, slots=True)
class TransportCard:
    """A transport card: its two routes, slower first, and its goods, cheapest first.

    `counts` says how many goods of each colour it has, in the order of the colours.
    `full` and `robbed` are the prices by route; a neutral card has none, but a destination.
    Rule: itc 4.1, 5.1.
    """

    number: TCard
    routes: tuple[Route, Route]
    goods: tuple[Good, ...]
    counts: tuple[int, ...]
    at_risk: Good
    full: Mapping[Route, int]
    robbed: Mapping[Route, int]
    destination: Place | None = None

    @property
    def neutral(self) -> bool:
        """Whether it belongs to no seat."""
        return self.destination is not None


@dataclass(frozen=True, slots=True)
class ActionCard:
    """One of the action cards that differ, how often it is there, and what it names.

    `amount` is the number of goods, points or stones that its text names, 0 where it names none.
    Rule: itc 11.1.
    """

    code: ACard
    kind: Kind
    time: Time
    copies: int
    amount: int
    places: tuple[Place, ...] = ()
    route: Route | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """What `cards.toml` says."""

    transport: Mapping[TCard, TransportCard]
    actions: Mapping[ACard, ActionCard]


def read_cards(text: str, name: str, board: Board) -> Cards:
    """The cards of a `cards.toml`; DataError names the file, the line and what was expected."""
    file = DataFile(_File, text, name)
    neutral, printed, kinds = file.value.neutral, file.value.transport, file.value.action
    for section, cards in (("neutral", neutral), ("action", kinds)):
        _check_numbers(file, section, [card.number for card in cards])
    _check_destinations(file, neutral)
    _check_prices(file, printed, board)
    transport = [*map(_card, neutral), *map(_card, printed)]
    actions = {card.code: card for card in _actions(file, kinds)}
    copies = sum(card.copies for card in actions.values())
    found = {"neutral": len(neutral), "transport": len(printed), "action": copies}
    for section, size in _SIZES.items():
        if found[section] != size:
            raise file.fault(f"{size} cards, not {found[section]}", section)
    return Cards({card.number: card for card in transport}, actions)


def _check_numbers(file: DataFile[_File], section: str, numbers: Iterable[int]) -> None:
    for at, number in enumerate(numbers):
        if number != at + 1:
            raise file.fault(f"number is {at + 1} here, not {number:d}", section, at)


def _check_destinations(file: DataFile[_File], cards: Iterable[_NeutralCard]) -> None:
    found = Counter(card.to for card in cards)
    for place in CONTINENTS:
        if found[place] != _NEUTRALS_EACH:
            count = found[place]
            raise file.fault(f"{_NEUTRALS_EACH} cards go to {place}, not {count}", "neutral")


def _check_prices(file: DataFile[_File], cards: Iterable[_PlayerCard], board: Board) -> None:
    """Index and prices follow from the goods and the routes (Rule: itc 4.1, 4.3, 4.4, 4.5)."""
    values: Counter[int] = Counter()
    last = 0
    for at, card in enumerate(cards):
        path = "transport", at
        if card.index <= last:
            raise file.fault(f"indices rise, and {card.index} follows {last}", *path)
        last = card.index
        value = sum(board.goods[good].transport for good in card.goods)
        expected = value // 100 + values[value]
        values[value] += 1
        if card.index != expected:
            raise file.fault(f"goods worth {value} have the index {expected}", *path)
        if card.at_risk is not _ranked(card.goods)[-1]:
            raise file.fault("at_risk is the dearest of the goods", *path)
        for route, price, less in zip(card.routes, card.full, card.robbed, strict=True):
            right = _price(value, board.routes[route].percent)
            if price != right:
                raise file.fault(f"full by {route} is {right}, not {price}", *path)
            right -= board.goods[card.at_risk].transport
            if less != right:
                raise file.fault(f"robbed by {route} is {right}, not {less}", *path)


def _price(value: int, percent: int) -> int:
    """A value times a factor, rounded to the next step (Rule: itc 4.4)."""
    return (value * percent // 100 + STEP // 2) // STEP * STEP


def _ranked(goods: tuple[Good, ...]) -> tuple[Good, ...]:
    return tuple(sorted(goods, key=GOODS.index))


def _card(card: _NeutralCard | _PlayerCard) -> TransportCard:
    routes, goods = card.routes, _ranked(card.goods)
    counts = tuple(map(card.goods.count, GOODS))
    if isinstance(card, _NeutralCard):
        at_risk = card.goods[-1]
        return TransportCard(TCard(card.number), routes, goods, counts, at_risk, {}, {}, card.to)
    full, robbed = (dict(zip(routes, each, strict=True)) for each in (card.full, card.robbed))
    return TransportCard(TCard(card.index), routes, goods, counts, card.at_risk, full, robbed)


def _actions(file: DataFile[_File], kinds: Iterable[_ActionKind]) -> Iterator[ActionCard]:
    for at, kind in enumerate(kinds):
        if len(set(kind.names)) != len(kind.names):
            raise file.fault("a name stands twice", "action", at)
        for name in kind.names:
            named = name.split("-") if name else []
            places = tuple(place for place in CONTINENTS if place.value in named)
            route = None
            if kind.number is Kind.INSPECTION:
                route = next((route for route in Route if [route.value] == named), None)
                if route is None:
                    raise file.fault(f"{name!r} names no route", "action", at)
            elif len(places) != len(named):
                raise file.fault(f"{name!r} does not name continents", "action", at)
            code = ACard("-".join(filter(None, (f"{kind.number:d}", name))))
            yield ActionCard(code, kind.number, kind.time, kind.copies, kind.amount, places, route)
