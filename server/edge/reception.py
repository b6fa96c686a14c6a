"""Where the requests of connections go: to a room, to the lobby, to a query."""

from __future__ import annotations

import asyncio
from functools import partial

from bluebear.protocol import Ask, Codec, Done, Hello, RoomNumber, Say
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.edge.acting import Acting
from bluebear.server.edge.connection import Connection, ServerFeatures
from bluebear.server.edge.handshake import Handshake
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.questions import Questions
from bluebear.server.limits import SYNC_SECONDS
from bluebear.server.net.budget import Budgets
from bluebear.server.net.dispatch import Work
from bluebear.server.net.session import ClientTransport
from bluebear.server.rooms.access import RoomAccess


class Reception:
    """The `Handlers` of the dispatcher; owned by the app."""

    def __init__(
        self,
        engine: RoomAccess,
        presence: Presence,
        features: ServerFeatures,
        greeting: Handshake,
        acting: Acting,
        questions: Questions,
        budgets: Budgets,
    ) -> None:
        self._engine = engine
        self._presence = presence
        self._features = features
        self._acting = acting
        self._budgets = budgets
        self._questions = questions
        self._greeting = greeting

    def make_session(self, transport: ClientTransport, codec: Codec) -> Connection:
        now = asyncio.get_running_loop().time()
        return Connection(transport, codec, self._budgets, now, self._acting)

    def hello(self, connection: Connection, hello: Hello) -> None:
        self._greeting.hello(connection, hello)

    def closed(self, connection: Connection) -> None:
        self._presence.went(connection)
        self._features.closed(connection)
        for room in list(connection.rooms.values()):
            self._engine.leave(connection, room)
        self._engine.house.gone(connection)

    def line(self, connection: Connection, line: Say) -> None:
        if connection.house_desk:
            self._engine.house.heard(line.text)
            connection.answer(Done(id=line.id))
            return
        person = connection.person
        was_away = person in self._presence.away_texts and self._presence.comes_back(person)
        if line.room is None:
            self._acting.say(connection, line.id, line.text)
        elif line.room in connection.moved:
            return
        elif (room := connection.rooms.get(line.room)) is None:
            self._acting.refuse(connection, line.id, NotAllowed("not_in_room"))
        else:
            self._engine.line(connection, room, line.id, line.text, line.at)
        if was_away:
            self._acting.welcome_back(connection)

    def refuse(self, connection: Connection, say_id: str, refusal: Refusal) -> None:
        self._acting.refuse(connection, say_id, refusal)

    def query(self, connection: Connection, query: Ask) -> Work | None:
        return self._questions.ask(connection, query)

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
        if connection.gone:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        wait = connection.consume(now) / 1000
        if wait:
            loop.call_at(now + max(wait, SYNC_SECONDS), self._send_due, connection, number)
        else:
            work = partial(self._send_snapshot, connection, number)
            self._budgets.queries.run(connection, work)

    def _send_snapshot(self, connection: Connection, number: RoomNumber) -> bool:
        room = connection.rooms.get(number)
        if room is None or connection.gone:
            connection.snapshots_at.pop(number, None)
            return False
        connection.snapshots_at[number] = asyncio.get_running_loop().time() + SYNC_SECONDS
        self._engine.sync(connection, room)
        return False
