"""Towns as bits of a number, so that who may go where is found quickly (Rule: tokugawa 6.2).

Bit n stands for the n-th town of `TOWNS`; since those are sorted, so are the towns of a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from rules.core.vision import Seat
from rules.tokugawa.atlas import (
    BY_TERRAIN,
    LAND,
    NEIGHBOURS,
    PORTS,
    PROVINCE_OF,
    PROVINCES,
    SHIPYARDS,
    TOWNS,
)
from rules.tokugawa.state import Table
from rules.tokugawa.terms import Province, Terrain, Town

BIT: Final[Mapping[Town, int]] = {town: 1 << index for index, town in enumerate(TOWNS)}
ALL: Final = (1 << len(TOWNS)) - 1


def mask_of(towns: Iterable[Town]) -> int:
    """The towns as one number."""
    made = 0
    for town in towns:
        made |= BIT[town]
    return made


@cache
def _towns_of_few(mask: int) -> tuple[Town, ...]:  # bounded: 11 bits at a time
    return tuple(town for town in TOWNS if BIT[town] & mask)


_PART: Final = 11
_PARTS: Final = tuple(((1 << _PART) - 1) << start for start in range(0, len(TOWNS), _PART))


def towns_of(mask: int) -> tuple[Town, ...]:
    """The towns of a mask, sorted."""
    made: tuple[Town, ...] = ()
    for part in _PARTS:
        few = mask & part
        if few:
            made += _towns_of_few(few)
    return made


PORT_MASK: Final = mask_of(PORTS)
YARD_MASK: Final = mask_of(SHIPYARDS)
ADJACENT: Final[Mapping[Town, int]] = {town: mask_of(NEIGHBOURS[town]) for town in TOWNS}
"""The towns to which a road leads."""
PROVINCE_MASK: Final[Mapping[Province, int]] = {
    province: mask_of(town for town in TOWNS if PROVINCE_OF[town] == province)
    for province in PROVINCES
}

_BY_ROAD: Final[Mapping[Terrain, Mapping[int, int]]] = {
    terrain: {BIT[town]: mask_of(BY_TERRAIN[terrain][town]) for town in TOWNS} for terrain in LAND
}


class Ground(NamedTuple):
    """Who stands where, as masks; `own` and `enemy` include the capitals."""

    own: int
    enemy: int
    samurai: int
    """The towns with own samurai."""
    empty: int
    """The towns with nobody on them (Rule: tokugawa 5.7)."""


def ground_of(table: Table, seat: Seat) -> Ground:
    """The board as one seat sees it."""
    own = enemy = 0
    for town, piece in table.pieces.items():
        if piece.owner == seat:
            own |= BIT[town]
        else:
            enemy |= BIT[town]
    return Ground(own, enemy, own & ~BIT[table.seats[seat].capital], ALL & ~(own | enemy))


def reach(terrain: Terrain, origin: int, passable: int) -> int:
    """The towns of `passable` that roads of one terrain join to a town, that town included."""
    roads = _BY_ROAD[terrain]
    found = origin
    left = origin
    while left:
        bit = left & -left
        new = roads[bit] & passable & ~found
        found |= new
        left = left ^ bit | new
    return found
