"""Acts that all have a say in: undo, a bot for who is gone, a pause, giving up; and the ballots."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import SPECTATOR, Seat
from bluebear.server.limits import AWAY_SECONDS
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.clocks import clock_of, shift_clocks
from bluebear.server.room.playing import others_move_unseen, undo, undo_is_free, undo_target
from bluebear.server.room.reach import undo_reach
from bluebear.server.room.state import Phase, VoteKind, versions_for
from bluebear.server.room.step import Step
from bluebear.server.room.votes import (
    ask_if_there,
    cast,
    count_out,
    drop_votes,
    is_asked_about,
    open_vote,
    voters_of,
)


class Undo(RoomAct, frozen=True):
    """Undo the actor's newest move: at once where nobody can mind, else by a vote.

    While others may be moving unseen it is never undone at once. NotAllowed (stale) if it was
    played in another entry than `version`. Fact: `voters`, who are told how far it leads.
    """

    head = "/undo"
    version: int | None = None

    def fold(self, step: Step) -> None:
        seat = step.seat()
        index = undo_target(step.past, seat)
        target = step.past[index].version
        if self.version not in (None, target):
            raise NotAllowed("stale")
        hides = others_move_unseen(step.game, step.state, seat)
        if not hides and undo_is_free(step.game, step.past, step.state, index):
            drop_votes(step, VoteKind.UNDO)
            undo(step, index)
            return
        voters = [each for each in voters_of(step) if each != seat]
        # Everybody sees the target, so it is counted as those do who know least.
        target = versions_for(step.before, SPECTATOR)(target)
        open_vote(step, VoteKind.UNDO, voters, about=step.name_of(seat), seat=seat, target=target)
        if step.past[index:]:
            step.tell(undo_reach(step.game, step.past[index:], step.recorded))


class Remove(RoomAct, frozen=True):
    """Propose that a house bot stands in for a player for whom the table waits.

    Facts: `voters`; `spares`, if a line of the player ends the vote; `present`, if he is connected;
    `waited`, the seconds that the table has waited for his move, below 0 if he is not to move.
    """

    head = "/remove"
    seat: Seat

    def fold(self, step: Step) -> None:
        seat, chair = self.seat, step.chair(self.seat)
        if chair.person is None or chair.bot is not None:
            raise NotAllowed("no_player_there", seat=seat)
        self._check_patience(step)
        voters = [each for each in voters_of(step) if each != seat]
        if step.facts.get("present"):
            ask_if_there(step, seat, voters)
        else:
            open_vote(step, VoteKind.REMOVE, voters, about=chair.name, seat=seat)

    def _check_patience(self, step: Step) -> None:
        """NotAllowed (paused, clock_decides, nobody_waits, too_soon) before the grace time."""
        waited = step.facts.get("waited")
        if not isinstance(waited, int):
            return
        if step.table.phase is Phase.PAUSED:
            raise NotAllowed("paused")
        if clock_of(step.table) is not None:
            raise NotAllowed("clock_decides", seat=self.seat)
        if waited < 0:
            raise NotAllowed("nobody_waits", seat=self.seat)
        left = int(AWAY_SECONDS) - waited
        if left > 0:
            raise NotAllowed("too_soon", seat=self.seat, seconds=left, retry_ms=left * 1000)


class RemoveAbsent(Remove, frozen=True):
    """The same by the server. Facts: `voters`, `spares`."""

    head = "@remove"


class StillThere(RoomAct, frozen=True):
    """Who was asked about is in the room, or has said something that makes no entry."""

    head = "@there"
    seat: Seat

    def fold(self, step: Step) -> None:
        if not is_asked_about(step.table, self.seat):
            raise NotAllowed("no_vote")
        drop_votes(step, VoteKind.REMOVE, seat=self.seat)


class Pause(RoomAct, frozen=True):
    """Propose a pause. Fact: `voters`."""

    head = "/pause"

    def fold(self, step: Step) -> None:
        open_vote(step, VoteKind.PAUSE, voters_of(step))


class MasterReset(RoomAct, frozen=True):
    """Propose to give the game up, all together. Fact: `voters`."""

    head = "/masterreset"

    def fold(self, step: Step) -> None:
        open_vote(step, VoteKind.MASTERRESET, voters_of(step))


class Resume(RoomAct, frozen=True):
    """Let a paused game go on; no clock has run meanwhile."""

    head = "/resume"

    def fold(self, step: Step) -> None:
        shift_clocks(step, step.now - (step.table.paused_at or step.now))
        step.table.phase, step.table.paused_at = Phase.PLAYING, None
        step.tell(events.Resumed())


class Accept(RoomAct, frozen=True):
    """Vote yes."""

    head = "/accept"
    yes: ClassVar[bool] = True
    vote: int

    def fold(self, step: Step) -> None:
        cast(step, self.vote, yes=self.yes)


class Refuse(Accept, frozen=True):
    """The same with no."""

    head = "/refuse"
    yes = False


class EndVote(RoomAct, frozen=True):
    """The clock ends a vote."""

    head = "@vote"
    vote: int

    def fold(self, step: Step) -> None:
        count_out(step, self.vote)
