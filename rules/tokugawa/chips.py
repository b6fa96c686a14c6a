"""Pieces on the board and in stock: their strength, and how they come and go."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from rules.core.keyed import Keyed
from rules.core.vision import Event, Seat, but
from rules.tokugawa.atlas import ARMS, CAPITAL_STRENGTH, PLANS, PROVINCE_OF
from rules.tokugawa.events import Captured, Razed, Sunk
from rules.tokugawa.state import SEATS, Clan, Kind, Piece, Site, Table, Work, other
from rules.tokugawa.terms import Building, Province, Town, Weapon

STRENGTH: Final[Mapping[Kind, tuple[int, int]]] = {
    **{Kind(weapon.value): arms.strength for weapon, arms in ARMS.items()},
    Kind.CAPITAL: CAPITAL_STRENGTH,
}
"""Front and back of every piece (Rule: tokugawa 1.6)."""

WEAKENED: Final = -1
"""What a marker does to a strength (Rule: tokugawa 8.2, 8.3)."""

_WEAPON: Final[Mapping[Kind, Weapon]] = {Kind(weapon.value): weapon for weapon in Weapon}
_COMMON: Final = tuple(building for building in Building if PLANS[building].shared)


@cache  # bounded: 2 seats, 4 kinds, 4 sides
def chip(owner: Seat, kind: Kind, back: bool = False, weak: bool = False) -> Piece:  # noqa: FBT001, FBT002 - a cache wants positions
    """The one piece of this kind."""
    return Piece(owner, kind, back, weak)


def weapon_of(kind: Kind) -> Weapon:
    """The weapon of a samurai; KeyError for a capital."""
    return _WEAPON[kind]


def kind_of(weapon: Weapon) -> Kind:
    """What stands on the board for a weapon."""
    return Kind(weapon.value)


def power(piece: Piece) -> int:
    """The strength of a piece by itself (Rule: tokugawa 1.6, 8.2, 8.3)."""
    return STRENGTH[piece.kind][piece.back] + (WEAKENED if piece.weak else 0)


def pay(table: Table, seat: Seat, koku: int, province: Province) -> Table:
    """The table after a seat paid a province's bank, or was paid by it if `koku` is negative."""
    clan = table.seats[seat]
    return but(
        table,
        seats=table.seats.put(seat, but(clan, koku=clan.koku - koku)),
        banks=table.banks.put(province, table.banks[province] + koku),
    )


def enlisted(table: Table, seat: Seat, weapon: Weapon, town: Town) -> Table:
    """The table after a samurai came from the stock, front up (Rule: tokugawa 5.5, 9.11)."""
    return but(
        table,
        seats=table.seats.put(seat, _with_samurai(table.seats[seat], weapon, -1)),
        pieces=table.pieces.put(town, chip(seat, kind_of(weapon))),
    )


def discharged(table: Table, town: Town) -> Table:
    """The table after the samurai on a town went back to the stock (Rule: tokugawa 5.6, 9.11)."""
    piece = table.pieces[town]
    clan = _with_samurai(table.seats[piece.owner], weapon_of(piece.kind), 1)
    return but(
        table,
        seats=table.seats.put(piece.owner, clan),
        pieces=table.pieces.drop(town),
    )


def _with_samurai(clan: Clan, weapon: Weapon, change: int) -> Clan:
    return but(clan, samurai=clan.samurai.put(weapon, clan.samurai[weapon] + change))


def site_of(table: Table, seat: Seat, town: Town) -> Site:
    """What a seat has on a town; an empty site if it has nothing."""
    found = table.sites.get(town)
    return _EMPTY[seat] if found is None or found.owner != seat else found


_EMPTY: Final = {
    seat: Site(seat, Work.NONE, Work.NONE, wall=False, smithy=False, garden=False, ships=0)
    for seat in SEATS
}


def with_site(sites: Keyed[Town, Site], town: Town, site: Site) -> Keyed[Town, Site]:
    """The sites with that of one town changed; an empty one is left out."""
    if not site.is_empty:
        return sites.put(town, site)
    return sites.drop(town) if town in sites else sites


def has_ship(table: Table, seat: Seat, town: Town) -> bool:
    """Whether a seat has a ship in a port."""
    site = table.sites.get(town)
    return site is not None and site.ships > 0 and site.owner == seat


def ship_moved(table: Table, seat: Seat, origin: Town, town: Town) -> Table:
    """The table after a ship went along with its samurai (Rule: tokugawa 6.6)."""
    left = site_of(table, seat, origin)
    sites = with_site(table.sites, origin, but(left, ships=left.ships - 1))
    reached = site_of(table, seat, town)
    return but(table, sites=with_site(sites, town, but(reached, ships=reached.ships + 1)))


def taken_off(table: Table, owner: Seat, *buildings: Building) -> Table:
    """The table after buildings went back to their owner's stock or to the common supply."""
    pieces, supply = table.seats[owner].pieces, table.supply
    for building in buildings:
        if building in _COMMON:
            supply = supply.put(building, supply[building] + 1)
        else:
            pieces = pieces.put(building, pieces[building] + 1)
    clan = but(table.seats[owner], pieces=pieces)
    return but(table, seats=table.seats.put(owner, clan), supply=supply)


def standing(site: Site) -> tuple[Building, ...]:
    """The buildings of a site without its ships, in the order of `Building`."""
    there = {
        Building.GARDEN: site.garden,
        Building.SMITHY: site.smithy,
        Building.CASTLE: site.castle is not Work.NONE,
        Building.SHRINE: site.shrine is not Work.NONE,
        Building.WALL: site.wall,
    }
    return tuple(building for building, stands in there.items() if stands)


def occupied(table: Table, seat: Seat, town: Town, events: list[Event]) -> Table:
    """The table after a samurai of a seat came to a town where the enemy may have things.

    Rule: tokugawa 5.8, 9.7, 9.9.
    """
    site = table.sites.get(town)
    if site is None or site.owner == seat:
        return table
    loser = other(seat)
    lost = standing(site)
    table = but(table, sites=table.sites.drop(town))
    if lost:
        events.append(Razed(loser, town, lost))
        table = taken_off(table, loser, *lost)
    return _ships_taken(table, seat, town, site.ships, events) if site.ships else table


def _ships_taken(table: Table, seat: Seat, town: Town, ships: int, events: list[Event]) -> Table:
    """Captured ships are exchanged for own ones while there are any (Rule: tokugawa 9.9)."""
    loser = other(seat)
    clan = table.seats[seat]
    count = min(ships, clan.pieces[Building.SHIP])
    table = taken_off(table, loser, *[Building.SHIP] * ships)
    if count:
        events.append(Captured(seat, loser, town, count))
        mine = but(clan, pieces=clan.pieces.put(Building.SHIP, clan.pieces[Building.SHIP] - count))
        reached = site_of(table, seat, town)
        table = but(
            table,
            seats=table.seats.put(seat, mine),
            sites=table.sites.put(town, but(reached, ships=reached.ships + count)),
        )
    if count < ships:
        events.append(Sunk(seat, loser, town, ships - count))
    return table


def samurai_in(table: Table, seat: Seat, province: Province) -> int:
    """The samurai of a seat in a province, its capital among them (Rule: tokugawa 5.3)."""
    return sum(
        piece.owner == seat and PROVINCE_OF[town] == province
        for town, piece in table.pieces.items()
    )
