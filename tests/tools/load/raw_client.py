"""A connection that does what no client of ours would do."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bluebear.clients.sdk import RoomId
from bluebear.protocol import (
    MSGPACK,
    Codec,
    Done,
    Error,
    Hello,
    Message,
    Room,
    RoomNumber,
    Say,
    ServerMessage,
    Update,
    Want,
    Welcome,
)

M = TypeVar("M")


class Stranger:
    """A person on a bare connection. Owned by a test."""

    def __init__(self, connection: ClientConnection, codec: Codec) -> None:
        self.connection = connection
        self.token = ""
        self._codec = codec
        self._sent_count = 0

    async def send(self, message: Message) -> None:
        """Send a message."""
        await self.connection.send(self._codec.encode(message), text=self._codec.text)

    async def hello(self, name: str, *, bot: bool = True) -> None:
        """Say who one is, and wait for the welcome."""
        wants: frozenset[Want] = frozenset(("text", "events"))
        await self.send(Hello(name=name, langs=("en",), wants=wants, bot=bot, agent="stranger"))
        self.token = (await self.hear(Welcome)).token

    async def return_with(self, token: str) -> None:
        """Authenticate as a person of an earlier connection."""
        await self.send(Hello(token=token, langs=("en",), agent="stranger"))
        await self.hear(Welcome)

    async def say(self, text: str, room: RoomNumber | None = None) -> str:
        """Say a line, and wait for nothing; the id of the line."""
        self._sent_count += 1
        line = f"s{self._sent_count}"
        await self.send(Say(id=line, text=text, room=room))
        return line

    async def enter(self, room: RoomId) -> RoomNumber:
        """Come into a room; its number."""
        await self.say(f"/room {room}")
        return (await self.hear(Room)).room

    async def hear(self, kind: type[M]) -> M:
        """The next message of a kind; others are passed over. Raises ConnectionClosed."""
        while True:
            message = self._codec.decode_server(await self.connection.recv())
            if isinstance(message, kind):
                return message

    async def flood(self, text: str, room: RoomNumber) -> None:
        """Say a line again and again, as fast as it goes, until the server has had enough."""
        try:
            while True:
                await self.say(text, room)
                await asyncio.sleep(0)  # the server lives in the same loop
        except ConnectionClosed:
            return

    async def answered(self, line: str) -> bool:
        """Wait for the answer to a line; whether it was done. Raises ConnectionClosed."""
        while True:
            message = self._codec.decode_server(await self.connection.recv())
            if isinstance(message, Update) and message.done == line:
                return True
            if isinstance(message, Done | Error) and message.id == line:
                return isinstance(message, Done)

    async def rest(self) -> list[ServerMessage]:
        """Everything up to the end of the connection."""
        received: list[ServerMessage] = []
        try:
            while True:
                received.append(self._codec.decode_server(await self.connection.recv()))
        except ConnectionClosed:
            return received

    async def skip(self) -> None:
        """Read up to the end of the connection, whatever comes."""
        with suppress(ConnectionClosed):
            while True:
                await self.connection.recv()

    @property
    def close_code(self) -> int | None:
        """How the connection ended; None before."""
        return self.connection.close_code


async def run_until_closed(work: Iterable[Coroutine[Any, Any, None]]) -> None:  # Any: its waits
    """Run what strangers do until standard input closes, then cancel it."""
    tasks = [asyncio.create_task(each) for each in work]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def left(reader: asyncio.StreamReader) -> bytes:
    """What still came before the server ended the connection: it says so, or hangs up on what was
    not read yet.
    """
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def arrive(
    url: str,
    codec: Codec = MSGPACK,
    *,
    buffer_bytes: int = 0,
    headers: Mapping[str, str] | None = None,
    source: str = "",
) -> Stranger:
    """Connect, without a hello. With `buffer_bytes` this machine holds so little for who reads not.

    `source` is the address of this machine to come from, any of 127.0.0.0/8. The caller closes the
    connection.
    """
    parts = urlsplit(url)
    plug = socket.socket()
    try:
        if buffer_bytes:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        if source:
            plug.bind((source, 0))
        plug.connect((parts.hostname, parts.port))
        connection = await connect(
            url,
            sock=plug,
            subprotocols=[Subprotocol(codec.name)],
            additional_headers=headers,
            compression=None,
            max_size=None,
            # A few frames, then the connection itself stops reading.
            max_queue=4,
            ping_interval=None,
            proxy=None,
        )
    except BaseException:
        plug.close()
        raise
    return Stranger(connection, codec)


@asynccontextmanager
async def stranger(
    url: str,
    codec: Codec = MSGPACK,
    *,
    buffer_bytes: int = 0,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[Stranger]:
    """A connected client, disconnected at the end."""
    client = await arrive(url, codec, buffer_bytes=buffer_bytes, headers=headers)
    try:
        yield client
    finally:
        # What was not read would stand before the other side's goodbye, and be waited for.
        await asyncio.gather(client.connection.close(), client.skip())
