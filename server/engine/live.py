"""A room that is in memory: the shell around the pure room.

One entry is in flight at a time; further lines wait and are judged on committed state only, so
nothing that leaves the process can be lost. When an entry is written the room takes the new state
and publishes; when it is not, its sender hears "not saved" and nothing has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from protocol import Code, Done, Error, Note, RoomNumber, Version
from rules.core.game import Game
from rules.core.refusal import NotAllowed, Refusal
from rules.core.vision import Seat, but
from server.caller import Caller
from server.commands.acts import Act, Write
from server.commands.resolve import canonical_move, resolve
from server.commands.scene import Scene
from server.commands.words import loggable
from server.directory import needs_summary, room_line, summary_of
from server.engine.attendance import Attendance, audience_of
from server.engine.delivery import Delivery
from server.engine.vigil import SERVER_ACTOR, Vigil
from server.journal import (
    Answer,
    Append,
    Duplicate,
    Entry,
    Fenced,
    NotSaved,
    StreamId,
    Written,
)
from server.limits import (
    BUGS_IN_A_ROW,
    ROOM_QUEUE,
    ROOM_QUEUE_PER_PERSON,
    SNAPSHOT_EVERY,
)
from server.observe import LOG, count, log
from server.room.actor import Actor
from server.room.reducer import Folded, fold
from server.room.standins import stands_in
from server.room.state import Room
from server.sentences import refusal_text, say
from server.shell import Shell


@dataclass(slots=True)
class Job:
    """A line on its way: typed text, or something prepared. `make` is called when it is judged."""

    actor: Actor
    caller: Caller | None = None
    say: str = ""
    text: str = ""
    at: int | None = None
    make: Callable[[], Write] | None = None
    then: Callable[[], None] | None = None


class LiveRoom:
    """One room in memory; owned by the app."""

    def __init__(self, room_id: str, room: Room | None, shell: Shell) -> None:
        self.id = room_id
        self.shell = shell
        self.present = Attendance()
        self._room = room
        self._queue: deque[Job] = deque()
        self._waiting: Counter[str] = Counter()
        self._flying: Job | None = None
        self._bugs = 0
        self.delivery = Delivery(self.present, shell.game_data)
        self.vigil = Vigil(self, None if room is None else room.at)
        self.closed = False
        self.recorded = ""
        """The finished game whose record is kept already."""

    @property
    def room(self) -> Room:
        """The committed room; there is one as soon as its first entry is written."""
        if self._room is None:
            raise NotAllowed("room_unknown")
        return self._room

    @property
    def exists(self) -> bool:
        """Whether the first entry is written."""
        return self._room is not None

    @property
    def game(self) -> Game[Any] | None:  # Any: each game has a state class of its own
        """The rules, if this server has them."""
        return None if self._room is None else self.shell.games.get(self._room.table.game)

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is under way."""
        return not (self.present.members or self._queue or self._flying)

    # Lines.

    def line(self, caller: Caller, say_id: str, text: str, at: int | None) -> None:
        """A typed line of a member."""
        self.submit(Job(caller.actor, caller, say_id, text, at))

    def act(self, actor: Actor, make: Callable[[], Write]) -> None:
        """An act of the clock or the server, made when its turn comes."""
        self.submit(Job(actor, make=make))

    def submit(self, job: Job) -> None:
        """Let a line wait for its turn; refused as busy if too many wait."""
        if self.closed:
            self._refuse(job, NotAllowed("not_saved"))
            return
        caller = job.caller
        if caller is not None:
            twin = self._twin(job)
            if twin is not None:
                twin.caller = caller
                return
            waiting = self._waiting[job.actor.text]
            if len(self._queue) >= ROOM_QUEUE or waiting >= ROOM_QUEUE_PER_PERSON:
                self._refuse(job, NotAllowed("busy"))
                return
            self._waiting[job.actor.text] += 1
        self._queue.append(job)
        self._next()

    def _twin(self, job: Job) -> Job | None:
        """The same line, said again before it was answered: whoever repeats it gets the answer."""
        if not job.say or job.make is not None or not (self._flying or self._queue):
            return None
        under_way = self._queue if self._flying is None else (self._flying, *self._queue)
        same = (each for each in under_way if each.say == job.say and each.actor == job.actor)
        return next((each for each in same if each.make is None), None)

    def _next(self) -> None:
        while self._queue and self._flying is None and not self.closed:
            job = self._queue.popleft()
            if job.caller is not None:
                self._leave_queue(job.actor.text)
            self._judge(job)

    def _leave_queue(self, actor: str) -> None:
        left = self._waiting[actor] - 1
        if left > 0:
            self._waiting[actor] = left
        else:
            del self._waiting[actor]

    def _judge(self, job: Job) -> None:
        """Judge a line; an owner has his seat back by it, also where it makes no entry."""
        self._decide(job)
        if self._flying is not None or self._room is None or not job.actor.person:
            return
        seat = self._room.seat_of(job.actor.person)
        if seat is not None and stands_in(self._room.table, seat):
            self._give_back(seat)

    def _decide(self, job: Job) -> None:
        """Hops 3 and 4: understand a line and fold it; the one place where refusals end."""
        try:
            act = self._act_of(job)
            if isinstance(act, Write) and not act.secret:
                self._write(job, act)
                return
        except Refusal as refusal:
            self._refuse(job, refusal)
            return
        except Exception as bug:  # noqa: BLE001  # the boundary: a bug stops one line, not the room
            self._bug(job, bug)
            return
        if isinstance(act, Write):
            self._hash_first(job, act)
        elif job.caller is not None:
            self.shell.perform(job.caller, self, act, job.say)

    def _act_of(self, job: Job) -> Act:
        if job.make is not None:
            return job.make()
        caller, room, game = job.caller, self.room, self.game
        if caller is None:
            raise NotAllowed("not_in_room")
        seat = caller.house_seat or room.seat_of(caller.person)
        if job.at is not None:
            _refuse_stale(room, seat, job.at)
        quick = None if game is None else canonical_move(room, game, seat, job.text)
        return quick or resolve(self.scene(caller), job.text)

    def scene(self, caller: Caller) -> Scene:
        """What a member's line is judged in."""
        return Scene(
            speaker=caller.speaker,
            world=self.shell.world,
            now=self.shell.clock.now(),
            fresh=self.shell.fresh(64),
            room=self._room,
            game=self.game,
            here=self.present.here,
        )

    def _hash_first(self, job: Job, act: Write) -> None:
        """Hash a password outside the queue; then the line is judged again, with its hash."""

        def hashed(text: str) -> None:
            again = replace(job, make=lambda: self._with_hash(job, text))
            self.submit(again)

        self.shell.hash_password(act.secret, hashed)

    def _with_hash(self, job: Job, hashed: str) -> Write:
        act = self._act_of(job)
        if not isinstance(act, Write):
            raise NotAllowed("internal", reference=self.id)
        return Write(act.lines, {**act.facts, "hash": hashed}, note=act.note)

    def _write(self, job: Job, act: Write) -> None:
        """Hops 4 and 5: fold the entry, and hand it to the journal if that went well."""
        old = self._room
        entry = Entry(
            stream=StreamId(self.id),
            seq=1 if old is None else old.version + 1,
            actor=job.actor.text,
            client_id=job.say,
            lines=act.lines,
            facts=act.facts,
            at=self.shell.clock.now(),
        )
        folded = fold(old, entry, self.shell.games, act.played)
        if folded.digest:
            entry = but(entry, digest=folded.digest)
        room = folded.room
        summary = None
        if needs_summary(old, room):
            summary = summary_of(room, room_line(room, self.shell.games))
        self._flying = job
        done = partial(self._answered, job, act, entry, folded, told=summary is not None)
        self.shell.writer.submit(Append(entry, summary), done)

    def _answered(
        self, job: Job, act: Write, entry: Entry, folded: Folded, answer: Answer, *, told: bool
    ) -> None:
        """Hop 6: the journal has answered."""
        self._flying = None
        if isinstance(answer, Written):
            self._bugs = 0
            self._commit(job, act, entry, folded)
            self.shell.changed(self, entry, summary=told)
        elif isinstance(answer, Duplicate):
            self._repeat(job, answer)
        else:
            log(logging.ERROR, "entry not saved", room=self.id, version=entry.seq, why=str(answer))
            count("journal.not_saved")
            self._not_saved(job, answer)
            if self.closed:
                return
        self._next()

    def _not_saved(self, job: Job, answer: Fenced | NotSaved) -> None:
        """Say so; where nobody can tell, ask the journal before anything is said."""
        refusal = NotAllowed("not_saved")
        unsure = isinstance(answer, NotSaved) and not answer.certain
        if unsure and job.caller is not None and job.say:
            error = self._error(job, job.caller, refusal)
            self.shell.look_up(job.caller, job.say, error, go_in=job.make is not None)
        else:
            self._refuse(job, refusal)
        if unsure or isinstance(answer, Fenced) or not self.exists:
            self.shell.lost(self)

    def _repeat(self, job: Job, answer: Duplicate) -> None:
        """The line was written before: the same answer again."""
        if job.caller is not None:
            go_in = job.make is not None
            self.shell.answer_again(job.caller, job.say, answer.stream, answer.seq, go_in=go_in)
        if not self.exists:
            self.shell.lost(self)

    # Publishing.

    def _commit(self, job: Job, act: Write, entry: Entry, folded: Folded) -> None:
        old, new = self._room, folded.room
        self._room = new
        self.vigil.went_on(old, new)
        answered = False
        if old is not None and self.present.members:
            answered = self.delivery.publish(old, folded, self.game, sayer=job.caller, say=job.say)
            if old.table.seats is not new.table.seats:
                self._announce()
        if job.then is not None:
            job.then()
        if job.caller is not None:
            self._conclude(job.caller, job.say, act, answered=answered)
        whom = entry.facts.get("whom")
        if isinstance(whom, str) and entry.lines[0].startswith(("/kick ", "/ban ")):
            self._expel(whom)
        self.vigil.tend()

    def _conclude(self, caller: Caller, say_id: str, act: Write, *, answered: bool) -> None:
        number, version = self.number_of(caller), Version(self.room.version)
        if act.note:
            caller.send(Note(room=number, code="note", text=act.note))
        if say_id:
            done = Done(id=say_id, room=number, version=version)
            if answered:
                caller.remember(done)
            else:
                caller.answer(done)

    # Members.

    def attach(self, caller: Caller) -> RoomNumber:
        """A connection comes in: a snapshot, its moves, and the news to the others."""
        known = self.present.members.get(caller)
        if known is not None:
            self.delivery.snapshot(known, self.room, self.game)
            return known.audience.number
        was_awake = self.present.awake
        number = caller.new_number()
        codec = self.delivery.codec_for(caller, self.game)
        member = self.present.put(caller, codec, number, self.room)
        caller.rooms[number] = self
        self.delivery.snapshot(member, self.room, self.game)
        if not caller.is_house:
            self._came(caller, was_awake=was_awake)
        self.vigil.tend()
        return number

    def _came(self, caller: Caller, *, was_awake: bool) -> None:
        self.vigil.came(caller.person, was_awake=was_awake)
        seat = self.room.seat_of(caller.person)
        if seat is not None:
            if self.room.seats[seat].name != caller.name:
                self.rename(caller.person, caller.name)
            if stands_in(self.room.table, seat):
                self._give_back(seat)
        self._announce()

    def _give_back(self, seat: Seat) -> None:
        self.act(SERVER_ACTOR, lambda: Write((f"@back {seat}",)))

    def rename(self, person: str, name: str) -> None:
        """Somebody who sits here or is the host is called otherwise."""
        self.present.rename(person, name)
        if self.room.seat_of(person) is not None or self.room.table.host_person == person:
            self.act(SERVER_ACTOR, lambda: Write((f"@nick {name}",), {"whom": person}))

    def detach(self, caller: Caller) -> None:
        """A connection goes."""
        number = self.number_of(caller)
        if number is None:
            return
        caller.rooms.pop(number, None)
        self.present.drop(caller, asyncio.get_running_loop().time())
        self.vigil.left()
        if not caller.is_house:
            self._announce()
        self.vigil.tend()

    def number_of(self, caller: Caller) -> RoomNumber | None:
        """The number that this room has for a connection; None if it is no member."""
        member = self.present.members.get(caller)
        return None if member is None else member.audience.number

    def sync(self, caller: Caller) -> None:
        """Send a member a new snapshot."""
        member = self.present.members.get(caller)
        if member is not None:
            self.delivery.snapshot(member, self.room, self.game)

    def relabel(self, caller: Caller) -> None:
        """A member speaks another language from now on."""
        member = self.present.members.get(caller)
        if member is not None:
            member.audience = audience_of(
                caller, member.audience.codec, member.audience.number, member.audience.eyes
            )

    def _expel(self, person: str) -> None:
        for caller in [c for c in self.present.members if c.person == person and not c.is_house]:
            number = self.number_of(caller)
            self.detach(caller)
            caller.send(Note(room=number, code="kicked", text=say("note.kicked", caller.lang)))

    def _announce(self) -> None:
        if not self.closed:
            self.delivery.announce(lambda: self.room)

    # Trouble.

    def _refuse(self, job: Job, refusal: Refusal) -> None:
        caller = job.caller
        if caller is None:
            self._tend_again()
            return
        if refusal.code == Code.ROOM_UNKNOWN:
            # Whoever guesses is counted, wherever he stands.
            self.shell.refuse(caller, job.say, refusal)
            return
        error = self._error(job, caller, refusal)
        if caller.resumed and job.say and not job.make:
            self.shell.look_up(caller, job.say, error, go_in=False)
        else:
            caller.answer(error)

    def _error(self, job: Job, caller: Caller, refusal: Refusal) -> Error:
        count(f"refused.{refusal.code}")
        name_of = None if self._room is None else self._room.name_of
        return Error(
            id=job.say or None,
            code=refusal.code,
            text=refusal_text(refusal, caller.lang, self.game, name_of),
            rule=refusal.rule,
            candidates=refusal.candidates,
        )

    def _tend_again(self) -> None:
        """An act of the clock or the server came to nothing."""
        if not self.closed:
            self.vigil.tend_again()

    def _bug(self, job: Job, bug: Exception) -> None:
        """A bug of the game or of ours: it stops this line; several in a row freeze the room."""
        self._bugs += 1
        version = 0 if self._room is None else self._room.version
        line = loggable(job.text)
        fields = {"room": self.id, "version": version, "line": line[:80]}
        LOG.error("bug", exc_info=bug, extra={"fields": fields})
        count("bugs")
        reference = f"{self.id}-{version}"
        if self._bugs >= BUGS_IN_A_ROW and self._room is not None:
            self._bugs = 0
            self.act(SERVER_ACTOR, lambda: Write(("@freeze",)))
        if job.caller is not None:
            refusal = NotAllowed("internal", reference=reference)
            text = refusal_text(refusal, job.caller.lang)
            job.caller.answer(Error(id=job.say or None, code="internal", text=text))
        else:
            self._tend_again()

    def close(self) -> None:
        """Leave memory: no timer rings any more, waiting lines are refused as busy."""
        self.closed = True
        self.vigil.close()
        self.delivery.close()
        self.shell.house.want(self.id, {})
        waiting, self._queue = list(self._queue), deque()
        for job in waiting:
            self._refuse(job, NotAllowed("busy"))

    def wants_snapshot(self) -> bool:
        """Whether the room has come so far that a snapshot shortens its loading."""
        return self.room.version % SNAPSHOT_EVERY == 0


def _refuse_stale(room: Room, seat: Seat | None, at: int) -> None:
    """A line that was meant for an older version than its seat's last change."""
    if seat is not None and seat <= len(room.since) and at < room.since[seat - 1]:
        raise NotAllowed("stale")
