"""Pieces on the board and in stock: their strength, and how they come and go."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bluebear.rules.core.game import Tell
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokugawa.atlas import ARMS, CAPITAL_STRENGTH, PLANS
from bluebear.rules.tokugawa.events import Captured, Razed, Sunk
from bluebear.rules.tokugawa.state import SEATS, Kind, Piece, Site, Table, Work, other
from bluebear.rules.tokugawa.terms import Building, Province, Town, Weapon

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


def pay(table: Table, seat: Seat, koku: int, province: Province) -> None:
    """A seat pays a province's bank, or is paid by it if `koku` is negative."""
    table.seats[seat].koku -= koku
    table.banks[province] += koku


def enlist(table: Table, seat: Seat, weapon: Weapon, town: Town) -> None:
    """A samurai comes from the stock, front up (Rule: tokugawa 5.5, 9.11)."""
    table.seats[seat].samurai[weapon] -= 1
    table.pieces[town] = chip(seat, kind_of(weapon))


def discharge(table: Table, town: Town) -> None:
    """The samurai on a town goes back to the stock (Rule: tokugawa 5.6, 9.11)."""
    piece = table.pieces[town]
    table.seats[piece.owner].samurai[weapon_of(piece.kind)] += 1
    del table.pieces[town]


def step(table: Table, origin: Town, town: Town) -> None:
    """The samurai on a town goes to another one, as it is."""
    table.pieces[town] = table.pieces[origin]
    del table.pieces[origin]


def site_of(table: Table, seat: Seat, town: Town) -> Site:
    """What a seat has on a town; an empty site if it has nothing."""
    found = table.sites.get(town)
    return _EMPTY[seat] if found is None or found.owner != seat else found


_EMPTY: Final = {
    seat: Site(seat, Work.NONE, Work.NONE, wall=False, smithy=False, garden=False, ships=0)
    for seat in SEATS
}


def put_site(table: Table, town: Town, site: Site) -> None:
    """What is on a town from now on; an empty site is left out."""
    if not site.is_empty:
        table.sites[town] = site
    elif town in table.sites:
        del table.sites[town]


def move_ship(table: Table, seat: Seat, origin: Town, town: Town) -> None:
    """A ship goes along with its samurai (Rule: tokugawa 6.6)."""
    left, reached = site_of(table, seat, origin), site_of(table, seat, town)
    put_site(table, origin, but(left, ships=left.ships - 1))
    put_site(table, town, but(reached, ships=reached.ships + 1))


def take_off(table: Table, owner: Seat, *buildings: Building) -> None:
    """Buildings go back to their owner's stock or to the common supply."""
    for building in buildings:
        if building in _COMMON:
            table.supply[building] += 1
        else:
            table.seats[owner].pieces[building] += 1


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


def occupy(table: Table, seat: Seat, town: Town, tell: Tell) -> None:
    """A samurai of a seat has come to a town where the enemy may have things.

    Rule: tokugawa 5.8, 9.7, 9.9.
    """
    site = table.sites.get(town)
    if site is None or site.owner == seat:
        return
    loser = other(seat)
    lost = standing(site)
    del table.sites[town]
    if lost:
        tell(Razed(loser, town, lost))
        take_off(table, loser, *lost)
    if site.ships:
        _take_ships(table, seat, town, site.ships, tell)


def _take_ships(table: Table, seat: Seat, town: Town, ships: int, tell: Tell) -> None:
    """Captured ships are exchanged for own ones while there are any (Rule: tokugawa 9.9)."""
    loser, stock = other(seat), table.seats[seat].pieces
    count = min(ships, stock[Building.SHIP])
    take_off(table, loser, *[Building.SHIP] * ships)
    if count:
        tell(Captured(seat, loser, town, count))
        stock[Building.SHIP] -= count
        reached = site_of(table, seat, town)
        table.sites[town] = but(reached, ships=reached.ships + count)
    if count < ships:
        tell(Sunk(seat, loser, town, ships - count))
