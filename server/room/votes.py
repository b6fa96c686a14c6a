"""The one vote engine: who may vote, how many it takes, what silence means.

The table below is all there is to know of the kinds. The deciding ballot and its effect are one
entry. The voters are facts of the opening entry, since who is present is not state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import SPECTATOR, Seat, require
from bluebear.server.limits import MASTERRESET_VOTE_MS, VOTE_BY_DAYS_MS, VOTE_MS
from bluebear.server.room import events
from bluebear.server.room.leaving import send_out
from bluebear.server.room.options import by_days
from bluebear.server.room.playing import finish, undo
from bluebear.server.room.standins import stand_in
from bluebear.server.room.state import Phase, Table, Vote, VoteKind, versions_for
from bluebear.server.room.step import Step


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
        by=step.actor_name(),
        voters=tuple(sorted(voters)),
        yes=(int(mine),) if mine is not None and mine in voters else (),
        no=(),
        deadline=step.now + ms,
        seat=seat,
        target=target,
        asker=step.actor.person or None,
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
    is_mine = vote.is_asked_by(step.actor.person)
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
    """Whoever says anything in the room is there: nobody has to play for him."""
    seat = step.seat_or_none() if step.current.votes else None
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
