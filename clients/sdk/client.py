"""A client that reconnects by itself: the session of session.py on a WebSocket.

    async with Client("ws://127.0.0.1:8000", name="Ayu") as client:
        reply = await client.say("/newroom manhattan unlisted")

`say` sends a line, `happenings` yields the events, `mirror` has the current state. After a lost
connection the client reconnects, joins its rooms again and repeats requests without a reply;
callers only notice that a reply took longer.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, Self

from bluebear.clients.sdk.client_events import (
    Happening,
    Missed,
    NotAnswered,
    Replied,
    Reply,
    RoomId,
    Welcomed,
)
from bluebear.clients.sdk.connection import Connection, Terms
from bluebear.clients.sdk.mirror import Mirror, RoomView
from bluebear.clients.sdk.nodes import Nodes
from bluebear.clients.sdk.session import ID_BYTES, ClientSession, SessionOutput, line_ids
from bluebear.clients.server_url import read_address
from bluebear.clients.transport.backoff import FOREVER, Backoff
from bluebear.clients.transport.errors import ClientClosed, ClientError, HelloRefused, Unreachable
from bluebear.clients.transport.event_queue import EventQueue
from bluebear.clients.transport.heartbeat import USUAL, Silence
from bluebear.clients.transport.token_store import Tokens
from bluebear.clients.transport.websocket import open_wire
from bluebear.protocol import JSON, MSGPACK, Answer, Branch, Hello, Lang, QueryKind, Version, Want

HAPPENINGS_MAX: Final = 10_000
"""Maximum number of unread events: minutes of a busy room. Beyond it the oldest are dropped."""

LINES_WAITING_MAX: Final = 32
"""Requests in flight; `say` waits for a slot. A repeated one takes effect once (promise B2)."""

CODECS: Final = {"msgpack": MSGPACK, "json": JSON}


class AskRefused(ClientError):
    """A query was refused; `reply` is the full reply."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.code, reply.text)
        self.reply = reply


class Client:
    """One person on one server. Use it with `async with`, which connects and disconnects.

    `url` may be any form that `clients/server_url.py` reads; else BadAddressError is raised.
    Entering raises Unreachable, or HelloRefused with the server's sentence. `backoff` None turns
    reconnecting off. `short` saves bytes with msgpack, but sends a game's data at joining; it does
    not change the views. `tokens` stores the newest token of a person who returns later: each
    return replaces the token. `silence` sets when a silent connection is closed. Tests replace
    `sleep`, `jitter`, `id_start` and `monotonic`.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        token: str | None = None,
        tokens: Tokens | None = None,
        password: str | None = None,
        langs: tuple[Lang, ...] = ("en",),
        wants: Iterable[Want] = (),
        bot: bool = False,
        agent: str = "bluebear-sdk",
        codec: Literal["msgpack", "json"] = "msgpack",
        short: bool = True,
        backoff: Backoff | None = FOREVER,
        silence: Silence = USUAL,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
        id_start: bytes | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        home = read_address(url).url
        self._terms = Terms(
            home, partial(open_wire, codec=CODECS[codec]), backoff, silence, tokens, sleep, jitter
        )
        self._monotonic = monotonic
        self._welcomed_at = 0.0
        hello = Hello(
            name=None if token else name,
            token=token,
            password=None if token else password,
            langs=langs,
            wants=frozenset(wants).union(
                ("moved", "short") if short and codec == "msgpack" else ("moved",)
            ),
            bot=bot,
            agent=agent,
        )
        session = ClientSession(hello, line_ids(id_start or os.urandom(ID_BYTES)))
        self._nodes = Nodes(session, self)
        self._connections = {session: Connection(session, self._terms, self)}
        self._answers: dict[str, asyncio.Future[Reply | Answer]] = {}
        self._slots = asyncio.Semaphore(LINES_WAITING_MAX)
        self._events: EventQueue[Happening] = EventQueue(HAPPENINGS_MAX, Missed)
        self._work: set[asyncio.Task[None]] = set()
        self._over = asyncio.Event()
        self._ended: ClientClosed | None = None

    async def __aenter__(self) -> Self:
        (first,) = self._connections.values()
        await first.open(self._terms.url)
        first.task = asyncio.create_task(self._live(first), name=f"client of {first.session.url}")
        return self

    async def __aexit__(self, *_: object) -> None:
        main = self._connections[self._nodes.main].task
        for each in list(self._connections.values()):
            await each.close()
        self._end(ClientClosed("left", ""))
        await asyncio.gather(*self._work)
        if main is not None and not main.cancelled():
            main.result()  # raises: an error of the client must not be hidden by its end

    @property
    def mirror(self) -> Mirror:
        """The current state as sent by the server: rooms, lobby, games. Read only."""
        return self._nodes.main.mirror

    @property
    def name(self) -> str:
        """The person's name on the server; empty before the first welcome."""
        return self.mirror.welcome.name if self.mirror.welcome else ""

    @property
    def token(self) -> str | None:
        """The newest token; a later client with it is the same person."""
        return self._nodes.main.token

    @property
    def server_ms(self) -> int:
        """The server's clock in ms since 1970, late by its welcome's transit time; 0 before one."""
        if self.mirror.welcome is None:
            return 0
        return self.mirror.welcome.now + int((self._monotonic() - self._welcomed_at) * 1000)

    @property
    def connected(self) -> bool:
        """Whether a line would be sent immediately."""
        session = self._nodes.main
        return self._connections[session].wire is not None and session.welcomed

    @property
    def ended(self) -> bool:
        """Whether the client has ended and will not reconnect."""
        return self._ended is not None

    def room(self, room: RoomId) -> RoomView:
        """The view of a joined room; KeyError for any other."""
        return self.mirror.rooms[room]

    async def say(
        self, text: str, *, room: RoomId | None = None, at: Version | None = None
    ) -> Reply:
        """Send a line and wait for its reply, across lost connections.

        `room` None means the lobby; `at` is the version that the line refers to. Raises
        NotInRoomError, or ClientClosed when the client has ended without a reply.
        """
        async with self._slots:
            self._check_open()
            session = self._nodes.session_of(room)
            answer = await self._answer(session, *session.say(text, room=room, at=at))
        assert isinstance(answer, Reply)  # a line has no other answer
        return answer

    async def ask(
        self,
        what: QueryKind,
        *,
        room: RoomId | None = None,
        args: Mapping[str, str | int] | None = None,
    ) -> Branch:
        """Return the body of a query's answer. Raises AskRefused, NotInRoomError, ClientClosed."""
        async with self._slots:
            self._check_open()
            session = self._nodes.session_of(room)
            answer = await self._answer(session, *session.ask(what, room=room, args=args or {}))
        if isinstance(answer, Reply):
            raise AskRefused(answer)
        return answer.body

    async def happenings(self) -> AsyncIterator[Happening]:
        """Yield all events in order until the client has ended. For one reader."""
        while (happening := await self._events.get()) is not None:
            yield happening

    async def closed(self) -> ClientClosed:
        """Wait until the client has ended; return the reason."""
        await self._over.wait()
        return self._ended or ClientClosed("left", "")

    def _check_open(self) -> None:
        if self._ended is not None:
            raise self._ended

    async def _answer(
        self, session: ClientSession, line: str, step: SessionOutput
    ) -> Reply | Answer:
        answer: asyncio.Future[Reply | Answer] = asyncio.get_running_loop().create_future()
        self._answers[line] = answer
        connection = self._connections[session]
        connection.pulse.wait(asyncio.get_running_loop().time())
        try:
            if connection.wire is not None:
                await connection.wire.send(step.send)
            return await answer
        finally:
            del self._answers[line]

    # The owner of connections, and the wires of their sessions.

    def handle(self, connection: Connection, step: SessionOutput) -> None:
        """See `Owner`."""
        for happening in self._nodes.handle(connection.session, step):
            self._happen(happening)
        connection.settle_if_idle()

    def lost(self, connection: Connection) -> bool:
        """See `Owner`."""
        return self._nodes.lost(connection.session)

    def open(self, session: ClientSession, pause_seconds: float) -> None:
        """See `Wires`."""
        self._connections[session] = made = Connection(session, self._terms, self)
        live = self._live(made, pause_seconds)
        made.task = asyncio.create_task(live, name=f"client of {session.url}")

    def close(self, session: ClientSession) -> None:
        """See `Wires`."""
        self._start(self._connections.pop(session).close())

    def do(self, session: ClientSession, output: SessionOutput) -> None:
        """See `Wires`."""
        connection = self._connections[session]
        if connection.wire is not None:
            connection.wire.put(output.send)
        self._start(connection.do(replace(output, send=())))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _live(self, connection: Connection, pause_seconds: float = 0.0) -> None:
        """Run a connection until it is over, and the client with the main one."""
        try:
            if pause_seconds:
                await self._terms.sleep(pause_seconds)
            await connection.live()
        except (Unreachable, HelloRefused, TimeoutError) as lost:
            if not self.lost(connection):
                self._end(ClientClosed("lost", str(lost)))
        except ClientClosed as closed:
            self._end(closed)
        finally:
            if connection.session is self._nodes.main:
                self._end(ClientClosed("left", ""))  # no caller waits for a cancelled task

    def _happen(self, happening: Happening) -> None:
        match happening:
            case (
                Replied(Reply(id=line) as answer)
                | NotAnswered(Reply(id=line) as answer)
                | (Answer(id=line) as answer)
            ):
                waiting = self._answers.get(line)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
            case Welcomed():
                self._welcomed_at = self._monotonic()
                if self._terms.tokens is not None and self.token is not None:
                    self._terms.tokens.keep(self.token)
            case _:
                pass
        self._events.put(happening)

    def _end(self, ended: ClientClosed) -> None:
        if self._ended is not None:
            return
        self._ended = ended
        self._over.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ended)
                # Callers that await the future get the exception; a line still being sent has no
                # caller.
                answer.exception()
        self._events.end()
