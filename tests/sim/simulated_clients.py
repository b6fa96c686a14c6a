"""People of the simulation: the SDK's own session on a wire, and a memory of all they saw."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import Context
from dataclasses import dataclass
from typing import Final, Protocol, TypeVarTuple, Unpack

from bluebear.clients.sdk.client_events import (
    Entered,
    Happening,
    NeedSync,
    Noted,
    Replied,
    Reply,
    RoomId,
    SeatWanted,
    Slowed,
    Synced,
    Updated,
    YourMove,
)
from bluebear.clients.sdk.mirror import RoomView
from bluebear.clients.sdk.nodes import Nodes
from bluebear.clients.sdk.session import ID_BYTES, ClientSession, SessionOutput, line_ids
from bluebear.clients.transport.errors import HelloRefused
from bluebear.protocol import (
    JSON,
    Ask,
    Branch,
    Codec,
    Hello,
    Lang,
    QueryKind,
    ReceivedKeys,
    RoomNumber,
    Say,
    Sync,
    Version,
    Want,
)
from tests.sim.network import Ending, Wire

PATIENCE_SECONDS: Final = 0.5
"""Between tries of a line that came to nothing just then."""
PATIENCE_TRIES: Final = 20
Ts = TypeVarTuple("Ts")
HOME: Final = "ws://simulation/ws"
"""The address of any server or node; others name a node."""
REFUSED: Final = "hello refused:"


class Ids(Iterator[str]):
    """Ids of lines; `count` of them are taken."""

    def __init__(self, start: bytes) -> None:
        self.prefix = next(line_ids(start)).removesuffix("1")
        self._ids = line_ids(start)
        self.count = 0

    def __next__(self) -> str:
        self.count += 1
        return next(self._ids)


SessionMaker = Callable[[Hello, Ids], ClientSession]


class Net(Protocol):
    """What people need of the world: a server to dial, chance of their own, a witness."""

    @property
    def session(self) -> SessionMaker:
        """Makes the sessions of people."""

    def dial(self, client: Person, codec: Codec, url: str) -> Wire | None:
        """A connection; None while there is no server at the address."""

    def chance_of(self, name: str) -> random.Random:
        """The random source of a person."""

    def witness(self, name: str, route: str, frame: bytes) -> None:
        """Something was sent or heard."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person saw of a room at a version; `step`: by an update, else by a snapshot.

    `text` are the sentences of the update.
    """

    version: Version
    eyes: frozenset[int]
    view: Branch
    step: bool
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saying:
    """A line that was said, and where."""

    text: str
    room: RoomId | None


class Person:
    """A person with a client that reconnects by itself as long as it `stays`."""

    may_be_refused = frozenset({"not_saved"})
    """What a hello may be refused with, and no fault of the server."""

    def __init__(
        self,
        net: Net,
        name: str,
        *,
        codec: Codec = JSON,
        lang: Lang = "en",
        wants: frozenset[Want] = frozenset({"text", "moves"}),
        bot: bool = False,
        token: str | None = None,
        password: str | None = None,
    ) -> None:
        self.net = net
        self.name = name
        self.codec = codec
        self.chance = net.chance_of(name)
        self._wires: dict[ClientSession, Wire] = {}
        self._keys: dict[Wire, ReceivedKeys] = {}
        self.stays = True
        self.person = ""
        self.endings: list[Ending] = []
        self.frames: list[bytes] = []
        self.events: list[Happening] = []
        self.sent_lines: dict[str, Saying] = {}
        self.replies: dict[str, list[Reply]] = {}
        self.doubled: set[str] = set()
        self.sent: Counter[str] = Counter()
        """How often each line went out, also to a server that had heard it."""
        self.sights: dict[RoomId, list[Sight]] = {}
        self.faults: list[str] = []
        self._waiting: dict[str, asyncio.Future[Reply]] = {}
        self._met = asyncio.Event()
        hello = Hello(
            name=None if token else name,
            token=token,
            langs=(lang,),
            wants=wants | {"moved"},
            bot=bot,
            password=password,
        )
        self._ids = Ids(self.chance.randbytes(ID_BYTES))
        self._hello = hello
        self.nodes = Nodes(net.session(hello, self._ids), self)

    @property
    def session(self) -> ClientSession:
        """The main session."""
        return self.nodes.main

    @property
    def wire(self) -> Wire | None:
        """The connection of the main session."""
        return self._wires.get(self.session)

    # Connections.

    def connect(self) -> None:
        """Dial the server; later again, if there is none."""
        if self.wire is None and self.stays:
            self.session.url = HOME
            self._open(self.session)

    def open(self, session: ClientSession, pause_seconds: float) -> None:
        """See `Wires`."""
        self._later(pause_seconds, self._open, session)

    def _open(self, session: ClientSession) -> None:
        if session not in self.nodes:
            return
        wire = self.net.dial(self, self.codec, session.url)
        if wire is None:
            asyncio.get_running_loop().call_soon(self._lost, session)
            return
        self._wires[session] = wire
        self._keys[wire] = ReceivedKeys()
        self._send(wire, self.codec.encode(session.connect(self.newest_token())))

    def close(self, session: ClientSession) -> None:
        """See `Wires`."""
        wire = self._wires.pop(session, None)
        if wire is not None:
            wire.hang_up()

    def do(self, session: ClientSession, output: SessionOutput) -> None:
        """See `Wires`."""
        self._do(session, output)

    def _lost(self, session: ClientSession) -> None:
        """The connection of a session is lost, or was not to be had."""
        self._wires.pop(session, None)
        if session in self.nodes and not self.nodes.lost(session):
            self._come_back()

    def newest_token(self) -> str | None:
        """A newer token than the session's own, if another connection of ours has got one."""
        return None

    def _come_back(self) -> None:
        asyncio.get_running_loop().call_later(self.chance.uniform(0.2, 3), self.connect)

    def go(self) -> None:
        """Close the connection and stay away."""
        self.stays = False
        for session in list(self.nodes):
            self.close(session)
            self.nodes.lost(session)

    def return_(self) -> None:
        """Come back."""
        self.stays = True
        self.connect()

    def ended(self, wire: Wire, ending: Ending) -> None:
        """See `network.Client`."""
        session = self._session_of(wire)
        if session is not None:
            self.endings.append(ending)
            self._lost(session)

    def on_frame(self, wire: Wire, frame: bytes) -> None:
        """See `network.Client`."""
        session = self._session_of(wire)
        if session is None:
            return
        self.net.witness(self.name, "<", frame)
        self.frames.append(frame)
        keys = self._keys[wire]
        message = self.codec.decode_server(frame.decode() if self.codec.text else frame, keys)
        try:
            step = session.receive(message)
        except HelloRefused as refused:
            self._refused(session, refused)
            return
        if self.session.mirror.welcome is not None:
            self.person = self.session.mirror.welcome.person
            self._met.set()
        self._do(session, step)

    def _session_of(self, wire: Wire) -> ClientSession | None:
        return next((each for each, its_wire in self._wires.items() if its_wire is wire), None)

    def _refused(self, session: ClientSession, refused: HelloRefused) -> None:
        self.close(session)
        if refused.code == "name_taken":
            # Our welcome got lost, and with it the token: the name is gone until it expires.
            self._hello = Hello(
                name=f"{self.name}{self.chance.randrange(1000)}",
                langs=self._hello.langs,
                wants=self._hello.wants,
                bot=self._hello.bot,
                password=self._hello.password,
            )
            self.nodes = Nodes(self.net.session(self._hello, self._ids), self)
        elif refused.code not in self.may_be_refused:
            self.faults.append(f"{REFUSED} {refused.code}")
        if session in self.nodes:
            self._lost(session)
        else:
            self._come_back()

    def _do(self, session: ClientSession, step: SessionOutput) -> None:
        wire = self._wires.get(session)
        for happening in self.nodes.handle(session, step):
            self._notice(happening)
        for message in step.send if wire is not None else ():
            if isinstance(message, Say) and message.id:
                self.sent[message.id] += 1
            if wire is not None:
                self._send(wire, self.codec.encode(message))
        for pause in (each.seconds for each in step.happened if isinstance(each, Slowed)):
            if wire is not None:
                self._later(pause, self._go_on, session, wire)

    def _later(self, seconds: float, act: Callable[[Unpack[Ts]], object], *args: *Ts) -> None:
        # In a context of its own: the node that has just sent something may die meanwhile.
        asyncio.get_running_loop().call_later(seconds, act, *args, context=Context())

    def _go_on(self, session: ClientSession, wire: Wire) -> None:
        if wire is self._wires.get(session):
            self._do(session, session.go_on())

    def _send(self, wire: Wire, frame: bytes) -> None:
        self.net.witness(self.name, ">", frame)
        wire.say(frame)

    # What is said.

    def say(self, text: str, room: RoomId | None = None, *, at: Version | None = None) -> str:
        """Say a line; its id. It goes out as soon as there is a connection."""
        session = self.nodes.session_of(room)
        line, step = session.say(text, room=room, at=at)
        self.sent_lines[line] = Saying(text, room)
        self._do(session, step)
        return line

    def repeat(self, line: str) -> None:
        """Say a line once more under its old id, as if its answer had got lost."""
        saying = self.sent_lines[line]
        session = self.nodes.session_of(saying.room)
        number = None if saying.room is None else session.mirror.number(saying.room)
        wire = self._wires.get(session)
        if wire is not None and session.welcomed and (number or saying.room is None):
            if line not in self.replies:
                self.doubled.add(line)
            self.sent[line] += 1
            message = Say(id=line, text=saying.text, room=number)
            self._send(wire, self.codec.encode(message))

    def raw(self, frame: bytes, room: RoomId | None = None) -> None:
        """Send bytes on the connection of a room."""
        wire = self._wires.get(self.nodes.session_of(room))
        if wire is not None:
            self._send(wire, frame)

    def sync(self, room: RoomId) -> None:
        """Ask for a snapshot."""
        number = self.number(room)
        if number is not None:
            self.raw(self.codec.encode(Sync(room=number)), room)

    def number(self, room: RoomId) -> RoomNumber | None:
        """The number of a room on its connection."""
        return self.nodes.session_of(room).mirror.number(room)

    def ask(self, what: QueryKind, room: RoomId | None = None, **args: str | int) -> None:
        """Ask something."""
        number = None if room is None else self.number(room)
        self.raw(
            self.codec.encode(Ask(id=next(self._ids), what=what, room=number, args=args)), room
        )

    async def line(
        self, text: str, room: RoomId | None = None, *, at: Version | None = None
    ) -> Reply:
        """Say a line in the room that one is in (or in the lobby), and wait for the answer."""
        here = room or (None if text.startswith(("/room ", "/newroom ")) else self.here)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[self.say(text, here, at=at)] = future
        return await future

    async def met(self) -> None:
        """Wait until the server knows us."""
        await self._met.wait()

    # What is seen.

    @property
    def here(self) -> RoomId | None:
        """The room that was entered last."""
        return next(reversed(self.session.mirror.rooms), None)

    @property
    def view(self) -> RoomView:
        """The room that one is in."""
        assert self.here is not None
        return self.session.mirror.rooms[self.here]

    @property
    def notes(self) -> list[Noted]:
        """All words that were for this person alone."""
        return [each for each in self.events if isinstance(each, Noted)]

    @property
    def text(self) -> list[str]:
        """All sentences of updates, in order."""
        return [line for each in self.events if isinstance(each, Updated) for line in each.text]

    def log_of(self, room: RoomId) -> list[str]:
        """The sentences that came with the newest snapshot of a room."""
        snapshots = (each for each in self.events if isinstance(each, Entered | Synced))
        logs = [each.log for each in snapshots if each.room == room]
        return [logged.text for logged in logs[-1]]

    def _notice(self, happening: Happening) -> None:
        self.events.append(happening)
        match happening:
            case Replied(reply=reply):
                self.replies.setdefault(reply.id, []).append(reply)
                self.on_reply(reply)
                waiting = self._waiting.pop(reply.id, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(reply)
            case Entered(room=room) | Synced(room=room):
                self._see(room, step=False)
            case Updated(room=room, text=text):
                self._see(room, text, step=True)
            case NeedSync(room=room):
                view = self.session.mirror.rooms[room]
                self.faults.append(f"does not fit: room {room} after version {view.version}")
            case YourMove():
                self.on_moves(happening)
            case SeatWanted():
                self.on_wanted(happening)
            case _:
                pass

    def _see(self, room: RoomId, text: tuple[str, ...] = (), *, step: bool) -> None:
        mirrored = self.session.mirror.rooms[room]
        sights = self.sights.setdefault(room, [])
        if step and sights and mirrored.version != sights[-1].version + 1:
            self.faults.append(f"{room}: {mirrored.version} after {sights[-1].version}")
        eyes = frozenset(int(seat) for seat in mirrored.eyes)
        sights.append(Sight(mirrored.version, eyes, mirrored.view, step, text))

    async def insist(self, text: str, room: RoomId | None = None) -> Reply:
        """Say a line until it is saved, and wait for the answer."""
        for _ in range(PATIENCE_TRIES):
            reply = await self.line(text, room)
            if reply.code != "not_saved":
                return reply
            await asyncio.sleep(PATIENCE_SECONDS)
        raise AssertionError(f"{self.name} cannot get it saved: {text}")

    def on_reply(self, reply: Reply) -> None:
        """A line was answered."""

    def on_moves(self, moves: YourMove) -> None:
        """Our legal lines have come."""

    def on_wanted(self, wanted: SeatWanted) -> None:
        """The server wants a seat played."""


class Mover(Person):
    """A person who plays by themselves: any legal line, after a moment's thought."""

    slowest = 1.0
    asleep = False
    is_sure = False
    """Whether the next line is meant, whatever speaks against it."""

    def on_moves(self, moves: YourMove) -> None:
        """Say one of the lines after a moment."""
        if not self.asleep:
            wait = self.chance.uniform(0.05, self.slowest)
            asyncio.get_running_loop().call_later(wait, self._move, moves)

    def on_reply(self, reply: Reply) -> None:
        """Try again what came to nothing through no fault of ours, or was asked about."""
        self.is_sure = reply.code == "rash"
        if reply.code in ("not_saved", "internal", "rash") and reply.room is not None:
            room = self.session.mirror.rooms.get(reply.room)
            for moves in () if room is None else room.moves.values():
                asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._move, moves)

    def _move(self, moves: YourMove) -> None:
        room = self.session.mirror.rooms.get(moves.room)
        if self.wire is not None and room is not None and room.moves.get(moves.seat) is moves:
            line = self.chance.choice(moves.lines)
            self.say(f"{line} !" if self.is_sure else line, moves.room, at=moves.version)
