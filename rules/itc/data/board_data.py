"""What `board.toml` says: goods, routes, places, dice and single numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final

from bluebear.rules.core.tables import Constraint, DataFile, Entry
from bluebear.rules.itc.data.terms import GOODS, Die, Good, Place, Route

STEP: Final = 500
"""All prices are multiples of this (Rule: itc 4.4)."""

Euro = Annotated[int, Constraint(ge=0, le=1_000_000)]
Few = Annotated[int, Constraint(ge=1, le=10)]


class Limits(Entry):
    """Single numbers of the rules, each with its paragraph in `board.toml`."""

    stones: Annotated[int, Constraint(ge=1, le=100)]
    dealt: Annotated[int, Constraint(ge=0, le=6)]
    placing_rounds: Annotated[int, Constraint(ge=1, le=6)]
    lead: Few
    loads_per_route: Few
    hand: Annotated[int, Constraint(ge=1, le=20)]
    mega: Annotated[int, Constraint(ge=200, le=1000)]
    attackers: Few
    red_points: Annotated[int, Constraint(ge=2, le=20)]


class GoodFacts(Entry):
    """What one good is worth on the way and at a sale, in euro (Rule: itc 3.1)."""

    id: Good
    transport: Euro
    sale: Euro

    def __post_init__(self) -> None:
        if self.transport % STEP or self.sale % STEP:
            raise ValueError(f"values are multiples of {STEP}")


class RouteFacts(Entry):
    """Spaces, bonus for smuggling in euro, factor in hundredths (Rule: itc 2.1, 4.4)."""

    id: Route
    columns: Annotated[int, Constraint(ge=1, le=9)]
    rows: Annotated[int, Constraint(ge=2, le=9)]
    smuggling: Euro
    percent: Annotated[int, Constraint(ge=100, le=1000)]


class PlaceFacts(Entry):
    """Spaces for each colour, and the colour that a continent refuses (Rule: itc 2.5, 2.6)."""

    id: Place
    spaces: Annotated[int, Constraint(ge=1, le=99)]
    refuses: Good | None = None

    @property
    def accepts(self) -> tuple[Good, ...]:
        """The colours that are taken, cheapest first."""
        return _ACCEPTED[self.refuses]


_ACCEPTED: Final = {
    refused: tuple(good for good in GOODS if good is not refused) for refused in (*GOODS, None)
}


class _File(Entry):
    limits: Limits
    dice: dict[Die, Annotated[int, Constraint(ge=2, le=20)]]
    good: tuple[GoodFacts, ...]
    route: tuple[RouteFacts, ...]
    place: tuple[PlaceFacts, ...]


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
    file = DataFile(_File, text, name)
    made = Board(
        file.value.limits,
        file.value.dice,
        file.by_id("good", file.value.good, Good),
        file.by_id("route", file.value.route, Route),
        file.by_id("place", file.value.place, Place),
    )
    if made.sides.keys() != set(Die):
        raise file.fault("each die has its sides", "dice")
    for cheap, dear in pairwise(GOODS):
        less, more = made.goods[cheap], made.goods[dear]
        if less.transport >= more.transport or less.sale >= more.sale:
            raise file.fault(f"{dear} is dearer than {cheap}", "good", dear)
    return made
