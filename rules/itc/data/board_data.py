"""What `board.toml` says: goods, routes, places, dice and single numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bluebear.rules.itc.data.data_reader import DataFile, Entry
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, Die, Good, Place, Route

STEP: Final = 500
"""All prices are multiples of this (Rule: itc 4.4)."""
EURO: Final = 1_000_000
"""No number of the data is larger."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Single numbers of the rules, each with its paragraph in `board.toml`."""

    stones: int
    dealt: int
    placing_rounds: int
    lead: int
    loads_per_route: int
    hand: int
    mega: int
    attackers: int
    red_points: int


@dataclass(frozen=True, slots=True)
class GoodFacts:
    """What one good is worth on the way and at a sale, in euro (Rule: itc 3.1)."""

    transport: int
    sale: int


@dataclass(frozen=True, slots=True)
class RouteFacts:
    """The spaces of a route, its bonus for smuggling in euro, and its factor in hundredths.

    Rule: itc 2.1, 4.4.
    """

    columns: int
    rows: int
    smuggling: int
    percent: int


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """Spaces for each colour, and the colours that are taken, cheapest first (Rule: itc 2.5)."""

    spaces: int
    accepts: tuple[Good, ...]

    @property
    def refuses(self) -> tuple[Good, ...]:
        """The colours that are not taken."""
        return tuple(good for good in GOODS if good not in self.accepts)


@dataclass(frozen=True, slots=True)
class Board:
    """What `board.toml` says."""

    limits: Limits
    sides: Mapping[Die, int]
    goods: Mapping[Good, GoodFacts]
    routes: Mapping[Route, RouteFacts]
    places: Mapping[Place, PlaceFacts]


def read_board(text: str, name: str) -> Board:
    """The board of a `board.toml`; DataError names the file, the line and what was expected."""
    file = DataFile(text, name)
    dice = file.one("dice")
    sides = {die: dice.number(die.value, 2, 20) for die in Die}
    red_points = dice.number("red_points", sides[Die.RED], 20)
    dice.close()
    return Board(
        _limits(file.one("limits"), red_points),
        sides,
        _checked_goods(file),
        file.by_word("route", Route, _route),
        file.by_word("place", Place, _place),
    )


def _limits(entry: Entry, red_points: int) -> Limits:
    made = Limits(
        stones=entry.number("stones", 1, 100),
        dealt=entry.number("dealt", 0, 6),
        placing_rounds=entry.number("placing_rounds", 1, len(CONTINENTS)),
        lead=entry.number("lead", 1, 10),
        loads_per_route=entry.number("loads_per_route", 1, 10),
        hand=entry.number("hand", 1, 20),
        mega=entry.number("mega", 200, 1000),
        attackers=entry.number("attackers", 1, 10),
        red_points=red_points,
    )
    entry.close()
    return made


def _checked_goods(file: DataFile) -> Mapping[Good, GoodFacts]:
    dearest = GoodFacts(0, 0)

    def read(entry: Entry) -> GoodFacts:
        nonlocal dearest
        made = GoodFacts(entry.number("transport", 1, EURO), entry.number("sale", 1, EURO))
        dearer = made.transport > dearest.transport and made.sale > dearest.sale
        entry.check(holds=dearer, what="goods stand from the cheapest to the dearest")
        whole = made.transport % STEP == 0 == made.sale % STEP
        entry.check(holds=whole, what=f"values are multiples of {STEP}")
        dearest = made
        return made

    return file.by_word("good", Good, read)


def _route(entry: Entry) -> RouteFacts:
    return RouteFacts(
        columns=entry.number("columns", 1, 9),
        rows=entry.number("rows", 2, 9),
        smuggling=entry.number("smuggling", 0, EURO),
        percent=entry.number("percent", 100, 1000),
    )


def _place(entry: Entry) -> PlaceFacts:
    refused = entry.word("refuses", Good) if entry.has("refuses") else None
    accepted = tuple(good for good in GOODS if good is not refused)
    return PlaceFacts(entry.number("spaces", 1, 99), accepted)
