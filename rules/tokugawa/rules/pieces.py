"""Pieces and towns: who stands where, how pieces come and go, and shared refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from bluebear.rules.core.draft import freeze
from bluebear.rules.core.game import Emit
from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.terms import Building, Province, Terrain, Town, Weapon
from bluebear.rules.tokugawa.rules import state
from bluebear.rules.tokugawa.rules.events import Captured, Razed, Sunk

# Pieces on the board and in stock: their strength, and how they come and go.

STRENGTH: Final[Mapping[state.Kind, tuple[int, int]]] = {
    **{state.Kind(weapon.value): arms.strength for weapon, arms in map_tables.ARMS.items()},
    state.Kind.CAPITAL: map_tables.CAPITAL_STRENGTH,
}
"""Front and back of every piece (Rule: tokugawa 1.6)."""

WEAKENED: Final = -1
"""What a marker does to a strength (Rule: tokugawa 8.2, 8.3)."""

_ON_LAND: Final[list[Building]] = [each for each in Building if each is not Building.SHIP]


@cache  # bounded: 2 seats, 4 kinds, 4 sides
def chip(owner: Seat, kind: state.Kind, back: bool = False, weak: bool = False) -> state.Piece:  # noqa: FBT001, FBT002 - a cache wants positions
    """The one piece of this kind."""
    return state.Piece(owner, kind, back, weak)


def power(piece: state.Piece) -> int:
    """The strength of a piece by itself (Rule: tokugawa 1.6, 8.2, 8.3)."""
    return STRENGTH[piece.kind][piece.back] + (WEAKENED if piece.weak else 0)


def pay(table: state.State, seat: Seat, koku: int, province: Province) -> None:
    """A seat pays a province's bank, or is paid by it if `koku` is negative."""
    table.seats[seat].koku -= koku
    table.banks[province] += koku


def enlist(table: state.State, seat: Seat, weapon: Weapon, town: Town) -> None:
    """A samurai comes from the stock, front up (Rule: tokugawa 5.5, 9.11)."""
    table.seats[seat].samurai[weapon] -= 1
    table.pieces[town] = chip(seat, state.Kind(weapon))


def discharge(table: state.State, town: Town) -> None:
    """The samurai on a town goes back to the stock (Rule: tokugawa 5.6, 9.11)."""
    piece = table.pieces[town]
    table.seats[piece.owner].samurai[Weapon(piece.kind)] += 1
    del table.pieces[town]


def step(table: state.State, origin: Town, town: Town) -> None:
    """The samurai on a town goes to another one, as it is."""
    table.pieces[town] = table.pieces[origin]
    del table.pieces[origin]


def site_of(table: state.State, seat: Seat, town: Town) -> state.Site:
    """What a seat has on a town; an empty site if it has nothing."""
    found = table.sites.get(town)
    return _EMPTY[seat] if found is None or found.owner != seat else found


_EMPTY: Final = {
    seat: state.Site(
        seat, state.Work.NONE, state.Work.NONE, wall=False, smithy=False, garden=False, ships=0
    )
    for seat in state.SEATS
}


def put_site(table: state.State, town: Town, site: state.Site) -> None:
    """What is on a town from now on; an empty site is left out."""
    if not site.is_empty:
        table.sites[town] = site
    elif town in table.sites:
        del table.sites[town]


def add_ships(table: state.State, seat: Seat, town: Town, count: int) -> None:
    """So many ships of a seat come to a port, or leave it if `count` is negative."""
    site = site_of(table, seat, town)
    put_site(table, town, but(site, ships=site.ships + count))


def move_ship(table: state.State, seat: Seat, origin: Town, town: Town) -> None:
    """A ship goes along with its samurai (Rule: tokugawa 6.6)."""
    add_ships(table, seat, origin, -1)
    add_ships(table, seat, town, 1)


def take_off(table: state.State, owner: Seat, *buildings: Building) -> None:
    """Buildings go back to their owner's stock or to the common supply."""
    for building in buildings:
        if map_tables.PLANS[building].shared:
            table.supply[building] += 1
        else:
            table.seats[owner].pieces[building] += 1


@cache  # bounded: 2 seats, 72 sets of buildings, 6 numbers of ships
def buildings_on(site: state.Site) -> tuple[Building, ...]:
    """The buildings of a site without its ships, in the order of `Building`."""
    return tuple(building for building in _ON_LAND if getattr(site, building))


def occupy(table: state.State, seat: Seat, town: Town, emit: Emit) -> None:
    """A samurai came to a town where the enemy may have things (Rule: tokugawa 5.8, 9.7, 9.9)."""
    site = table.sites.get(town)
    if site is None or site.owner == seat:
        return
    loser = state.other(seat)
    lost = buildings_on(site)
    del table.sites[town]
    if lost:
        emit(Razed(loser, town, lost))
        take_off(table, loser, *lost)
    if site.ships:
        _take_ships(table, seat, town, site.ships, emit)


def _take_ships(table: state.State, seat: Seat, town: Town, ships: int, emit: Emit) -> None:
    """Captured ships are exchanged for own ones while there are any (Rule: tokugawa 9.9)."""
    loser, stock = state.other(seat), table.seats[seat].pieces
    count = min(ships, stock[Building.SHIP])
    take_off(table, loser, *[Building.SHIP] * ships)
    if count:
        emit(Captured(seat, loser, town, count))
        stock[Building.SHIP] -= count
        add_ships(table, seat, town, count)
    if count < ships:
        emit(Sunk(seat, loser, town, ships - count))


# Towns as bits of a number, so that what is possible where is found quickly.
#
# Bit n stands for the n-th town of `TOWNS`; since those are sorted, so are the towns of a mask.

BIT: Final[Mapping[Town, int]] = {town: 1 << index for index, town in enumerate(map_tables.TOWNS)}
ALL: Final = (1 << len(map_tables.TOWNS)) - 1


def mask_of(towns: Iterable[Town]) -> int:
    """The towns as one number."""
    made = 0
    for town in towns:
        made |= BIT[town]
    return made


@lru_cache(maxsize=4096)
def towns_of(mask: int) -> tuple[Town, ...]:
    """The towns of a mask, sorted."""
    mask, made = mask & ALL, []
    while mask:
        bit = mask & -mask
        made.append(map_tables.TOWNS[bit.bit_length() - 1])
        mask ^= bit
    return tuple(made)


PORT_MASK: Final = mask_of(map_tables.PORTS)
YARD_MASK: Final = mask_of(map_tables.SHIPYARDS)
CAPITAL_MASK: Final = mask_of(map_tables.CAPITALS)
ADJACENT: Final[Mapping[Town, int]] = {
    town: mask_of(map_tables.NEIGHBOURS[town]) for town in map_tables.TOWNS
}
"""The towns to which a road leads."""
PROVINCE_MASK: Final[Mapping[Province, int]] = {
    province: mask_of(town for town in map_tables.TOWNS if map_tables.PROVINCE_OF[town] == province)
    for province in map_tables.PROVINCES
}

ROADS: Final[Mapping[Terrain, Mapping[int, int]]] = {
    terrain: {BIT[town]: mask_of(map_tables.BY_TERRAIN[terrain][town]) for town in map_tables.TOWNS}
    for terrain in map_tables.LAND
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
    """Who stands where, as one seat sees it; `friendly` and `enemy` include the capitals."""

    friendly: int
    enemy: int
    empty: int
    """The towns without a piece (Rule: tokugawa 5.7)."""
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


_GROUNDS: Final[IdentityCache[Keyed[Town, state.Piece], tuple[Ground, ...]]] = IdentityCache(512)
_ESTATES: Final[IdentityCache[Keyed[Town, state.Site], tuple[Estate, ...]]] = IdentityCache(512)
"""By the pieces and the sites of a table: some positions of a hundred tables."""


def ground_of(table: state.State, seat: Seat) -> Ground:
    """The board as one seat sees it."""
    views = _GROUNDS.get(table.pieces)
    if views is None:
        pieces = freeze(table.pieces)
        views = _GROUNDS.get(pieces) or _GROUNDS.put(pieces, _grounds(pieces))
    return views[seat - 1]


def estate_of(table: state.State, seat: Seat) -> Estate:
    """What a seat has on the board besides its samurai and its capital."""
    cached = _ESTATES.get(table.sites)
    if cached is None:
        sites = freeze(table.sites)
        estates = (_estate(each, sites) for each in state.SEATS)
        cached = _ESTATES.get(sites) or _ESTATES.put(sites, tuple(estates))
    return cached[seat - 1]


def by_ship(fleet: int, origin: Town) -> int:
    """The ports to which a ship of a fleet leads from a town (Rule: tokugawa 2.3)."""
    bit = BIT[origin]
    return PORT_MASK & ~bit if fleet & bit else 0


def _grounds(pieces: Keyed[Town, state.Piece]) -> tuple[Ground, ...]:
    """The board as each seat sees it."""
    occupied = theirs = archers = turned = 0
    first = state.SEATS[0]
    for town, piece in pieces.items():
        bit = BIT[town]
        occupied |= bit
        if piece.owner != first:
            theirs |= bit
        if piece.kind in _NO_THROW:
            archers |= bit
        if piece.back:
            turned |= bit
    empty, forged = ALL & ~occupied, turned & ~CAPITAL_MASK

    def seen(ours: int, enemy: int) -> Ground:
        return Ground(ours, enemy, empty, ours & ~CAPITAL_MASK, ours & archers, ours & forged)

    return seen(occupied & ~theirs, theirs), seen(theirs, occupied & ~theirs)


def _estate(seat: Seat, sites: Keyed[Town, state.Site]) -> Estate:
    stands = dict.fromkeys(_ON_LAND, 0)
    areas = fleet = 0
    for town, site in sites.items():
        if site.owner == seat:
            for building in buildings_on(site):
                stands[building] |= BIT[town]
            if site.castle:
                areas |= PROVINCE_MASK[map_tables.PROVINCE_OF[town]]
            if site.ships:
                fleet |= BIT[town]
    return Estate(stands, areas, fleet)


_NO_THROW: Final = tuple(
    state.Kind(weapon.value) for weapon, arms in map_tables.ARMS.items() if not arms.rolls
)


# Refusals that several moves share: whose samurai, at what cost, where, and whose time it is.

_DUE: Final[Mapping[state.Phase, tuple[str, str]]] = {
    state.Phase.PLACING: ("place_now", "3.6"),
    state.Phase.ACTING: ("act_now", "4.3"),
    state.Phase.SAILING: ("sail_now", "10.5"),
    state.Phase.ATTACK_SUPPORT: ("support_now", "7.4"),
    state.Phase.DEFENCE_SUPPORT: ("support_now", "7.4"),
    state.Phase.ATTACK_ROLL: ("roll_now", "8.1"),
    state.Phase.DEFENCE_ROLL: ("roll_now", "8.1"),
    state.Phase.RETREATING: ("retreat_now", "9.4"),
}
"""What a seat is told that tries something else: the phrase, and the paragraph."""


def other_time(table: state.State) -> NotAllowed:
    """Why a move of another phase is not allowed now."""
    code, rule = _DUE[table.phase]
    return NotAllowed(code, rule=rule)


def why_no_samurai(table: state.State, seat: Seat, town: Town, rule: str) -> NotAllowed | None:
    """Why nothing can be done with a samurai on a town: there is no own one, or the capital."""
    samurai = ground_of(table, seat).samurai
    if BIT[town] & samurai:
        return None
    piece = table.pieces.get(town)
    if piece is not None and piece.owner == seat:
        return NotAllowed("capital_no_samurai", rule="3.4", town=town)
    towns = towns_of(samurai)
    code = "no_samurai" if towns else "no_samurai_at_all"
    return NotAllowed(code, rule=rule, town=town, towns=towns)


def no_ship(
    table: state.State, seat: Seat, origin: Town, town: Town, rule: str
) -> NotAllowed | None:
    """Why no own ship leads from town to town."""
    if by_ship(estate_of(table, seat).fleet, origin) & BIT[town]:
        return None
    for port in (origin, town):
        if port not in map_tables.PORTS:
            return NotAllowed("no_port", rule=rule, town=port)
    if origin == town:
        return NotAllowed("stays_there", rule=rule, town=town)
    return NotAllowed("no_ship", rule=rule, town=origin)


def too_dear(clan: state.Clan, cost: int, rule: str) -> NotAllowed | None:
    """Why a seat cannot pay so many koku (Rule: tokugawa 11.7)."""
    if clan.koku >= cost:
        return None
    return NotAllowed("too_dear", rule=rule, cost=cost, koku=clan.koku)


Closed = tuple[tuple[str, int], ...]
"""What forbids something where: codes of refusals, each with its towns, in the order of asking."""


def left_open(closed: Closed) -> int:
    """The towns where nothing forbids it."""
    towns = ALL
    for _, mask in closed:
        towns &= ~mask
    return towns


def first_closed(closed: Closed, town: Town) -> str | None:
    """The code of the first refusal that holds for a town; None if there is none."""
    return next((code for code, mask in closed if mask & BIT[town]), None)
