"""`python -m tests.tools.call_trace`: the files and calls that a line passes, from socket to
socket.

A room of two plays Manhattan on a journal in a file; the mover's next canonical `/build` is traced
from the frame's arrival until both have the update. Clients want nothing beside patches.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, Final

from bluebear.protocol import MSGPACK, Hello, Say
from bluebear.rules import games
from bluebear.rules.core.visibility import Seat
from bluebear.server.app import App
from bluebear.server.clock import SystemClock
from bluebear.server.config import Config
from bluebear.server.edge.connection import Connection
from bluebear.server.journal import SqliteJournal

ROOT: Final = str(Path(__file__).parents[2])
OURS: Final = ("server", "protocol", "rules")
SETTLE_SECONDS: Final = 0.3


class Ear:
    """A link that counts what it gets."""

    address = ""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def push(self, frame: bytes) -> None:
        """A frame has come."""
        self.frames.append(frame)

    def close(self, code: int, reason: str) -> None:
        """Nobody closes here."""


async def trace() -> Counter[tuple[str, str]]:
    """How often each function of ours was called, by file and name."""
    with tempfile.TemporaryDirectory() as folder:
        journal = SqliteJournal(Path(folder) / "journal.sqlite")
        app = App(Config(house=False), journal, games(), SystemClock())
        await app.open()
        people = [await _arrive(app, name) for name in ("Ayu", "Ben")]
        (ayu, ear), (ben, _) = people
        await _say(app, ayu, "/newroom manhattan")
        room = next(iter(app.engine.live))
        await _say(app, ben, f"/room {room}")
        for connection, line in ((ayu, "/join"), (ben, "/join"), (ayu, "/start")):
            await _say(app, connection, line)
        live = app.engine.live[room]
        while not (line := _build(live)):
            for each in (ayu, ben):
                seat = live.room.seat_of(each.person)
                if seat in live.room.table.turn and live.game is not None and seat is not None:
                    move = live.game.plain(live.room.game, seat)[0]
                    await _say(app, each, live.game.grammar.format(move))
                    break
        mover = next(
            each for each, _ in people if live.room.seat_of(each.person) == live.room.table.turn[0]
        )
        calls: Counter[tuple[str, str]] = Counter()

        def note(frame: FrameType, event: str, _: Any) -> None:  # Any: what the tracer hands on
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(ROOT):
                name = code.co_filename.removeprefix(ROOT + "/").removeprefix("bluebear/")
                if name.startswith(OURS):
                    calls[name, code.co_qualname] += 1

        heard = len(ear.frames)
        number = next(iter(mover.rooms))
        frame = MSGPACK.encode(Say(id="traced", text=line, room=number))
        sys.setprofile(note)
        app.reception.received(mover, frame)
        while len(ear.frames) == heard:  # noqa: ASYNC110 - an event would be traced, too
            await asyncio.sleep(0)
        sys.setprofile(None)
        await app.close()
        return calls


def _build(live: Any) -> str:  # Any: a live room of a game that is known here
    """A canonical build of the seat to move, if it may build now."""
    seat = Seat(live.room.table.turn[0])
    lines = (live.game.grammar.format(move) for move in live.game.plain(live.room.game, seat))
    return next((line for line in lines if line.startswith("/build")), "")


async def _arrive(app: App, name: str) -> tuple[Connection, Ear]:
    ear = Ear()
    connection = app.reception.connect(ear, MSGPACK)
    if connection is None:
        raise SystemExit("the server takes nobody")
    app.reception.received(connection, MSGPACK.encode(Hello(name=name, langs=("en",), bot=True)))
    await asyncio.sleep(SETTLE_SECONDS)
    return connection, ear


async def _say(app: App, connection: Connection, text: str) -> None:
    said = Say(
        id=f"l{id(text)}{app.writer.entries}", text=text, room=next(iter(connection.rooms), None)
    )
    app.reception.received(connection, MSGPACK.encode(said))
    await asyncio.sleep(SETTLE_SECONDS)


def main() -> None:
    """Trace one line and say what it passes."""
    calls = asyncio.run(trace())
    by_file: Counter[str] = Counter()
    for (file, _), count in calls.items():
        by_file[file] += count
    for file, count in by_file.most_common():
        print(f"{count:5} {file}")
    by_top = Counter(file.split("/")[0] for file in by_file)
    print(f"{calls.total()} calls, {len(calls)} functions, {len(by_file)} files: {dict(by_top)}")


if __name__ == "__main__":
    main()
