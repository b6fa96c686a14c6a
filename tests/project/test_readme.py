"""The first screen of the README is a real game: its lines are typed, its answers compared."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bluebear.protocol import JSON, Error, Hello, Note, Room, RoomNumber, Say, ServerMessage, Update
from bluebear.rules import games
from bluebear.rules.core.phrases import Lang
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.rooms.connection import Connection
from tests.support.loop_clock import LoopClock
from tests.support.simulated_store import SimulatedStore

ROOT = Path(__file__).parents[2]
SHOWN_NUMBER = "123456"
SETTLES = 4
"""Turns of the loop in which all that a line leads to has happened."""
"""What the README calls the room; real numbers are drawn."""
GAME = re.compile(r"```text\n(.*?)```", re.DOTALL)


class Ear:
    """A link that keeps what one person hears."""

    address = "127.0.0.1"

    def __init__(self) -> None:
        self.received: list[ServerMessage] = []

    def push(self, frame: bytes) -> None:
        self.received.append(JSON.decode_server(frame))

    def close(self, code: int, reason: str) -> None:
        """Do nothing: no connection is closed in a README."""


def counted() -> Callable[[int], bytes]:
    """Bytes that are the same in every run."""
    numbers = itertools.count(7)
    return lambda size: next(numbers).to_bytes(size, "big")


def sentences(messages: list[ServerMessage]) -> Iterator[str]:
    """What a person reads of some frames."""
    for message in messages:
        if isinstance(message, Note | Error):
            yield from message.text.splitlines()
        elif isinstance(message, Update):
            yield from message.text or ()
        elif isinstance(message, Room):
            newest = max((logged.version for logged in message.log), default=0)
            yield from (each.text for each in message.log if each.version == newest)


async def played(transcript: str) -> str:
    """The transcript with its answers as the server gives them: `Name> line`, then the answers."""
    app = App(
        Config(house=False, bounded=False), SimulatedStore(), games(), LoopClock(), fresh=counted()
    )
    await app.open()
    people: dict[str, tuple[Ear, Connection]] = {}
    made = []
    ids = itertools.count()
    for line in transcript.splitlines():
        name, arrow, typed = line.partition("> ")
        if not arrow or line.startswith(" "):
            continue
        made.append(line)
        if name not in people:
            people[name] = await greet(app, name)
        ear, connection = people[name]
        ear.received.clear()
        number = next(iter(app.engine.live), SHOWN_NUMBER)
        room = next(iter(connection.rooms), None)
        text = typed.replace(SHOWN_NUMBER, number)
        say = Say(id=f"r{next(ids)}", text=text, room=room and RoomNumber(room))
        app.dispatcher.received(connection, JSON.encode(say))
        for _ in range(SETTLES):
            await app.writer.drain()
            await asyncio.sleep(0)
        made += ["    " + each.replace(number, SHOWN_NUMBER) for each in sentences(ear.received)]
    await app.close()
    return "\n".join(each.rstrip() for each in made) + "\n"


async def greet(app: App, name: str) -> tuple[Ear, Connection]:
    ear = Ear()
    connection = app.dispatcher.connect(ear, JSON)
    assert connection is not None
    lang: Lang = "en" if name.isascii() else "ja"
    hello = Hello(name=name, langs=(lang,), wants=frozenset({"text"}), bot=True)
    app.dispatcher.received(connection, JSON.encode(hello))
    for _ in range(SETTLES):
        await app.writer.drain()
        await asyncio.sleep(0)
    return ear, connection


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
async def test_the_game_in_the_readme_is_real(page: str) -> None:
    match = GAME.search((ROOT / page).read_text(encoding="utf-8"))
    assert match is not None, f"{page} has no game"
    assert match[1] == await played(match[1])


async def test_both_readmes_show_the_same_lines() -> None:
    typed = []
    for page in ("README.md", "README.ja.md"):
        match = GAME.search((ROOT / page).read_text(encoding="utf-8"))
        assert match is not None
        lines = [line for line in match[1].splitlines() if "> " in line and line[0] != " "]
        typed.append([line.partition("> ")[2].split(" ")[0] for line in lines])
    assert len(typed[0]) >= 10
    assert len(typed[0]) == len(typed[1])
