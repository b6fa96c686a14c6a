"""A province or a town in detail, for `/look` (Rule: tokugawa 13.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bluebear.rules.core.ascii_map import Road, Spot, sketch
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.slots import Choice
from bluebear.rules.tokugawa.atlas import (
    BY_TERRAIN,
    CAPITALS,
    CHART,
    IS_PORT,
    LAND,
    NEIGHBOURS,
    PROVINCE_OF,
    PROVINCES,
    TOWNS,
    TOWNS_OF,
)
from bluebear.rules.tokugawa.board import Sheet
from bluebear.rules.tokugawa.marks import Marks
from bluebear.rules.tokugawa.names import PROVINCE_CHOICES, TOWN_CHOICES
from bluebear.rules.tokugawa.state import Table
from bluebear.rules.tokugawa.terms import Province, Town

_ROWS: Final = 14
_ROWS_AROUND: Final = 8
"""A map with the lines about its towns fits into a window of 24 rows."""
_FROM_THE_WEST: Final[tuple[str, ...]] = (
    *PROVINCES,
    *(town for province in PROVINCES for town in TOWNS_OF[province]),
)
AREAS: Final[tuple[Choice, ...]] = tuple(
    sorted(
        (*PROVINCE_CHOICES, *TOWN_CHOICES), key=lambda choice: _FROM_THE_WEST.index(choice.value)
    )
)
"""What `/look` shows: the provinces, then their towns, both from west to east."""


def _steps(origin: Town) -> Mapping[Town, int]:
    """How many roads lead from a town to every town."""
    made = {origin: 0}
    reached = [origin]
    for town in reached:
        for other in NEIGHBOURS[town]:
            if other not in made:
                made[other] = made[town] + 1
                reached.append(other)
    return made


STEPS: Final[Mapping[Town, Mapping[Town, int]]] = {town: _steps(town) for town in CAPITALS}
"""By capital, then town: the roads between them (Rule: tokugawa 2.4)."""


def look(area: str, table: Table, page: TextPage, phrases: Phrases) -> str:
    """The text about an area, which is a province or a town."""
    if area in TOWNS:
        return "\n".join(_town(Town(area), table, page, phrases))
    towns = TOWNS_OF[Province(area)]
    lines = drawn(towns, table, page, phrases, _ROWS)
    gap = [""] if lines else []
    return "\n".join([*lines, *gap, *Sheet(table, page, phrases).province(Province(area))])


def drawn(
    towns: Sequence[Town], table: Table, page: TextPage, phrases: Phrases, height: int
) -> list[str]:
    """A map of some towns and of those next to them, with the letter of who stands there."""
    if page.linear:
        return []
    marks = Marks(table, page, phrases)
    shown = dict.fromkeys([*towns, *(near for town in towns for near in NEIGHBOURS[town])])
    spots = {}
    for town in shown:
        piece = table.pieces.get(town)
        letter = "" if piece is None else f"[{marks.owner(piece.owner)}]"
        name = marks.word("town", town)
        x, y = CHART.place[town]
        spots[str(town)] = Spot((name if town in towns else f"({name})") + letter, x, y)
    roads = [
        Road(str(road.a), str(road.b), marks.word("road", road.terrain))
        for road in CHART.roads
        if road.a in shown and road.b in shown and (road.a in towns or road.b in towns)
    ]
    return sketch(spots, roads, width=page.width, height=height)


def _town(town: Town, table: Table, page: TextPage, phrases: Phrases) -> Iterator[str]:
    marks = Marks(table, page, phrases)
    told = (marks.word("town", town), marks.port(town), marks.stands(town), marks.built(town))
    yield " ".join(filter(None, (*told, f"({marks.word('province', PROVINCE_OF[town])})")))
    yield from drawn((town,), table, page, phrases, _ROWS_AROUND)
    first, second = (STEPS[capital][town] for capital in CAPITALS)
    yield marks.say("apart", capitals=CAPITALS, counts=(first, second))
    for terrain in LAND:
        for other in BY_TERRAIN[terrain][town]:
            stands = " ".join(filter(None, (marks.stands(other), marks.built(other))))
            yield marks.say("road", terrain=terrain, town=other, stands=stands)
    if town in IS_PORT:
        yield marks.say("by_sea")
