"""Points: what the chosen die pays for (Rule: itc 8.2, 8.3, 8.4)."""

from __future__ import annotations

from typing import Final

from rules.core.refusal import NotAllowed
from rules.itc.desk import Desk
from rules.itc.state import Turn
from rules.itc.terms import Die

_RULES: Final = {Die.BLUE: "8.2", Die.GREEN: "8.3", Die.RED: "8.4", None: "8.1"}


def pays_transport(turn: Turn) -> bool:
    """Whether a point for loading, moving or landing is left."""
    return turn.points > 0 and turn.used in (Die.BLUE, Die.RED)


def pays_inland(turn: Turn) -> bool:
    """Whether a point for stones, sales and attacks is left."""
    return turn.points > 0 and turn.used in (Die.GREEN, Die.RED)


def need_transport(turn: Turn) -> None:
    """NotAllowed if there is no point for the routes."""
    if turn.used is Die.GREEN:
        raise NotAllowed("green_is_inland", rule="8.3")
    _need_points(turn)


def need_inland(turn: Turn) -> None:
    """NotAllowed if there is no point for continents and the grey market."""
    if turn.used is Die.BLUE:
        raise NotAllowed("blue_is_transport", rule="8.2")
    _need_points(turn)


def _need_points(turn: Turn) -> None:
    if turn.points < 1:
        raise NotAllowed("no_points", rule=_RULES[turn.used])


def spend(desk: Desk) -> None:
    """Takes one point."""
    desk.change_turn(points=desk.table.turn.points - 1)
