"""Votes: their rules, the acts that open them, ballots and effects.

`VOTE_RULES` declares each kind: its time, the majority, how missing ballots count. The deciding
ballot and its effect are one entry. The voters are facts of the opening entry, since presence is
not part of the room.
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
from bluebear.server.room.events import UndoReach
from bluebear.server.room.fold_context import RoomAct, Step
from bluebear.server.room.game_flow import (
    clock_of,
    finish,
    shift_clocks,
    undo,
    undo_is_free,
    undo_target,
)
from bluebear.server.room.stand_ins import send_out, stand_in
from bluebear.server.room.state import (
    Past,
    Phase,
    Quiet,
    Recorded,
    Table,
    Vote,
    VoteKind,
    by_days,
    links_of,
    versions_for,
)


def undo_reach(
    game: Game[Any],  # Any: each game has a state class of its own
    past: Sequence[Past],
    recorded: Recorded | None,
) -> UndoReach:
    """The moves that an undo to before the first entry of `past` takes back, in public form."""
    first = past[0]
    moves = _remaining_moves(recorded)[first.steps :]
    # The number of a seat's quiet moves is secret.
    movers = tuple(each.mover for each in moves if not each.is_quiet) or (int(first.seat),)
    newest = game.grammar.parse(moves[0].lines.split(" ; ", 1)[0])
    line = game.grammar.format(newest, sees_owner=False)
    return UndoReach(Seat(first.seat), line, len(movers), movers)


class _RecordedMove(NamedTuple):
    """The seat and the lines of an entry in the record."""

    mover: int
    lines: str
    is_quiet: bool


def _remaining_moves(recorded: Recorded | None) -> list[_RecordedMove]:
    """The moves of a record that were not undone."""
    moves: list[_RecordedMove] = []
    quiet: Quiet = ()
    for link in links_of(recorded):
        head, _, rest = link.line.partition(" ")
        is_quiet, quiet = link.quiet != quiet, link.quiet
        if head == "@undo":
            del moves[len(moves) - int(rest) :]
        elif head.isdecimal():
            moves.append(_RecordedMove(int(head), rest, is_quiet))
        elif head == "@clock":
            mover, _, lines = rest.partition(" ")
            moves.append(_RecordedMove(int(mover), lines, is_quiet))
    return moves


@dataclass(frozen=True, slots=True)
class VoteRule:
    """The rule of a kind of vote.

    `all_must`: all voters must agree. Else more yes than no decide; with `over_half` more than half
    of all voters. `silence`: how missing ballots count. `alone_passes`: a vote without voters does.
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
    """Whether a vote has passed; None while it is undecided. `final`: its time is up."""
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
    """Open a vote; carry it out immediately if it is decided already and not `patient`.

    Raises NotAllowed: `own_vote` or `vote_open` if one of this kind is open, `nobody_to_vote`.
    """
    rule = VOTE_RULES[kind]
    rivals = [vote for vote in step.table.votes.values() if vote.kind is kind]
    if any(vote.was_opened_by(step.person) for vote in rivals):
        raise NotAllowed("own_vote")
    if rivals:
        raise NotAllowed("vote_open", kind=kind.value)
    if not voters and not rule.alone_passes:
        raise NotAllowed("nobody_to_vote")
    actor_seat = step.seat_or_none()
    ms = VOTE_BY_DAYS_MS if by_days(step.table) else rule.ms
    number = require(step.table.votes_made) + 1
    vote = Vote(
        kind=kind,
        by=step.actor_name(actor_seat),
        voters=tuple(sorted(voters)),
        yes=(int(actor_seat),) if actor_seat is not None and actor_seat in voters else (),
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


def drop_votes(step: Step, *kinds: VoteKind, asker: str = "", seat: Seat | None = None) -> None:
    """End votes of these kinds without effect; only those that `asker` opened or about `seat`."""
    for number, vote in list(step.table.votes.items()):
        if vote.kind in kinds and asker in ("", vote.asker) and seat in (None, vote.seat):
            del step.table.votes[number]
            step.tell(events.VoteEnded(number, vote.kind.value, "dropped"))


def open_absence_vote(step: Step, seat: Seat, voters: Sequence[int]) -> None:
    """Open a vote on a stand-in for a connected player, who votes too and may use all its time."""
    name, voting = step.name_of(seat), (*voters, int(seat))
    open_vote(step, VoteKind.REMOVE, voting, about=name, seat=seat, patient=True)
    deadline = max(vote.deadline for vote in step.table.votes.values() if vote.seat == seat)
    step.tell(events.AskedIfThere(seat, name, (deadline - step.now) // 1000))


def has_absence_vote(table: Table, seat: Seat | None) -> bool:
    """Whether a vote is open that any line of a seat's player ends."""
    return any(vote.spared and vote.seat == seat for vote in table.votes.values())


def end_absence_vote(step: Step) -> None:
    """End the vote on a stand-in for the actor, who is present."""
    seat = step.seat_or_none()
    if seat is not None and has_absence_vote(step.current, seat):
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


def _kick(step: Step, vote: Vote) -> None:
    chair = None if vote.seat is None else step.chair(vote.seat)
    if chair is not None and chair.person is not None:
        send_out(step, chair.person, chair.name)


_EFFECTS: Final[Mapping[VoteKind, Callable[[Step, Vote], None]]] = {
    VoteKind.UNDO: _undo,
    VoteKind.REMOVE: _remove,
    VoteKind.SEAT: _seat,
    VoteKind.PAUSE: _pause,
    VoteKind.MASTERRESET: lambda step, vote: finish(step, "void", ()),
    VoteKind.KICK: _kick,
}


def voters_of(step: Step) -> list[int]:
    """The seats in the fact `voters`: humans who were present when the entry was sent."""
    listed = step.facts.get("voters", ())
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        return []
    return [seat for seat in listed if isinstance(seat, int) and Seat(seat) in step.table.seats]


class Undo(RoomAct, frozen=True):
    """Undo the actor's newest move; unless `undo_is_free`, by a vote of the `voters` (a fact).

    Raises NotAllowed (stale) if the move was played in another entry than `version`.
    """

    head = "/undo"
    version: int | None = None

    def fold(self, step: Step) -> None:
        seat = step.seat()
        index = undo_target(step.past, seat)
        target = step.past[index].version
        if self.version not in (None, target):
            raise NotAllowed("stale")
        if undo_is_free(step.game, step.past, step.state, index):
            drop_votes(step, VoteKind.UNDO)
            undo(step, index)
            return
        voters = [each for each in voters_of(step) if each != seat]
        # All members see the target, so it is counted as spectators count.
        target = versions_for(step.before, SPECTATOR)(target)
        open_vote(step, VoteKind.UNDO, voters, about=step.name_of(seat), seat=seat, target=target)
        if step.past[index:]:
            step.tell(undo_reach(step.game, step.past[index:], step.recorded))


class Remove(RoomAct, frozen=True):
    """Propose that a house bot stands in for a player who keeps the table waiting.

    Facts: `voters`; `spares`, if a line of the player ends the vote; `present`, if the player is
    connected; `waited`, the seconds since the player is to move, below 0 if it is not their turn.
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
            open_absence_vote(step, seat, voters)
        else:
            open_vote(step, VoteKind.REMOVE, voters, about=chair.name, seat=seat)

    def _check_patience(self, step: Step) -> None:
        """Raise NotAllowed before the table has waited for `AWAY_SECONDS`."""
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
    """Proposal by the server to let a house bot stand in. Facts: `voters`, `spares`."""

    head = "@remove"


class ConfirmPresent(RoomAct, frozen=True):
    """End the vote on a stand-in for a player who entered, or sent a line that makes no entry."""

    head = "@there"
    seat: Seat

    def fold(self, step: Step) -> None:
        if not has_absence_vote(step.table, self.seat):
            raise NotAllowed("no_vote")
        drop_votes(step, VoteKind.REMOVE, seat=self.seat)


class Pause(RoomAct, frozen=True):
    """Propose a pause. Fact: `voters`."""

    head = "/pause"
    kind: ClassVar[VoteKind] = VoteKind.PAUSE

    def fold(self, step: Step) -> None:
        open_vote(step, self.kind, voters_of(step))


class MasterReset(Pause, frozen=True):
    """Propose to end the game void. Fact: `voters`."""

    head = "/masterreset"
    kind = VoteKind.MASTERRESET


class Resume(RoomAct, frozen=True):
    """Resume a paused game; the clocks' deadlines move by the length of the pause."""

    head = "/resume"

    def fold(self, step: Step) -> None:
        shift_clocks(step, step.now - (step.table.paused_at or step.now))
        step.table.phase, step.table.paused_at = Phase.PLAYING, None
        step.tell(events.Resumed())


class Accept(RoomAct, frozen=True):
    """Vote yes; the deciding ballot carries the vote out."""

    head = "/accept"
    yes: ClassVar[bool] = True
    vote: int

    def fold(self, step: Step) -> None:
        number, seat, votes = self.vote, step.seat_or_none(), step.table.votes
        if number not in votes:
            raise NotAllowed("no_vote", candidates=tuple(str(each) for each in votes))
        vote = votes[number]
        is_opener = vote.was_opened_by(step.person)
        if is_opener and not self.yes:
            del votes[number]
            step.tell(events.VoteEnded(number, vote.kind.value, "withdrawn"))
            return
        if seat is None or seat not in vote.voters:
            raise NotAllowed("own_vote") if is_opener else NotAllowed("no_voter")
        if seat in vote.yes or seat in vote.no:
            raise NotAllowed("already_voted")
        step.tell(events.Balloted(seat, step.name_of(seat), "yes" if self.yes else "no"))
        if vote.spared and seat == vote.seat:
            _settle(step, number, passed=self.yes)
            return
        if self.yes:
            vote.yes = (*vote.yes, int(seat))
        else:
            vote.no = (*vote.no, int(seat))
        passed = tally(VOTE_RULES[vote.kind], vote, final=False)
        if passed is False or (passed and not vote.patient):
            _settle(step, number, passed=passed)


class Refuse(Accept, frozen=True):
    """Vote no; that of the person who opened the vote withdraws it."""

    head = "/refuse"
    yes = False


class EndVote(RoomAct, frozen=True):
    """The clock ends a vote whose time is up."""

    head = "@vote"
    vote: int

    def fold(self, step: Step) -> None:
        vote = step.table.votes.get(self.vote)
        if vote is None:
            raise NotAllowed("no_vote")
        passed = tally(VOTE_RULES[vote.kind], vote, final=True)
        _settle(step, self.vote, passed=passed is True)
