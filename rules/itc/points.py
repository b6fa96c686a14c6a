"""Points: what the chosen die pays for (Rule: itc 8.2, 8.3, 8.4)."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.itc.state import Turn
from bluebear.rules.itc.terms import Die

_RULES: Final = {Die.BLUE: "8.2", Die.GREEN: "8.3", Die.RED: "8.4", None: "8.1"}


def pays_transport(turn: Turn) -> bool:
    """Whether a point for loading, moving or landing is left."""
    return turn.points > 0 and turn.used in (Die.BLUE, Die.RED)


def pays_inland(turn: Turn) -> bool:
    """Whether a point for stones, sales and attacks is left."""
    return turn.points > 0 and turn.used in (Die.GREEN, Die.RED)


def no_transport(turn: Turn) -> NotAllowed | None:
    """Why no point pays for the routes; None if one does."""
    if pays_transport(turn):
        return None
    if turn.used is Die.GREEN:
        return NotAllowed("green_is_inland", rule="8.3")
    return NotAllowed("no_points", rule=_RULES[turn.used])


def no_inland(turn: Turn) -> NotAllowed | None:
    """Why no point pays for continents and the grey market; None if one does."""
    if pays_inland(turn):
        return None
    if turn.used is Die.BLUE:
        return NotAllowed("blue_is_transport", rule="8.2")
    return NotAllowed("no_points", rule=_RULES[turn.used])
