"""Decides which messages a client sends: hello, rejoining rooms, repeating requests; without I/O.

A session outlives its connections. After each welcome it rejoins its rooms. When those have replied
it repeats the lines without a reply under their old ids, so that each line takes effect once,
however often the connection breaks.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bluebear.clients.sdk.client_events import (
    Answered,
    Entered,
    Happening,
    Left,
    NeedSync,
    NotAnswered,
    Noted,
    Replied,
    Reply,
    RoomId,
    Slowed,
    Synced,
    Welcomed,
)
from bluebear.clients.sdk.errors import HelloRefused
from bluebear.clients.sdk.mirror import Mirror
from bluebear.protocol import (
    Ask,
    ClientMessage,
    Code,
    Error,
    Hello,
    Lang,
    QueryKind,
    Say,
    ServerMessage,
    Sync,
    Version,
)

ID_BYTES: Final = 12
"""Random bytes of a process: 16 characters in base64, which leave 15 for a counter."""


class NotInRoomError(Exception):
    """A line was sent to a room that is not joined: a mistake of the calling program."""


def line_ids(start: bytes) -> Iterator[str]:
    """Ids of lines, unique for a person if `start` is ID_BYTES random bytes.

    >>> next(line_ids(bytes(12)))
    'AAAAAAAAAAAAAAAA1'
    """
    prefix = base64.urlsafe_b64encode(start).decode()
    return (f"{prefix}{number}" for number in itertools.count(1))


_NOT_JUST_NOW: Final = frozenset({Code.BUSY, Code.NOT_SAVED})
"""Refusals to rejoin a room that are temporary: the room and its pending lines are retained."""


@dataclass(frozen=True, slots=True)
class SessionOutput:
    """The result of a step: messages to send, in order, and events."""

    send: tuple[ClientMessage, ...] = ()
    happened: tuple[Happening, ...] = ()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A request without a reply, and its room.

    `left_text` is set when that room was left: the reason.
    """

    message: Say | Ask
    room: RoomId | None
    left_text: str | None = None


class ClientSession:
    """The protocol state of one person. Owned by one client."""

    def __init__(self, hello: Hello, ids: Iterator[str]) -> None:
        self.mirror = Mirror()
        self._hello = hello
        self._ids = ids
        self._waiting: dict[str, _Waiting] = {}
        self._returning: dict[str, RoomId] = {}
        self._rooms: list[RoomId] = []
        self._welcomed = False
        self._slowed = False

    @property
    def welcomed(self) -> bool:
        """Whether the hello of this connection was accepted."""
        return self._welcomed

    @property
    def token(self) -> str | None:
        """The token for the next hello, which makes it the same person."""
        return self._hello.token

    def connect(self, token: str | None = None) -> Hello:
        """Start a new connection; returns its hello. A given `token` replaces the old token."""
        if token is not None:
            self._hello = replace(self._hello, name=None, token=token, password=None)
        self._welcomed = self._slowed = False
        self._returning.clear()
        self.mirror.disconnect()
        return self._hello

    def say(
        self, text: str, *, room: RoomId | None = None, at: Version | None = None
    ) -> tuple[str, SessionOutput]:
        """Prepare a line; returns its id, which `Replied` repeats. Raises NotInRoomError."""
        return self._begin(Say(id=next(self._ids), text=text, at=at), room)

    def ask(
        self, what: QueryKind, *, room: RoomId | None = None, args: Mapping[str, str | int]
    ) -> tuple[str, SessionOutput]:
        """Prepare a query; returns its id, which `Answered` repeats, or `NotAnswered`."""
        return self._begin(Ask(id=next(self._ids), what=what, args=args), room)

    def go_on(self) -> SessionOutput:
        """The messages to send again after the pause that follows `Slowed`.

        The server ignored all messages after the one that hit the rate limit.
        """
        self._slowed = False
        if self._returning:
            return self._return()
        wanted = tuple(Sync(room=number) for number in self.mirror.unsound())
        repeated = self._repeat()
        return replace(repeated, send=wanted + repeated.send)

    def receive(self, message: ServerMessage) -> SessionOutput:
        """Handle a message from the server. Raises HelloRefused or MirrorError."""
        if isinstance(message, Error) and not self._welcomed:
            raise HelloRefused(message.code, message.text)
        if isinstance(message, Error) and message.id is None and message.code == Code.TOO_FAST:
            # Only a snapshot request has no id. As with a line, the server ignored all messages
            # after it.
            self._slowed = True
            return SessionOutput(happened=(Slowed(),))
        send: list[ClientMessage] = []
        happened: list[Happening] = []
        for happening in self.mirror.receive(message):
            match happening:
                case Replied(reply):
                    more = self._answered(reply)
                    send += more.send
                    happened += more.happened
                    continue
                case Answered(id=asked):
                    self._waiting.pop(asked, None)
                case Welcomed():
                    happened.append(happening)
                    more = self._welcome()
                    send += more.send
                    happened += more.happened
                    continue
                case NeedSync(number=number):
                    if not self._slowed:
                        send.append(Sync(room=number))
                case Entered(room=room) | Synced(room=room) if room not in self._rooms:
                    self._rooms.append(room)
                case Left(room=room):
                    self._leave(room, happening.text)
                case Noted(code="lang", said=("en" | "ja") as lang):
                    self._hello = replace(self._hello, langs=_first(lang, self._hello.langs))
                case _:
                    pass
            happened.append(happening)
        return SessionOutput(tuple(send), tuple(happened))

    def _begin(self, message: Say | Ask, room: RoomId | None) -> tuple[str, SessionOutput]:
        if room is not None and room not in self._rooms:
            raise NotInRoomError(room)
        waiting = _Waiting(message, room)
        self._waiting[message.id] = waiting
        ready = self._welcomed and not self._returning and not self._slowed
        return message.id, SessionOutput((self._addressed(waiting),) if ready else ())

    def _addressed(self, waiting: _Waiting) -> Say | Ask:
        """The message with its room's number on this connection."""
        if waiting.room is None:
            return waiting.message
        return replace(waiting.message, room=self.mirror.number(waiting.room))

    def _welcome(self) -> SessionOutput:
        self._welcomed = True
        assert self.mirror.welcome is not None  # set by the welcome
        token = self.mirror.welcome.token
        self._hello = replace(self._hello, name=None, token=token, password=None)
        if not self._rooms:
            return self._repeat()
        self._returning = {next(self._ids): room for room in self._rooms}
        return self._return()

    def _return(self) -> SessionOutput:
        return SessionOutput(
            tuple(Say(id=i, text=f"/room {room}") for i, room in self._returning.items())
        )

    def _answered(self, reply: Reply) -> SessionOutput:
        if reply.code == Code.TOO_FAST or (
            reply.id in self._returning and reply.code in _NOT_JUST_NOW
        ):
            self._slowed = True
            return SessionOutput(happened=(Slowed(),))
        room = self._returning.pop(reply.id, None)
        if room is None:
            return SessionOutput(happened=(_reply_event(self._waiting.pop(reply.id, None), reply),))
        happened: tuple[Happening, ...] = ()
        if not reply.ok:
            self.mirror.forget(room)
            self._leave(room, reply.text)
            happened = (Left(room, reply.text),)
        if self._returning:
            return SessionOutput(happened=happened)
        repeated = self._repeat()
        return replace(repeated, happened=happened + repeated.happened)

    def _leave(self, room: RoomId, text: str) -> None:
        self._rooms.remove(room)
        for line, waiting in self._waiting.items():
            if waiting.room == room:
                self._waiting[line] = replace(waiting, left_text=text)

    def _repeat(self) -> SessionOutput:
        """Send requests without a reply again; refuse those whose room was left."""
        refused: list[Happening] = []
        for line, waiting in list(self._waiting.items()):
            if waiting.left_text is not None:
                del self._waiting[line]
                reply = Reply(id=line, ok=False, code=Code.NOT_IN_ROOM, text=waiting.left_text)
                refused.append(_reply_event(waiting, reply))
        again = tuple(self._addressed(waiting) for waiting in self._waiting.values())
        return SessionOutput(again, tuple(refused))


def _first(lang: Lang, langs: Sequence[Lang]) -> tuple[Lang, ...]:
    """The languages with `lang` moved to the front."""
    return lang, *(each for each in langs if each != lang)


def _reply_event(waiting: _Waiting | None, reply: Reply) -> Replied | NotAnswered:
    """The event of a reply: its type fits the request, its room is the request's room."""
    if waiting is not None and reply.room is None:
        reply = replace(reply, room=waiting.room)
    if waiting is not None and isinstance(waiting.message, Ask):
        return NotAnswered(reply)
    return Replied(reply)
