"""The fixture of the server's tests: a server in virtual time with clients, and what each receives.

A `Stage` is a complete server in virtual time with a journal in memory. People connect over fake
links, by turns on msgpack and on JSON. `say` returns what all clients received, as {name: [texts]}:
a client that is not in it received nothing. A refusal is shown as "! code", a note as
"(code) text", a snapshot of the room as "(snapshot)"; where the snapshot stands for one step, the
step's sentences are shown.

In every test the stage checks the promises: each line gets one reply; a refused line changes
neither room nor journal; every mirror follows version by version and equals the server's view;
folding the journal, and dumping and loading, give the same room; what an entry reports as changed
is exactly what differs.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from bluebear.protocol import JSON, MSGPACK, Codec, Hello, RoomNumber, Say, Sync, Version, Want, crc
from bluebear.protocol import Room as Snapshot
from bluebear.rules import games
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import Seat
from bluebear.server.app import App, Outside
from bluebear.server.config import Config
from bluebear.server.room.snapshot import dump_room, load_room
from bluebear.server.room.state import Room
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.loading import read_room
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.rooms.views import eyes_of
from bluebear.server.store import Entry, StreamId, streams
from tests.server.listener import Listener
from tests.server.room.changes import folded
from tests.sim.virtual_loop import SELDOM_SECONDS, VirtualLoop, sleep_days
from tests.support.loop_clock import LoopClock
from tests.support.simulated_store import SimulatedStore
from tests.support.views import view_of

WANTS: Final[frozenset[Want]] = frozenset({"text", "moves"})
"""The default subscriptions of all clients; the clients that speak msgpack, by initial."""

T = TypeVar("T")

Received = dict[str, list[str]]
"""Who heard what; who is not in it heard nothing."""

GAMES: Final = games(("bluebear.rules", "tests.games"))
NO_HOUSE: Final = Config(house=False)
_PATIENT: Final = 1_000_000


class Stage:
    """A server, the people who are connected to it, and the room that the scene is about."""

    def __init__(
        self,
        journal: SimulatedStore | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
        config: Config = NO_HOUSE,
        drawn: int = 0,
        entry_hash: str = "",
    ) -> None:
        # Any: each game has a state class of its own.
        self.loop = VirtualLoop()
        self.journal = journal or SimulatedStore()
        self.games = games
        self.config = config
        self.entry_hash = entry_hash
        self.people: dict[str, Listener] = {}
        self.room_id = ""
        self._numbers = 0
        self._fresh = drawn
        self.rules_changed = False
        self.app = self._app()

    def _app(self) -> App:
        return App(
            self.config,
            self.journal,
            self.games,
            LoopClock(),
            self._bytes,
            outside=Outside(beat=SELDOM_SECONDS, entry_hash=self.entry_hash),
        )

    def _bytes(self, count: int) -> bytes:
        """Fresh bytes that are the same in every run."""
        self._fresh += 1
        return hashlib.shake_256(str(self._fresh).encode()).digest(count)

    def __enter__(self) -> Self:
        self.run(self.app.open())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.settle()
                self.check()
            self.run(self.app.close())
            left = asyncio.all_tasks(self.loop)
            assert kind is not None or not left, f"tasks are left: {left}"
        finally:
            self.loop.close()

    # The loop.

    def run(self, work: Coroutine[Any, Any, T]) -> T:  # Any: results that no caller uses
        """Run something in the scene's loop, for what it gives."""
        return self.loop.run_until_complete(work)

    def during(self, act: Callable[[], object]) -> None:
        """Do something within the loop, and let everything happen that it leads to."""

        async def do() -> None:
            act()

        self.run(do())
        self.settle()

    def settle(self) -> None:
        """Let everything happen that is under way, without a moment passing."""
        self.run(self._settle())

    async def _settle(self) -> None:
        quiet = 0
        while quiet < 4:
            await self.app.writer.drain()
            await asyncio.sleep(0)
            engine = self.app.engine
            idle = self.app.tasks.quiet and engine.tasks.quiet and engine.recorder.tasks.quiet
            quiet = quiet + 1 if idle else 0

    @property
    def now(self) -> int:
        """The time of day in ms, as the server has it."""

        async def look() -> int:
            return self.app.clock.now()

        return self.run(look())

    def wait(self, seconds: float) -> Received:
        """Let time pass; what was heard meanwhile."""
        self._forget()
        self.run(asyncio.sleep(seconds))
        self.settle()
        return self._take_received()

    def wait_days(self, days: int) -> None:
        """Let days pass, see `sleep_days`."""
        self.run(sleep_days(days))
        self.settle()

    def wait_only(self, seconds: float) -> None:
        """Let time pass, and wait for nothing that is under way."""
        self.run(asyncio.sleep(seconds))

    # People.

    def come(
        self,
        *names: str,
        lang: Lang = "en",
        bot: bool = False,
        hasty: bool = False,
        address: str = "",
    ) -> None:
        """People connect and say hello; `hasty` ones are held to the rate of lines."""
        for name in names:
            self.connect(name, lang=lang, bot=bot, hasty=hasty, address=address)

    def connect(
        self,
        name: str,
        *,
        client_name: str = "",
        token: str | None = None,
        lang: Lang = "en",
        bot: bool = False,
        hasty: bool = False,
        address: str = "",
    ) -> Listener:
        """One connection says hello; the scene calls it `client_name`, else by its name."""
        listener = self.dial(client_name or name, address=address)
        self.hello(client_name or name, token, called=name, lang=lang, bot=bot)
        if not hasty and listener.connection is not None and listener.connection.greeted:
            now = self.loop.time()
            listener.connection.greet(now, burst=_PATIENT, per_second=_PATIENT)
        return listener

    def hello(
        self,
        name: str,
        token: str | None = None,
        *,
        called: str = "",
        lang: Lang = "en",
        bot: bool = False,
    ) -> Received:
        """Who has connected says hello, as a new guest or by a token."""
        hello = Hello(
            name=None if token else called or name,
            token=token,
            langs=(lang,),
            wants=WANTS | ({"short"} if self.people[name].codec is MSGPACK else set()),
            bot=bot,
        )
        return self.frame(name, self.people[name].codec.encode(hello))

    def dial(self, client_name: str, *, address: str = "", codec: Codec | None = None) -> Listener:
        """A client connects and sends nothing yet."""
        chosen = codec or (JSON if len(self.people) % 2 else MSGPACK)
        listener = Listener(client_name, chosen, address or client_name)
        self.people[client_name] = listener

        async def connect() -> None:
            listener.connection = self.app.dispatcher.connect(listener, chosen)

        self.run(connect())
        return listener

    def frame(self, name: str, frame: bytes | str) -> Received:
        """A client sends a frame. Returns what all clients receive."""
        self._forget()
        self.throw(name, frame)
        self.settle()
        return self._take_received()

    def throw(self, name: str, frame: bytes | str) -> None:
        """A client sends a frame; do not wait for its effect."""
        connection = self.people[name].connection
        assert connection is not None

        async def receive() -> None:
            self.app.dispatcher.received(connection, frame)

        self.run(receive())

    def drop(self, name: str) -> Received:
        """A client's connection breaks."""
        self._forget()
        connection = self.people.pop(name).connection
        assert connection is not None

        async def disconnect() -> None:
            self.app.dispatcher.on_disconnect(connection)

        self.run(disconnect())
        self.settle()
        return self._take_received()

    def back(self, name: str, token: str) -> Received:
        """A client connects again and joins the room."""
        self.connect(name, token=token)
        return self.say(name, f"/room {self.room_id}", lobby=True)

    # Lines.

    def send(
        self,
        name: str,
        text: str,
        *,
        at: int | None = None,
        lobby: bool = False,
        say_id: str = "",
    ) -> str:
        """A client sends a line; do not wait for the reply. Returns the line's id."""
        listener = self.people[name]
        self._numbers += 1
        say_id = say_id or f"line{self._numbers}"
        room = None if lobby else listener.room
        intended = None if at is None else Version(at)
        sent = Say(id=say_id, text=text, room=room, at=intended)
        self.throw(name, listener.codec.encode(sent))
        return say_id

    def say(
        self, name: str, text: str, *, at: int | None = None, lobby: bool = False, say_id: str = ""
    ) -> Received:
        """A client sends a line, which gets exactly one reply. Returns what all clients receive."""
        self._forget()
        listener = self.people[name]
        before = self._state()
        say_id = self.send(name, text, at=at, lobby=lobby, say_id=say_id)
        self.settle()
        assert listener.answers.pop(say_id, 0) == 1, f"one answer to {text!r}"
        received = self._take_received()
        if received == {name: received.get(name)} and len(received[name]) == 1:
            if received[name][0].startswith("! "):
                assert self._unchanged(before), "a refused line changes nothing"
        return received

    def play(self, name: str, *lines: str) -> None:
        """Clients send lines that are all accepted."""
        for line in lines:
            received = self.say(name, line)
            wrong = [each for each in received.get(name, []) if each.startswith("! ")]
            assert not wrong, f"{line!r} was refused: {wrong}"

    def refused(self, name: str, text: str, *, at: int | None = None, lobby: bool = False) -> str:
        """A client sends a line; check that it is refused and no other client gets a frame.

        Its code.
        """
        received = self.say(name, text, at=at, lobby=lobby)
        assert list(received) == [name], received
        [answer] = received[name]
        assert answer.startswith("! "), answer
        return answer[2:]

    def sync(self, name: str) -> Received:
        """A client requests a snapshot of the room."""
        listener = self.people[name]
        assert listener.room is not None
        return self.frame(name, listener.codec.encode(Sync(room=listener.room)))

    # Rooms.

    def table(self, game: str, *seated: str, watching: Sequence[str] = (), kind: str = "") -> None:
        """The first makes a room, all of them take seats; others come to watch."""
        host, *rest = seated
        for name in (*seated, *watching):
            if name not in self.people:
                self.come(name)
        self.say(host, f"/newroom {game} {kind or 'unlisted'}", lobby=True)
        self.room_id = str(self.people[host].last(Snapshot).id)
        self.play(host, "/join")
        for name in rest:
            self.enter(name)
            self.play(name, "/join")
        for name in watching:
            self.enter(name)

    def game(
        self, game: str, *seated: str, watching: Sequence[str] = (), options: Sequence[str] = ()
    ) -> None:
        """A table at which the game has begun."""
        self.table(game, *seated, watching=watching)
        for option in options:
            self.play(seated[0], f"/option {option}")
        self.play(seated[0], "/start")

    def house_bot(self, seat: Seat) -> Connection:
        """A house bot that is in the room at its seat."""
        link, handler = Listener(f"bot {seat}", JSON, ""), self.app.requests
        bot = Connection(link, JSON, self.app.budgets, 0.0, handler)
        bot.house_seat, bot.is_house = seat, True
        self.during(lambda: self.live.attach(bot))
        return bot

    def enter(self, name: str, room: str = "", password: str = "") -> None:
        """A client joins the test's room, or another one."""
        received = self.say(name, f"/room {room or self.room_id} {password}".strip(), lobby=True)
        assert "(snapshot)" in received[name], received

    @property
    def live(self) -> RoomActor:
        """The room of the scene as the server has it."""
        result = self.app.engine.room(self.room_id)
        assert result is not None, "the room is in memory"
        return result

    @staticmethod
    def number(number: int) -> RoomNumber:
        """The room's number in a client's frames."""
        return RoomNumber(number)

    def live_ids(self) -> list[str]:
        """The rooms in memory."""
        return list(self.app.engine.live)

    @property
    def room(self) -> Room:
        """The room's committed state."""
        return self.live.room

    def seat_of(self, name: str) -> Seat | None:
        """The seat of a client."""
        return self.room.seat_of(self.people[name].id)

    def entries(self, stream: str = "") -> list[Entry]:
        """What the journal has of the room, or of another stream."""
        return self.run(self.journal.read(streams.load, StreamId(stream or self.room_id)))

    def to_move(self) -> str:
        """The name at the seat that is to move."""
        [seat] = self.room.table.turn
        return self.room.name_of(seat)

    def restart(self) -> None:
        """The server stops and another one starts; all clients have to connect again."""
        self.run(self.app.close())
        self._up()

    def crash(self) -> None:
        """The server is killed and another one starts; all clients have to connect again."""
        self.app.engine.stop()
        self.app.features.close()
        self.settle()
        self._up()

    def _up(self) -> None:
        self.people.clear()
        self.app = self._app()
        self.run(self.app.open())

    def play_by(self, games: Mapping[str, Game[Any]]) -> None:
        """Servers have other rules from the next one on."""
        self.games, self.rules_changed = games, True

    # Hearing.

    def to_all(self, *sentences: str) -> Received:
        """All who are in the room hear the same."""
        return {
            name: list(sentences) for name, each in self.people.items() if each.room is not None
        }

    def _forget(self) -> None:
        for listener in self.people.values():
            listener.received = []

    def _take_received(self) -> Received:
        return {name: each.received for name, each in self.people.items() if each.received}

    # What always holds.

    def _state(self) -> tuple[Room | None, int]:
        """The room, if it is in memory, and the length of its journal."""
        live = self.app.engine.room(self.room_id)
        stored = len(self.entries()) if self.room_id else 0
        return None if live is None else live.room, stored

    def _unchanged(self, before: tuple[Room | None, int]) -> bool:
        """Whether nothing was written; a room that slept may have been loaded."""
        room, stored = self._state()
        return stored == before[1] and before[0] in (None, room)

    def check(self) -> None:
        """The promises that hold after every scene."""
        for live in list(self.app.engine.live.values()):
            if live.exists:
                if live.room.table.lesson is None:  # else nothing of it is stored
                    self._check_room(live.room)
                self._check_mirrors(live)

    def _check_room(self, room: Room) -> None:
        entries = self.entries(room.table.id)
        assert [entry.seq for entry in entries] == list(range(1, room.version + 1))
        loaded = self.run(read_room(self.journal, self.games, room.table.id))
        assert loaded is not None
        assert loaded.room == room, "loading gives the room"
        if not self.rules_changed:
            assert folded(entries, self.games) == room, "folding the journal gives the room"
            assert load_room(dump_room(room, self.games), self.games) == room

    def _check_mirrors(self, live: RoomActor) -> None:
        for client in live.present.members:
            assert isinstance(client, Connection)
            link = client.transport
            if isinstance(link, Listener) and len(client.rooms) == 1:
                room, eyes = live.room_for(client), eyes_of(client, live.room)
                expected = view_of(room, live.game, eyes)
                assert link.version == room.version_for(eyes)
                assert crc(link.view) == crc(expected), "the mirror equals the view"
