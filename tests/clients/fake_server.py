"""A small server that keeps the protocol's promises and breaks connections when it is told to.

Its one game counts: the seat whose turn it is says `/add N`, the next seat goes on, and who
reaches the goal has ended it. Lines without a slash are talk. Everything is kept in memory.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Self, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from bluebear.protocol import (
    JSON,
    MSGPACK,
    Answer,
    Ask,
    Bye,
    ClientMessage,
    Done,
    Error,
    Hello,
    Lobby,
    Logged,
    Message,
    Moves,
    Note,
    Presence,
    Room,
    RoomNumber,
    Say,
    Sync,
    Update,
    Version,
    Wanted,
    Welcome,
    codec_for,
    crc,
    diff,
)

GOAL = 6
ACCOUNTS = {
    **dict.fromkeys(("/login", "/logi", "/ログイン"), 1),
    **dict.fromkeys(("/register", "/regist", "/登録", "/password"), 0),
}
"""Lines that want a password after so many words."""
LOCKED = "LOCKED"
"""A room that needs a password."""
LACKS = "Type it in one line: {} PASSWORD."
Tree = dict[str, Any]  # Any: views are built by hand here


@dataclass(slots=True)
class Table:
    """One room: its view at a version, and its log."""

    id: str
    version: int = 1
    view: Tree = field(default_factory=lambda: {"room": {"phase": "open", "turn": [], "seats": {}}})
    log: list[Logged] = field(default_factory=list)

    def snapshot(self, number: RoomNumber, eyes: tuple[int, ...]) -> Room:
        return Room(
            room=number,
            id=self.id,
            game="counting",
            hash="h",
            version=Version(self.version),
            view=copy.deepcopy(self.view),
            sum=crc(self.view),
            eyes=eyes,
            log=tuple(self.log),
        )


@dataclass(slots=True, eq=False)
class Member:
    """One connection."""

    socket: ServerConnection
    hello: Hello
    name: str
    rooms: dict[RoomNumber, Table] = field(default_factory=dict)

    def number(self, table: Table) -> RoomNumber | None:
        return next((number for number, each in self.rooms.items() if each is table), None)

    async def tell(self, message: Message) -> None:
        codec = codec_for(self.socket.subprotocol or "")
        assert codec is not None
        try:
            await self.socket.send(codec.encode(message), text=codec.text)
        except ConnectionClosed:
            return


class FakeServer:
    """To be used with `async with`; `url` is where it listens."""

    def __init__(self) -> None:
        self.url = ""
        self.http = ""
        self.tables: dict[str, Table] = {}
        self.sent_lines: list[tuple[str, str, str]] = []
        """(name, id, text) of every line that came in, repeated ones too."""
        self.aimed: list[tuple[str, int | None]] = []
        """(text, at) of every line."""
        self.queries: list[Ask] = []
        self.deaf: set[str] = set()
        """Lines that are never answered."""
        self.syncs = 0
        self.hellos: list[Hello] = []
        self.taken: set[str] = set()
        self.expired: set[str] = set()
        self.replaces = False
        """Whether each return makes the token void that was used."""
        self.members: list[Member] = []
        self.spoil: Callable[[Update], Update | None] = lambda update: update
        """What becomes of each update on its way to a member; None loses it."""
        self.cut_before_answer = ""
        """A line whose effect happens, but whose connection breaks before the answer; once."""
        self.full: Bye | None = None
        """What every client receives instead of a welcome."""
        self.too_fast = 0
        """So many of the next lines come too fast: the first is told so, the others nothing."""
        self._was_warned = False
        self._answers: dict[tuple[str, str], Message] = {}
        self._people: dict[str, str] = {}
        self._server: Server | None = None
        self._coming_and_going = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._welcome,
            "127.0.0.1",
            0,
            subprotocols=[Subprotocol(codec.name) for codec in (MSGPACK, JSON)],
            compression=None,
            process_request=_outside_of_the_socket,
        )
        port = next(iter(self._server.sockets)).getsockname()[1]
        self.url, self.http = f"ws://127.0.0.1:{port}/ws", f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    def member(self, name: str) -> Member:
        return next(member for member in self.members if member.name == name)

    async def empty(self) -> None:
        """Wait until no client is connected."""
        while self.members:
            await self._next_change()

    async def arrival(self, name: str) -> None:
        """Wait until a member of this name is connected."""
        while not any(member.name == name for member in self.members):
            await self._next_change()

    async def departure(self, name: str) -> None:
        """Wait until no member of this name is connected."""
        while any(member.name == name for member in self.members):
            await self._next_change()

    async def _next_change(self) -> None:
        self._coming_and_going.clear()
        await self._coming_and_going.wait()

    async def cut(self, name: str, *, code: int | None = None, bye: Bye | None = None) -> None:
        """Break the person's connection, or close it properly with a code."""
        member = self.member(name)
        if bye is not None:
            await member.tell(bye)
        if code is None:
            member.socket.transport.abort()
        else:
            await member.socket.close(code)
        await member.socket.wait_closed()

    async def want(self, table: Table, seat: int, strategy: str) -> None:
        """Let a house bot play a seat."""
        table.view["room"]["seats"][str(seat)] = {"name": "@house", "bot": strategy}
        ticket = f"ticket {table.id} {seat}"
        await self.member("HOUSE").tell(
            Wanted(room=table.id, seat=seat, strategy=strategy, ticket=ticket)
        )

    async def _welcome(self, socket: ServerConnection) -> None:
        codec = codec_for(socket.subprotocol or "")
        assert codec is not None
        try:
            hello = cast(Hello, codec.decode_client(await socket.recv()))
        except ConnectionClosed:
            return
        self.hellos.append(hello)
        name = hello.name or self._people.get(hello.token or "", hello.token or "")
        member = Member(socket, hello, name)
        if self.full is not None:
            await member.tell(self.full)
            return
        if name in self.taken and hello.token is None:
            await member.tell(Error(code="name_taken", text=f"{name} is taken."))
            return
        if hello.token in self.expired:
            await member.tell(Error(code="unauthorized", text="That token is no longer good."))
            return
        token = hello.token or f"token of {name}"
        if hello.token is not None and self.replaces:
            self.expired.add(token)
            token = f"{token}'"
        self._people[token] = name
        self.members.append(member)
        self._coming_and_going.set()
        await member.tell(
            Welcome(
                protocol=1, person=name, name=name, token=token, lang="en", server="fake", now=0
            )
        )
        await member.tell(Lobby(version=Version(1), full=True, patch={"rooms": {}}))
        try:
            if name.startswith("ticket"):
                _, room, _ = name.split()
                await self._enter(member, self.tables[room])
                await self._offer(self.tables[room])
            async for frame in socket:
                await self._receive(member, codec.decode_client(frame))
        except ConnectionClosed:
            pass
        finally:
            self.members.remove(member)
            self._coming_and_going.set()

    async def _receive(self, member: Member, message: ClientMessage) -> None:
        match message:
            case Say():
                await self._line(member, message)
            case Sync(room=number):
                self.syncs += 1
                table = member.rooms[number]
                await member.tell(table.snapshot(number, self._eyes(member, table)))
            case Ask():
                self.queries.append(message)
                if message.what == "record":
                    text = "There is no record yet."
                    await member.tell(Error(id=message.id, code="no_such_record", text=text))
                    return
                body: Tree = {"start": 0, "candidates": ["/add 1"], "asked": dict(message.args)}
                await member.tell(Answer(id=message.id, what=message.what, body=body))
            case Hello():
                raise AssertionError("hello twice")

    async def _line(self, member: Member, message: Say) -> None:
        self.sent_lines.append((member.name, message.id, message.text))
        self.aimed.append((message.text, message.at))
        if message.text in self.deaf:
            return
        if self.too_fast:
            if not self._was_warned:
                await member.tell(Error(id=message.id, code="too_fast", text="Too fast."))
            self.too_fast -= 1
            self._was_warned = self.too_fast > 0
            return
        registered = self._answers.get((member.name, message.id))
        if registered is not None:
            await member.tell(registered)
            return
        answer = await self._judge(member, message)
        if isinstance(answer, Done):
            self._answers[member.name, message.id] = answer
        if message.text == self.cut_before_answer:
            self.cut_before_answer = ""
            member.socket.transport.abort()
            return
        await member.tell(answer)

    async def _judge(self, member: Member, message: Say) -> Message:
        head, _, rest = message.text.partition(" ")
        table = member.rooms.get(message.room) if message.room is not None else None
        if head in ACCOUNTS:
            if len(rest.split()) <= ACCOUNTS[head]:
                return Error(
                    id=message.id, code="account_password", text=LACKS.format(message.text)
                )
            return Done(id=message.id, room=message.room)
        if head == "/newroom":
            table = Table(str(len(self.tables) + 1))
            table.log.append(Logged(version=Version(1), at=0, text=f"Room {table.id} is new."))
            self.tables[table.id] = table
            number = await self._enter(member, table)
            return Done(id=message.id, room=number, version=Version(1))
        if rest == LOCKED:
            text = "This room has a password."
            return Error(id=message.id, code="password_wanted", text=text)
        if head == "/room":
            if rest.startswith(LOCKED):
                return Done(id=message.id)
            table = self.tables.get(rest.removeprefix("T"))
            if table is None:
                return Error(id=message.id, code="room_unknown", text=f"There is no room {rest}.")
            number = await self._enter(member, table)
            await self._offer(table)
            return Done(id=message.id, room=number, version=Version(table.version))
        if table is None:
            await member.tell(Note(code="said", text=f"lobby: {message.text}"))
            return Done(id=message.id)
        if head == "/lobby":
            assert message.room is not None
            del member.rooms[message.room]
            await member.tell(Note(code="left", text="You left.", room=message.room))
            return Done(id=message.id, room=message.room)
        if head == "/who":
            await member.tell(Note(code="who", text="You.", room=message.room))
            return Done(id=message.id, room=message.room)
        return await self._in_room(member, table, message)

    async def _in_room(self, member: Member, table: Table, message: Say) -> Message:
        head, _, rest = message.text.partition(" ")
        view: Tree = copy.deepcopy(table.view)
        room, text = view["room"], f"{member.name}: {message.text}"
        if head in ("/join", "/bot"):
            seat = str(len(room["seats"]) + 1)
            who = {"name": member.name} if head == "/join" else {"name": "@random", "bot": "random"}
            room["seats"] = {**room["seats"], seat: who}
            text = f"{who['name']} sits down on seat {seat}."
        elif head == "/start":
            room.update(phase="playing", turn=[1])
            view["game"] = {"count": 0}
            text = "The game begins."
        elif head == "/add":
            if room["turn"] not in ([seat] for seat in self._eyes(member, table)):
                return Error(id=message.id, code="not_your_turn", text="It is not your turn.")
            count = view["game"]["count"] + int(rest)
            view["game"] = {"count": count}
            room["turn"] = [room["turn"][0] % len(room["seats"]) + 1]
            text = f"The count is {count}."
            if count >= GOAL:
                room.update(phase="over", turn=[])
                text = "The count is reached. It is over."
        elif head.startswith("/"):
            return Error(
                id=message.id,
                code="unknown_command",
                text=f"There is no {head}.",
                candidates=("/add", "/join"),
            )
        await self.change(table, view, text, done=(member, message.id))
        if head == "/join":
            number = member.number(table)
            assert number is not None
            await member.tell(table.snapshot(number, self._eyes(member, table)))
        await self._offer(table)
        await self._play_house_seats(table)
        return Done(id=message.id, room=message.room, version=Version(table.version))

    async def change(
        self, table: Table, view: Tree, text: str, *, done: tuple[Member, str] | None = None
    ) -> None:
        """Advance the room by one version and send its members the update."""
        patch, table.view = diff(table.view, view), view
        table.version += 1
        table.log.append(Logged(version=Version(table.version), at=0, text=text))
        for member in [each for each in self.members if each.number(table) is not None]:
            update = Update(
                room=cast(RoomNumber, member.number(table)),
                version=Version(table.version),
                patch=patch or None,
                sum=crc(view),
                text=(text,) if "text" in member.hello.wants else None,
            )
            spoiled = self.spoil(update)
            if spoiled is not None:
                await member.tell(spoiled)

    async def tell_presence(self, room: str, away: tuple[str, ...]) -> None:
        """Send the members of a room the names of absent players."""
        table = self.tables[room]
        for member in self.members:
            number = member.number(table)
            if number is not None:
                here = tuple(each.name for each in self.members if each.number(table))
                await member.tell(Presence(room=number, here=here, away=away))

    async def _play_house_seats(self, table: Table) -> None:
        """Seats of `/bot` add one at once, so that a game without people comes to its end."""
        for _ in range(GOAL):
            room = table.view["room"]
            if room["phase"] != "playing" or "bot" not in room["seats"][str(room["turn"][0])]:
                return
            if any(member.name.startswith("ticket") for member in self.members):
                return
            view = copy.deepcopy(table.view)
            view["game"]["count"] += 1
            view["room"]["turn"] = [room["turn"][0] % len(room["seats"]) + 1]
            text = f"The count is {view['game']['count']}."
            if view["game"]["count"] >= GOAL:
                view["room"].update(phase="over", turn=[])
                text = "The count is reached. It is over."
            await self.change(table, view, text)

    async def _enter(self, member: Member, table: Table) -> RoomNumber:
        number = member.number(table) or RoomNumber(len(member.rooms) + 1)
        member.rooms[number] = table
        await member.tell(table.snapshot(number, self._eyes(member, table)))
        return number

    def _eyes(self, member: Member, table: Table) -> tuple[int, ...]:
        if member.name.startswith("ticket"):
            return (int(member.name.split()[2]),)
        seats = table.view["room"]["seats"]
        return tuple(int(seat) for seat, who in seats.items() if who["name"] == member.name)

    async def _offer(self, table: Table) -> None:
        """Tell those who want moves and are to move what they may say."""
        for member in self.members:
            number = member.number(table)
            for seat in table.view["room"]["turn"]:
                if number and "moves" in member.hello.wants and seat in self._eyes(member, table):
                    await member.tell(
                        Moves(
                            room=number,
                            version=Version(table.version),
                            seat=seat,
                            lines=("/add 1", "/add 2"),
                        )
                    )


def _outside_of_the_socket(socket: ServerConnection, request: Request) -> Response | None:
    """Elsewhere than at the socket's path a server has pages."""
    return None if request.path == "/ws" else socket.respond(HTTPStatus.OK, "ok\n")
