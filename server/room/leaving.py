"""How somebody loses a seat, and the room."""

from __future__ import annotations

from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room import events
from bluebear.server.room.peeking import end_peeks_of
from bluebear.server.room.rating import taken_away
from bluebear.server.room.standins import give_to_house
from bluebear.server.room.state import Chair, Phase
from bluebear.server.room.step import Step


def leave_seat(step: Step, seat: Seat) -> None:
    """Somebody's seat becomes free, or the house's while a game runs.

    After a game the chair still tells who played; only its owner is gone, and `/again` without him.
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
    """A seat is free again, before the game."""
    step.table.ready = tuple(each for each in step.table.ready if each != seat)
    del step.table.seats[seat]
    step.tell(events.Left(chair.name))


def send_out(step: Step, person: str, name: str) -> None:
    """Somebody loses seat and admission, and has to go."""
    seat = step.seat_of(person)
    if seat is not None:
        taken_away(step.table, seat)
        leave_seat(step, seat)
    admitted = require(step.table.admitted)
    if person in admitted:
        del admitted[person]
    end_peeks_of(step, person)
    step.sent_out = person
    step.tell(events.Kicked(name))
