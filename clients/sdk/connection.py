"""One connection of a client to one node: opened, watched, and opened again when it is lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from websockets.exceptions import ConnectionClosed

from bluebear.clients.sdk.client_events import Lost, Slowed
from bluebear.clients.sdk.mirror import MirrorError
from bluebear.clients.sdk.session import ClientSession, SessionOutput
from bluebear.clients.transport.backoff import Backoff
from bluebear.clients.transport.errors import ClientClosed, HelloRefused, Unreachable
from bluebear.clients.transport.heartbeat import Heartbeat, Silence
from bluebear.clients.transport.token_store import Tokens
from bluebear.clients.transport.websocket import UNUSABLE, CloseInfo, SenselessError, Wire

FOLLOWED_SECONDS: Final = 2.0
"""Timeout of connecting to another node: then its room is asked for again."""

RECONNECT_SECONDS: Final = 5.0
"""Timeout of connecting again: a node that stands still goes on getting new connections."""

LOGGED_OUT: Final = "logged_out"
"""The code of `bye` for all sessions of a token that was logged out."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """How a client connects, see `Client`."""

    url: str
    connect: Callable[[str], Awaitable[Wire]]
    backoff: Backoff | None
    silence: Silence
    tokens: Tokens | None
    sleep: Callable[[float], Awaitable[None]]
    jitter: Callable[[], float]


class Owner(Protocol):
    """The client of a connection."""

    def handle(self, connection: Connection, step: SessionOutput) -> None:
        """Emit the events of a step."""

    def lost(self, connection: Connection) -> bool:
        """A connection is lost; whether it is over by that: only the main one comes back."""


class Connection:
    """Owned by its client. `open` it, or `start` it; then `live` is to run."""

    def __init__(self, session: ClientSession, terms: Terms, owner: Owner) -> None:
        self.session = session
        self.wire: Wire | None = None
        self.task: asyncio.Task[None] | None = None
        self.pulse = Heartbeat(terms.silence)
        self._terms = terms
        self._owner = owner
        self._watching: asyncio.Task[None] | None = None
        self._pauses: set[asyncio.Task[None]] = set()

    async def live(self) -> None:
        """Receive messages and reconnect, as long as it is the main one. Raises ClientClosed, and
        Unreachable, HelloRefused or TimeoutError if it never was welcome.
        """
        if self.wire is None:
            async with asyncio.timeout(FOLLOWED_SECONDS):
                await self.open(self.session.url)
        while self.wire is not None:
            ending = await self._listen(self.wire)
            await self._disconnect()
            if self._owner.lost(self):
                return
            await self._return(ending)

    async def open(self, url: str) -> None:
        """Connect and send hello, until the welcome. Raises Unreachable or HelloRefused."""
        self.session.url = url
        wire = self.wire = await self._terms.connect(url)
        self.pulse.begin(asyncio.get_running_loop().time())
        self._watching = asyncio.create_task(wire.watch(self.pulse), name="watch of a connection")
        try:
            tokens = self._terms.tokens
            newest = None if tokens is None else tokens.recall()
            await wire.send((self.session.connect(newest),))
            while not self.session.welcomed:
                await self._take(wire)
        except BaseException as error:
            await self._disconnect()
            if not isinstance(error, ConnectionClosed | SenselessError):
                raise
            bye = self.session.farewell
            code, text = (bye.why, bye.text) if bye else ("unreachable", str(error))
            raise Unreachable(code, text) from error
        self.settle_if_idle()

    async def close(self) -> None:
        """End it."""
        for task in (self.task, *self._pauses):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
                await asyncio.wait([task])
        await self._disconnect()

    async def do(self, step: SessionOutput) -> None:
        """Emit the events of a step, and send its messages if there is a connection."""
        self._owner.handle(self, step)
        wire = self.wire
        if wire is None:
            return
        await wire.send(step.send)
        for pause in (each.seconds for each in step.happened if isinstance(each, Slowed)):
            task = asyncio.create_task(self._pause_sending(wire, pause))
            self._pauses.add(task)
            task.add_done_callback(self._pauses.discard)

    def settle_if_idle(self) -> None:
        """Tell the heartbeat if no reply is due any more."""
        if self.session.welcomed and not self.session.expects_reply:
            self.pulse.settle()

    async def _listen(self, wire: Wire) -> CloseInfo:
        """Receive messages until the connection has ended; return how it ended."""
        try:
            while True:
                await self._take(wire)
        except ConnectionClosed:
            return wire.ending()
        except (SenselessError, MirrorError) as error:
            log.warning("the server at %s makes no sense: %s", self.session.url, error)
            return UNUSABLE

    async def _take(self, wire: Wire) -> None:
        """Handle one message: emit its events and send the messages that follow from it."""
        message = await wire.receive()
        if message is None:
            return
        await self.do(self.session.receive(message))
        tokens, bye = self._terms.tokens, self.session.farewell
        if bye is not None and bye.why == LOGGED_OUT and tokens is not None:
            tokens.forget()

    async def _pause_sending(self, wire: Wire, seconds: float) -> None:
        """Pause; after the last one repeat requests without a reply on the same connection."""
        await self._terms.sleep(seconds)
        if wire is self.wire:
            await self.do(self.session.go_on())

    async def _disconnect(self) -> None:
        """Close the connection and stop its heartbeat."""
        wire, self.wire = self.wire, None
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])
        if wire is not None:
            await wire.close()

    async def _return(self, ending: CloseInfo) -> None:
        """Reconnect, in as many attempts as `backoff` allows. Raises ClientClosed."""
        attempt, lost = 0, self.session.url
        urls = [self._terms.url, *self.session.addresses]
        urls.sort(key=lambda url: url == lost)  # that one comes last
        while True:
            seconds = self._pause(ending, attempt)
            self._owner.handle(self, SessionOutput(happened=(Lost(seconds),)))
            await self._terms.sleep(seconds)
            attempt += 1
            try:
                async with asyncio.timeout(RECONNECT_SECONDS):
                    return await self.open(urls[(attempt - 1) % len(urls)])
            except (Unreachable, TimeoutError):
                ending = CloseInfo()
            except HelloRefused as refused:
                if not refused.temporary:
                    raise ClientClosed(refused.code, refused.text) from refused

    def _pause(self, ending: CloseInfo, attempt: int) -> float:
        """Seconds to wait before the next attempt. Raises ClientClosed if there is none."""
        farewell, self.session.farewell = self.session.farewell, None
        if farewell is not None and farewell.retry_ms is None:
            raise ClientClosed(farewell.why, farewell.text)
        if ending.is_replaced:
            raise ClientClosed("replaced", "")
        backoff = self._terms.backoff
        if backoff is None or backoff.is_exhausted(attempt):
            raise ClientClosed("lost", "")
        seconds = backoff.seconds(attempt, jitter=self._terms.jitter())
        if ending.is_client_fault:
            return max(seconds, backoff.longest_seconds)
        if farewell is not None and farewell.retry_ms is not None:
            is_immediate = farewell.retry_ms == 0 and not attempt
            return 0.0 if is_immediate else seconds + farewell.retry_ms / 1000
        return seconds
