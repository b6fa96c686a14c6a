"""Receives every connection, hears its frames, and says where they go."""

from __future__ import annotations

import asyncio
from typing import Final, assert_never

from protocol import Ask, Bye, ClientMessage, Close, Codec, Error, Hello, Say, Sync
from rules.core.refusal import NotAllowed
from server.config import Config
from server.edge.acting import Acting
from server.edge.connection import Connection, Link
from server.edge.greeting import Greeting
from server.edge.lobby import LobbyWindows
from server.edge.presence import Presence
from server.edge.questions import Questions
from server.edge.session import Cut, Session, Wrong
from server.engine.engine import Engine
from server.limits import HELLO_SECONDS
from server.observe import count
from server.sentences import say

_FULL_RETRY_MS: Final = 10_000


class Reception:
    """All connections from their first byte to their last; owned by the app."""

    def __init__(
        self,
        config: Config,
        engine: Engine,
        presence: Presence,
        lobby: LobbyWindows,
        greeting: Greeting,
        acting: Acting,
        questions: Questions,
    ) -> None:
        self._config = config
        self._engine = engine
        self._presence = presence
        self._lobby = lobby
        self._greeting = greeting
        self._acting = acting
        self._questions = questions
        self.connections: set[Connection] = set()
        self._by_address: dict[str, int] = {}
        self._leaving = False

    def connect(self, link: Link, codec: Codec) -> Connection | None:
        """A connection is open; None if it cannot be taken, and then it is closed."""
        if self._leaving:
            link.close(Close.BYE, "restart")
            return None
        crowd = self._by_address.get(link.address, 0)
        config = self._config
        if len(self.connections) >= config.connections or crowd >= config.connections_per_address:
            count("connections.refused")
            text = say("bye.full_server", "en")
            link.push(codec.encode(Bye(why="full_server", text=text, retry_ms=_FULL_RETRY_MS)))
            link.close(Close.BYE, "too many connections")
            return None
        loop = asyncio.get_running_loop()
        session = Session(codec, loop.time())
        connection = Connection(link, session, self._acting.perform, self._acting.refuse)
        self._by_address[link.address] = crowd + 1
        connection.deadline = loop.call_later(HELLO_SECONDS, _too_late, connection)
        self.connections.add(connection)
        return connection

    def gone(self, connection: Connection) -> None:
        """A connection has ended."""
        if connection not in self.connections:
            return
        connection.gone = True
        connection.in_time()
        self.connections.discard(connection)
        left = self._by_address[connection.link.address] - 1
        if left:
            self._by_address[connection.link.address] = left
        else:
            del self._by_address[connection.link.address]
        self._presence.went(connection)
        self._lobby.close(connection)
        for room in list(connection.rooms.values()):
            self._engine.leave(connection, room)
        self._engine.house.gone(connection)

    def received(self, connection: Connection, frame: bytes | str) -> None:
        """A frame has come. After the goodbye nothing is heard any more."""
        if self._leaving:
            return
        said = connection.session.receive(frame, asyncio.get_running_loop().time())
        if type(said) is Say:
            self._say(connection, said)
        elif said is not None:
            self._rarer(connection, said)

    def _say(self, connection: Connection, said: Say) -> None:
        before = connection.answered(said.id)
        if before is not None:
            connection.send(before)
        elif connection.house_desk:
            return
        elif said.room is None:
            self._acting.say(connection, said.id, said.text)
        else:
            room = connection.rooms.get(said.room)
            if room is None:
                connection.refuse(said.id, NotAllowed("not_in_room"))
            else:
                self._engine.line(connection, room, said.id, said.text, said.at)

    def _rarer(self, connection: Connection, said: ClientMessage | Wrong | Cut) -> None:
        match said:
            case Cut():
                count(f"connections.cut.{said.code.value}")
                connection.close(said.code, said.code.name.lower())
            case Wrong():
                count(f"refused.{said.code}")
                text = say(f"refusal.{said.code}", connection.lang)
                connection.send(Error(id=said.id, code=said.code, text=text))
            case Hello():
                self._greeting.hello(connection, said)
            case Say():
                self._say(connection, said)
            case Ask():
                self._questions.ask(connection, said)
            case Sync():
                room = connection.rooms.get(said.room)
                if room is not None:
                    self._engine.sync(connection, room)
            case _:
                assert_never(said)

    def say_goodbye(self, retry_ms: int) -> None:
        """The server goes down as planned."""
        self._leaving = True
        for connection in list(self.connections):
            text = say("bye.restart", connection.lang)
            connection.send(Bye(why="restart", text=text, retry_ms=retry_ms))
            connection.close(Close.BYE, "restart")


def _too_late(connection: Connection) -> None:
    count("connections.hello_timeout")
    connection.close(Close.HELLO_TIMEOUT, "no hello in time")
