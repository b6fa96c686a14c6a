"""Building and forging (Rule: tokugawa 10.1, 10.5 to 10.10)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
from rules.tokugawa.atlas import IS_SHIPYARD, PLANS, PROVINCE_OF, SHIPYARDS
from rules.tokugawa.chips import chip, pay, site_of, standing
from rules.tokugawa.events import Built, Completed, Forged
from rules.tokugawa.ground import BIT, PROVINCE_MASK, YARD_MASK, Ground, towns_of
from rules.tokugawa.moves import Build, Forge
from rules.tokugawa.refusals import own_samurai, too_dear
from rules.tokugawa.state import Phase, Site, Table, Work
from rules.tokugawa.tables import BUILDS, FORGES
from rules.tokugawa.terms import Building, Province


def builds(table: Table, seat: Seat, ground: Ground) -> list[Move]:
    """What a seat may build where, sorted by line (Rule: tokugawa 10.1)."""
    clan = table.seats[seat]
    taken = _taken(table, seat)
    made: list[Move] = []
    for building, moves in BUILDS.items():
        plan = PLANS[building]
        if plan.action and not table.actions:
            continue
        if clan.koku >= plan.cost and left(table, seat, building):
            made += [moves[town] for town in towns_of(ground.own & ~taken[building])]
    return made


def _taken(table: Table, seat: Seat) -> dict[Building, int]:
    """For each building the towns where a seat cannot have (another) one."""
    gardens = smithies = castles = shrines = walls = 0
    for town, site in table.sites.items():
        if site.owner == seat:
            bit = BIT[town]
            gardens |= bit * site.garden
            smithies |= bit * site.smithy
            walls |= bit * site.wall
            if site.shrine:
                shrines |= bit
            if site.castle:
                castles |= PROVINCE_MASK[PROVINCE_OF[town]]
    return {
        Building.SHIP: ~YARD_MASK,
        Building.GARDEN: gardens,
        Building.SMITHY: smithies,
        Building.CASTLE: castles,
        Building.SHRINE: shrines,
        Building.WALL: walls,
    }


def left(table: Table, seat: Seat, building: Building) -> int:
    """How many of a building a seat could still build (Rule: tokugawa 1.5, 1.7)."""
    if PLANS[building].shared:
        return table.supply[building]
    return table.seats[seat].pieces[building]


def build_checked(table: Table, seat: Seat, move: Build) -> None:
    """NotAllowed if place, pieces, actions or koku do not allow it."""
    building, town = move.building, move.town
    plan = PLANS[building]
    rule = RULES[building]
    if plan.action and not table.actions:
        raise NotAllowed("no_action_left", rule="4.3")
    piece = table.pieces.get(town)
    if piece is None or piece.owner != seat:
        raise NotAllowed("not_yours", rule="10.1", town=town)
    if building is Building.SHIP and town not in IS_SHIPYARD:
        raise NotAllowed("no_shipyard", rule=rule, town=town, towns=SHIPYARDS)
    if building in standing(site_of(table, seat, town)):
        raise NotAllowed("stands_already", rule="10.1", building=building, town=town)
    if building is Building.CASTLE:
        _check_province(table, seat, PROVINCE_OF[town])
    if not left(table, seat, building):
        code = "none_in_supply" if plan.shared else "no_piece_left"
        raise NotAllowed(code, rule=rule, building=building, count=plan.limit)
    too_dear(table.seats[seat], plan.cost, rule)


def _check_province(table: Table, seat: Seat, province: Province) -> None:
    for town, site in table.sites.items():
        own = site.owner == seat and PROVINCE_OF[town] == province
        if own and site.castle is not Work.NONE:
            raise NotAllowed("castle_in_province", rule="10.8", province=province, town=town)


def build(table: Table, seat: Seat, move: Build, events: list[Event]) -> Table:
    """The table after something was built; a ship may sail then (Rule: tokugawa 10.5)."""
    building, town = move.building, move.town
    plan = PLANS[building]
    events.append(Built(seat, building, town, plan.cost))
    table = pay(table, seat, plan.cost, PROVINCE_OF[town])
    site = _with(site_of(table, seat, town), building)
    if plan.shared:
        supply = table.supply.put(building, table.supply[building] - 1)
        return but(table, sites=table.sites.put(town, site), supply=supply)
    clan = table.seats[seat]
    clan = but(clan, pieces=clan.pieces.put(building, clan.pieces[building] - 1))
    table = but(table, sites=table.sites.put(town, site), seats=table.seats.put(seat, clan))
    if building is Building.SHIP:
        return but(table, phase=Phase.SAILING, ship_at=town)
    return table


def _with(site: Site, building: Building) -> Site:
    match building:
        case Building.SHIP:
            return but(site, ships=site.ships + 1)
        case Building.GARDEN:
            return but(site, garden=True)
        case Building.SMITHY:
            return but(site, smithy=True)
        case Building.CASTLE:
            return but(site, castle=Work.NEW)
        case Building.SHRINE:
            return but(site, shrine=Work.NEW)
        case Building.WALL:
            return but(site, wall=True)


def has_smithy(table: Table, seat: Seat) -> bool:
    """Whether a seat's smithy stands (Rule: tokugawa 10.7)."""
    return not table.seats[seat].pieces[Building.SMITHY]


def forges(table: Table, seat: Seat, ground: Ground) -> Iterator[Move]:
    """Whom a seat may forge weapons for, sorted (Rule: tokugawa 10.7)."""
    if has_smithy(table, seat):
        for town in towns_of(ground.samurai):
            if not table.pieces[town].back:
                yield FORGES[town]


def forge_checked(table: Table, seat: Seat, move: Forge) -> None:
    """NotAllowed without a smithy, without a samurai, or if it is forged already."""
    if not has_smithy(table, seat):
        raise NotAllowed("no_smithy", rule="10.7")
    piece = own_samurai(table, seat, move.town, "10.7")
    if piece.back:
        raise NotAllowed("forged_already", rule="10.7", piece=piece.kind, town=move.town)


def forge(table: Table, seat: Seat, move: Forge, events: list[Event]) -> Table:
    """The table after a samurai was turned to its stronger side."""
    piece = table.pieces[move.town]
    events.append(Forged(seat, piece.kind, move.town))
    turned = chip(seat, piece.kind, True, piece.weak)  # noqa: FBT003 - see `chip`
    return but(table, pieces=table.pieces.put(move.town, turned))


def castles_completed(table: Table, seat: Seat, events: list[Event]) -> Table:
    """The table after a seat's castles were completed (Rule: tokugawa 4.2, 10.8)."""
    for town, site in table.sites.items():
        if site.owner == seat and site.castle is Work.NEW:
            events.append(Completed(seat, town))
            done = but(site, castle=Work.DONE)
            table = but(table, sites=table.sites.put(town, done))
    return table


def shrines_hallowed(table: Table, seat: Seat) -> Table:
    """The table after a turn, when its shrines begin to serve (Rule: tokugawa 10.9)."""
    for town, site in table.sites.items():
        if site.owner == seat and site.shrine is Work.NEW:
            done = but(site, shrine=Work.DONE)
            table = but(table, sites=table.sites.put(town, done))
    return table


RULES = {
    Building.SHIP: "10.5",
    Building.GARDEN: "10.6",
    Building.SMITHY: "10.7",
    Building.CASTLE: "10.8",
    Building.SHRINE: "10.9",
    Building.WALL: "10.10",
}
"""The paragraph of each building."""
