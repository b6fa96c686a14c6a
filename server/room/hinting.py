"""Hints: who plays asks what a program would play, where the option `hints` lets him.

Everybody at the table is told, and the record has a mark; rated games have none of it. What is
thought is no part of the room: whoever carries the entry out asks for it.
"""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import HINT_SEAT_SECONDS, HINT_TABLE_SECONDS
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.options import HINTS, choice
from bluebear.server.room.state import Phase, Table
from bluebear.server.room.step import Step


class Hint(RoomAct, frozen=True):
    """The actor, who is to move, asks for a hint."""

    head = "/hint"

    def fold(self, step: Step) -> None:
        seat = step.seat()
        check_hint(step.current, step.game, seat, step.now)
        chair = step.chair(seat)
        chair.hints, chair.hinted_at = (chair.hints or 0) + 1, step.now
        step.record(f"@hint {seat}")
        step.tell(events.HintAsked(seat, chair.name))


def check_hint(table: Table, game: Game[Any], seat: Seat, now: int) -> None:  # Any: any state
    """NotAllowed where a seat may not ask now (ms), with the time to wait if that is all."""
    if table.phase is not Phase.PLAYING:
        raise NotAllowed("not_playing")
    if table.rated:
        raise NotAllowed("hints_rated")
    allowed = choice(table, HINTS)
    if allowed == "off":
        raise NotAllowed("hints_off")
    if game.thinker is None:
        raise NotAllowed("no_hints")
    if seat not in table.turn:
        raise NotAllowed("not_your_turn", seats=table.turn)
    if allowed != "on" and (table.seats[seat].hints or 0) >= int(allowed):
        raise NotAllowed("hints_used", count=int(allowed))
    wait = _wait(table, seat, now)
    if wait > 0:
        raise NotAllowed("too_much", seconds=-(-wait // 1000), retry_ms=wait)


def _wait(table: Table, seat: Seat, now: int) -> int:
    """The time in ms before a seat may ask; 0 or less: now."""
    waits = [0]
    for each, chair in table.seats.items():
        at = chair.hinted_at
        if at is not None:
            seconds = HINT_SEAT_SECONDS if each == seat else HINT_TABLE_SECONDS
            waits.append(at + seconds * 1000 - now)
    return max(waits)
