"""The one vote engine, the acts that open votes, and the ballots.

`VOTE_RULES` is all there is to know of the kinds: who may vote, how many it takes, what silence
means. The deciding ballot and its effect are one entry. The voters are facts of the opening entry,
since who is present is not state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import SPECTATOR, Seat, require
from bluebear.server.limits import AWAY_SECONDS, MASTERRESET_VOTE_MS, VOTE_BY_DAYS_MS, VOTE_MS
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.clocks import clock_of, shift_clocks
from bluebear.server.room.events import UndoReach
from bluebear.server.room.fold_context import Step
from bluebear.server.room.game_flow import (
    finish,
    others_move_unseen,
    undo,
    undo_is_free,
    undo_target,
)
from bluebear.server.room.options import by_days
from bluebear.server.room.stand_ins import send_out, stand_in
from bluebear.server.room.state import (
    Past,
    Phase,
    Quiet,
    Recorded,
    Table,
    Vote,
    VoteKind,
    links_of,
    versions_for,
)


def undo_reach(
    game: Game[Any],  # Any: each game has a state class of its own
    past: Sequence[Past],
    recorded: Recorded | None,
) -> UndoReach:
    """What it means to go back to before the first entry of `past`."""
    first = past[0]
    standing = _standing(recorded)[first.steps :]
    # How many moves somebody has made that nobody else knows of is told to nobody.
    known = tuple(each.mover for each in standing if not each.hides) or (int(first.seat),)
    return UndoReach(Seat(first.seat), _shown(game, standing[0].lines), len(known), known)


class _Made(NamedTuple):
    """Lines of the record that are one entry's: whose, and whether nobody else knows of them."""

    mover: int
    lines: str
    hides: bool


def _standing(recorded: Recorded | None) -> list[_Made]:
    """The moves of a record that have not been taken back."""
    made: list[_Made] = []
    quiet: Quiet = ()
    for link in links_of(recorded):
        head, _, rest = link.line.partition(" ")
        hides, quiet = link.quiet != quiet, link.quiet
        if head == "@undo":
            del made[len(made) - int(rest) :]
        elif head.isdecimal():
            made.append(_Made(int(head), rest, hides))
        elif head == "@clock":
            mover, _, lines = rest.partition(" ")
            made.append(_Made(int(mover), lines, hides))
    return made


def _shown(game: Game[Any], lines: str) -> str:  # Any: as above
    """The first of some moves, as everybody may see it."""
    move = game.grammar.parse(lines.split(" ; ", 1)[0])
    return game.grammar.format(move, sees_owner=False)


@dataclass(frozen=True, slots=True)
class VoteRule:
    """How a kind of vote goes.

    `all_must`: every voter has to agree; otherwise more yes than no, and with `over_half` more than
    half of all voters. `silence` is how the silent count. `alone`: what happens without voters.
    """

    ms: int
    all_must: bool = False
    over_half: bool = False
    silence: bool = False
    alone_passes: bool = True


VOTE_RULES: Final[Mapping[VoteKind, VoteRule]] = {
    VoteKind.UNDO: VoteRule(VOTE_MS, all_must=True),
    VoteKind.REMOVE: VoteRule(VOTE_MS, silence=True, alone_passes=False),
    VoteKind.SEAT: VoteRule(VOTE_MS, over_half=True),
    VoteKind.PAUSE: VoteRule(VOTE_MS, over_half=True),
    VoteKind.MASTERRESET: VoteRule(MASTERRESET_VOTE_MS, all_must=True),
    VoteKind.KICK: VoteRule(VOTE_MS, over_half=True, alone_passes=False),
}


def tally(rule: VoteRule, vote: Vote, *, final: bool) -> bool | None:
    """Whether a vote has passed; None while it is undecided. `final`: the time is up."""
    voters, yes, no = len(vote.voters), len(vote.yes), len(vote.no)
    silent = voters - yes - no
    if final and rule.silence:
        yes, silent = yes + silent, 0
    elif final:
        no, silent = no + silent, 0
    if rule.all_must:
        if no:
            return False
        return True if not silent else None
    half = 2 * yes > voters if rule.over_half else yes > no
    if not silent:
        return half
    if 2 * yes > voters:
        return True
    return False if 2 * no >= voters else None


def open_vote(
    step: Step,
    kind: VoteKind,
    voters: Sequence[int],
    *,
    about: str = "",
    seat: Seat | None = None,
    target: int | None = None,
    patient: bool = False,
) -> None:
    """Open a vote, or carry it out at once where it is decided already and not `patient`.

    NotAllowed (vote_open) if one of the kind is open already, (nobody_to_vote) if it needs voters.
    """
    rule = VOTE_RULES[kind]
    if any(vote.kind is kind for vote in step.table.votes.values()):
        raise NotAllowed("vote_open", kind=kind.value)
    if not voters and not rule.alone_passes:
        raise NotAllowed("nobody_to_vote")
    mine = step.seat_or_none()
    ms = VOTE_BY_DAYS_MS if by_days(step.table) else rule.ms
    number = require(step.table.votes_made) + 1
    vote = Vote(
        kind=kind,
        by=step.actor_name(mine),
        voters=tuple(sorted(voters)),
        yes=(int(mine),) if mine is not None and mine in voters else (),
        no=(),
        deadline=step.now + ms,
        seat=seat,
        target=target,
        asker=step.person or None,
        asker_human=step.fact("kind") != "bot",
        spared=True if "spares" in step.facts else None,
        patient=patient or None,
    )
    step.table.votes_made, step.table.votes[number] = number, vote
    if patient or tally(rule, vote, final=False) is None:
        step.tell(events.VoteOpened(number, kind.value, vote.by, about, ms // 1000))
        return
    _settle(step, number, passed=True, quiet=True)


def cast(step: Step, number: int, *, yes: bool) -> None:
    """Cast the actor's ballot; the deciding one carries the vote out.

    A no of the actor who has opened the vote takes it back.
    """
    seat, votes = step.seat_or_none(), step.table.votes
    if number not in votes:
        raise NotAllowed("no_vote", candidates=tuple(str(each) for each in votes))
    vote = votes[number]
    is_mine = vote.is_asked_by(step.person)
    if is_mine and not yes:
        del votes[number]
        step.tell(events.VoteEnded(number, vote.kind.value, "withdrawn"))
        return
    if seat is None or seat not in vote.voters:
        if is_mine:
            raise NotAllowed("own_vote")
        raise NotAllowed("no_voter")
    if seat in vote.yes or seat in vote.no:
        raise NotAllowed("already_voted")
    if vote.spared and seat == vote.seat:
        step.tell(events.Balloted(seat, step.name_of(seat), "yes" if yes else "no"))
        _settle(step, number, passed=yes)
        return
    if yes:
        vote.yes = (*vote.yes, int(seat))
    else:
        vote.no = (*vote.no, int(seat))
    step.tell(events.Balloted(seat, step.name_of(seat), "yes" if yes else "no"))
    passed = tally(VOTE_RULES[vote.kind], vote, final=False)
    if passed is False or (passed and not vote.patient):
        _settle(step, number, passed=passed)


def count_out(step: Step, number: int) -> None:
    """The time of a vote is up: the silent count as its rule says."""
    vote = step.table.votes.get(number)
    if vote is None:
        raise NotAllowed("no_vote")
    passed = tally(VOTE_RULES[vote.kind], vote, final=True)
    _settle(step, number, passed=passed is True)


def drop_votes(step: Step, *kinds: VoteKind, asker: str = "", seat: Seat | None = None) -> None:
    """End votes of these kinds without effect, since they are overtaken.

    Of one asker, or about one seat, where that is named.
    """
    for number, vote in list(step.table.votes.items()):
        named = asker in ("", vote.asker) and seat in (None, vote.seat)
        if vote.kind in kinds and named:
            del step.table.votes[number]
            step.tell(events.VoteEnded(number, vote.kind.value, "dropped"))


def ask_if_there(step: Step, seat: Seat, voters: Sequence[int]) -> None:
    """Vote on a stand-in for somebody who is connected: he is asked too, and given the time."""
    name, asked = step.name_of(seat), (*voters, int(seat))
    open_vote(step, VoteKind.REMOVE, asked, about=name, seat=seat, patient=True)
    deadline = max(vote.deadline for vote in step.table.votes.values() if vote.seat == seat)
    step.tell(events.AskedIfThere(seat, name, (deadline - step.now) // 1000))


def is_asked_about(table: Table, seat: Seat | None) -> bool:
    """Whether a vote is open that a seat ends by any line of its own."""
    return any(vote.spared and vote.seat == seat for vote in table.votes.values())


def spare(step: Step) -> None:
    """A person who sends anything in the room is there: no bot has to play for them."""
    seat = step.seat_or_none()
    if seat is not None and is_asked_about(step.current, seat):
        drop_votes(step, VoteKind.REMOVE, seat=seat)


def _settle(step: Step, number: int, *, passed: bool, quiet: bool = False) -> None:
    vote = step.table.votes[number]
    del step.table.votes[number]
    if not quiet:
        outcome = "passed" if passed else "failed"
        step.tell(events.VoteEnded(number, vote.kind.value, outcome))
    if passed:
        _EFFECTS[vote.kind](step, vote)


def _undo(step: Step, vote: Vote) -> None:
    counted = versions_for(step.before, SPECTATOR)
    for index in range(len(step.past) - 1, -1, -1):
        past = step.past[index]
        if past.seat == vote.seat and vote.target == counted(past.version):
            undo(step, index)
            return
    raise NotAllowed("nothing_to_undo")


def _remove(step: Step, vote: Vote) -> None:
    if vote.seat is not None:
        stand_in(step, vote.seat)


def _seat(step: Step, vote: Vote) -> None:
    if vote.seat is None or vote.asker is None:
        return
    chair = step.chair(vote.seat)
    if chair.person is not None or step.seat_of(vote.asker) is not None:
        raise NotAllowed("seat_taken", seat=vote.seat)
    before = chair.name
    chair.name, chair.person, chair.human = vote.by, vote.asker, require(vote.asker_human)
    chair.bot, chair.timeouts = None, 0
    step.record(f"@seat {vote.seat} {vote.by}")
    step.tell(events.TookOver(vote.seat, vote.by, int(vote.seat), before))
    drop_votes(step, VoteKind.KICK, seat=vote.seat)


def _pause(step: Step, vote: Vote) -> None:
    drop_votes(step, VoteKind.UNDO)  # nothing is taken back in a pause
    step.table.phase, step.table.paused_at = Phase.PAUSED, step.now
    step.tell(events.Paused())


def _masterreset(step: Step, vote: Vote) -> None:
    finish(step, "void", ())


def _kick(step: Step, vote: Vote) -> None:
    chair = None if vote.seat is None else step.chair(vote.seat)
    if chair is not None and chair.person is not None:
        send_out(step, chair.person, chair.name)


_EFFECTS: Final[Mapping[VoteKind, Callable[[Step, Vote], None]]] = {
    VoteKind.UNDO: _undo,
    VoteKind.REMOVE: _remove,
    VoteKind.SEAT: _seat,
    VoteKind.PAUSE: _pause,
    VoteKind.MASTERRESET: _masterreset,
    VoteKind.KICK: _kick,
}


def voters_of(step: Step) -> list[int]:
    """The seats of the humans who were present, as the entry's facts have them."""
    listed = step.facts.get("voters", ())
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        return []
    return [seat for seat in listed if isinstance(seat, int) and Seat(seat) in step.table.seats]


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
