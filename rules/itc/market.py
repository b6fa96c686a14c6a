"""The grey market: attacks, and what a controller does there (Rule: itc 14.4, 14.5, 14.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.data import LIMITS, SIDES
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.moves import Attack
from bluebear.rules.itc.points import no_inland
from bluebear.rules.itc.state import Table
from bluebear.rules.itc.terms import Die, Place
from bluebear.rules.itc.trade_events import Attacked, Clashed, MarketHeld, MarketLeft, MarketTaken

_MARKET: Final = Place.MARKET


def attacks(table: Table) -> Iterator[Attack]:
    """The attack of the seat on turn for a point, if it can make one."""
    return (move for move in (Attack(),) if no_attack(table, move) is None)


def no_attack(table: Table, move: Attack) -> NotAllowed | None:
    """What forbids an attack for a point (Rule: itc 14.4)."""
    turn = table.turn
    refusal = no_inland(turn)
    if refusal is None and turn.attacked and table.attack_limit:
        refusal = NotAllowed("attacked_already", rule="14.4")
    return refusal or no_attackers(table)


def no_attackers(table: Table) -> NotAllowed | None:
    """What forbids any attack of the seat on turn: it controls the market or has no stone."""
    seat = table.turn.seat
    if controls(table):
        return NotAllowed("controls_already", rule="14.4")
    if not table.seats[seat].stock:
        return NotAllowed("no_stones", rule="1.6")
    return None


def controls(table: Table) -> bool:
    """Whether the seat on turn controls the grey market (Rule: itc 2.8)."""
    return table.places[_MARKET].stones[table.turn.seat - 1] > 0


def not_controller(table: Table) -> NotAllowed | None:
    """What forbids what only the controller of the grey market may do (Rule: itc 14.6)."""
    return None if controls(table) else NotAllowed("not_controller", rule="14.6")


def attack(desk: Desk, move: Attack) -> None:
    """An attack that costs a point (Rule: itc 14.4)."""
    turn = desk.table.turn
    turn.points -= 1
    turn.attacked = True
    fight(desk)


def fight(desk: Desk) -> None:
    """The attack itself, to its end (Rule: itc 14.4, 14.5)."""
    seat, other = desk.seat, desk.table.controller
    left = min(LIMITS.attackers, desk.trader.stock)
    if other is not None:
        stood = desk.table.places[_MARKET].stones[other - 1]
        desk.tell(Attacked(seat, other, left))
        left, still = _clashes(desk, other, left, stood)
        # Stones that fell, on either side, are in stock again.
        desk.place_stones(_MARKET, other, still - stood)
        if still:
            desk.tell(MarketHeld(other, still))
            return
    desk.place_stones(_MARKET, seat, left)
    desk.tell(MarketTaken(seat, left))


def _clashes(desk: Desk, other: Seat, own: int, theirs: int) -> tuple[int, int]:
    """Rolls until one side has no stone; the stones that both have left."""
    while own and theirs:
        number = desk.chance.die(SIDES[Die.RED])
        other_number = desk.chance.die(desk.table.green_die)
        if number > other_number:
            theirs -= 1
        elif number < other_number:
            own -= 1
        desk.tell(Clashed(desk.seat, other, number, other_number, own, theirs))
    return own, theirs


def leave(desk: Desk, seat: Seat) -> None:
    """One stone of the controller goes back to its stock (Rule: itc 14.3)."""
    desk.place_stones(_MARKET, seat, -1)
    if desk.table.controller is None:
        desk.tell(MarketLeft(seat))
