"""Dispatch: takes connections, and hands each request to its handler once it is paid for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, assert_never

from bluebear.protocol import Ask, Bye, Close, Codec, Error, Hello, Note, RoomNumber, Say, Sync
from bluebear.rules.core.refusal import Refusal
from bluebear.server.commands.native import error_of
from bluebear.server.config import Config
from bluebear.server.limits import HELLO_SECONDS, QUERIES_LATE_SECONDS
from bluebear.server.net.budget import Budgets, refused, too_much
from bluebear.server.net.rate_limits import Cost
from bluebear.server.net.session import ClientTransport, SendError, Session
from bluebear.server.runtime import COUNTERS, Tasks, count, first_of
from bluebear.server.sentences import say

_FULL_RETRY_MS: Final = 10_000
_COMMAND_CHARS: Final = 80
"""A command that is longer has words in it, and costs like talk."""

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]  # Any: what it waits for
"""Started by the task that does it: one that is cancelled before its first step leaves nothing."""

S = TypeVar("S", bound=Session)


class Handlers(Protocol[S]):
    """Carries requests out: all that stands above `net`."""

    def make_session(self, transport: ClientTransport, codec: Codec) -> S:
        """The session of a new connection."""

    def hello(self, session: S, hello: Hello) -> None:
        """A client says who it is."""

    def line(self, session: S, line: Say) -> None:
        """A client sends a line."""

    def refuse(self, session: S, say_id: str, refusal: Refusal) -> None:
        """Reply to a line with its refusal."""

    def query(self, session: S, query: Ask) -> Work | None:
        """Reply to a query; returns what is left to do for it."""

    def sync(self, session: S, number: RoomNumber, now: float) -> None:
        """A client requests a snapshot of a room."""

    def closed(self, session: S) -> None:
        """A connection has ended."""


class Dispatcher(Generic[S]):
    """All connections from their first byte to their last; owned by the app."""

    def __init__(
        self, config: Config, budgets: Budgets, tasks: Tasks, handlers: Handlers[S]
    ) -> None:
        self._config = config
        self._budgets = budgets
        self._tasks = tasks
        self._handlers = handlers
        self.connections: dict[S, None] = {}  # in the order in which they came
        self._leaving = False
        self._left = asyncio.Event()

    # Connections.

    def connect(
        self, transport: ClientTransport, codec: Codec, *, private: bool = False
    ) -> S | None:
        """A connection is open; None if it is refused, and then it is closed.

        `private`: it came where only house bots may come in.
        """
        if self._leaving:
            transport.close(Close.BYE, "restart")
            return None
        loop = asyncio.get_running_loop()
        retry_ms = self._retry_after_ms(transport.address, loop.time())
        if retry_ms:
            count("connections.refused")
            self._budgets.charge(Cost.NOTICE, loop.time(), 1.0, address=transport.address)
            text = say("bye.full_server", "en")
            transport.push(codec.encode(Bye(why="full_server", text=text, retry_ms=retry_ms)))
            transport.close(Close.BYE, "too many connections")
            return None
        session = self._handlers.make_session(transport, codec)
        session.is_private = private
        if session.address:
            self._budgets.connection_opened(session.address)
        session.hello_timeout = loop.call_later(HELLO_SECONDS, _close_late, session)
        self.connections[session] = None
        return session

    @property
    def is_full(self) -> bool:
        """Whether there are as many connections as there may be."""
        return len(self.connections) >= self._config.connections

    def is_notice_limit_reached(self, address: str) -> bool:
        """Whether an address may not connect now, and was told so too often to be told again."""
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

    def http_retry_after_ms(self, address: str) -> int:
        """Charge an HTTP request; the wait in ms before the address may send one, 0: now."""
        now = asyncio.get_running_loop().time()
        wait = self._budgets.consume(Cost.REQUEST, now, address=address)
        if wait:
            self._budgets.charge(Cost.NOTICE, now, 1.0, address=address)
        return wait

    def _retry_after_ms(self, address: str, now: float) -> int:
        """When an address may connect again that may not now; 0: it may. House bots always may."""
        if not address:
            return 0
        most = self._config.connections_per_address
        if self.is_full or self._budgets.is_over_connection_limit(address, most):
            return _FULL_RETRY_MS
        return self._budgets.consume(Cost.CONNECTION, now, address=address)

    def on_disconnect(self, session: S) -> None:
        """A connection has ended."""
        if session not in self.connections:
            return
        session.is_disconnected = True
        session.cancel_hello_timeout()
        del self.connections[session]
        self._left.set()
        session.end(asyncio.get_running_loop().time())
        if session.address:
            self._budgets.connection_closed(session.address)
        self._handlers.closed(session)

    # Requests.

    def received(self, session: S, frame: bytes | str) -> bool:
        """A frame has come; whether in vain, as one too many of a client that was warned.

        After the goodbye nothing is handled any more.
        """
        if self._leaving:
            return True
        now = asyncio.get_running_loop().time()
        cpu, unpaid = self._budgets.cpu, session.unpaid
        before = cpu.turn_to(session)
        try:
            request = session.receive(frame, now)
            if isinstance(request, Say):
                COUNTERS["lines"] += 1
                if request.id in session.replies:
                    session.send(session.reply_to(request.id))
                elif wait := session.consume(now, 0 if request.room else _bytes_of_talk(request)):
                    self._handlers.refuse(session, request.id, too_much(wait))
                else:
                    self._handlers.line(session, request)
            elif request is not None:
                self._other(session, request, now)
        finally:
            cpu.turn_to(before)
            if session.network:
                session.worked(session.unpaid - unpaid, now)
        return request is None

    def _other(
        self, session: S, request: Hello | Ask | Sync | SendError | Close, now: float
    ) -> None:
        match request:
            case Close():
                count(f"connections.cut.{request.value}")
                session.close(request, request.name.lower())
            case SendError():
                count(f"refused.{request.code}")
                text = say(f"refusal.{request.code}", session.lang)
                session.send(Error(id=request.id, code=request.code, text=text))
            case Hello():
                self._handlers.hello(session, request)
            case Ask():
                wait = session.consume(now)
                if not wait and self._budgets.queries.is_over(session.network):
                    wait = refused(Cost.LOOP, QUERIES_LATE_SECONDS)
                if wait:
                    session.send(error_of(too_much(wait), request.id, session.lang))
                else:
                    self._budgets.queries.run(session, partial(self._query, session, request))
            case Sync():
                self._handlers.sync(session, request.room, now)
            case _:
                assert_never(request)

    def _query(self, session: S, query: Ask) -> bool:
        """Reply to a query, or start to; whether that continues in a task."""
        if session.is_disconnected:
            return False
        wait = session.retry_after_ms(asyncio.get_running_loop().time())
        if wait:
            # It has waited, and meanwhile others of the same client have cost too much.
            session.send(error_of(too_much(wait), query.id, session.lang))
            return False
        work = self._handlers.query(session, query)
        if work is None:
            return False
        self._budgets.queries.follow(session, self._tasks.start(work()))
        return True

    # The end.

    def announce(self, seconds: int) -> None:
        """Tell all clients that the server stops in `seconds`."""
        for session in list(self.connections):
            if not session.is_house:
                text = say("note.restart", session.lang, seconds=seconds)
                session.send(Note(code="restart", text=text))

    async def drain(self, seconds: float, at_once: asyncio.Event) -> None:
        """Announce the end, and wait for it; sooner when all have left or `at_once` is set."""
        self.announce(max(1, round(seconds)))
        await first_of(at_once.wait(), self.wait_until_empty(), seconds=seconds)

    async def wait_until_empty(self) -> None:
        """Wait until only house bots are connected."""
        self._left.clear()
        while any(not session.is_house for session in self.connections):
            await self._left.wait()
            self._left.clear()

    def send_bye(self, retry_ms: int) -> None:
        """The server goes down as planned: to come up again, or with the window that runs it."""
        self._leaving = True
        closed = self._config.of_window
        why, key = ("closed", "bye.closed") if closed else ("restart", "bye.restart")
        for session in list(self.connections):
            text = say(key, session.lang)
            session.send(Bye(why=why, text=text, retry_ms=retry_ms))
            session.close(Close.BYE, why)


def _bytes_of_talk(line: Say) -> int:
    """The bytes of talk in the lobby; talk in a room pays as its entry."""
    text = line.text
    if text.startswith("/") and len(text) <= _COMMAND_CHARS:
        return 0
    return len(text.encode(errors="replace"))


def _close_late(session: Session) -> None:
    count("connections.hello_timeout")
    session.close(Close.HELLO_TIMEOUT, "no hello in time")
