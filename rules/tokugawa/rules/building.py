"""Building, forging and contracts (Rule: tokugawa 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.tokugawa.data.map_tables import DEALS, PLANS, PROVINCE_OF, SHIPYARDS
from bluebear.rules.tokugawa.data.pieces_loader import Plan
from bluebear.rules.tokugawa.data.terms import Building, Contract, Side
from bluebear.rules.tokugawa.rules import pieces
from bluebear.rules.tokugawa.rules.events import Built, Completed, Forged, Fulfilled, Opened
from bluebear.rules.tokugawa.rules.moves import BUILDS, FORGES, Build, Forge
from bluebear.rules.tokugawa.rules.state import Clan, Ending, Phase, State, Work, other

# Building and forging (Rule: tokugawa 10.1, 10.5 to 10.10).

RULES: Final = {building: f"10.{number}" for number, building in enumerate(Building, start=5)}
"""The paragraph of each building, from ships in 10.5 to walls in 10.10."""
_NEW: Final[Mapping[Building, Any]] = {Building.CASTLE: Work.NEW, Building.SHRINE: Work.NEW}
"""What takes time to serve; other buildings stand or do not (Any: the type of the site's field)."""
_PLANNED: Final = [(building, PLANS[building], moves) for building, moves in BUILDS.items()]


def builds(table: State, seat: Seat) -> list[Move]:
    """What a seat may build where, sorted by line (Rule: tokugawa 10.1)."""
    clan = table.seats[seat]
    ground, estate = pieces.ground_of(table, seat), pieces.estate_of(table, seat)
    made: list[Move] = []
    for building, plan, moves in _PLANNED:
        if in_time(table, plan) and clan.koku >= plan.cost and left(table, clan, building):
            towns = pieces.towns_of(pieces.left_open(_closed(ground, estate, building)))
            made += [moves[town] for town in towns]
    return made


def in_time(table: State, plan: Plan) -> bool:
    """Whether there is an action left, where one is needed (Rule: tokugawa 4.3, 4.4)."""
    return table.actions > 0 or not plan.action


def _closed(ground: pieces.Ground, estate: pieces.Estate, building: Building) -> pieces.Closed:
    """Where a seat cannot have (another) one (Rule: tokugawa 10.1, 10.5, 10.8)."""
    not_yours = ("not_yours", ~ground.friendly)
    if building is Building.SHIP:
        return (not_yours, ("no_shipyard", ~pieces.YARD_MASK))
    stands = ("stands_already", estate.stands[building])
    if building is Building.CASTLE:
        return (not_yours, stands, ("castle_in_province", estate.castle_areas))
    return (not_yours, stands)


def left(table: State, clan: Clan, building: Building) -> int:
    """How many of a building a seat could still build (Rule: tokugawa 1.5, 1.7)."""
    return table.supply[building] if PLANS[building].shared else clan.pieces[building]


def why_not_build(table: State, seat: Seat, move: Build) -> NotAllowed | None:
    """What forbids a building: actions, place, pieces or koku."""
    building, plan, rule = move.building, PLANS[move.building], RULES[move.building]
    if not in_time(table, plan):
        return NotAllowed("no_action_left", rule="4.3")
    clan, estate = table.seats[seat], pieces.estate_of(table, seat)
    code = pieces.first_closed(_closed(pieces.ground_of(table, seat), estate, building), move.town)
    if code is not None:
        return _closed_to(estate, move, code)
    if not left(table, clan, building):
        code = "none_in_supply" if plan.shared else "no_piece_left"
        return NotAllowed(code, rule=rule, building=building, count=plan.limit)
    return pieces.too_dear(clan, plan.cost, rule)


def _closed_to(estate: pieces.Estate, move: Build, code: str) -> NotAllowed:
    """The refusal of a town with what it tells."""
    building, town, rule = move.building, move.town, RULES[move.building]
    match code:
        case "no_shipyard":
            return NotAllowed(code, rule=rule, town=town, towns=SHIPYARDS)
        case "stands_already":
            return NotAllowed(code, rule="10.1", building=building, town=town)
        case "castle_in_province":
            province = PROVINCE_OF[town]
            castles = estate.stands[building] & pieces.PROVINCE_MASK[province]
            return NotAllowed(code, rule=rule, province=province, town=pieces.towns_of(castles)[0])
        case _:
            return NotAllowed(code, rule="10.1", town=town)


def build(table: State, seat: Seat, move: Build, chance: Chance, emit: Emit) -> None:
    """Something is built; a ship may sail then (Rule: tokugawa 10.5)."""
    building, town, plan = move.building, move.town, PLANS[move.building]
    table.actions -= plan.action
    emit(Built(seat, building, town, plan.cost))
    pieces.pay(table, seat, plan.cost, PROVINCE_OF[town])
    if plan.shared:
        table.supply[building] -= 1
    else:
        table.seats[seat].pieces[building] -= 1
    if building is Building.SHIP:
        pieces.add_ships(table, seat, town, 1)
        table.phase, table.ship_at = Phase.SAILING, town
    else:
        stands = {building.value: _NEW.get(building, True)}
        table.sites[town] = but(pieces.site_of(table, seat, town), **stands)


def has_smithy(table: State, seat: Seat) -> bool:
    """Whether a seat's smithy stands (Rule: tokugawa 10.7)."""
    return not table.seats[seat].pieces[Building.SMITHY]


def forges(table: State, seat: Seat) -> list[Move]:
    """The samurai a seat may forge weapons for, sorted (Rule: tokugawa 10.7)."""
    if not has_smithy(table, seat):
        return []
    ground = pieces.ground_of(table, seat)
    return [FORGES[town] for town in pieces.towns_of(ground.samurai & ~ground.forged)]


def why_not_forge(table: State, seat: Seat, move: Forge) -> NotAllowed | None:
    """What forbids forging: no smithy, no samurai, or it is forged already."""
    if not has_smithy(table, seat):
        return NotAllowed("no_smithy", rule="10.7")
    no = pieces.why_no_samurai(table, seat, move.town, "10.7")
    if no is None and pieces.BIT[move.town] & pieces.ground_of(table, seat).forged:
        kind = table.pieces[move.town].kind
        return NotAllowed("forged_already", rule="10.7", piece=kind, town=move.town)
    return no


def forge(table: State, seat: Seat, move: Forge, chance: Chance, emit: Emit) -> None:
    """A samurai is turned to its stronger side."""
    piece = table.pieces[move.town]
    emit(Forged(seat, piece.kind, move.town))
    table.pieces[move.town] = pieces.chip(seat, piece.kind, True, piece.weak)  # noqa: FBT003 - see `chip`


def complete_castles(table: State, seat: Seat, emit: Emit) -> None:
    """A seat's new castles are completed (Rule: tokugawa 4.2, 10.8)."""
    for town, site in table.sites.items():
        if site.castle is Work.NEW and site.owner == seat:
            emit(Completed(seat, town))
            table.sites[town] = but(site, castle=Work.DONE)


def hallow_shrines(table: State, seat: Seat) -> None:
    """After a turn its new shrines begin to serve (Rule: tokugawa 10.9)."""
    for town, site in table.sites.items():
        if site.shrine is Work.NEW and site.owner == seat:
            table.sites[town] = but(site, shrine=Work.DONE)


# Contracts: when one is fulfilled, and what comes after it (Rule: tokugawa 10.2, 10.3).

LAST_CONTRACT: Final = 3
"""Rule: tokugawa 11.2."""
SHORT_POINTS: Final = 10
"""Rule: tokugawa 11.5."""

OPENED_AT_THE_END: Final = 2
"""From this version on a card is opened behind the last contract, too (Rule: tokugawa 10.2)."""

_SIDES: Final = tuple(Side)


def open_next(table: State, side: Side, chance: Chance, emit: Emit) -> None:
    """The next card of a stack lies open instead of the last one, if there is any.

    A stack has no order: chance says which of its cards is next. The last one needs no draw.
    Rule: tokugawa 3.2, 10.2.
    """
    stack = table.stacks[side]
    if not stack:
        return
    at = chance.pick(len(stack)) if len(stack) > 1 else 0
    card = stack[at]
    emit(Opened(side, card, DEALS[card].points))
    table.stacks[side] = stack[:at] + stack[at + 1 :]
    table.open[side] = card


def fulfilled(table: State, seat: Seat, contract: Contract) -> bool:
    """Whether a seat has what a contract asks for (Rule: tokugawa 10.3)."""
    deal, board = DEALS[contract], table.pieces
    for town in deal.towns:
        piece = board.get(town)
        if piece is None or piece.owner != seat:
            return False
    return not deal.ships or pieces.estate_of(table, seat).fleet.bit_count() >= deal.ships


def points(clan: Clan) -> int:
    """The points of the contracts that a seat has taken (Rule: tokugawa 10.4)."""
    return sum(DEALS[each].points for each in clan.contracts)


def take_fulfilled(table: State, seat: Seat, chance: Chance, emit: Emit) -> Ending | None:
    """A seat takes what it fulfilled; how that ends the game. Rule: tokugawa 10.2, 11.2, 11.5."""
    shown = table.open
    for side in _SIDES:
        while (card := shown.get(side)) is not None and fulfilled(table, seat, card):
            del shown[side]
            clan = table.seats[seat]
            clan.contracts = (*clan.contracts, card)
            table.decided = table.number
            emit(Fulfilled(seat, card, DEALS[card].points, points(clan)))
            ending = _ending(table, seat)
            if ending is None or table.rules >= OPENED_AT_THE_END:
                open_next(table, side, chance, emit)
            if ending is not None:
                return ending
    return None


def take_in_turn(table: State, chance: Chance, emit: Emit) -> Ending | None:
    """Both seats take what they fulfilled, the other seat first (Rule: tokugawa 10.11)."""
    seat = other(table.turn)
    while True:
        before = table.seats[seat].contracts
        ending = take_fulfilled(table, seat, chance, emit)
        if ending is not None or table.seats[seat].contracts == before:
            return ending
        seat = other(seat)


def _ending(table: State, seat: Seat) -> Ending | None:
    clan = table.seats[seat]
    if len(clan.contracts) >= LAST_CONTRACT:
        return Ending.CONTRACTS
    if table.short and points(clan) >= SHORT_POINTS:
        return Ending.SHORT
    return None
