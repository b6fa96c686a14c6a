"""House bots in a running game, standing in for an owner or playing on, and people who leave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bluebear.rules.core.record import RECORDED_BOT, house_bot_name
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.fold_context import Step
from bluebear.server.room.options import by_days
from bluebear.server.room.rating import taken_away
from bluebear.server.room.spectators import end_peek, end_peeks_of
from bluebear.server.room.state import Chair, Phase, Room, Table


def voting_seats(room: Room, here: Mapping[str, str], *, all_of_them: bool = False) -> list[int]:
    """The seats of the humans who vote: those who are here, by days all who play."""
    everybody = all_of_them or by_days(room.table)
    return [
        int(seat)
        for seat, chair in room.seats.items()
        if chair.human and chair.bot is None and (everybody or chair.person in here)
    ]


def give_to_house(step: Step, seat: Seat) -> None:
    """A house bot plays a seat that its owner has given up."""
    end_peek(step, seat)
    chair = step.chair(seat)
    bot = default_bot(step.game.bots)
    name = chair.name
    chair.name, chair.human, chair.bot = house_bot_name(bot, seat), False, bot
    chair.person, chair.timeouts, chair.away_until = None, 0, None
    step.record(f"@seat {seat} {RECORDED_BOT}{bot}")
    step.tell(events.Vacated(seat, name, bot))


def default_bot(bots: Mapping[str, Any]) -> str:
    """The strategy that plays where nobody has chosen one."""
    return "greedy" if "greedy" in bots else "random"


def stand_in(step: Step, seat: Seat) -> None:
    """A house bot plays for an owner who is gone and may come back."""
    chair = step.chair(seat)
    if chair.person is None or chair.bot is not None:
        return
    bot = default_bot(step.game.bots)
    chair.bot, chair.timeouts = bot, 0
    step.record(f"@seat {seat} {RECORDED_BOT}{bot}")
    step.tell(events.StoodIn(seat, chair.name))


def stands_in(table: Table, seat: Seat) -> bool:
    """Whether a house bot plays for the owner of a seat, in a game that is not over."""
    chair = table.seats.get(seat)
    if chair is None or table.phase not in (Phase.PLAYING, Phase.PAUSED):
        return False
    return chair.person is not None and chair.bot is not None


def owner_may_return(table: Table) -> bool:
    """Whether a house bot plays for an owner who gets the seat back by any line."""
    return any(stands_in(table, seat) for seat in table.seats)


def come_back(step: Step, seat: Seat) -> None:
    """The owner has his seat back; NotAllowed (not_stood_in) if it was not taken from him."""
    if not stands_in(step.table, seat):
        raise NotAllowed("not_stood_in")
    chair = step.chair(seat)
    chair.bot, chair.timeouts = None, 0
    step.record(f"@seat {seat} {chair.name}")
    step.tell(events.CameBack(seat, chair.name))


class ComeBack(RoomAct, frozen=True):
    """An owner is in the room again."""

    head = "@back"
    seat: Seat

    def fold(self, step: Step) -> None:
        come_back(step, self.seat)


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
