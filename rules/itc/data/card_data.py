"""What `cards.toml` says: transport cards, neutral ones among them, and action cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bluebear.rules.itc.data.board_data import EURO, STEP, Board
from bluebear.rules.itc.data.data_reader import DataFile, Entry
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, ACard, Good, Kind, Place, Route, TCard

_INDICES: Final = (100, 999)
_NEUTRALS_EACH: Final = 4
"""Rule: itc 1.3."""
_SIZES: Final = {"player": 69, "neutral": 24, "action": 80}
"""Rule: itc 1.3, 1.4."""


class Time(StrEnum):
    """When an action card is played (Rule: itc 11.1)."""

    AT_ONCE = "at_once"
    WITH_LOAD = "with_load"
    BEFORE_ROLL = "before_roll"
    AFTER_ROLL = "after_roll"
    AFTER_CHOICE = "after_choice"
    ANY = "any"


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
        """Whether nobody owns it."""
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
    file = DataFile(text, name)
    transport: dict[TCard, TransportCard] = {}
    values: Counter[int] = Counter()
    for entry in file.all("neutral"):
        card = _neutral(entry, len(transport) + 1)
        transport[card.number] = card
    _count(file, "neutral", len(transport))
    _check_destinations(file, transport)
    for entry in file.all("transport"):
        card = _player_card(entry, board, values, max(transport))
        transport[card.number] = card
    _count(file, "player", len(transport) - _SIZES["neutral"])
    return Cards(transport, _actions(file))


def _count(file: DataFile, what: str, found: int) -> None:
    if found != _SIZES[what]:
        raise file.error(f"{_SIZES[what]} {what} cards, not {found}")


def _check_destinations(file: DataFile, cards: Mapping[TCard, TransportCard]) -> None:
    found = Counter(card.destination for card in cards.values())
    for place in CONTINENTS:
        if found[place] != _NEUTRALS_EACH:
            raise file.error(f"{_NEUTRALS_EACH} neutral cards go to {place}, not {found[place]}")


def _neutral(entry: Entry, number: int) -> TransportCard:
    given = entry.number("number", 1, _INDICES[0] - 1)
    entry.check(holds=given == number, what=f"number is {number} here, not {given}")
    destination = entry.word("to", Place)
    entry.check(holds=destination is not Place.MARKET, what="to is a continent")
    routes, goods = _routes(entry), entry.words("goods", Good)
    entry.close()
    return TransportCard(
        TCard(given), routes, _ranked(goods), _counts(goods), goods[-1], {}, {}, destination
    )


def _player_card(entry: Entry, board: Board, values: Counter[int], last: int) -> TransportCard:
    index = entry.number("index", *_INDICES)
    entry.check(holds=index > last, what=f"indices rise, and {index} follows {last}")
    routes, goods = _routes(entry), entry.words("goods", Good)
    value = sum(board.goods[good].transport for good in goods)
    expected = value // 100 + values[value]
    values[value] += 1
    entry.check(holds=index == expected, what=f"goods worth {value} have the index {expected}")
    at_risk = entry.word("at_risk", Good)
    entry.check(holds=at_risk is _ranked(goods)[-1], what="at_risk is the dearest of the goods")
    full = entry.numbers("full", len(routes), 0, EURO)
    robbed = entry.numbers("robbed", len(routes), 0, EURO)
    for route, price, less in zip(routes, full, robbed, strict=True):
        right = _price(value, board.routes[route].percent)
        entry.check(holds=price == right, what=f"full by {route} is {right}, not {price}")
        right -= board.goods[at_risk].transport
        entry.check(holds=less == right, what=f"robbed by {route} is {right}, not {less}")
    entry.close()
    return TransportCard(
        TCard(index),
        routes,
        _ranked(goods),
        _counts(goods),
        at_risk,
        dict(zip(routes, full, strict=True)),
        dict(zip(routes, robbed, strict=True)),
    )


def _routes(entry: Entry) -> tuple[Route, Route]:
    found = entry.words("routes", Route)
    order = tuple(Route)
    rising = len(found) == 2 and order.index(found[0]) < order.index(found[1])
    entry.check(holds=rising, what="routes are two, the slower first")
    return found[0], found[1]


def _ranked(goods: tuple[Good, ...]) -> tuple[Good, ...]:
    return tuple(sorted(goods, key=GOODS.index))


def _counts(goods: tuple[Good, ...]) -> tuple[int, ...]:
    return tuple(map(goods.count, GOODS))


def _price(value: int, percent: int) -> int:
    """A value times a factor, rounded to the next step (Rule: itc 4.4)."""
    return (value * percent // 100 + STEP // 2) // STEP * STEP


def _actions(file: DataFile) -> Mapping[ACard, ActionCard]:
    made: dict[ACard, ActionCard] = {}
    numbers = 0
    for entry in file.all("action"):
        numbers += 1
        kind = Kind(entry.number("number", 1, len(Kind)))
        entry.check(holds=kind == numbers, what=f"number is {numbers} here, not {int(kind)}")
        named = entry.text("kind")
        entry.check(holds=named == kind.name.lower(), what=f"{int(kind)} is {kind.name.lower()}")
        time = entry.word("time", Time)
        copies = entry.number("copies", 1, _SIZES["action"])
        amount = entry.number("amount", 1, 9) if entry.has("amount") else 0
        names = entry.texts("names") if entry.has("names") else ("",)
        entry.close()
        for name in names:
            card = _action(entry, kind, time, copies, amount, name)
            entry.check(holds=card.code not in made, what=f"{name} stands twice")
            made[card.code] = card
    if numbers != len(Kind):
        raise file.error(f"{len(Kind)} kinds of action cards, not {numbers}")
    _count(file, "action", sum(card.copies for card in made.values()))
    return made


def _action(
    entry: Entry, kind: Kind, time: Time, copies: int, amount: int, name: str
) -> ActionCard:
    code = ACard(f"{int(kind)}-{name}" if name else str(int(kind)))
    words = name.split("-") if name else []
    if kind is Kind.INSPECTION:
        routes = tuple(route for route in Route if route.value in words)
        entry.check(holds=len(routes) == len(words) == 1, what=f"{name!r} names no route")
        return ActionCard(code, kind, time, copies, amount, route=routes[0])
    places = tuple(place for place in CONTINENTS if place.value in words)
    entry.check(holds=len(places) == len(words), what=f"{name!r} does not name continents")
    return ActionCard(code, kind, time, copies, amount, places)
