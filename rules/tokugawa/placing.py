"""The start phase: eight samurai of each seat, first one, then two by two (Rule: tokugawa 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat
from rules.tokugawa.atlas import ARMS, CAPITALS, NEIGHBOURS, PROVINCE_OF, TOWNS_OF
from rules.tokugawa.chips import enlisted, kind_of
from rules.tokugawa.events import Placed
from rules.tokugawa.ground import ALL, BIT, PROVINCE_MASK, ground_of, mask_of, towns_of
from rules.tokugawa.moves import Place
from rules.tokugawa.state import SEATS, START_SAMURAI, Table, other
from rules.tokugawa.tables import PLACES
from rules.tokugawa.terms import Weapon

PLACINGS: Final = START_SAMURAI * len(SEATS)

_ALLOWED: Final = {
    enemy: ALL & ~(PROVINCE_MASK[PROVINCE_OF[enemy]] | mask_of(NEIGHBOURS[enemy]))
    for enemy in CAPITALS
}
"""Where one may begin against each enemy capital (Rule: tokugawa 3.5)."""


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


def places(table: Table, seat: Seat) -> Sequence[Move]:
    """Where a seat may place what, sorted by line."""
    towns = towns_of(_open_towns(table, seat))
    return [
        PLACES[weapon][town] for weapon in Weapon if left(table, seat, weapon) for town in towns
    ]


def _open_towns(table: Table, seat: Seat) -> int:
    ground = ground_of(table, seat)
    mask = ground.empty & _ALLOWED[table.seats[other(seat)].capital]
    for area in PROVINCE_MASK.values():
        if ground.samurai & area:
            mask &= ~area
    return mask


def checked(table: Table, seat: Seat, move: Place) -> None:
    """NotAllowed if the samurai is not there to be placed, or not in this town."""
    enemy = table.seats[other(seat)].capital
    province = PROVINCE_OF[move.town]
    if not left(table, seat, move.weapon):
        weapons = tuple(weapon for weapon in Weapon if left(table, seat, weapon))
        raise NotAllowed("none_to_place", rule="3.5", piece=move.weapon, weapon=weapons)
    if move.town in table.pieces:
        raise NotAllowed("occupied", rule="3.5", town=move.town)
    if province == PROVINCE_OF[enemy]:
        raise NotAllowed("enemy_province", rule="3.5", province=province)
    if not _ALLOWED[enemy] & BIT[move.town]:
        raise NotAllowed("next_to_capital", rule="3.5", town=move.town, capital=enemy)
    for town in TOWNS_OF[province]:
        piece = table.pieces.get(town)
        if piece is not None and piece.owner == seat and town not in CAPITALS:
            raise NotAllowed("province_taken", rule="3.5", province=province, town=town)


def place(table: Table, seat: Seat, move: Place, events: list[Event]) -> Table:
    """The table after a samurai was placed."""
    events.append(Placed(seat, kind_of(move.weapon), move.town))
    return enlisted(table, seat, move.weapon, move.town)
