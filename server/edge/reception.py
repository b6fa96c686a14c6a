"""Receives every connection, hears its frames, and says where they go."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final, assert_never

from bluebear.protocol import (
    Ask,
    Bye,
    ClientMessage,
    Close,
    Codec,
    Done,
    Error,
    Hello,
    Note,
    Say,
    Sync,
)
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.refusing import error_of
from bluebear.server.config import Config
from bluebear.server.edge.acting import Acting
from bluebear.server.edge.connection import Connection, Link
from bluebear.server.edge.greeting import Greeting
from bluebear.server.edge.lobby import LobbyWindows
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.questions import Questions
from bluebear.server.edge.session import Cut, Session, Wrong
from bluebear.server.edge.syncs import Syncs
from bluebear.server.engine.engines import Engines
from bluebear.server.limits import HELLO_SECONDS
from bluebear.server.net.budget import Budgets, too_much
from bluebear.server.net.rate_limits import Cost
from bluebear.server.observe import COUNTERS, count
from bluebear.server.sentences import say
from bluebear.server.tasks import Tasks

_FULL_RETRY_MS: Final = 10_000
_COMMAND_CHARS: Final = 80
"""A command that is longer has words in it, and costs like talk."""


class Reception:
    """All connections from their first byte to their last; owned by the app."""

    def __init__(
        self,
        config: Config,
        engine: Engines,
        presence: Presence,
        lobby: LobbyWindows,
        greeting: Greeting,
        acting: Acting,
        questions: Questions,
        budgets: Budgets,
        tasks: Tasks,
    ) -> None:
        self._config = config
        self._engine = engine
        self._presence = presence
        self._lobby = lobby
        self._greeting = greeting
        self._acting = acting
        self._questions = questions
        self._budgets = budgets
        self._tasks = tasks
        self._syncs = Syncs(budgets.queries, engine.sync)
        self.connections: set[Connection] = set()
        self._leaving = False
        self._left = asyncio.Event()

    def connect(self, link: Link, codec: Codec, *, private: bool = False) -> Connection | None:
        """A connection is open; None if it cannot be taken, and then it is closed.

        `private`: it has come where only the house's own bots are heard.
        """
        if self._leaving:
            link.close(Close.BYE, "restart")
            return None
        loop = asyncio.get_running_loop()
        retry_ms = self._retry_ms(link.address, loop.time())
        if retry_ms:
            count("connections.refused")
            self._budgets.charge(Cost.NOTICE, loop.time(), 1.0, address=link.address)
            text = say("bye.full_server", "en")
            link.push(codec.encode(Bye(why="full_server", text=text, retry_ms=retry_ms)))
            link.close(Close.BYE, "too many connections")
            return None
        session = Session(codec, loop.time())
        connection = Connection(
            link, session, self._acting.perform, self._acting.refuse, budgets=self._budgets
        )
        connection.for_house = private
        if link.address:
            self._budgets.connection_opened(link.address)
        connection.deadline = loop.call_later(HELLO_SECONDS, _too_late, connection)
        self.connections.add(connection)
        return connection

    @property
    def is_full(self) -> bool:
        """Whether there are as many connections as there may be."""
        return len(self.connections) >= self._config.connections

    def tells_no_more(self, address: str) -> bool:
        """Whether an address may not come now, and was told so too often to be told again."""
        if not address:
            return False
        now = asyncio.get_running_loop().time()
        if not self._budgets.retry_after_ms(Cost.NOTICE, now, address=address):
            return False
        most = self._config.connections_per_address
        return self._budgets.is_over_connection_limit(address, most) or any(
            self._budgets.retry_after_ms(cost, now, address=address)
            for cost in (Cost.CONNECTION, Cost.REQUEST)
        )

    def wait_to_ask(self, address: str) -> int:
        """The wait in ms before an address may ask for anything by plain HTTP; 0: it may now."""
        now = asyncio.get_running_loop().time()
        wait = self._budgets.consume(Cost.REQUEST, now, address=address)
        if wait:
            self._budgets.charge(Cost.NOTICE, now, 1.0, address=address)
        return wait

    def _retry_ms(self, address: str, now: float) -> int:
        """When somebody may come again who may not come now; 0: he may. The house always may."""
        if not address:
            return 0
        most = self._config.connections_per_address
        if self.is_full or self._budgets.is_over_connection_limit(address, most):
            return _FULL_RETRY_MS
        return self._budgets.consume(Cost.CONNECTION, now, address=address)

    def gone(self, connection: Connection) -> None:
        """A connection has ended."""
        if connection not in self.connections:
            return
        connection.gone = True
        connection.in_time()
        self.connections.discard(connection)
        self._left.set()
        connection.settle(asyncio.get_running_loop().time())
        if connection.address:
            self._budgets.connection_closed(connection.address)
        self._presence.went(connection)
        self._lobby.close(connection)
        for room in list(connection.rooms.values()):
            self._engine.leave(connection, room)
        self._engine.house.gone(connection)

    def received(self, connection: Connection, frame: bytes | str) -> bool:
        """A frame has come; whether in vain, as one too many of somebody who was told so.

        After the goodbye nothing is heard any more.
        """
        if self._leaving:
            return True
        now = asyncio.get_running_loop().time()
        cpu, unpaid = self._budgets.cpu, connection.unpaid
        before = cpu.turn_to(connection)
        try:
            said = connection.session.receive(frame, now)
            if type(said) is Say:
                self._say(connection, said, now)
            elif said is not None:
                self._rarer(connection, said, now)
        finally:
            cpu.turn_to(before)
            if connection.network:
                connection.worked(connection.unpaid - unpaid, now)
        return said is None

    def _say(self, connection: Connection, said: Say, now: float) -> None:
        COUNTERS["lines"] += 1
        before = connection.answered(said.id)
        if before is not None:
            connection.send(before)
        elif connection.house_desk:
            self._engine.house.heard(said.text)
            connection.answer(Done(id=said.id))
        elif wait := connection.consume(now, 0 if said.room else _size_of_talk(said)):
            connection.refuse(said.id, too_much(wait))
        else:
            was_away = self._presence.comes_back(connection.person)
            if said.room is None:
                self._acting.say(connection, said.id, said.text)
            elif (room := connection.rooms.get(said.room)) is None:
                connection.refuse(said.id, NotAllowed("not_in_room"))
            else:
                self._engine.line(connection, room, said.id, said.text, said.at)
            if was_away:
                self._acting.welcome_back(connection)

    def _rarer(self, connection: Connection, said: ClientMessage | Wrong | Cut, now: float) -> None:
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
                self._say(connection, said, now)
            case Ask():
                self._ask(connection, said, now)
            case Sync():
                self._syncs.want(connection, said.room, now)
            case _:
                assert_never(said)

    def _ask(self, connection: Connection, asked: Ask, now: float) -> None:
        wait = connection.consume(now)
        if wait:
            connection.send(error_of(too_much(wait), asked.id, connection.lang))
        else:
            self._budgets.queries.run(connection, partial(self._answer, connection, asked))

    def _answer(self, connection: Connection, asked: Ask) -> bool:
        """Answer a question, or begin to; whether that goes on in a task."""
        if connection.gone:
            return False
        wait = connection.retry_after_ms(asyncio.get_running_loop().time())
        if wait:
            # It has waited, and meanwhile others of the same have cost too much.
            connection.send(error_of(too_much(wait), asked.id, connection.lang))
            return False
        work = self._questions.ask(connection, asked)
        if work is None:
            return False
        self._tasks.start(work())
        return True

    def announce(self, seconds: int) -> None:
        """Tell everybody that the server stops so soon."""
        for connection in list(self.connections):
            if not connection.is_house:
                text = say("note.restart", connection.lang, seconds=seconds)
                connection.send(Note(code="restart", text=text))

    async def nobody_left(self) -> None:
        """Wait until only the house's own are connected."""
        self._left.clear()
        while any(not connection.is_house for connection in self.connections):
            await self._left.wait()
            self._left.clear()

    def say_goodbye(self, retry_ms: int) -> None:
        """The server goes down as planned: to come up again, or with the window of who has it."""
        self._leaving = True
        closed = self._config.of_window
        why, key = ("closed", "bye.closed") if closed else ("restart", "bye.restart")
        for connection in list(self.connections):
            text = say(key, connection.lang)
            connection.send(Bye(why=why, text=text, retry_ms=retry_ms))
            connection.close(Close.BYE, why)


def _size_of_talk(said: Say) -> int:
    """The bytes of words that are said in the lobby; what is said in a room pays as its entry."""
    text = said.text
    if text.startswith("/") and len(text) <= _COMMAND_CHARS:
        return 0
    return len(text.encode(errors="replace"))


def _too_late(connection: Connection) -> None:
    count("connections.hello_timeout")
    connection.close(Close.HELLO_TIMEOUT, "no hello in time")
