"""Towns as bits of a number, so that what is possible where is found quickly.

Bit n stands for the n-th town of `TOWNS`; since those are sorted, so are the towns of a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from bluebear.rules.core.draft import freeze
from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.atlas import (
    ARMS,
    BY_TERRAIN,
    CAPITALS,
    LAND,
    NEIGHBOURS,
    PORTS,
    PROVINCE_OF,
    PROVINCES,
    SHIPYARDS,
    TOWNS,
)
from bluebear.rules.tokugawa.state import SEATS, Kind, Piece, Site, Table
from bluebear.rules.tokugawa.terms import Building, Province, Terrain, Town

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


@lru_cache(maxsize=2048)
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
CAPITAL_MASK: Final = mask_of(CAPITALS)
ADJACENT: Final[Mapping[Town, int]] = {town: mask_of(NEIGHBOURS[town]) for town in TOWNS}
"""The towns to which a road leads."""
PROVINCE_MASK: Final[Mapping[Province, int]] = {
    province: mask_of(town for town in TOWNS if PROVINCE_OF[town] == province)
    for province in PROVINCES
}

ROADS: Final[Mapping[Terrain, Mapping[int, int]]] = {
    terrain: {BIT[town]: mask_of(BY_TERRAIN[terrain][town]) for town in TOWNS} for terrain in LAND
}
"""By terrain, then the bit of a town: the towns to which a road of that terrain leads."""


def reach(roads: Mapping[int, int], origin: int, passable: int) -> int:
    """The towns of `passable` that some roads join to a town, that town included."""
    found = origin
    left = origin
    while left:
        bit = left & -left
        new = roads[bit] & passable & ~found
        found |= new
        left = left ^ bit | new
    return found


class Ground(NamedTuple):
    """Who stands where, as one seat sees it; `own` and `enemy` include the capitals."""

    own: int
    enemy: int
    empty: int
    """The towns with nobody on them (Rule: tokugawa 5.7)."""
    samurai: int
    """The towns with own samurai."""
    archers: int
    """Those of them whose samurai throw no dice by land (Rule: tokugawa 6.3)."""
    forged: int
    """Those of them whose samurai show their stronger side (Rule: tokugawa 10.7)."""


class Estate(NamedTuple):
    """What one seat has built where."""

    stands: Mapping[Building, int]
    """By building, ships apart."""
    castle_areas: int
    """The provinces in which it has castles (Rule: tokugawa 10.8)."""
    fleet: int
    """The ports with its ships."""


_GROUNDS: Final[IdentityCache[Keyed[Town, Piece], tuple[Ground, ...]]] = IdentityCache(512)
_ESTATES: Final[IdentityCache[Keyed[Town, Site], tuple[Estate, ...]]] = IdentityCache(512)
"""By the pieces and the sites of a table: some positions of a hundred tables."""


def ground_of(table: Table, seat: Seat) -> Ground:
    """The board as one seat sees it."""
    known = _GROUNDS.get(table.pieces)
    if known is None:
        pieces = freeze(table.pieces)
        known = _GROUNDS.get(pieces) or _GROUNDS.put(pieces, _grounds(pieces))
    return known[seat - 1]


def estate_of(table: Table, seat: Seat) -> Estate:
    """What a seat has on the board besides its samurai and its capital."""
    known = _ESTATES.get(table.sites)
    if known is None:
        sites = freeze(table.sites)
        estates = (_estate(each, sites) for each in SEATS)
        known = _ESTATES.get(sites) or _ESTATES.put(sites, tuple(estates))
    return known[seat - 1]


def by_ship(fleet: int, origin: Town) -> int:
    """The ports to which a ship of a fleet leads from a town (Rule: tokugawa 2.3)."""
    bit = BIT[origin]
    return PORT_MASK & ~bit if fleet & bit else 0


def _grounds(pieces: Keyed[Town, Piece]) -> tuple[Ground, ...]:
    """The board as each seat sees it."""
    standing = theirs = archers = turned = 0
    first = SEATS[0]
    for town, piece in pieces.items():
        bit = BIT[town]
        standing |= bit
        if piece.owner != first:
            theirs |= bit
        if piece.kind in _NO_THROW:
            archers |= bit
        if piece.back:
            turned |= bit
    empty, forged = ALL & ~standing, turned & ~CAPITAL_MASK

    def seen(own: int, enemy: int) -> Ground:
        return Ground(own, enemy, empty, own & ~CAPITAL_MASK, own & archers, own & forged)

    return seen(standing & ~theirs, theirs), seen(theirs, standing & ~theirs)


def _estate(seat: Seat, sites: Keyed[Town, Site]) -> Estate:
    gardens = smithies = castles = shrines = walls = areas = fleet = 0
    for town, site in sites.items():
        if site.owner == seat:
            bit = BIT[town]
            gardens |= bit * site.garden
            smithies |= bit * site.smithy
            walls |= bit * site.wall
            if site.shrine:
                shrines |= bit
            if site.castle:
                castles |= bit
                areas |= PROVINCE_MASK[PROVINCE_OF[town]]
            if site.ships:
                fleet |= bit
    stands = {
        Building.GARDEN: gardens,
        Building.SMITHY: smithies,
        Building.CASTLE: castles,
        Building.SHRINE: shrines,
        Building.WALL: walls,
    }
    return Estate(stands, areas, fleet)


_NO_THROW: Final = tuple(Kind(weapon.value) for weapon, arms in ARMS.items() if not arms.rolls)
