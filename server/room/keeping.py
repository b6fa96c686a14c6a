"""What happens to a room without anybody's doing: time runs out, it wakes, its game is broken."""

from __future__ import annotations

import msgspec

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.limits import TIMEOUTS_IN_A_ROW
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.clocks import restart_clock, runs_from, shift_clocks, shift_votes
from bluebear.server.room.options import by_days, day_of
from bluebear.server.room.playing import finish, play
from bluebear.server.room.standins import stand_in
from bluebear.server.room.state import Phase, RatingChange, VoteKind
from bluebear.server.room.step import Step
from bluebear.server.room.votes import ask_if_there, drop_votes


class TimeOut(RoomAct, frozen=True):
    """A seat's time is up, or its house bot silent: the further lines of the entry are played.

    Who has let it run out too often is stood in for; who is connected (the fact `present`) is asked
    before that.
    """

    head = "@clock"
    seat: Seat

    def fold(self, step: Step) -> None:
        seat, chair = self.seat, step.chair(self.seat)
        drop_votes(step, VoteKind.UNDO)
        step.tell(events.TimedOut(seat))
        play(step, seat, step.entry.lines[1:], record_as=f"{self.line} ")
        if step.table.phase is not Phase.PLAYING or chair.bot is not None:
            return
        chair.timeouts = require(chair.timeouts) + 1
        restart_clock(step, seat)
        if chair.timeouts < TIMEOUTS_IN_A_ROW:
            return
        if not step.facts.get("present"):
            stand_in(step, seat)
        elif all(vote.kind is not VoteKind.REMOVE for vote in step.table.votes.values()):
            ask_if_there(step, seat, ())


class Wake(RoomAct, frozen=True):
    """The room was asleep: the deadlines move by that time, but no clock runs in a pause."""

    head = "@wake"
    slept: int

    def fold(self, step: Step) -> None:
        shift_votes(step, self.slept)
        if step.table.phase is Phase.PLAYING:
            shift_clocks(step, self.slept)


class Vacation(RoomAct, frozen=True):
    """A player is away until some time (ms), or back: until then his clock by days stands still."""

    head = "@vacation"
    seat: Seat
    until: int

    def fold(self, step: Step) -> None:
        chair = step.chair(self.seat)
        if chair.person is None or not by_days(step.table):
            raise NotAllowed("no_player_there", seat=self.seat)
        before = runs_from(chair, step.now)
        chair.away_until = self.until if self.until > step.now else None
        if chair.deadline is not None:
            chair.deadline += runs_from(chair, step.now) - before
        if chair.away_until is None:
            step.tell(events.BackFromVacation(self.seat, chair.name))
        else:
            step.tell(events.OnVacation(self.seat, chair.name, day_of(self.until)))


class Rated(RoomAct, frozen=True):
    """The record of a rated game is kept, with what it made of the ratings of those who played it.

    Fact: `ratings`: for each seat the name of who played it, his points and their change.
    """

    head = "@rated"
    game_id: str

    def fold(self, step: Step) -> None:
        ending = step.table.ending
        if ending is None or ending.ratings is not None or step.table.game_id != self.game_id:
            raise NotAllowed("not_playing")
        told = msgspec.convert(step.facts["ratings"], tuple[tuple[int, str, int, int], ...])
        ending.ratings = Keyed({Seat(seat): RatingChange(*each) for seat, _, *each in told})
        changes = tuple(f"{name} {points} ({change:+})" for _, name, points, change in told)
        step.tell(events.RatingsChanged(changes))


class Freeze(RoomAct, frozen=True):
    """The game is broken: it ends void, so that its record is whole and kept.

    Also by the host of a room that is held (`bluebear.server.room.held`), which was frozen before.
    """

    head = "@freeze"

    def fold(self, step: Step) -> None:
        was = step.table.phase
        if step.head is not None and step.table.ending is None:
            finish(step, "void", ())
        step.table.phase, step.table.turn, step.table.votes = Phase.FROZEN, (), Keyed()
        if was is not Phase.FROZEN:
            step.tell(events.FrozeUp())
