"""`python -m tests.tools.call_trace`: the files and calls that a line passes, frame to frames.

A room of two plays Manhattan on a journal in a file. Traced are the second player's `/join`, a line
of talk, an unknown command and the first canonical `/build`: each from its frame's arrival until
both players have what it leads to, each the first of its kind. Both come from an address, so that
limits are counted; they want nothing beside patches.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final

from bluebear.protocol import MSGPACK, Hello, Say
from bluebear.rules import games
from bluebear.rules.core.visibility import Seat
from bluebear.server.app import App, Outside
from bluebear.server.config import Config
from bluebear.server.limits import LOBBY_SECONDS, PRESENCE_SECONDS
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import SystemClock
from bluebear.server.store import SqliteStore
from tests.project import ratchet

ROOT: Final = Path(__file__).parents[2]
_PACKAGE: Final = f"{ROOT}/bluebear/"
OURS: Final = ("server", "protocol", "rules")
LINES: Final = ("join", "talk", "unknown", "build")
"""What is traced, by the names of the budgets."""

RUNS: Final = 3
"""The least of so many is counted: a timer of the server may fall into one."""
SEED: Final = 1
"""Equal draws, so that the same game is traced each time."""
BEAT_SECONDS: Final = 3600.0
"""The server looks at how it is after the trace."""

Calls = Counter[tuple[str, str]]
"""How often each function was called, by file and name."""


class Recipient:
    """A client's transport that keeps count of its frames."""

    address = "127.0.0.1"

    def __init__(self) -> None:
        self.frames = 0

    def push(self, frame: bytes) -> None:
        """A frame was sent to the client."""
        self.frames += 1

    def close(self, code: int, reason: str) -> None:
        """The server closed the connection; it has no reason to."""


REPLY_SECONDS: Final = 60.0
"""A line that has met a bug has no reply."""


class Table:
    """A room of two people on a server in this process."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.people: list[tuple[Connection, Recipient]] = []
        self._sent = 0

    async def arrive(self, name: str) -> Connection:
        """Connect a client and let it in."""
        recipient = Recipient()
        connection = self.app.dispatcher.connect(recipient, MSGPACK)
        if connection is None:
            raise SystemExit("the server refuses connections")
        self.people.append((connection, recipient))
        frame = MSGPACK.encode(Hello(name=name, langs=("en",), bot=True))
        await self._receive(connection, frame, [recipient])
        return connection

    async def send(self, connection: Connection, text: str, *, alone: bool = False) -> None:
        """Send a line; wait until all members of the room have a frame, or its sender `alone`."""
        await self._receive(connection, *self._frame_of(connection, text, alone=alone))

    def _frame_of(
        self, connection: Connection, text: str, *, alone: bool
    ) -> tuple[bytes, list[Recipient]]:
        """The frame of a line, and those who are to have one for it."""
        self._sent += 1
        number = next(iter(connection.rooms), None)
        waiting = [
            recipient
            for other, recipient in self.people
            if other is connection or (not alone and number in other.rooms)
        ]
        frame = MSGPACK.encode(Say(id=f"line{self._sent}", text=text, room=number))
        return frame, waiting

    async def traced(self, connection: Connection, text: str, *, alone: bool = False) -> Calls:
        """Send a line, and count the calls until its frames are out."""
        # Presence in the room, and the lobby's row after it, are sent before and not meanwhile.
        await asyncio.sleep(PRESENCE_SECONDS + 2 * LOBBY_SECONDS)
        sent = self._frame_of(connection, text, alone=alone)
        calls: Calls = Counter()

        def note(frame: FrameType, event: str, _: Any) -> None:  # Any: what the tracer hands on
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(_PACKAGE):
                name = code.co_filename.removeprefix(_PACKAGE)
                if name.startswith(OURS):
                    calls[name, code.co_qualname] += 1

        sys.setprofile(note)
        try:
            await self._receive(connection, *sent)
        finally:
            sys.setprofile(None)
        return calls

    async def _receive(
        self, connection: Connection, frame: bytes, waiting: list[Recipient]
    ) -> None:
        before = [recipient.frames for recipient in waiting]
        self.app.dispatcher.received(connection, frame)
        async with asyncio.timeout(REPLY_SECONDS):
            while any(  # noqa: ASYNC110 - an event would be traced, too
                recipient.frames == count for recipient, count in zip(waiting, before, strict=True)
            ):
                await asyncio.sleep(0)


async def trace() -> Mapping[str, Calls]:
    """The calls of each kind of line."""
    with tempfile.TemporaryDirectory() as folder:
        journal = SqliteStore(Path(folder) / "journal.sqlite")
        app = App(
            Config(house=False),
            journal,
            games(),
            SystemClock(),
            fresh=random.Random(SEED).randbytes,
            outside=Outside(beat=BEAT_SECONDS),
        )
        await app.open()
        try:
            return await _play(Table(app))
        finally:
            await app.close()


async def _play(table: Table) -> Mapping[str, Calls]:
    traced: dict[str, Calls] = {}
    ayu, ben = await table.arrive("Ayu"), await table.arrive("Ben")
    await table.send(ayu, "/newroom manhattan")
    room = next(iter(table.app.engine.live))
    await table.send(ben, f"/room {room}")
    await table.send(ayu, "/join")
    traced["join"] = await table.traced(ben, "/join")
    traced["talk"] = await table.traced(ben, "good luck")
    traced["unknown"] = await table.traced(ben, "/seats", alone=True)
    await table.send(ayu, "/start")
    live = table.app.engine.live[room]
    while "build" not in traced:
        turn = live.room.table.turn
        mover = next(each for each, _ in table.people if live.room.seat_of(each.person) in turn)
        line = _plain_line(live, mover)
        if line.startswith("/build"):
            traced["build"] = await table.traced(mover, line)
        else:
            await table.send(mover, line)
    return traced


def _plain_line(live: Any, mover: Connection) -> str:  # Any: a live room of a game known here
    """The first plain move of a player, as its canonical line."""
    seat: Seat = live.room.seat_of(mover.person)
    line: str = live.game.grammar.format(live.game.plain(live.room.game, seat)[0])
    return line


def counts() -> ratchet.Counts:
    """Files and calls of each kind of line, the least of some processes: each begins cold."""
    command = [sys.executable, "-m", "tests.tools.call_trace", "--counts"]
    runs: list[ratchet.Counts] = [
        json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)
        for _ in range(RUNS)
    ]
    return {name: min((run[name] for run in runs), key=_calls) for name in LINES}


def _calls(counted: Mapping[str, int]) -> int:
    return counted["calls"]


def main(argv: Sequence[str]) -> None:
    """Print the files of a `/build` by their calls, then a line for each kind; or their counts."""
    traced = asyncio.run(trace())
    counted = {
        name: {"files": len({file for file, _ in calls}), "calls": calls.total()}
        for name, calls in traced.items()
    }
    if argv == ["--counts"]:
        print(json.dumps(counted))
        return
    by_file: Counter[str] = Counter()
    for (file, _), number in traced["build"].items():
        by_file[file] += number
    for file, number in by_file.most_common():
        print(f"{number:5} {file}")
    for name, calls in traced.items():
        files = counted[name]["files"]
        print(f"/{name}: {calls.total()} calls, {len(calls)} functions, {files} files")


if __name__ == "__main__":
    main(sys.argv[1:])
