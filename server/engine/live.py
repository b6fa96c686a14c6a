"""A room that is in memory: the shell around the pure room.

One entry is in flight at a time; further lines wait and are judged on committed state only, so
nothing that leaves the process can be lost. When an entry is written the room takes the new state
and publishes; when it is not, its sender hears "not saved" and nothing has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bluebear.protocol import Done, Note, RoomNumber, Version
from bluebear.protocol import Game as GameData
from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Write
from bluebear.server.commands.needs import Found, Wanted
from bluebear.server.commands.scene import Scene
from bluebear.server.engine.attendance import Attendance, Member, audience_of, eyes_of
from bluebear.server.engine.client import Client
from bluebear.server.engine.delivery import Delivery
from bluebear.server.engine.holding import Holding
from bluebear.server.engine.house import Part
from bluebear.server.engine.job import Job
from bluebear.server.engine.meaning import Meaning, Sources
from bluebear.server.engine.queue import Queue
from bluebear.server.engine.repeats import Repeats
from bluebear.server.engine.summaries import needs_summary, room_line, summary_of
from bluebear.server.engine.trouble import Trouble
from bluebear.server.engine.vigil import SERVER_ACTOR, Vigil
from bluebear.server.journal import (
    Answer,
    Append,
    Duplicate,
    Entry,
    GroupWriter,
    NotSaved,
    StreamId,
    Summary,
    Written,
    pack,
)
from bluebear.server.net.cpu_meter import CpuMeter
from bluebear.server.observe import count, log
from bluebear.server.room.actor import Actor
from bluebear.server.room.asking import StillThere
from bluebear.server.room.changes import Folded
from bluebear.server.room.delay import Delay, Passage, Release
from bluebear.server.room.held import as_folded
from bluebear.server.room.hosting import is_barred
from bluebear.server.room.reducer import fold
from bluebear.server.room.seating import Rename
from bluebear.server.room.standins import ComeBack, stands_in
from bluebear.server.room.state import Room, versions_for
from bluebear.server.room.versions import shown_by
from bluebear.server.room.votes import is_asked_about
from bluebear.server.sentences import say

_ROW_BYTES: Final = 32
"""What an entry's place takes beside its body: its stream and number, and where they are found."""


@dataclass(frozen=True, slots=True)
class Means:
    """What live rooms work with; the same for all of one engine."""

    sources: Sources
    writer: GroupWriter
    watch: CpuMeter
    game_data: Callable[[Game[Any]], GameData | None]
    want_bots: Callable[[str, Mapping[Seat, Part]], None]
    repeats: Repeats
    packed: Callable[[LiveRoom, Entry, Room, Summary | None], Append]
    committed: Callable[[LiveRoom, Entry, Summary | None], None]
    lost: Callable[[LiveRoom], None]
    attended: Callable[[], None]


class LiveRoom:
    """One room in memory; owned by the engine."""

    def __init__(
        self,
        room_id: str,
        room: Room | None,
        means: Means,
        held: str = "",
        delay: Delay | None = None,
    ) -> None:
        self.id = room_id
        self.means = means
        self.present = Attendance()
        self._room = room
        self._queue = Queue()
        self._flying: Job | None = None
        self.delay = delay or Delay(room)
        self.trouble = Trouble(self, means.repeats)
        self._meaning = Meaning(self, means.sources, self.trouble.refuse)
        self.holding = Holding(held, self.submit, self.trouble.refuse)
        self.delivery = Delivery(self.present, means.game_data, means.attended)
        asleep_since = None if room is None else room.at
        self.vigil = Vigil(self, means.sources.clock, means.want_bots, asleep_since)
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
        """The rules by which the room is shown, if this server has them."""
        return None if self._room is None else shown_by(self.means.sources.games, self._room)

    def room_for(self, client: Client) -> Room:
        """The room as somebody sees it: spectators may see the game some moves late."""
        late = self.delay.room
        return self.room if late is None or eyes_of(client, self.room) else late

    def version_for(self, client: Client, version: int | None = None) -> Version:
        """A version of the room (None: the newest) as somebody counts who is a member or may be."""
        room, late = self.room, self.delay.room
        eyes = eyes_of(client, room)
        shown = room if late is None or eyes else late
        # Who sees the room as it is may have made an entry that is stored, and not yet known here.
        if version is None or (shown is not room and version >= shown.version):
            return Version(shown.version_for(eyes))
        return Version(versions_for(shown, eyes)(version))

    @property
    def waiting(self) -> int:
        """How many lines wait for their turn."""
        return len(self._queue)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way."""
        return not (self._queue or self._flying)

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is under way."""
        return self.at_rest and not self.present.members

    # Lines.

    def line(self, client: Client, say_id: str, text: str, at: int | None) -> None:
        """A typed line of a member."""
        self.submit(Job(client.actor, client, say_id, text, at))

    def act(self, actor: Actor, make: Callable[[], Write]) -> None:
        """An act of the clock or the server, made when its turn comes."""
        self.submit(Job(actor, make=make))

    def submit(self, job: Job) -> None:
        """Let a line wait for its turn; refused as busy if too many wait."""
        if self.closed:
            self.trouble.refuse(job, NotAllowed("not_saved"))
            return
        if job.client is not None:
            twin = self._queue.twin_of(job, self._flying)
            if twin is not None:
                if job.found is None:  # else it was said before the other one, and looked up
                    twin.client = job.client
                return
        if self._queue.put(job):
            self._next()
        else:
            self.trouble.refuse(job, NotAllowed("busy"))

    def _next(self) -> None:
        watch = self.means.watch
        before = watch.payer
        while self._queue.jobs and self._flying is None and not self.closed:
            job = self._queue.pop()
            if job.client is not None and job.client is not watch.payer:
                watch.turn_to(job.client)
            self._judge(job)
        if watch.payer is not before:
            watch.turn_to(before)

    def _judge(self, job: Job) -> None:
        """Judge a line; an owner has his seat back by it, also where it makes no entry.

        The house's bots rest between two moves where an owner may return. That is looked at here,
        where nothing is in flight: what is refused costs no rest, and no two moves come at once.
        """
        if job.of_house and (rest := self.vigil.bots_rest()) > 0:
            asyncio.get_running_loop().call_later(rest, self.submit, job)
            return
        self._decide(job)
        if self._flying is not None or self._room is None or not job.actor.person:
            return
        if (seat := self._room.seat_of(job.actor.person)) is not None:
            self._have_back(seat)

    def _decide(self, job: Job) -> None:
        """Hops 3 and 4: understand a line and fold it; the one place where refusals end."""
        try:
            act = self.holding.meant(job, self._meaning.of)
            if isinstance(act, Write) and not act.secret:
                self._write(job, act)
                return
        except Refusal as refusal:
            self.trouble.refuse(job, refusal)
            return
        except Exception as bug:  # noqa: BLE001  # the boundary: a bug stops one line, not the room
            self.trouble.bug(job, bug)
            return
        if isinstance(act, Wanted | Write):
            self._meaning.later(job, act)
        elif act is not None and job.client is not None:
            job.client.perform(self.id, act, job.say)

    def scene(self, client: Client, found: Found | None = None) -> Scene:
        """What a member is told in, of the room that he sees."""
        return self._meaning.scene(client, found)

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
            at=self.means.sources.clock.now(),
        )
        folded = fold(old, entry, self.means.sources.games, act.act, act.played)
        entry = as_folded(entry, old, folded)
        if job.client is not None and (act.act is not None or act.facts):
            # Moves end with their game; all else is kept, and free to say.
            job.client.pay(len(pack(entry)) + _ROW_BYTES)
        room = folded.room
        told = needs_summary(old, room)
        summary = summary_of(room, room_line(room, self.means.sources.games)) if told else None
        self._flying = job
        done = partial(self._answered, job, act, entry, folded, summary)
        self.means.writer.submit(self.means.packed(self, entry, room, summary), done)

    def _answered(
        self,
        job: Job,
        act: Write,
        entry: Entry,
        folded: Folded,
        summary: Summary | None,
        answer: Answer,
    ) -> None:
        """Hop 6: the journal has answered."""
        before = self.means.watch.turn_to(job.client)
        self._flying = None
        self._settle(job, act, entry, folded, summary, answer)
        if job.over is not None:
            job.over()
        self._next()
        self.means.watch.turn_to(before)

    def _settle(
        self,
        job: Job,
        act: Write,
        entry: Entry,
        folded: Folded,
        summary: Summary | None,
        answer: Answer,
    ) -> None:
        if isinstance(answer, Written):
            self.trouble.over()
            self._commit(job, act, entry, folded)
            self.means.committed(self, entry, summary)
        elif isinstance(answer, Duplicate):
            self._repeat(job, answer)
        else:
            log(logging.ERROR, "entry not saved", room=self.id, version=entry.seq, why=str(answer))
            count("journal.not_saved")
            self._not_saved(job, answer)

    def _not_saved(self, job: Job, answer: Answer) -> None:
        """Say so; where nobody can tell, ask the journal before anything is said."""
        refusal = NotAllowed("not_saved")
        unsure = isinstance(answer, NotSaved) and not answer.certain
        if unsure and job.client is not None and job.say:
            error = self.trouble.error(job, job.client, refusal)
            go_in = job.make is not None
            self.means.repeats.look_up(job.client, job.say, error, go_in=go_in)
        else:
            self.trouble.refuse(job, refusal)
        if unsure or not isinstance(answer, NotSaved) or not self.exists:
            self.means.lost(self)

    def _repeat(self, job: Job, answer: Duplicate) -> None:
        """The line was written before: the same answer again."""
        if job.client is not None:
            go_in = job.make is not None
            repeats = self.means.repeats
            repeats.again(job.client, job.say, answer.stream, answer.seq, go_in=go_in)
        if not self.exists:
            self.means.lost(self)

    # Publishing.

    def _commit(self, job: Job, act: Write, entry: Entry, folded: Folded) -> None:
        old, new = self._room, folded.room
        self._room = new
        self.holding.committed(act)
        self.vigil.went_on(old, new)
        if job.of_house:
            self.vigil.bot_moved()
        release = self.delay.add(old, folded)
        answered = False
        if old is not None and self.present.members:
            answered = self._publish(old, folded, release, job)
            if old.table.seats is not new.table.seats or (release and release.reseats):
                self._announce()
        if job.then is not None:
            job.then()
        if job.client is not None:
            self._conclude(job.client, job.say, act, answered=answered)
        if folded.sent_out:
            self._expel(folded.sent_out)
        self.vigil.tend()

    def _publish(self, old: Room, folded: Folded, release: Release | None, job: Job) -> bool:
        """Tell the members what has changed; whether the sayer's update has answered him."""
        if release is None:
            return self.delivery.publish(old, folded, self.game, sayer=job.client, say=job.say)
        shown = self.delay.room or folded.room
        way = Passage(old, folded)
        return self.delivery.publish_late(
            way, release, shown, self.game, sayer=job.client, say=job.say
        )

    def _conclude(self, client: Client, say_id: str, act: Write, *, answered: bool) -> None:
        number, version = self.number_of(client), self.version_for(client)
        if act.note:
            client.send(Note(room=number, code="note", text=act.note))
        if say_id:
            done = Done(id=say_id, room=number, version=version)
            if answered:
                client.remember(done)
            else:
                client.answer(done)

    # Members.

    def attach(self, client: Client, number: RoomNumber | None = None) -> RoomNumber:
        """A connection comes in: a snapshot, its moves, and the news to the others.

        `number` is the one that it has for this room already.
        """
        known = self.present.members.get(client)
        if known is not None:
            self._show(known)
            return known.audience.number
        was_awake = self.present.awake
        number = client.entered(self.id) if number is None else number
        codec = self.delivery.codec_for(client, self.game)
        member = self.present.put(client, codec, number, self.room)
        self._show(member)
        self.holding.tell(client, number)
        if not client.is_house:
            self._came(client, was_awake=was_awake)
        self.vigil.tend()
        return number

    def _came(self, client: Client, *, was_awake: bool) -> None:
        self.vigil.came(client.person, was_awake=was_awake)
        seat = self.room.seat_of(client.person)
        if seat is not None:
            if self.room.seats[seat].name != client.name:
                self.rename(client.person, client.name)
            self._have_back(seat)
        if self.room.table.owner == client.person:
            self.act(SERVER_ACTOR, lambda: self.vigil.give_back_host(client.person))
        self._announce()

    def _have_back(self, seat: Seat) -> None:
        """An owner is there: nobody plays for him any more, and none is asked to."""
        if stands_in(self.room.table, seat):
            self.act(SERVER_ACTOR, lambda: Write.of(ComeBack(seat)))
        elif is_asked_about(self.room.table, seat):
            self.act(SERVER_ACTOR, lambda: Write.of(StillThere(seat)))

    def rename(self, person: str, name: str) -> None:
        """Somebody who sits here or is the host is called otherwise."""
        self.present.rename(person, name)
        if self.room.seat_of(person) is not None or self.room.table.host_person == person:
            self.act(SERVER_ACTOR, lambda: Write.of(Rename(name), {"whom": person}))

    def detach(self, client: Client) -> None:
        """A connection goes."""
        if (number := self.number_of(client)) is None:
            return
        client.left(number)
        self.present.drop(client, asyncio.get_running_loop().time())
        self.vigil.left()
        if not client.is_house:
            self._announce()
        self.vigil.tend()

    def number_of(self, client: Client) -> RoomNumber | None:
        """The number that this room has for a connection; None if it is no member."""
        member = self.present.members.get(client)
        return None if member is None else member.audience.number

    def sync(self, client: Client) -> None:
        """Send a member a new snapshot."""
        member = self.present.members.get(client)
        if member is not None:
            self._show(member)

    def _show(self, member: Member) -> None:
        self.delivery.snapshot(member, self.room_for(member.client), self.room, self.game)

    def relabel(self, client: Client) -> None:
        """A member speaks another language from now on."""
        member = self.present.members.get(client)
        if member is not None:
            audience = member.audience
            member.audience = audience_of(client, audience.codec, audience.number, audience.eyes)

    def _expel(self, person: str) -> None:
        self.present.sent_out(person)
        for client in [c for c in self.present.members if self._goes_with(c, person)]:
            number = self.number_of(client)
            self.detach(client)
            client.send(Note(room=number, code="kicked", text=say("note.kicked", client.lang)))

    def _goes_with(self, client: Client, person: str) -> bool:
        mine = client.person == person and not client.is_house
        return mine or is_barred(self.room, client.person, client.speaker.owner)

    def _announce(self) -> None:
        if not self.closed:
            self.delivery.announce(self.room_for)

    def close(self) -> None:
        """Leave memory: no timer rings any more, waiting lines are refused as busy."""
        self.closed = True
        self.vigil.close()
        self.delivery.close()
        self.means.want_bots(self.id, {})
        for job in self._queue.take_all():
            self.trouble.refuse(job, NotAllowed("busy"))
