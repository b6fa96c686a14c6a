"""Does the SDK follow a room to its node? The cases are shared with the page's SDK.

Actions: `say` a line, its room; a `frame` of a connection; a connection is `lost`; `wait` seconds.
Effects: `open` a connection, `send` on it, `close` it; `reply` to a line; a room is `joined` or
`left`, or its node is `noted` as not reached. Connections are numbered as they are opened; lines
called `~1` are the SDK's own.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.exceptions import ConnectionClosedError

from bluebear.clients.sdk import Client, ClientError, Noted, Unreachable
from bluebear.clients.sdk import client as client_module
from bluebear.clients.sdk.client_events import RoomId
from bluebear.clients.transport.heartbeat import Heartbeat
from bluebear.clients.transport.websocket import CloseInfo
from bluebear.protocol import JSON, ClientMessage, Codec, ServerMessage, crc
from tests.sim.cluster_mutants import MUTANTS
from tests.sim.virtual_loop import run

TABLE: Final = json.loads((Path(__file__).parent / "moved_cases.json").read_text())
SETTLE_SECONDS: Final = 0.001
Effect = list[Any]  # Any: JSON


class FakeWire:
    """The client's end of a connection, see `websocket.Wire`."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.inbox: asyncio.Queue[ServerMessage | None] = asyncio.Queue()
        self.is_closed = False

    def put(self, messages: Iterable[ClientMessage]) -> None:
        for message in messages:
            self.world.sent(self.number, json.loads(JSON.encode(message)))

    async def send(self, messages: Iterable[ClientMessage]) -> None:
        self.put(messages)

    async def receive(self) -> ServerMessage | None:
        message = await self.inbox.get()
        if message is None:
            self.is_closed = True
            raise ConnectionClosedError(None, None)
        return message

    async def watch(self, pulse: Heartbeat) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.world.effects.append(["close", self.number])

    def ending(self) -> CloseInfo:
        return CloseInfo()


class World:
    """The nodes of a case, and what a client does with them."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.home = case.get("home", TABLE["home"])
        self.nodes = case.get("nodes", TABLE["nodes"])
        self.refuses, self.hangs = case.get("refuses", ()), case.get("hangs", ())
        self.effects: list[Effect] = []
        self.wires: dict[int, FakeWire] = {}
        self.ids: dict[str, str] = {}
        """Ids of lines by their names in the case."""
        self.unsent: dict[str, str] = {}
        """Names of lines without an id, by their texts."""
        self.opened = 0

    async def connect(self, url: str, codec: Codec) -> FakeWire:
        self.opened += 1
        number = self.opened
        self.effects.append(["open", number, url])
        if number > 1 and url in self.refuses:
            raise Unreachable("unreachable", "")
        if url in self.hangs:
            try:
                await asyncio.Event().wait()
            finally:
                self.effects.append(["close", number])
        wire = self.wires[number] = FakeWire(self, number)
        if number == 1:
            self.frame(1, {"type": "welcome", "nodes": self.nodes})
        return wire

    def sent(self, number: int, message: dict[str, Any]) -> None:
        shown_keys = {"hello": ("type", "token", "beside"), "say": ("type", "id", "text", "room")}
        shown = {key: message[key] for key in shown_keys[message["type"]] if message.get(key)}
        if "id" in shown:
            names = {line: name for name, line in self.ids.items()}
            label = f"~{sum(each[0] == '~' for each in self.ids) + 1}"
            name = names.get(shown["id"]) or self.unsent.pop(shown["text"], label)
            self.ids[name], shown["id"] = shown["id"], name
        self.effects.append(["send", number, shown])

    def frame(self, number: int, given: dict[str, Any]) -> None:
        frame = {**TABLE["frames"].get(given["type"], {}), **given}
        if frame["type"] == "room":
            frame["sum"] = crc(frame["view"])
        elif "id" in frame:
            frame["id"] = self.ids[frame["id"]]
        self.wires[number].inbox.put_nowait(JSON.decode_server(json.dumps(frame)))


async def replied(world: World, client: Client, name: str, text: str, room: RoomId | None) -> None:
    world.unsent[text] = name
    reply = await client.say(text, room=room)
    world.effects.append(["reply", name, "ok" if reply.ok else reply.code])


async def listen(world: World, client: Client) -> None:
    async for event in client.happenings():
        if isinstance(event, Noted) and event.code == "moved":
            world.effects.append(["noted", event.room])


async def play(world: World, steps: list[tuple[list[Any], list[Effect]]]) -> None:
    async with Client(world.home, name="Ayu", jitter=lambda: 0.0) as client:
        world.effects.clear()
        lines = []
        listening = asyncio.create_task(listen(world, client))
        for action, expected in steps:
            before = set(client.mirror.rooms)
            match action:
                case ["say", name, text, *where]:
                    room = RoomId(where[0]) if where else None
                    lines.append(asyncio.create_task(replied(world, client, name, text, room)))
                case ["frame", number, frame]:
                    world.frame(number, frame)
                case ["lost", number]:
                    world.wires[number].inbox.put_nowait(None)
                case ["wait", seconds]:
                    await asyncio.sleep(seconds)
                case unknown:
                    pytest.fail(f"no such action: {unknown}")
            await asyncio.sleep(SETTLE_SECONDS)
            after = set(client.mirror.rooms)
            world.effects += [["left", room] for room in before - after]
            world.effects += [["joined", room] for room in after - before]
            assert _by_connection(world.effects) == _by_connection(expected), action
            world.effects.clear()
    await listening
    for outcome in await asyncio.gather(*lines, return_exceptions=True):
        assert outcome is None or isinstance(outcome, ClientError)


def _by_connection(effects: list[Effect]) -> list[Effect]:
    """What is one connection's stays in order; the order between them is free."""
    return sorted(effects, key=lambda each: str(each[1]))


CASES: Final = [
    pytest.param(
        case, id=case["name"], marks=[pytest.mark.expects_log] if case.get("complains") else []
    )
    for case in TABLE["cases"]
]


@pytest.mark.parametrize("case", CASES)
def test_a_room_is_followed(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(case)
    monkeypatch.setattr(client_module, "open_wire", world.connect)
    run(play(world, case["steps"]))


def test_a_client_that_takes_late_answers_for_new_ones_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [late] = [each for each in TABLE["cases"] if each["name"].startswith("a room that moves takes")]
    world = World(late)
    monkeypatch.setattr(client_module, "open_wire", world.connect)
    with MUTANTS["late replies count"](), pytest.raises(AssertionError):
        run(play(world, late["steps"]))
