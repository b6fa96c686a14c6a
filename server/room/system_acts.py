"""Acts of the server and the clock: time-outs, waking, vacations, freezing; hints and lessons.

A player may request a hint, a move proposed by the search, if the option `hints` allows it. All
members are notified, and the record has a mark; rated games have no hints. The proposed move is not
stored in the room.

A lesson's room has one member, the learner, and no entry of it is stored: the fact `typed` of its
first entry has the lines that the learner typed before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from bluebear.rules.core.game import Game
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.lessons import Lesson, Position, begin, follow, lessons_of
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.limits import HINT_SEAT_SECONDS, HINT_TABLE_SECONDS, TIMEOUTS_IN_A_ROW
from bluebear.server.people.account import LessonProgress
from bluebear.server.room import events
from bluebear.server.room.fold_context import RoomAct, Step
from bluebear.server.room.game_flow import (
    finish,
    play,
    restart_clock,
    runs_from,
    shift_clocks,
    shift_votes,
)
from bluebear.server.room.options import HINTS, choice, day_of
from bluebear.server.room.stand_ins import stand_in
from bluebear.server.room.state import (
    Chair,
    LessonState,
    Phase,
    RatingChange,
    Room,
    Table,
    VoteKind,
    by_days,
)
from bluebear.server.room.votes import drop_votes, open_absence_vote


class TimeOut(RoomAct, frozen=True):
    """A seat's time is up, or its house bot does not reply: play the entry's further lines.

    After `TIMEOUTS_IN_A_ROW` a house bot stands in for the player; if the player is connected (the
    fact `present`), only after a vote.
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
            open_absence_vote(step, seat, ())


class Wake(RoomAct, frozen=True):
    """The room slept for `slept` ms: postpone its deadlines; in a pause no clock runs anyway."""

    head = "@wake"
    slept: int

    def fold(self, step: Step) -> None:
        shift_votes(step, self.slept)
        if step.table.phase is Phase.PLAYING:
            shift_clocks(step, self.slept)


class Vacation(RoomAct, frozen=True):
    """Set a player's vacation in a correspondence game, until a time (ms); a past time ends it."""

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
    """The record of a rated game is stored; add the players' new ratings to the ending.

    Fact: `ratings`: for each seat its number, the player's name, points and their change.
    """

    head = "@rated"
    game_id: str

    def fold(self, step: Step) -> None:
        ending = step.table.ending
        if ending is None or ending.ratings is not None or step.table.game_id != self.game_id:
            raise NotAllowed("not_playing")
        rows = msgspec.convert(step.facts["ratings"], tuple[tuple[int, str, int, int], ...])
        ending.ratings = Keyed({Seat(seat): RatingChange(*each) for seat, _, *each in rows})
        changes = tuple(f"{name} {points} ({change:+})" for _, name, points, change in rows)
        step.tell(events.RatingsChanged(changes))


class Freeze(RoomAct, frozen=True):
    """End a broken game void, so that its record is complete and stored.

    Also sent by the host of a suspended room (`snapshot`), which is frozen already.
    """

    head = "@freeze"

    def fold(self, step: Step) -> None:
        was = step.table.phase
        if step.head is not None and step.table.ending is None:
            finish(step, "void", ())
        step.table.phase, step.table.turn, step.table.votes = Phase.FROZEN, (), Keyed()
        if was is not Phase.FROZEN:
            step.tell(events.FrozeUp())


class Hint(RoomAct, frozen=True):
    """Request a hint for the actor, who is to move."""

    head = "/hint"

    def fold(self, step: Step) -> None:
        seat = step.seat()
        check_hint(step.current, step.game, seat, step.now)
        chair = step.chair(seat)
        chair.hints, chair.hinted_at = (chair.hints or 0) + 1, step.now
        step.record(f"@hint {seat}")
        step.tell(events.HintAsked(seat, chair.name))


def check_hint(table: Table, game: Game[Any], seat: Seat, now: int) -> None:  # Any: any state
    """Raise NotAllowed if a seat may not request a hint at `now` (ms); too_much has the wait."""
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
    """The ms until a seat may request a hint; 0: it may now."""
    waits = [0]
    for each, chair in table.seats.items():
        at = chair.hinted_at
        if at is not None:
            seconds = HINT_SEAT_SECONDS if each == seat else HINT_TABLE_SECONDS
            waits.append(at + seconds * 1000 - now)
    return max(waits)


# Lessons.

LESSON_FACT: Final = "lesson"
"""The fact of a room's first entry with the name of its lesson."""


class Learn(RoomAct, frozen=True):
    """Complete a step that is only read, or play the solution of a step ("show")."""

    head = "/learn"
    what: str

    def fold(self, step: Step) -> None:
        lesson, at = _lesson(step)
        shown = lesson.steps[at.step].shown
        play_lesson(step, (shown if self.what == "show" else "",))


def open_lesson(step: Step) -> None:
    """Fold the first entry of a lesson's room: seat the learner at their last step."""
    lesson = lessons_of(step.game.package)[step.fact(LESSON_FACT)]
    table = step.table
    for number, name in enumerate(lesson.seats, 1):
        person = None if name else step.actor.person
        chair = Chair(name or step.fact("name"), human=person is not None, person=person)
        table.seats[Seat(number)] = chair
    table.phase, table.rated = Phase.PLAYING, False
    at, typed = begin(step.game, lesson), list[str]()
    given = step.facts.get("typed")
    for line in given if isinstance(given, tuple) else ():
        try:  # the lesson may have changed since then
            at = follow(step.game, lesson, at, str(line))
        except (Refusal, IndexError):
            break
        typed.append(str(line))
    step.since = (step.version,) * len(lesson.seats)
    _go_on(step, lesson, at._replace(events=()), typed)


def play_lesson(step: Step, lines: Sequence[str]) -> None:
    """Play the learner's lines, then those of the scripted seats. Raises like `follow`."""
    lesson, at = _lesson(step)
    line = " ; ".join(lines)
    before = Position(step.state, step.counter, at.step)
    made = follow(step.game, lesson, before, line)
    _go_on(step, lesson, made, [*require(at.typed), line])


def _lesson(step: Step) -> tuple[Lesson, LessonState]:
    at = step.current.lesson
    if at is None:
        raise NotAllowed("no_lesson", candidates=("/learn",))
    return lessons_of(step.game.package)[at.name], at


def _go_on(step: Step, lesson: Lesson, at: Position, typed: Sequence[str]) -> None:
    name = step.fact(LESSON_FACT) if step.current.lesson is None else step.current.lesson.name
    step.state, step.counter = at.state, at.counter
    step.events.extend(at.events)
    step.table.lesson = LessonState(name, at.step, len(lesson.steps), tuple(typed))
    step.table.turn = tuple(sorted(step.game.to_move(at.state)))
    step.touch(step.table.seats)
    step.tell(events.LessonStep(name, at.step))


def lesson_progress(room: Room, at: int) -> tuple[str, LessonProgress] | None:
    """The learner's id and progress at a time (ms); None if no step is complete."""
    lesson = room.table.lesson
    if lesson is None or not lesson.step:
        return None
    progress = LessonProgress(room.table.game, lesson.name, require(lesson.typed), at)
    return require(room.table.host_person), progress
