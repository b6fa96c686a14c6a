"""Refusals that several moves share: whose samurai it is, what it costs, whose time it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat
from rules.tokugawa.ground import ground_of, towns_of
from rules.tokugawa.state import Clan, Kind, Phase, Piece, Table
from rules.tokugawa.terms import Town

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


def own_samurai(table: Table, seat: Seat, town: Town, rule: str) -> Piece:
    """The seat's samurai on a town; NotAllowed if there is none, or the capital."""
    piece = table.pieces.get(town)
    if piece is None or piece.owner != seat:
        towns = towns_of(ground_of(table, seat).samurai)
        code = "no_samurai" if towns else "no_samurai_at_all"
        raise NotAllowed(code, rule=rule, town=town, towns=towns)
    if piece.kind is Kind.CAPITAL:
        raise NotAllowed("capital_stays", rule="3.4", town=town)
    return piece


def too_dear(clan: Clan, cost: int, rule: str) -> None:
    """NotAllowed if a seat has not so many koku."""
    if clan.koku < cost:
        raise NotAllowed("too_dear", rule=rule, cost=cost, koku=clan.koku)
