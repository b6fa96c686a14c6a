"""A client that reconnects by itself: the session of session.py on a WebSocket.

    async with Client("ws://127.0.0.1:8000", name="Ayu") as client:
        reply = await client.say("/newroom manhattan unlisted")

`say` sends a line, `happenings` yields the events, `mirror` has the current state. After a lost
connection the client reconnects, joins its rooms again and repeats requests without a reply;
callers only notice that a reply took longer.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Final, Literal, Self

from websockets.exceptions import ConnectionClosed

from bluebear.clients.sdk.backoff import FOREVER, Backoff
from bluebear.clients.sdk.client_events import (
    Answered,
    Farewell,
    Happening,
    Lost,
    NotAnswered,
    Replied,
    Reply,
    RoomId,
    Slowed,
    Welcomed,
)
from bluebear.clients.sdk.errors import AskRefused, ClientClosed, HelloRefused, Unreachable
from bluebear.clients.sdk.event_queue import EventQueue
from bluebear.clients.sdk.heartbeat import USUAL, Heartbeat, Silence
from bluebear.clients.sdk.mirror import Mirror, MirrorError, RoomView
from bluebear.clients.sdk.session import ID_BYTES, ClientSession, SessionOutput, line_ids
from bluebear.clients.sdk.token_store import Tokens
from bluebear.clients.sdk.websocket import CloseInfo, Wire, open_wire
from bluebear.clients.server_url import read_address
from bluebear.protocol import (
    JSON,
    MSGPACK,
    Branch,
    Close,
    Code,
    Hello,
    Hostile,
    Lang,
    QueryKind,
    Unreadable,
    Version,
    Want,
)

HAPPENINGS_MAX: Final = 10_000
"""Maximum number of unread events: minutes of a busy room. Beyond it the oldest are dropped."""

LINES_WAITING_MAX: Final = 32
"""Maximum number of requests in flight: as many as the server remembers. `say` waits for a slot."""

CODECS: Final = {"msgpack": MSGPACK, "json": JSON}

TOO_FAST_SECONDS: Final = 1.0
"""Pause in sending after a rate limit was hit: enough for any server to refill some lines."""

_OUR_FAULT: Final = frozenset({Close.UNREADABLE, Close.POLICY, Close.TOO_BIG})
"""Close codes caused by a fault of this client: a fast reconnect would only repeat the fault."""

_PASSING: Final = frozenset({Code.BUSY, Code.TOO_FAST, Code.INTERNAL, Code.NOT_SAVED})
"""Refusals of a hello that may not recur at the next attempt."""

LOGGED_OUT: Final = "logged_out"
"""The code of `bye` for all sessions of a token that was logged out."""

log = logging.getLogger(__name__)


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
        self._url = read_address(url).url
        self._codec = CODECS[codec]
        self._backoff = backoff
        self._tokens = tokens
        self._sleep = sleep
        self._jitter = jitter
        self._monotonic = monotonic
        self._welcomed_at = 0.0
        hello = Hello(
            name=None if token else name,
            token=token,
            password=None if token else password,
            langs=langs,
            wants=frozenset(wants).union(("short",) if short and codec == "msgpack" else ()),
            bot=bot,
            agent=agent,
        )
        self._session = ClientSession(hello, line_ids(id_start or os.urandom(ID_BYTES)))
        self._answers: dict[str, asyncio.Future[Reply | Answered]] = {}
        self._slots = asyncio.Semaphore(LINES_WAITING_MAX)
        self._events = EventQueue(HAPPENINGS_MAX)
        self._wire: Wire | None = None
        self._task: asyncio.Task[None] | None = None
        self._pulse = Heartbeat(silence)
        self._watching: asyncio.Task[None] | None = None
        self._silence: asyncio.Task[None] | None = None
        self._ended: ClientClosed | None = None
        self._farewell: Farewell | None = None

    async def __aenter__(self) -> Self:
        wire = await self._connect()
        self._task = asyncio.create_task(self._live(wire), name=f"client of {self._url}")
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None  # set by __aenter__
        for task in (self._task, self._silence):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        self._end(ClientClosed("left", ""))
        if self._wire is not None:
            await self._disconnect(self._wire)
        if not self._task.cancelled():
            self._task.result()  # raises: an error of the client must not be hidden by its end

    @property
    def mirror(self) -> Mirror:
        """The current state as sent by the server: rooms, lobby, games. Read only."""
        return self._session.mirror

    @property
    def name(self) -> str:
        """The person's name on the server; empty before the first welcome."""
        return self.mirror.welcome.name if self.mirror.welcome else ""

    @property
    def token(self) -> str | None:
        """The newest token; a later client with it is the same person."""
        return self._session.token

    @property
    def server_ms(self) -> int:
        """The server's clock in ms since 1970, late by its welcome's transit time; 0 before one."""
        if self.mirror.welcome is None:
            return 0
        since = self._monotonic() - self._welcomed_at
        return self.mirror.welcome.now + int(since * 1000)

    @property
    def connected(self) -> bool:
        """Whether a line would be sent immediately."""
        return self._wire is not None and self._session.welcomed

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
            line, step = self._session.say(text, room=room, at=at)
            answer = await self._answer(line, step)
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
            line, step = self._session.ask(what, room=room, args=args or {})
            answer = await self._answer(line, step)
        if isinstance(answer, Reply):
            raise AskRefused(answer)
        return answer.body

    async def happenings(self) -> AsyncIterator[Happening]:
        """Yield all events in order until the client has ended. For one reader."""
        while (happening := await self._events.get()) is not None:
            yield happening

    async def closed(self) -> ClientClosed:
        """Wait until the client has ended; return the reason."""
        assert self._task is not None  # only a client that was entered can end
        await asyncio.wait([self._task])
        return self._ended or ClientClosed("left", "")

    def _check_open(self) -> None:
        if self._ended is not None:
            raise self._ended

    async def _answer(self, line: str, step: SessionOutput) -> Reply | Answered:
        answer: asyncio.Future[Reply | Answered] = asyncio.get_running_loop().create_future()
        self._answers[line] = answer
        self._pulse.wait(asyncio.get_running_loop().time())
        try:
            if self._wire is not None:
                await self._wire.send(step.send)
            return await answer
        finally:
            del self._answers[line]
            self._settle_if_idle()

    def _settle_if_idle(self) -> None:
        """Tell the heartbeat if no request waits for a reply any more."""
        if not self._answers and self._session.welcomed:
            self._pulse.settle()

    async def _live(self, wire: Wire) -> None:
        """Receive messages and reconnect until the client ends. Runs in the client's one task."""
        try:
            while True:
                ending = await self._listen(wire)
                await self._disconnect(wire)
                wire = await self._return(ending)
        except ClientClosed as closed:
            self._end(closed)
        finally:
            self._end(ClientClosed("left", ""))  # no caller waits for a cancelled task

    async def _listen(self, wire: Wire) -> CloseInfo:
        """Receive messages until the connection has ended; return how it ended."""
        try:
            while True:
                await self._take(wire)
        except ConnectionClosed:
            return wire.ending()
        except (Unreadable, Hostile, MirrorError) as error:
            log.warning("the server at %s makes no sense: %s", self._url, error)
            return CloseInfo(Close.UNREADABLE)

    async def _take(self, wire: Wire) -> None:
        """Handle one message: emit its events and send the messages that follow from it."""
        message = await wire.receive()
        if message is None:
            return
        await self._do(self._session.receive(message), wire)

    async def _do(self, step: SessionOutput, wire: Wire) -> None:
        for happening in step.happened:
            self._happen(happening)
        await wire.send(step.send)
        if Slowed() in step.happened:
            if self._silence is not None:
                self._silence.cancel()
            self._silence = asyncio.create_task(self._pause_sending(wire))

    async def _pause_sending(self, wire: Wire) -> None:
        """Pause, then repeat requests without a reply, unless a new connection has done so."""
        await self._sleep(TOO_FAST_SECONDS)
        if wire is self._wire:
            await self._do(self._session.go_on(), wire)

    def _happen(self, happening: Happening) -> None:
        match happening:
            case (
                Replied(Reply(id=line) as answer)
                | NotAnswered(Reply(id=line) as answer)
                | (Answered(id=line) as answer)
            ):
                waiting = self._answers.get(line)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
            case Farewell():
                self._farewell = happening
                if happening.why == LOGGED_OUT and self._tokens is not None:
                    self._tokens.forget()
            case Welcomed():
                self._welcomed_at = self._monotonic()
                if self._tokens is not None and self.token is not None:
                    self._tokens.keep(self.token)
            case _:
                pass
        self._events.put(happening)

    async def _connect(self) -> Wire:
        """Connect and send hello, until the welcome. Raises Unreachable or HelloRefused."""
        self._farewell = None
        wire = await open_wire(self._url, self._codec)
        self._wire = wire
        self._pulse.begin(asyncio.get_running_loop().time())
        self._watching = asyncio.create_task(wire.watch(self._pulse), name="watch of a connection")
        try:
            newest = None if self._tokens is None else self._tokens.recall()
            await wire.send((self._session.connect(newest),))
            while not self._session.welcomed:
                await self._take(wire)
        except (ConnectionClosed, Unreadable, Hostile) as error:
            await self._disconnect(wire)
            bye = self._farewell
            if bye is not None:
                raise Unreachable(bye.why, bye.text) from error
            raise Unreachable("unreachable", str(error)) from error
        except BaseException:
            await self._disconnect(wire)
            raise
        self._settle_if_idle()
        return wire

    async def _disconnect(self, wire: Wire) -> None:
        """Close a connection and stop its heartbeat."""
        self._wire = None
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])
        await wire.close()

    async def _return(self, ending: CloseInfo) -> Wire:
        """Reconnect, in as many attempts as `backoff` allows. Raises ClientClosed."""
        attempt = 0
        while True:
            seconds = self._pause(ending, attempt)
            self._happen(Lost(seconds))
            await self._sleep(seconds)
            attempt += 1
            try:
                return await self._connect()
            except Unreachable:
                ending = CloseInfo()
            except HelloRefused as refused:
                if refused.code not in _PASSING:
                    raise ClientClosed(refused.code, refused.text) from refused

    def _pause(self, ending: CloseInfo, attempt: int) -> float:
        """Seconds to wait before the next attempt. Raises ClientClosed if there is none."""
        farewell, self._farewell = self._farewell, None
        if farewell is not None and farewell.retry_ms is None:
            raise ClientClosed(farewell.why, farewell.text)
        if ending.code == Close.REPLACED:
            raise ClientClosed("replaced", "")
        if self._backoff is None or self._backoff.is_exhausted(attempt):
            raise ClientClosed("lost", "")
        seconds = self._backoff.seconds(attempt, jitter=self._jitter())
        if ending.code in _OUR_FAULT:
            return max(seconds, self._backoff.longest_seconds)
        if farewell is not None and farewell.retry_ms is not None:
            return seconds + farewell.retry_ms / 1000
        return seconds

    def _end(self, ended: ClientClosed) -> None:
        if self._ended is not None:
            return
        self._ended = ended
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ended)
                # Callers that await the future get the exception; a line still being sent has no
                # caller.
                answer.exception()
        self._events.end()
