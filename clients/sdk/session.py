"""Decides which messages a client sends: hello, rejoining rooms, repeating requests; without I/O.

A session outlives its connections. After each welcome it rejoins its rooms. When those have replied
it repeats the lines without a reply under their old ids, so that each line takes effect once,
however often the connection breaks.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urljoin, urlsplit

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk.client_events import (
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
from bluebear.clients.sdk.mirror import Mirror, MirrorError
from bluebear.clients.transport.errors import HelloRefused
from bluebear.protocol import (
    Answer,
    Ask,
    Bye,
    ClientMessage,
    Code,
    Error,
    Hello,
    Lang,
    Moved,
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

_TEMPORARY: Final = frozenset({Code.BUSY, Code.TOO_FAST, Code.INTERNAL, Code.NOT_SAVED})
"""Refusals of a hello that may not recur at the next attempt."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request without a reply, and its room.

    `left_text` is set when that room was left: the reason.
    """

    message: Say | Ask
    room: RoomId | None
    left_text: str | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """What goes on at another node, at `url`: a room with its requests, or requests alone.

    `room` is the room that they lead to, `joined` whether it is to be rejoined first.
    """

    url: str
    room: RoomId | None
    waiting: Mapping[str, Waiting]
    joined: bool = True


@dataclass(frozen=True, slots=True)
class SessionOutput:
    """The result of a step: messages to send, in order, events, and what other nodes take over."""

    send: tuple[ClientMessage, ...] = ()
    happened: tuple[Happening, ...] = ()
    moved: tuple[Transfer, ...] = ()


class ClientSession:
    """The protocol state of one person at one node. Owned by one client.

    A session `beside` another one is of the same person: they share the mirrored rooms.
    """

    def __init__(self, hello: Hello, ids: Iterator[str], mirror: Mirror | None = None) -> None:
        self.mirror = Mirror(mirror)
        self.url = ""
        """The address of its connection; set by its owner."""
        self.farewell: Bye | None = None
        """Why its connection ends, once the server has said so."""
        self._hello = hello
        self._ids = ids
        self._moved: set[str] = set()
        """Ids of requests that were taken over: late replies to them are void."""
        self._waiting: dict[str, Waiting] = {}
        self._returning: dict[str, RoomId] = {}
        self._rooms: list[RoomId] = []
        self._welcomed = False
        self._slowed = 0
        """Pauses that have not ended."""

    @property
    def welcomed(self) -> bool:
        """Whether the hello of this connection was accepted."""
        return self._welcomed

    @property
    def token(self) -> str | None:
        """The token for the next hello, which makes it the same person."""
        return self._hello.token

    @property
    def rooms(self) -> Sequence[RoomId]:
        """The rooms that are joined here, or rejoined."""
        return self._rooms

    @property
    def addresses(self) -> list[str]:
        """Where else to connect, as the server has named it."""
        named = self.mirror.welcome.nodes if self.mirror.welcome else ()
        return list(filter(self._is_secure, (urljoin(self.url, each) for each in named)))

    @property
    def is_waiting(self) -> bool:
        """Whether a request waits for its reply."""
        return bool(self._waiting)

    @property
    def expects_reply(self) -> bool:
        """Whether a reply is due: to a request, or to going back into a room."""
        return bool(self._waiting or self._returning)

    @property
    def is_idle(self) -> bool:
        """Whether the connection is of no use but for the lobby."""
        return not (self._rooms or self._waiting)

    def beside(self) -> ClientSession:
        """A further session of the same person, for another node."""
        return ClientSession(replace(self._hello, beside=True), self._ids, self.mirror)

    def replace_main(self, old: ClientSession) -> None:
        """Take the place of the session that has the newest token and the lobby."""
        self._hello = replace(old._hello, beside=False)
        self.mirror.welcome = old.mirror.welcome

    def connect(self, token: str | None = None) -> Hello:
        """Start a new connection; returns its hello. A given `token` replaces the old token."""
        if token is not None:
            self._hello = replace(self._hello, name=None, token=token, password=None)
        self._welcomed, self._slowed = False, 0
        self.farewell = None
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
        """Prepare a query; returns its id, which its `Answer` repeats, or `NotAnswered`."""
        return self._begin(Ask(id=next(self._ids), what=what, args=args), room)

    def go_on(self) -> SessionOutput:
        """What to send again after the last pause: the server ignored it when it hit a limit."""
        self._slowed = max(0, self._slowed - 1)
        if self._slowed:
            return SessionOutput()
        if self._returning:
            return self._return()
        wanted = tuple(Sync(room=number) for number in self.mirror.unsound())
        repeated = self._repeat()
        return replace(repeated, send=wanted + repeated.send)

    def receive(self, message: ServerMessage) -> SessionOutput:
        """Handle a message from the server. Raises HelloRefused or MirrorError."""
        if isinstance(message, Moved):
            return self._follow(message)
        if isinstance(message, Error) and not self._welcomed:
            raise HelloRefused(message.code, message.text, temporary=message.code in _TEMPORARY)
        return self._receive(message)

    def _receive(self, message: ServerMessage) -> SessionOutput:
        if isinstance(message, Error) and message.id is None and message.code == Code.TOO_FAST:
            # Only a snapshot request has no id. As with a line, the server ignored all messages
            # after it.
            self._slowed += 1
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
                case Bye():
                    self.farewell = happening
                case Answer(id=query):
                    self._waiting.pop(query, None)
                case Welcomed():
                    happened.append(happening)
                    more = self._welcome()
                    send += more.send
                    happened += more.happened
                    continue
                case NeedSync(number=number) if not self._slowed:
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
        waiting = self._waiting[message.id] = Waiting(message, room)
        ready = self._welcomed and not self._returning and not self._slowed
        return message.id, SessionOutput((self._addressed(waiting),) if ready else ())

    def _addressed(self, waiting: Waiting) -> Say | Ask:
        """The message with its room's number on this connection."""
        room = None if waiting.room is None else self.mirror.number(waiting.room)
        return replace(waiting.message, room=room)

    def _follow(self, message: Moved) -> SessionOutput:
        """Hand a room over to the session of another node, with what waits for it."""
        room, line = RoomId(message.name), message.id or ""
        if message.room is not None and room not in self._rooms:
            return SessionOutput()  # it was left meanwhile
        entering = self._returning.pop(line, None) is not None
        joined = entering or room in self._rooms or message.id is None
        taken = self._take((room,))
        if not joined and line in self._waiting:
            taken[line] = self._waiting.pop(line)
            self._moved.add(line)
        self.mirror.detach(room)
        if room in self._rooms:
            self._rooms.remove(room)
        moved = (Transfer(self._resolve(message.url), room, taken, joined=joined),)
        return replace(SessionOutput() if self._returning else self._repeat(), moved=moved)

    def _take(self, rooms: Collection[RoomId | None]) -> dict[str, Waiting]:
        taken = {key: each for key, each in self._waiting.items() if each.room in rooms}
        self._waiting = {key: each for key, each in self._waiting.items() if key not in taken}
        self._moved.update(taken)
        return taken

    def _resolve(self, url: str) -> str:
        """The address that a `moved` names. Raises MirrorError where a token must not go."""
        there = urljoin(self.url, url)
        hosts = {urlsplit(each).netloc for each in (self.url, *self.addresses)}
        if urlsplit(there).netloc not in hosts or not self._is_secure(there):
            raise MirrorError(f"a room is said to be at {url}")
        return there

    def _is_secure(self, url: str) -> bool:
        here, there = urlsplit(self.url).scheme, urlsplit(url).scheme
        return there == "wss" or (here, there) == ("ws", "ws")

    def adopt(self, moved: Transfer, *, pause_seconds: float = 0.0) -> SessionOutput:
        """Take over a room and requests; they are sent after a pause."""
        self._waiting.update(moved.waiting)
        self._moved.difference_update(moved.waiting)
        send: tuple[ClientMessage, ...] = ()
        if moved.room is not None and moved.joined and moved.room not in self._rooms:
            self._rooms.append(moved.room)
            if self._welcomed:
                line = next(self._ids)
                self._returning[line] = moved.room
                send = (Say(id=line, text=f"/room {moved.room}"),)
        if not self._welcomed or self._slowed:
            return SessionOutput()
        if pause_seconds:
            self._slowed += 1
            return SessionOutput(happened=(Slowed(pause_seconds),))
        if not self._returning:
            send = tuple(map(self._addressed, moved.waiting.values()))
        return SessionOutput(send)

    def report(self, moved: Transfer) -> SessionOutput:
        """Say that the node of a room is not reached, and is tried on."""
        text = Texts(self._hello.langs[0]).say("not_reached_yet", url=moved.url)
        return SessionOutput(happened=(Noted(moved.room, Code.MOVED, text),))

    def refuse(self, moved: Transfer) -> SessionOutput:
        """Refuse requests that lead to a node that is not reached, and leave its room."""
        text = Texts(self._hello.langs[0]).say("not_reached", url=moved.url)
        happened: list[Happening] = [
            _reply_event(each, Reply(id=line, ok=False, code=Code.MOVED, text=text))
            for line, each in moved.waiting.items()
        ]
        if moved.room is not None and moved.joined:
            self.mirror.forget(moved.room)
            happened.append(Left(moved.room, text))
        return SessionOutput(happened=tuple(happened))

    def release(self) -> list[Transfer]:
        """All rooms and requests, for another session to adopt."""
        rooms, self._rooms = self._rooms, []
        self._returning.clear()
        self.mirror.disconnect()
        moved = [Transfer(self.url, room, self._take((room,))) for room in rooms]
        pending_rooms = {each.room for each in self._waiting.values()}
        return [*moved, Transfer(self.url, None, self._take(pending_rooms), joined=False)]

    def _welcome(self) -> SessionOutput:
        self._welcomed = True
        assert self.mirror.welcome is not None  # set by the welcome
        token = self.mirror.welcome.token
        if self.mirror.welcome.nodes:
            self.url = self._resolve(self.mirror.welcome.nodes[0])
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
        # Also to a line of a room that has moved: what was sent after it was not read either.
        is_temporary = reply.id in self._returning and reply.code in _NOT_JUST_NOW
        if is_temporary or reply.code == Code.TOO_FAST:
            self._slowed += 1
            return SessionOutput(happened=(Slowed(),))
        waiting = self._waiting.get(reply.id)
        if reply.id in self._moved or (waiting and waiting.room in self._returning.values()):
            return SessionOutput()  # to what was sent before the room moved
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


def _reply_event(waiting: Waiting | None, reply: Reply) -> Replied | NotAnswered:
    """The event of a reply: its type fits the request, its room is the request's room."""
    if waiting is not None and reply.room is None:
        reply = replace(reply, room=waiting.room)
    if waiting is not None and isinstance(waiting.message, Ask):
        return NotAnswered(reply)
    return Replied(reply)
