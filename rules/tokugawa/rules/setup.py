"""Setting the game up, and the start phase (Rule: tokugawa 3)."""

from __future__ import annotations

from functools import partial, reduce
from operator import or_
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.draft import draft_of, freeze
from bluebear.rules.core.game import Emit
from bluebear.rules.core.game_info import RULES_OPTION, Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.terms import Side, Weapon
from bluebear.rules.tokugawa.rules import pieces, state
from bluebear.rules.tokugawa.rules.building import open_next
from bluebear.rules.tokugawa.rules.events import Began, Placed
from bluebear.rules.tokugawa.rules.moves import PLACES, Place

# Setting the game up: capitals, koku, contracts (Rule: tokugawa 3.1 to 3.4).


def set_up(options: Options, seats: int, chance: Chance, emit: Emit) -> state.State:
    """The table before the first samurai is placed (Rule: tokugawa 3.1 to 3.4)."""
    kyoto = state.SEATS[chance.pick(len(state.SEATS))]
    start = state.SEATS[chance.pick(len(state.SEATS))]
    emit(Began(kyoto, state.other(kyoto), start))
    table = draft_of(_bare(options, kyoto, start))
    for side in Side:
        open_next(table, side, chance, emit)
    return freeze(table)


def _bare(options: Options, kyoto: Seat, start: Seat) -> state.State:
    """The table before any contract lies open."""
    capitals = dict(zip((kyoto, state.other(kyoto)), map_tables.CAPITALS, strict=True))
    clan = state.Clan(
        capital=map_tables.CAPITALS[0],
        koku=map_tables.START_PLAYER,
        samurai=Keyed({weapon: arms.stock for weapon, arms in map_tables.ARMS.items()}),
        pieces=Keyed(
            {each: plan.limit for each, plan in map_tables.PLANS.items() if not plan.shared}
        ),
        contracts=(),
    )
    return state.State(
        rules=int(options[RULES_OPTION]),
        short=bool(options["short"]),
        contracts_at_once=bool(options.get("contracts_at_once")) or None,
        run_up=bool(options.get("run_up")) or None,
        max_rounds=int(options["max_rounds"]),
        phase=state.Phase.PLACING,
        start=start,
        turn=start,
        number=0,
        actions=0,
        seats=Keyed({seat: but(clan, capital=town) for seat, town in capitals.items()}),
        banks=Keyed(dict.fromkeys(map_tables.PROVINCES, map_tables.START_PROVINCE)),
        pieces=Keyed(
            {town: pieces.chip(seat, state.Kind.CAPITAL) for seat, town in capitals.items()}
        ),
        sites=Keyed(),
        supply=Keyed({each: plan.limit for each, plan in map_tables.PLANS.items() if plan.shared}),
        open=Keyed(),
        stacks=Keyed(map_tables.STACKS),
    )


# The start phase: eight samurai of each seat, first one, then two by two (Rule: tokugawa 3).

PLACINGS: Final = state.START_SAMURAI * len(state.SEATS)


def placed(table: state.State) -> int:
    """How many samurai have been placed, in the start phase."""
    return len(table.pieces) - len(map_tables.CAPITALS)


def placer(start: Seat, number: int) -> Seat:
    """Who places when so many samurai have been placed (Rule: tokugawa 3.6)."""
    return start if (number + 1) // 2 % 2 == 0 else state.other(start)


def left(table: state.State, seat: Seat, weapon: Weapon) -> int:
    """How many of a kind a seat has still to place (Rule: tokugawa 3.5)."""
    arms = map_tables.ARMS[weapon]
    return arms.start - (arms.stock - table.seats[seat].samurai[weapon])


def places(table: state.State, seat: Seat) -> list[Move]:
    """Where a seat may place what, sorted by line."""
    towns = pieces.towns_of(pieces.left_open(_closed(table, seat)))
    return [
        PLACES[weapon][town] for weapon in Weapon if left(table, seat, weapon) for town in towns
    ]


def _closed(table: state.State, seat: Seat) -> pieces.Closed:
    """Where a seat may not begin (Rule: tokugawa 3.5)."""
    ground = pieces.ground_of(table, seat)
    enemy = table.seats[state.other(seat)].capital
    areas = (area for area in pieces.PROVINCE_MASK.values() if ground.samurai & area)
    return (
        ("occupied", ~ground.empty),
        ("enemy_province", pieces.PROVINCE_MASK[map_tables.PROVINCE_OF[enemy]]),
        ("next_to_capital", pieces.ADJACENT[enemy]),
        ("province_taken", reduce(or_, areas, 0)),
    )


def why_not(table: state.State, seat: Seat, move: Place) -> NotAllowed | None:
    """What forbids a placing: the samurai is not there to be placed, or the town is closed."""
    if not left(table, seat, move.weapon):
        weapons = tuple(weapon for weapon in Weapon if left(table, seat, weapon))
        return NotAllowed("none_to_place", rule="3.5", piece=move.weapon, weapon=weapons)
    closed, town, province = _closed(table, seat), move.town, map_tables.PROVINCE_OF[move.town]
    towns = pieces.towns_of(pieces.left_open(closed))
    provinces = tuple(dict.fromkeys(map_tables.PROVINCE_OF[each] for each in towns))
    refusal = partial(NotAllowed, rule="3.5", slot="province", candidates=provinces)
    match pieces.first_closed(closed, town):
        case None:
            return None
        case "enemy_province":
            return refusal("enemy_province", province=province)
        case "next_to_capital":
            return refusal(
                "next_to_capital", town=town, capital=table.seats[state.other(seat)].capital
            )
        case "province_taken":
            here = pieces.ground_of(table, seat).samurai & pieces.PROVINCE_MASK[province]
            return refusal("province_taken", province=province, town=pieces.towns_of(here)[0])
        case code:
            return NotAllowed(code, rule="3.5", town=town)


def place(table: state.State, seat: Seat, move: Place, chance: Chance, emit: Emit) -> None:
    """A samurai is placed."""
    emit(Placed(seat, state.Kind(move.weapon), move.town))
    pieces.enlist(table, seat, move.weapon, move.town)
