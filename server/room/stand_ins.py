"""House bots that take over seats of a running game, and people who leave or are removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bluebear.rules.core.record import RECORDED_BOT, house_bot_name
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room import events
from bluebear.server.room.fold_context import RoomAct, Step
from bluebear.server.room.rated_games import mark_seat_taken
from bluebear.server.room.spectators import end_peek, end_peeks_of
from bluebear.server.room.state import Chair, Phase, Table


def give_to_house(step: Step, seat: Seat) -> None:
    """Give a seat whose owner leaves the game to a house bot, for the rest of the game."""
    end_peek(step, seat)
    chair = step.chair(seat)
    bot = default_bot(step.game.bots)
    name = chair.name
    chair.name, chair.human, chair.bot = house_bot_name(bot, seat), False, bot
    chair.person, chair.timeouts, chair.away_until = None, 0, None
    step.record(f"@seat {seat} {RECORDED_BOT}{bot}")
    step.tell(events.Vacated(seat, name, bot))


def default_bot(bots: Mapping[str, Any]) -> str:
    """The strategy of house bots where no player has chosen one."""
    return "greedy" if "greedy" in bots else "random"


def stand_in(step: Step, seat: Seat) -> None:
    """Let a house bot play the seat of an absent owner, who may return."""
    chair = step.chair(seat)
    if chair.person is None or chair.bot is not None:
        return
    bot = default_bot(step.game.bots)
    chair.bot, chair.timeouts = bot, 0
    step.record(f"@seat {seat} {RECORDED_BOT}{bot}")
    step.tell(events.StoodIn(seat, chair.name))


def stands_in(table: Table, seat: Seat) -> bool:
    """Whether a house bot plays for the owner of a seat, in a running or paused game."""
    chair = table.seats.get(seat)
    if chair is None or table.phase not in (Phase.PLAYING, Phase.PAUSED):
        return False
    return chair.person is not None and chair.bot is not None


def owner_may_return(table: Table) -> bool:
    """Whether a house bot plays for an owner, who gets the seat back by sending any line."""
    return any(stands_in(table, seat) for seat in table.seats)


def come_back(step: Step, seat: Seat) -> None:
    """Return a seat to its owner. Raises NotAllowed (not_stood_in) without a stand-in."""
    if not stands_in(step.table, seat):
        raise NotAllowed("not_stood_in")
    chair = step.chair(seat)
    chair.bot, chair.timeouts = None, 0
    step.record(f"@seat {seat} {chair.name}")
    step.tell(events.CameBack(seat, chair.name))


class ComeBack(RoomAct, frozen=True):
    """An absent owner is in the room again and gets the seat back."""

    head = "@back"
    seat: Seat

    def fold(self, step: Step) -> None:
        come_back(step, self.seat)


def leave_seat(step: Step, seat: Seat) -> None:
    """Free a seat; in a running game a house bot plays it on.

    After a game the chair keeps the player's name but has no owner, so `/again` drops it.
    """
    chair = step.chair(seat)
    match step.table.phase:
        case Phase.PLAYING | Phase.PAUSED:
            give_to_house(step, seat)
        case Phase.OPEN:
            clear_seat(step, seat, chair)
        case Phase.OVER | Phase.FROZEN:
            chair.person = chair.bot = None
            step.tell(events.Left(chair.name))


def clear_seat(step: Step, seat: Seat, chair: Chair) -> None:
    """Free a seat before the game."""
    step.table.ready = tuple(each for each in step.table.ready if each != seat)
    del step.table.seats[seat]
    step.tell(events.Left(chair.name))


def send_out(step: Step, person: str, name: str) -> None:
    """Remove a person from the room: their seat, admission and peeks end."""
    seat = step.seat_of(person)
    if seat is not None:
        mark_seat_taken(step.table, seat)
        leave_seat(step, seat)
    admitted = require(step.table.admitted)
    if person in admitted:
        del admitted[person]
    end_peeks_of(step, person)
    step.sent_out = person
    step.tell(events.Kicked(name))
