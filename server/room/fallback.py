"""What is played for a seat whose time is up."""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.chance import NoChance, WouldDraw
from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import UNDO_ENTRIES
from bluebear.server.room.state import Phase, Room


def fallback_lines(room: Room, game: Game[Any], seat: Seat) -> tuple[str, ...]:
    """Fallback moves until the seat has nothing to decide or one of them draws.

    A half-made turn is continued. NotAllowed (not_your_turn) if the seat has nothing to decide.
    """
    if room.table.phase is not Phase.PLAYING or seat not in game.to_move(room.game):
        raise NotAllowed("not_your_turn", seats=room.table.turn)
    state = room.game
    lines: list[str] = []
    while seat in game.to_move(state) and len(lines) < UNDO_ENTRIES:
        move = game.fallback(state, seat)
        lines.append(game.grammar.format(move))
        try:
            state = game.play(state, seat, move, NoChance(room.counter)).state
        except WouldDraw:
            break
    return tuple(lines)
