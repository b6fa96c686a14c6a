"""House bots in a running game: standing in for an owner, or playing a seat given up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bluebear.rules.core.record import RECORDED_BOT, house_bot_name
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.options import by_days
from bluebear.server.room.peeking import end_peek
from bluebear.server.room.state import Phase, Room, Table
from bluebear.server.room.step import Step


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


def claim(step: Step) -> None:
    """Whoever says anything in the room has his seat back by it."""
    seat = step.before.seat_of(step.actor.person)
    if seat is not None and stands_in(step.before.table, seat):
        come_back(step, seat)


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
