"""The requests of connections: lines, queries, snapshots, and what is no entry of a room."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import assert_never

from bluebear.protocol import (
    Answer,
    Ask,
    Branch,
    Code,
    Codec,
    Done,
    Error,
    Hello,
    Note,
    RoomNumber,
    Say,
)
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.commands.acts import (
    ANSWERED,
    Act,
    Enter,
    GoLobby,
    RunCommand,
    SetLang,
    Tell,
    Unprepared,
    Write,
)
from bluebear.server.commands.native import error_of
from bluebear.server.commands.resolve import resolve
from bluebear.server.features.feature import Features, Services
from bluebear.server.handshake import Handshake
from bluebear.server.net.dispatch import Work
from bluebear.server.net.rate_limits import Cost
from bluebear.server.net.session import ClientTransport
from bluebear.server.people.passwords import Guesses
from bluebear.server.people.people import AuthenticatedPerson
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.lines import scene_of
from bluebear.server.rooms.views import data_of, frame_of
from bluebear.server.runtime import count, log
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, streams


class Requests:
    """The `Handlers` of the dispatcher, and `RequestHandler` of connections; owned by the app."""

    def __init__(self, services: Services, features: Features, handshake: Handshake) -> None:
        self._store, self._rooms = services.store, services.rooms
        self._start = services.tasks.start
        self._resources = services.resources
        self._features = features
        self._handshake = handshake
        self._presence = services.presence
        self._budgets = services.budgets
        self._guesses = Guesses(limits.ROOM_TRIES_PER_MINUTE)
        """Rooms by number that a person tried and may not know of."""

    def make_session(self, transport: ClientTransport, codec: Codec) -> Connection:
        now = asyncio.get_running_loop().time()
        return Connection(transport, codec, self._budgets, now, self)

    def hello(self, connection: Connection, hello: Hello) -> None:
        self._handshake.hello(connection, hello)

    def switch_person(self, connection: Connection, coming: AuthenticatedPerson) -> None:
        self._handshake.switch_person(connection, coming)

    def rooms_changed(self, connection: Connection) -> None:
        self._presence.changed(connection.person)

    def closed(self, connection: Connection) -> None:
        self._presence.disconnected(connection)
        for each in self._features.with_hook("closed"):
            each.closed(connection)
        for room in list(connection.rooms.values()):
            self._rooms.leave(connection, room)
        self._rooms.house.on_disconnect(connection)

    # Lines.

    def line(self, connection: Connection, line: Say) -> None:
        if connection.is_control:
            self._rooms.house.on_line(line.text)
            connection.answer(Done(id=line.id))
            return
        person = connection.person
        was_away = person in self._presence.away_texts and self._presence.clear_away(person)
        if line.room is None:
            self._line_in_lobby(connection, line.id, line.text)
        elif line.room in connection.moved:
            return
        elif (room := connection.rooms.get(line.room)) is None:
            self.refuse(connection, line.id, NotAllowed("not_in_room"))
        else:
            self._rooms.line(connection, room, line.id, line.text, line.at)
        if was_away:
            # Tasks run in order, so the line came first.
            self._start(self._features.returned(connection))

    def _line_in_lobby(self, connection: Connection, say_id: str, text: str) -> None:
        try:
            act = resolve(scene_of(self._resources, connection), text)
        except Refusal as refusal:
            self.refuse(connection, say_id, refusal)
            return
        if isinstance(act, Unprepared):
            self.refuse(connection, say_id, NotAllowed("not_in_room"))
        else:
            self.perform(connection, "", act, say_id)

    def refuse(self, connection: Connection, say_id: str, refusal: Refusal) -> None:
        if refusal.code == Code.ROOM_UNKNOWN:
            refusal = self._count_guess(connection) or refusal
        elif refusal.code == Code.WRONG_PASSWORD:
            self._charge_wrong(connection)
        count(f"refused.{refusal.code}")
        error = error_of(refusal, say_id, connection.lang)
        if connection.resumed and say_id:
            go_in = refusal.code != Code.NOT_IN_ROOM
            self.look_up(connection, say_id, error, go_in=go_in)
        else:
            connection.answer(error)

    # Lines that were sent before.

    def look_up(self, client: Connection, say_id: str, otherwise: Error, *, go_in: bool) -> None:
        self._start(self._look_up(client, say_id, otherwise, go_in=go_in))

    async def _look_up(
        self, client: Connection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        try:
            entry = await self._store.read(streams.find, client.actor.text, say_id)
        except JournalError as problem:
            log(logging.ERROR, "line not looked up", why=str(problem))
            if client.is_disconnected or problem.is_deposed:
                return
            await asyncio.sleep(limits.DISK_RETRY_SECONDS)
            self.look_up(client, say_id, otherwise, go_in=go_in)
            return
        if entry is None:
            client.answer(otherwise)
        else:
            self.repeat(client, say_id, *entry, go_in=go_in)

    def repeat(
        self, client: Connection, say_id: str, stream: str, seq: int, *, go_in: bool
    ) -> None:
        live = self._rooms.room(stream)
        number = client.number_of(stream)
        if number is None and go_in:
            self._rooms.enter(client, Enter(stream), say_id)
        else:
            version = None if live is None else live.version_for(client, seq)
            client.answer(Done(id=say_id, room=number, version=version))

    def _count_guess(self, connection: Connection) -> Refusal | None:
        """Count a room that the person may not know of; the refusal if they have to wait now."""
        now = asyncio.get_running_loop().time()
        wait = self._guesses.wait(connection.person, now)
        if wait <= 0:
            self._guesses.wrong(connection.person, now)
            wait = self._charge_wrong(connection)
        if wait <= 0:
            return None
        seconds = int(wait) + 1
        return NotAllowed("guessed_too_often", seconds=seconds, retry_ms=seconds * 1000)

    def _charge_wrong(self, connection: Connection) -> float:
        """Charge a wrong try; the seconds that the address has to wait."""
        now, address = asyncio.get_running_loop().time(), connection.address
        return self._budgets.consume(Cost.WRONG, now, address=address) / 1000

    # Acts.

    def perform(self, connection: Connection, room: str, act: Act | None, say_id: str) -> None:
        number = connection.number_of(room)
        match act:
            case None:
                self._done(connection, say_id, number)
            case RunCommand():
                self._start(self._run(connection, room, act, say_id))
            case Tell():
                connection.send(Note(room=number, code=act.code, text=act.text))
                self._done(connection, say_id, number)
            case SetLang():
                connection.lang = act.lang
                for each in map(self._rooms.room, connection.rooms.values()):
                    if each is not None:
                        each.relabel(connection)
                text = say("note.lang", act.lang)
                connection.send(Note(room=number, code="lang", text=text, said=act.lang))
                self._done(connection, say_id, number)
            case GoLobby():
                self._rooms.leave(connection, room)
                text = act.text or say("note.left", connection.lang)
                connection.send(Note(room=number, code="left", text=text))
                if act.to:
                    self._go(connection, Enter(act.to), say_id)
                    return
                self._features.entered_lobby(connection)
                self._done(connection, say_id, None)
            case Enter():
                self._go(connection, act, say_id)
            case Write():
                self.refuse(connection, say_id, NotAllowed("not_in_room"))
            case _:
                assert_never(act)

    async def _run(self, connection: Connection, room: str, act: RunCommand, say_id: str) -> None:
        """Run a server command, and reply to the line or the query that it came with."""
        try:
            reply = await self._features.run(connection, room, act, say_id)
        except Refusal as refusal:
            if act.ask:
                connection.send(error_of(refusal, act.ask, connection.lang))
            else:
                self.refuse(connection, say_id, refusal)
            return
        if reply is ANSWERED:
            return
        if act.ask:
            body = reply.body() if isinstance(reply, Tell) else {}
            connection.send(Answer(id=act.ask, what="query", body=body))
        else:
            self.perform(connection, room, reply, say_id)

    def _done(self, connection: Connection, say_id: str, number: RoomNumber | None) -> None:
        room = None if number is None else connection.rooms.get(number)
        version = None if room is None else self._rooms.version(connection, room)
        connection.answer(Done(id=say_id, room=number, version=version))

    def _go(self, connection: Connection, act: Enter, say_id: str) -> None:
        now, address = asyncio.get_running_loop().time(), connection.address
        wait = self._guesses.wait(connection.person, now)
        wait = max(wait, self._budgets.retry_after_ms(Cost.WRONG, now, address=address) / 1000)
        if len(connection.rooms) >= limits.ROOMS_PER_CONNECTION:
            self.refuse(connection, say_id, NotAllowed("too_many_rooms_at_once"))
        elif wait > 0:
            # After too many guesses a number that exists is refused like one that does not.
            self.refuse(connection, say_id, NotAllowed("room_unknown"))
        else:
            self._rooms.enter(connection, act, say_id)

    # Queries.

    def query(self, connection: Connection, query: Ask) -> Work | None:
        """Reply to a query, or refuse it; returns what is left to do for it, if anything."""
        room = "" if query.room is None else connection.rooms.get(query.room)
        try:
            if room is None:
                raise NotAllowed("not_in_room")
            match query.what:
                case "game":
                    self._send_game(connection, query)
                case "ping":
                    self._send(connection, query, {})
                case _:
                    return partial(self._answer, connection, room, query)
        except Refusal as refusal:
            connection.send(error_of(refusal, query.id, connection.lang))
        return None

    async def _answer(self, connection: Connection, room: str, query: Ask) -> None:
        if room in self._rooms.moving:
            return  # it is sent again at the node to which the room moves
        try:
            body = await self._features.answer(connection, room, query)
        except Refusal as refusal:
            if room not in self._rooms.moving:  # else the room has left memory meanwhile
                live = self._rooms.room(room)
                game = None if live is None else live.game
                connection.send(error_of(refusal, query.id, connection.lang, game))
        else:
            if body is not None:
                self._send(connection, query, body)

    def _send(self, connection: Connection, query: Ask, body: Branch) -> None:
        connection.send(Answer(id=query.id, what=query.what, body=body))

    def _send_game(self, connection: Connection, query: Ask) -> None:
        key, games = str(query.args.get("key", "")), self._resources.games
        game = games.get(key)
        if game is None:
            raise NotAllowed("no_such_game", given=key, candidates=tuple(games))
        connection.push(frame_of(game, connection.codec))
        self._send(connection, query, {"key": key, "hash": data_of(game).hash})

    # Snapshots.

    def sync(self, connection: Connection, number: RoomNumber, now: float) -> None:
        """Send a snapshot: one a second, later if the client cannot pay for it.

        A snapshot is dear, and one that is requested again before it was sent is sent once. The
        client waits for it anyway, and a refusal would not say to what.
        """
        if number not in connection.rooms:
            return
        due = connection.snapshots_at.get(number, now)
        if due is None:
            return
        connection.snapshots_at[number] = None
        if due > now:
            asyncio.get_running_loop().call_at(due, self._send_due, connection, number)
        else:
            self._send_due(connection, number)

    def _send_due(self, connection: Connection, number: RoomNumber) -> None:
        if connection.is_disconnected:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        wait = connection.consume(now) / 1000
        if wait:
            loop.call_at(now + max(wait, limits.SYNC_SECONDS), self._send_due, connection, number)
        else:
            work = partial(self._send_snapshot, connection, number)
            self._budgets.queries.run(connection, work)

    def _send_snapshot(self, connection: Connection, number: RoomNumber) -> bool:
        room = connection.rooms.get(number)
        if room is None or connection.is_disconnected:
            connection.snapshots_at.pop(number, None)
            return False
        connection.snapshots_at[number] = asyncio.get_running_loop().time() + limits.SYNC_SECONDS
        live = self._rooms.room(room)
        if live is not None:
            live.sync(connection)
        return False
