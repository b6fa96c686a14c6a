"""Who sits at the tables of a run: four players in a room of the server, or of the bare relay."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgpack

from tests.tools.bench.random_move import Labels, random_line
from tests.tools.bench.wire import Connection, RunFailed, framed

SEATS = 4
_SUBPROTOCOL = "bluebear.v1.msgpack"
_SAY, _UPDATE, _DONE = 1, 2, 3
_DONE_AT = 5
_PARTS = {3: "patch", 4: "own", 5: "done", 6: "sum", 7: "events", 8: "text"}
"""Where the parts of an update stand in its frame."""

_pack: Callable[[object], bytes] = msgpack.packb
Frame = Any  # Any: whatever a server says


class Table:
    """Four clients, one of which sends a message that all four must receive.

    `finished` is called with the seconds it took when the last of the four has it. Owned by a run.
    """

    def __init__(self) -> None:
        self.finished: Callable[[Table, float], None] = lambda table, seconds: None
        self.busy = False
        self._began = 0.0
        self._missing = 0

    def begin(self, began: float) -> None:
        """Send the next thing; `began` is when it should have been sent."""
        self.busy = True
        self._began = began
        self._missing = SEATS
        self.send()

    def send(self) -> None:
        """Send the next thing."""
        raise NotImplementedError

    def arrived(self) -> None:
        """One of the four has got it."""
        self._missing -= 1
        if not self._missing:
            self.busy = False
            self.finished(self, time.perf_counter() - self._began)

    async def sit_down(self) -> None:
        """Connect, and get so far that the first thing can be sent."""
        raise NotImplementedError

    def leave(self) -> None:
        """All go."""
        raise NotImplementedError


class RelayClient(Connection):
    """Takes part in a room of the bare relay."""

    def __init__(self, address: str, table: RelayTable) -> None:
        super().__init__(address)
        self._table = table

    def message(self, payload: bytes) -> None:
        if payload != self._table.text:
            raise RunFailed(f"the relay said {payload!r}")
        self._table.arrived()


class RelayTable(Table):
    """Four clients of the bare relay, taking turns at sending 120 bytes."""

    def __init__(self, address: str, number: int) -> None:
        super().__init__()
        self._address = f"{address}/{number}"
        self.text = b"%0120d" % number
        self._frame = framed(self.text, text=True)
        self._clients: list[RelayClient] = []
        self._next = 0

    async def sit_down(self) -> None:
        loop = asyncio.get_running_loop()
        host, port = self._address.removeprefix("ws://").partition("/")[0].split(":")
        for _ in range(SEATS):
            _, client = await loop.create_connection(
                lambda: RelayClient(self._address, self), host, int(port)
            )
            await client.opened
            self._clients.append(client)

    def send(self) -> None:
        self._next = (self._next + 1) % SEATS
        self._clients[self._next].transport.write(self._frame)

    def leave(self) -> None:
        for client in self._clients:
            client.leave()


class Player(Connection):
    """A guest marked as a bot that keeps a mirror of its room."""

    def __init__(self, address: str, seen: Callable[[Player, int, Frame], None]) -> None:
        super().__init__(address, _SUBPROTOCOL)
        self._seen = seen
        self._prefix = secrets.token_urlsafe(12)
        self._sent_count = 0
        self._answers: dict[str, asyncio.Future[None]] = {}
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.synced: asyncio.Future[None] | None = None
        self.room = 0
        self.room_id = ""
        self.version = 0
        self.view: dict[Any, Any] = {}  # Any: the plain tree of a view, as it came
        self.labels = Labels()
        self.frames: Counter[str] = Counter()

    def seen(self, half: str) -> Any:  # Any: the plain tree of a view
        """What is seen of the room, or of the game; None before there is one."""
        return self.view.get(self.labels[half])

    def hello(self, name: str, wants: Sequence[str]) -> None:
        """Say who one is."""
        hello = {
            "type": "hello",
            "name": name,
            "langs": ["en"],
            "wants": ["short", *wants],
            "bot": True,
            "agent": "bench",
        }
        self.transport.write(framed(_pack(hello)))

    def say(self, text: str) -> str:
        """Send a line in the joined room, or in the lobby before that; returns its id."""
        self._sent_count += 1
        say_id = f"{self._prefix}{self._sent_count}"
        terms = [_SAY, say_id, text, self.room or None, self.version or None]
        self.transport.write(framed(_pack(terms)))
        return say_id

    async def wait_for_text(self, text: str) -> None:
        """Say a line and wait until it is done."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answers[self.say(text)] = answer
        await answer

    def message(self, payload: bytes) -> None:
        data = msgpack.unpackb(payload, strict_map_key=False)
        if type(data) is list:
            if data[0] == _UPDATE:
                self._update(data, len(payload))
            elif data[0] == _DONE:
                self._done(data[1])
        else:
            self._rarer(data, len(payload))

    def _update(self, update: Frame, size: int) -> None:
        version = update[2]
        if version != self.version + 1:
            raise RunFailed(f"update {version} after {self.version}")
        self.version = version
        for patch in update[3:5]:
            if patch is not None:
                merge(self.view, patch)
        if len(update) > _DONE_AT and update[_DONE_AT] is not None:
            self._done(update[_DONE_AT])
        self._seen(self, size, update)

    def _rarer(self, message: Frame, size: int) -> None:
        kind = message["type"]
        self.frames[kind] += size
        if kind == "room":
            if self.synced is not None and self.view != message["view"]:
                raise RunFailed(f"the mirror of version {self.version} is not the server's view")
            self.room, self.room_id = message["room"], message["id"]
            self.version, self.view = message["version"], message["view"]
            if self.synced is None:
                self._seen(self, 0, None)
            else:
                self.synced.set_result(None)
                self.synced = None
        elif kind == "game":
            self.labels = Labels(message["body"]["keys"])
        elif kind == "welcome":
            self.welcome.set_result(None)
        elif kind == "error":
            raise RunFailed(f"refused: {message}")

    def _done(self, say_id: str) -> None:
        answer = self._answers.pop(say_id, None)
        if answer is not None:
            answer.set_result(None)

    async def compare(self) -> None:
        """Ask for a snapshot and hold it against the mirror. Raises RunFailed."""
        self.synced = asyncio.get_running_loop().create_future()
        self.transport.write(framed(_pack({"type": "sync", "room": self.room})))
        await self.synced


class GameTable(Table):
    """Four players of Manhattan, game after game.

    `bytes` counts what updates of moves have cost, all four together, by part; `moves` counts the
    moves. What lies between two games belongs to no move.
    """

    def __init__(self, address: str, number: int, wants: Sequence[str] = ()) -> None:
        super().__init__()
        self._address = address
        self._number = number
        self._wants = wants
        self._chance = Random(number)
        self._playing = False
        self._sitting = False
        self._dealt: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.players: list[Player] = []
        self.bytes: Counter[str] = Counter()
        self.moves = 0

    async def sit_down(self) -> None:
        loop = asyncio.get_running_loop()
        host, port = self._address.removeprefix("ws://").partition("/")[0].split(":")
        for seat in range(1, SEATS + 1):
            _, player = await loop.create_connection(
                lambda: Player(self._address, self._seen), host, int(port)
            )
            await player.opened
            player.hello(f"b{self._number}s{seat}", self._wants)
            await player.welcome
            if seat == 1:
                await player.wait_for_text("/newroom manhattan unlisted")
            else:
                await player.wait_for_text(f"/room {self.players[0].room_id}")
            await player.wait_for_text("/join")
            self.players.append(player)
        await self.players[0].wait_for_text("/start")
        await self._dealt
        self._sitting = True

    def send(self) -> None:
        first = self.players[0]
        turn = first.seen("room")[first.labels["turn"]]
        self._playing = bool(turn)
        if turn:
            player = self.players[turn[0] - 1]
            player.say(random_line(player.seen("game"), turn[0], self._chance, player.labels))
        else:
            first.say("/again" if first.seen("game") else "/start")

    def _seen(self, player: Player, size: int, update: Frame) -> None:
        if not self._sitting:
            if len(self.players) == SEATS and all(each.seen("game") for each in self.players):
                self._dealt.set_result(None)
            return
        if self._playing:
            self.bytes["update"] += size
            if self._wants:
                self._weigh(update)
        self.arrived()

    def _weigh(self, update: Frame) -> None:
        for at in range(3, len(update)):
            if update[at] is not None:
                self.bytes[_PARTS[at]] += len(_pack(update[at]))

    def arrived(self) -> None:
        if self._playing and self._missing == 1:
            self.moves += 1
        super().arrived()

    async def compare(self) -> None:
        """Hold all four mirrors against the server's views. Raises RunFailed."""
        for player in self.players:
            await player.compare()
        tables = [player.seen("room") for player in self.players]
        if any(table != tables[0] for table in tables):
            raise RunFailed("the four see four tables")

    def leave(self) -> None:
        for player in self.players:
            player.leave()


def merge(target: dict[Any, Any], patch: dict[Any, Any]) -> None:
    """Apply a merge patch (RFC 7396) in place; nothing in it is shared with other objects."""
    for key, item in patch.items():
        if item is None:
            target.pop(key, None)
        elif type(item) is dict:
            below = target.get(key)
            if type(below) is dict:
                merge(below, item)
            else:
                made: dict[Any, Any] = {}  # Any: as above
                merge(made, item)
                target[key] = made
        else:
            target[key] = item
