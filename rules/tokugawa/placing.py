"""The start phase: eight samurai of each seat, first one, then two by two (Rule: tokugawa 3)."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Tell
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.atlas import ARMS, CAPITALS, PROVINCE_OF, TOWNS_OF
from bluebear.rules.tokugawa.chips import enlist, kind_of
from bluebear.rules.tokugawa.events import Placed
from bluebear.rules.tokugawa.ground import (
    ADJACENT,
    BIT,
    PROVINCE_MASK,
    ground_of,
    towns_of,
)
from bluebear.rules.tokugawa.moves import Place
from bluebear.rules.tokugawa.refusals import Closed, first_closed, left_open
from bluebear.rules.tokugawa.state import SEATS, START_SAMURAI, Table, other
from bluebear.rules.tokugawa.tables import PLACES
from bluebear.rules.tokugawa.terms import Weapon

PLACINGS: Final = START_SAMURAI * len(SEATS)


def placed(table: Table) -> int:
    """How many samurai have been placed, in the start phase."""
    return len(table.pieces) - len(CAPITALS)


def placer(start: Seat, number: int) -> Seat:
    """Who places when so many samurai have been placed (Rule: tokugawa 3.6)."""
    return start if (number + 1) // 2 % 2 == 0 else other(start)


def left(table: Table, seat: Seat, weapon: Weapon) -> int:
    """How many of a kind a seat has still to place (Rule: tokugawa 3.5)."""
    arms = ARMS[weapon]
    return arms.start - (arms.stock - table.seats[seat].samurai[weapon])


def places(table: Table, seat: Seat) -> list[Move]:
    """Where a seat may place what, sorted by line."""
    towns = towns_of(left_open(_closed(table, seat)))
    return [
        PLACES[weapon][town] for weapon in Weapon if left(table, seat, weapon) for town in towns
    ]


def _closed(table: Table, seat: Seat) -> Closed:
    """Where a seat may not begin (Rule: tokugawa 3.5)."""
    ground = ground_of(table, seat)
    enemy = table.seats[other(seat)].capital
    mine = (area for area in PROVINCE_MASK.values() if ground.samurai & area)
    return (
        ("occupied", ~ground.empty),
        ("enemy_province", PROVINCE_MASK[PROVINCE_OF[enemy]]),
        ("next_to_capital", ADJACENT[enemy]),
        ("province_taken", reduce(or_, mine, 0)),
    )


def why_not(table: Table, seat: Seat, move: Place) -> NotAllowed | None:
    """What forbids a placing: the samurai is not there to be placed, or the town is closed."""
    if not left(table, seat, move.weapon):
        weapons = tuple(weapon for weapon in Weapon if left(table, seat, weapon))
        return NotAllowed("none_to_place", rule="3.5", piece=move.weapon, weapon=weapons)
    town, province = move.town, PROVINCE_OF[move.town]
    match first_closed(_closed(table, seat), town):
        case None:
            return None
        case "enemy_province":
            return NotAllowed("enemy_province", rule="3.5", province=province)
        case "next_to_capital":
            enemy = table.seats[other(seat)].capital
            return NotAllowed("next_to_capital", rule="3.5", town=town, capital=enemy)
        case "province_taken":
            own = ground_of(table, seat).samurai & PROVINCE_MASK[province]
            there = next(each for each in TOWNS_OF[province] if BIT[each] & own)
            return NotAllowed("province_taken", rule="3.5", province=province, town=there)
        case code:
            return NotAllowed(code, rule="3.5", town=town)


def place(table: Table, seat: Seat, move: Place, chance: Chance, tell: Tell) -> None:
    """A samurai is placed."""
    tell(Placed(seat, kind_of(move.weapon), move.town))
    enlist(table, seat, move.weapon, move.town)
