"""One room in memory, and the one place where its lines are handled.

One entry is in flight at a time; further lines wait and are judged on committed state only, so
nothing that leaves the process can be lost. When an entry is written the room takes the new state
and shows it to its members; when it is not, its sender is told so and nothing has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from functools import cached_property, partial
from typing import Any

from msgspec.structs import replace

from bluebear.protocol import Code, Done, Note, RoomNumber, Version
from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import Seat, but
from bluebear.server.commands.acts import Interpretation, Unprepared, Write
from bluebear.server.commands.resolve import canonical_move
from bluebear.server.limits import BUGS_IN_A_ROW
from bluebear.server.room.fold_context import shown_by, since_for
from bluebear.server.room.game_setup import Rename, Reset
from bluebear.server.room.reducer import Played, fold, play_directly
from bluebear.server.room.snapshot import as_folded, ends_it
from bluebear.server.room.spectators import Transition
from bluebear.server.room.stand_ins import ComeBack, stands_in
from bluebear.server.room.state import CLOCK_ACTOR, SERVER_ACTOR, Actor
from bluebear.server.room.system_acts import Freeze
from bluebear.server.room.votes import ConfirmPresent, has_absence_vote
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.lines import (
    ROW_BYTES,
    RULES_CHANGED,
    PendingEntry,
    PendingLine,
    error_reply,
    interpret,
    interpret_suspended,
    may_wait,
    prepare,
    report_bug,
    twin_of,
)
from bluebear.server.rooms.loading import needs_summary, room_line, summary_of
from bluebear.server.rooms.timers import Deadline
from bluebear.server.runtime import count, log
from bluebear.server.sentences import refusal_text, say
from bluebear.server.store import (
    Answer,
    Append,
    Duplicate,
    Entry,
    NotSaved,
    Outgoing,
    StreamId,
    Written,
    pack,
)


class RoomActor(ActiveRoom):
    """Handles the lines of one room one by one; owned by the registry."""

    _in_flight: PendingLine | None = None
    _bugs = 0

    @cached_property
    def queue(self) -> deque[PendingLine]:
        """The lines that wait for their turn, the oldest first."""
        return deque()

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way."""
        return not (self.queue or self._in_flight)

    @property
    def idle(self) -> bool:
        """Whether no member is here and nothing is under way."""
        return self.at_rest and not self.present.members

    def line(self, client: Connection, say_id: str, text: str, at: int | None) -> None:
        """A typed line of a member: judged at once if the room is idle."""
        if self._in_flight is not None:
            self.submit(PendingLine(client.actor, client, say_id, text, at))
            return
        game = self.fast_game
        if game is not None and self._play(game, client, say_id, text, at):
            return
        line = PendingLine(client.actor, client, say_id, text, at)
        if self.queue or self.closed or client is not self.services.resources.meter.payer:
            self.submit(line)
        else:
            self._judge(line)

    def act(self, actor: Actor, write: Write) -> None:
        """An act of the clock or the server."""
        self.submit(PendingLine(actor, write=write))

    # The plain way: a move while no feature is on that has to do with it.

    def _play(
        self, game: Game[Any], client: Connection, say_id: str, text: str, at: int | None
    ) -> bool:  # Any: as in `fast_game`
        """Fold a plain move and hand it to the journal; False: the general way judges it."""
        room, services, seat = self._room, self.services, client.house_seat
        resources = services.resources
        if room is None or client.scopes is not None or client is not resources.meter.payer:
            return False
        if seat is None and (seat := room.seat_of(client.person)) is None:
            return False
        if at is not None and at < since_for(room, seat):
            return False
        if not (room.version + 1) % services.snapshot_every:
            return False
        try:
            act = canonical_move(room, game, seat, text, human=client.human)
            if act is None or not isinstance(act.played, Played):
                return False
            entry = Entry(
                stream=StreamId(self.id),
                seq=room.version + 1,
                actor=client.actor.text,
                client_id=say_id,
                lines=act.lines,
                facts=act.facts,
                at=resources.clock.now(),
            )
            folded = play_directly(room, entry, act.played, game)
        except Refusal:
            return False
        except Exception as bug:  # noqa: BLE001  # the boundary: a bug stops one line, not the room
            self._report_bug(PendingLine(client.actor, client, say_id, text, at), bug)
            return True
        if folded is None:
            return False
        if folded.digest:
            entry = but(entry, digest=folded.digest)
        summary = None
        if folded.room.table.seats is not room.table.seats:
            summary = summary_of(folded.room, room_line(folded.room, resources.games))
        self._in_flight = line = PendingLine(client.actor, client, say_id, text, at)
        pending = PendingEntry(line, act, entry, folded, summary)
        resources.writer.submit(Append(entry, summary), partial(self._played, pending))
        return True

    def _played(self, pending: PendingEntry, answer: Answer) -> None:
        """The journal has answered: show a plain move to all, and answer its sender.

        Where it was not written, or a feature was turned on meanwhile, the general way does that.
        """
        line, folded, summary = pending.line, pending.folded, pending.summary
        client, game, old = line.client, self.fast_game, self._room
        if not (game and client and old) or not isinstance(answer, Written):
            self._answered(pending, answer)
            return
        self._room = folded.room
        self._in_flight, self._bugs = None, 0
        self.timer.turn_since = asyncio.get_running_loop().time()
        answered = self.delivery.publish(old, folded, game, sayer=client, say=line.say)
        if old.table.seats is not folded.room.table.seats:
            self.announce()
        if answered:
            audience = self.present.members[client].audience
            version = Version(folded.room.version_for(audience.eyes))
            client.remember(Done(id=line.say, room=audience.number, version=version))
        else:
            self.conclude(client, line.say, pending.act, folded.room, answered=False)
        if not self._is_calm:
            self.tend()
        if summary is not None:
            self.services.owner.committed(folded.room, pending.entry, summary)
        if self.queue:
            self._next()

    # The general way.

    def submit(self, line: PendingLine) -> None:
        """Let a line wait for its turn; refused as busy if too many wait."""
        if self.closed:
            self._refuse(line, NotAllowed("not_saved"))
            return
        if line.client is not None:
            twin = twin_of(line, (self._in_flight, *self.queue))
            if twin is not None:
                if line.prepared is None:  # else it came before the other
                    twin.client = line.client
                return
        if may_wait(self.queue, line):
            self.queue.append(line)
            self._next()
        else:
            self._refuse(line, NotAllowed("busy"))

    def _next(self) -> None:
        watch = self.services.resources.meter
        before = watch.payer
        while self.queue and self._in_flight is None and not self.closed:
            line = self.queue.popleft()
            if line.client is not watch.payer:
                watch.turn_to(line.client)
            self._judge(line)
        if watch.payer is not before:
            watch.turn_to(before)

    def _judge(self, line: PendingLine) -> None:
        """Judge a line; an owner has their seat back by it, also where it makes no entry.

        House bots rest between two moves where an owner may return. That is looked at here, where
        nothing is in flight: what is refused costs no rest, and no two moves come at once.
        """
        client = line.client
        if client is not None and client.is_house:
            rest = self.timer.bots_rest(self.room)
            if rest > 0:
                asyncio.get_running_loop().call_later(rest, self.submit, line)
                return
        self._decide(line)
        if self._in_flight is not None or self._room is None or not line.actor.person:
            return
        if (seat := self._room.seat_of(line.actor.person)) is not None:
            self._have_back(seat)

    def _decide(self, line: PendingLine) -> None:
        """Understand a line and fold it; the one place where refusals end."""
        try:
            act = interpret_suspended(self, line) if self.suspended else interpret(self, line)
            clears = isinstance(act, Write) and isinstance(act.act, Reset)
            if clears and self.suspended:
                # The game ends void before the board is cleared, so that its record is stored.
                self.submit(PendingLine(SERVER_ACTOR, write=Write.of(Freeze()), next=line))
            elif isinstance(act, Unprepared) or (clears and self.is_recording):
                self.services.tasks.start(self._prepare(line, act))
            elif isinstance(act, Write):
                self._write(line, act)
            elif line.client is not None:
                line.client.handler.perform(line.client, self.id, act, line.say)
        except Refusal as refusal:
            self._refuse(line, refusal)
        except Exception as bug:  # noqa: BLE001  # the boundary: a bug stops one line, not the room
            self._report_bug(line, bug)

    async def _prepare(self, line: PendingLine, act: Interpretation) -> None:
        """Await what a line needs, or the record that it would lose; then its turn comes again."""
        try:
            if isinstance(act, Unprepared):
                line = replace(line, prepared=await prepare(self, act, line.actor.person))
            else:
                await self.until_recorded()
        except Refusal as refusal:
            self._refuse(line, refusal)
        else:
            self.submit(line)

    def _write(self, line: PendingLine, act: Write) -> None:
        """Fold the entry, and hand it to the journal if that went well."""
        old, resources = self._room, self.services.resources
        entry = Entry(
            stream=StreamId(self.id),
            seq=1 if old is None else old.version + 1,
            actor=line.actor.text,
            client_id=line.say,
            lines=act.lines,
            facts=act.facts,
            at=resources.clock.now(),
        )
        folded = fold(old, entry, resources.games, act.act, act.played)
        if folded.digest or old is None or folded.room.head is not old.head:
            entry = as_folded(entry, old, folded)
        if line.client is not None and (act.act is not None or act.facts):
            # Moves end with their game; all else is stored for ever, and free to send.
            line.client.pay(len(pack(entry)) + ROW_BYTES)
        room, summary = folded.room, None
        if (old is None or old.table is not room.table) and needs_summary(old, room):
            summary = summary_of(room, room_line(room, resources.games))
        outgoing: tuple[Outgoing, ...] = ()
        for each in self.services.hooks.outgoing:
            outgoing += each.outgoing(old, room, self.present.here)
        self._in_flight = line
        done = partial(self._answered, PendingEntry(line, act, entry, folded, summary))
        resources.writer.submit(Append(entry, summary, outgoing=outgoing), done)

    def _answered(self, pending: PendingEntry, answer: Answer) -> None:
        """The journal has answered."""
        line, entry = pending.line, pending.entry
        self._in_flight = None
        if isinstance(answer, Written):
            self._bugs = 0
            self._commit(pending)
            self.services.owner.committed(pending.folded.room, entry, pending.summary)
        else:
            self._not_written(line, entry, answer)
        self.settle_fast_path()
        if line.over is not None or line.next is not None:
            self._is_over(line)
        if self.queue:
            self._next()

    def _not_written(self, line: PendingLine, entry: Entry, answer: Answer) -> None:
        """Say so; where it is unknown, ask the journal before anything is said."""
        client, enters = line.client, line.enters
        if isinstance(answer, Duplicate):
            if client is not None:
                client.handler.repeat(client, line.say, answer.stream, answer.seq, go_in=enters)
            if not self.exists:
                self.services.owner.lost(self.id)
            return
        log(logging.ERROR, "entry not saved", room=self.id, version=entry.seq, why=str(answer))
        count("journal.not_saved")
        refusal = NotAllowed("not_saved")
        unsure = isinstance(answer, NotSaved) and not answer.certain
        if unsure and client is not None and line.say:
            error = error_reply(self, line, client, refusal)
            client.handler.look_up(client, line.say, error, go_in=enters)
        else:
            self._refuse(line, refusal)
        if unsure or not isinstance(answer, NotSaved) or not self.exists:
            self.services.owner.lost(self.id)

    def _commit(self, pending: PendingEntry) -> None:
        line, act, folded = pending.line, pending.act, pending.folded
        old, new = self._room, folded.room
        self._room, client = new, line.client
        if old is None or old.head is not new.head:
            self.game = shown_by(self.services.resources.games, new)
        if self.suspended and ends_it(act.act):
            self.suspended = ""
        # Talk changes neither table nor game.
        same_game = old is not None and old.game is new.game
        is_talk = same_game and old is not None and old.table is new.table
        if not is_talk:
            self.timer.on_entry(old, new, by_bot=client is not None and client.is_house)
        release = None if same_game and not self.delay.is_on else self.delay.add(old, folded)
        answered = False
        if old is not None and self.present.members:
            if release is None:
                answered = self.delivery.publish(old, folded, self.game, sayer=client, say=line.say)
            else:
                shown, transition = self.delay.room or new, Transition(old, folded)
                answered = self.delivery.publish_released(
                    transition, release, shown, self.game, sayer=client, say=line.say
                )
            if old.table.seats is not new.table.seats or (release and release.reseats):
                self.announce()
        if client is not None:
            if line.enters and not client.is_disconnected:
                self.attach(client)
            self.conclude(client, line.say, act, new, answered=answered)
        if folded.sent_out:
            self._expel(folded.sent_out)
        if is_talk:
            return
        self.tend()
        for feature in self.services.hooks.entry_committed if new.game is not None else ():
            feature.entry_committed(self, pending.entry, folded)

    def _refuse(self, line: PendingLine, refusal: Refusal) -> None:
        """Say why a line was not accepted; one that may repeat an older one is looked up first."""
        self._is_over(line)
        client = line.client
        if client is None:
            self._tend_later()
        elif refusal.code == Code.ROOM_UNKNOWN:
            # Guesses are counted, wherever they are made.
            client.refuse(line.say, refusal)
        elif client.resumed and line.say and not line.enters:
            error = error_reply(self, line, client, refusal)
            client.handler.look_up(client, line.say, error, go_in=False)
        else:
            client.answer(error_reply(self, line, client, refusal))

    def _is_over(self, line: PendingLine) -> None:
        """A line has its reply, or will have it: what has waited for that goes on."""
        if line.over is not None:
            line.over.set()
        following, line.next = line.next, None
        if following is None:
            return
        if self.suspended:
            self._refuse(following, NotAllowed("not_saved"))
        else:
            self.submit(following)

    def _report_bug(self, line: PendingLine, bug: Exception) -> None:
        """A bug stops one line; several in a row freeze the room."""
        report_bug(self, line, bug)
        self._bugs += 1
        if self._bugs >= BUGS_IN_A_ROW and self.exists:
            self._bugs = 0
            self.act(SERVER_ACTOR, Write.of(Freeze()))
        if line.client is None:
            self._tend_later()

    # Timers.

    def ring(self) -> None:
        """Do what is due; then set the next timer."""
        self._alarm_at = None
        if self._room is None or self.closed:
            return
        deadlines = self.timer.due(self._room, asyncio.get_running_loop().time())
        for each in deadlines:
            by_clock = each.kind in ("clock", "vote", "peek")
            self.submit(PendingLine(CLOCK_ACTOR if by_clock else SERVER_ACTOR, deadline=each))
        if not deadlines:
            self.tend()

    # Members.

    def attach(self, client: Connection, number: RoomNumber | None = None) -> RoomNumber:
        """A connection comes in: a snapshot, its moves, and the news to the others.

        `number` is the one that it has for this room already.
        """
        present = self.present.members.get(client)
        if present is not None:
            self._show(present)
            return present.audience.number
        was_awake = self.present.awake
        number = client.entered(self.id) if number is None else number
        codec = self.delivery.codec_for(client, self.game)
        member = self.present.put(client, codec, number, self.room)
        self._show(member)
        if self.suspended:
            text = refusal_text(RULES_CHANGED, client.lang)
            client.send(Note(room=number, code=RULES_CHANGED.code, text=text))
        if not client.is_house:
            self._joined(client, was_awake=was_awake)
        self.tend()
        self.settle_fast_path()
        return number

    def _joined(self, client: Connection, *, was_awake: bool) -> None:
        wake = self.timer.joined(self.room, client.person, was_awake=was_awake)
        if wake is not None:
            self.act(SERVER_ACTOR, wake)
        seat = self.room.seat_of(client.person)
        if seat is not None:
            if self.room.seats[seat].name != client.name:
                self.rename(client.person, client.name)
            self._have_back(seat)
        if self.room.table.owner == client.person:
            self.submit(PendingLine(SERVER_ACTOR, deadline=Deadline("owner")))
        self.announce()

    def _have_back(self, seat: Seat) -> None:
        """An owner is there: no bot plays their seat any more, and none is proposed."""
        if stands_in(self.room.table, seat):
            self.act(SERVER_ACTOR, Write.of(ComeBack(seat)))
        elif has_absence_vote(self.room.table, seat):
            self.act(SERVER_ACTOR, Write.of(ConfirmPresent(seat)))

    def rename(self, person: str, name: str) -> None:
        """A person who sits here or is the host has another name."""
        self.present.rename(person, name)
        if self.room.seat_of(person) is not None or self.room.table.host_person == person:
            self.act(SERVER_ACTOR, Write.of(Rename(name), {"whom": person}))

    def detach(self, client: Connection) -> None:
        """A connection goes."""
        if (number := client.number_of(self.id)) is None:
            return
        client.left(number)
        self.present.drop(client, asyncio.get_running_loop().time())
        self.timer.left()
        if not client.is_house:
            self.announce()
        self.tend()
        self.settle_fast_path()

    def _expel(self, person: str) -> None:
        self.present.sent_out(person)
        for client in self.present.expelled(self.room, person):
            number = client.number_of(self.id)
            self.detach(client)
            client.send(Note(room=number, code="kicked", text=say("note.kicked", client.lang)))

    def close(self) -> None:
        """Leave memory: no timer rings any more, waiting lines are refused as busy."""
        self.closed = True
        self.settle_fast_path()
        self.stop_timers()
        self.services.house.want(self.id, {})
        while self.queue:
            self._refuse(self.queue.popleft(), NotAllowed("busy"))
