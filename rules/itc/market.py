"""The grey market: attacks, and what a controller does there (Rule: itc 14.4, 14.5, 14.6)."""

from __future__ import annotations

from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat
from rules.itc.data import LIMITS, SIDES
from rules.itc.desk import Desk
from rules.itc.moves import Attack
from rules.itc.points import need_inland, pays_inland, spend
from rules.itc.state import Table
from rules.itc.terms import Die, Place
from rules.itc.trade_events import Attacked, Clashed, MarketHeld, MarketLeft, MarketTaken

_MARKET: Final = Place.MARKET


def attack(desk: Desk, move: Attack) -> None:
    """An attack that costs a point (Rule: itc 14.4)."""
    turn = desk.table.turn
    need_inland(turn)
    if turn.attacked and desk.table.attack_limit:
        raise NotAllowed("attacked_already", rule="14.4")
    need_attackers(desk.table)
    spend(desk)
    desk.change_turn(attacked=True)
    fight(desk)


def need_attackers(table: Table) -> None:
    """NotAllowed if the seat on turn controls the market itself or has no stone to send."""
    seat = table.turn.seat
    if table.controller == seat:
        raise NotAllowed("controls_already", rule="14.4")
    if not table.seats[seat].stock:
        raise NotAllowed("no_stones", rule="1.6")


def can_attack(table: Table, seat: Seat) -> bool:
    """Whether a seat may attack at all, points and cards aside."""
    return table.controller != seat and table.seats[seat].stock > 0


def may_attack_for_a_point(table: Table, seat: Seat) -> bool:
    """Whether `/attack` is legal."""
    turn = table.turn
    spent = turn.attacked and table.attack_limit
    return pays_inland(turn) and not spent and can_attack(table, seat)


def fight(desk: Desk) -> None:
    """The attack itself, to its end (Rule: itc 14.4, 14.5)."""
    seat, other = desk.seat, desk.table.controller
    left = min(LIMITS.attackers, desk.trader.stock)
    if other is not None:
        held = desk.table.places[_MARKET].stones[other - 1]
        desk.tell(Attacked(seat, other, left))
        left, still = _clashes(desk, other, left, held)
        # Stones that fell, on either side, are in stock again.
        desk.add_stones(_MARKET, other, still - held)
        desk.take_stock(other, still - held)
        if still:
            desk.tell(MarketHeld(other, still))
            return
    desk.add_stones(_MARKET, seat, left)
    desk.take_stock(seat, left)
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
    desk.add_stones(_MARKET, seat, -1)
    desk.take_stock(seat, -1)
    if desk.table.controller is None:
        desk.tell(MarketLeft(seat))
