"""Refusals that several moves share: whose samurai, at what cost, where, and whose time it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.atlas import IS_PORT
from bluebear.rules.tokugawa.ground import ALL, BIT, by_ship, estate_of, ground_of, towns_of
from bluebear.rules.tokugawa.state import Clan, Phase, Table
from bluebear.rules.tokugawa.terms import Town

_ASKED: Final[Mapping[Phase, tuple[str, str]]] = {
    Phase.PLACING: ("place_now", "3.6"),
    Phase.ACTING: ("act_now", "4.3"),
    Phase.SAILING: ("sail_now", "10.5"),
    Phase.ATTACK_SUPPORT: ("support_now", "7.4"),
    Phase.DEFENCE_SUPPORT: ("support_now", "7.4"),
    Phase.ATTACK_ROLL: ("roll_now", "8.1"),
    Phase.DEFENCE_ROLL: ("roll_now", "8.1"),
    Phase.RETREATING: ("retreat_now", "9.4"),
}
"""What a seat is told that tries something else: the phrase, and the paragraph."""


def other_time(table: Table) -> NotAllowed:
    """Why a move of another phase is not allowed now."""
    code, rule = _ASKED[table.phase]
    return NotAllowed(code, rule=rule)


def own_samurai(table: Table, seat: Seat, town: Town, rule: str) -> NotAllowed | None:
    """Why nothing can be done with a samurai on a town: there is no own one, or the capital."""
    samurai = ground_of(table, seat).samurai
    if BIT[town] & samurai:
        return None
    piece = table.pieces.get(town)
    if piece is not None and piece.owner == seat:
        return NotAllowed("capital_stays", rule="3.4", town=town)
    towns = towns_of(samurai)
    code = "no_samurai" if towns else "no_samurai_at_all"
    return NotAllowed(code, rule=rule, town=town, towns=towns)


def no_ship(table: Table, seat: Seat, origin: Town, town: Town, rule: str) -> NotAllowed | None:
    """Why no own ship leads from town to town."""
    if by_ship(estate_of(table, seat).fleet, origin) & BIT[town]:
        return None
    for port in (origin, town):
        if port not in IS_PORT:
            return NotAllowed("no_port", rule=rule, town=port)
    if origin == town:
        return NotAllowed("stays_there", rule=rule, town=town)
    return NotAllowed("no_ship", rule=rule, town=origin)


def can_pay(clan: Clan, cost: int) -> bool:
    """Whether a seat has so many koku (Rule: tokugawa 11.7)."""
    return clan.koku >= cost


def too_dear(clan: Clan, cost: int, rule: str) -> NotAllowed | None:
    """Why a seat cannot pay so many koku."""
    if can_pay(clan, cost):
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
