"""`python -m tests.tools.cluster.proxy_topology`: what docker-compose.yml draws, as plain
processes.

HAProxy by deploy/haproxy.cfg before two edges, two engines, PostgreSQL. It says whether an address
always reaches one edge, whether edges see the address of each client and no client can forge it,
and what happens to people whose edge is killed: whether they come back at the other one into their
rooms, with no answered line lost or doubled, and how long that took.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import asyncpg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from bluebear.server.limits import CONNECTIONS_PER_ADDRESS
from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs
from tests.tools.cluster.load import ended
from tests.tools.servers import ROOT, begin, end, free_port, last_lines, python

ENGINES: Final = ("engine-1", "engine-2")
EDGES: Final = ("edge-1", "edge-2")
CALLERS: Final = tuple(f"127.0.0.{number}" for number in range(2, 34))
FORGED: Final = {"Forwarded": "for=203.0.113.7", "X-Forwarded-For": "203.0.113.7"}
PAUSE_SECONDS: Final = 0.5
READY_SECONDS: Final = 120.0
PLAY_SECONDS: Final = 2.0
JSON: Final = Subprotocol("bluebear.v1.json")
_WRITTEN: Final = "SELECT client_id FROM bluebear.entry WHERE stream = $1 ORDER BY seq"


def configured(text: str, port: int, edges: dict[str, int]) -> str:
    """The configuration for this machine's processes: ports differ, and how many may connect, since
    each connection takes two open files.
    """
    text = text.replace("maxconn 20000", "maxconn 2000")
    text = text.replace("bind :8765", f"bind 127.0.0.1:{port}")
    for name, number in edges.items():
        text = text.replace(f"{name}:8765", f"127.0.0.1:{number}")
    return text


class Guest:
    """A client at an address of this machine, which talks in a room and resumes by its token."""

    def __init__(self, port: int, name: str, caller: str) -> None:
        self.name, self.caller = name, caller
        self.room = ""
        self.sent_lines: list[str] = []
        self.returned: list[float] = []
        """Seconds from each lost connection to the next answer."""
        self._url = f"ws://127.0.0.1:{port}/ws"
        self._token = ""
        self._entered = 0
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self, room: str = "") -> None:
        """Come in, into that room or a new one, and talk from now on."""
        await self._arrive()
        await self._enter(f"/room {room}" if room else "/newroom manhattan")
        self._task = asyncio.create_task(self._talk())

    async def _enter(self, line: str) -> None:
        """Say what leads into a room, and wait for it."""
        self._entered += 1
        await self._send({"type": "say", "id": f"{self.name}-in{self._entered}", "text": line})
        while (frame := await self._hear())["type"] != "room":
            assert frame["type"] != "error", frame
        self.room = frame["id"]

    async def stop(self) -> None:
        """Talk no more. Raises what went wrong."""
        await ended(self._task)
        if self._socket is not None:
            await self._socket.close()

    async def _arrive(self) -> None:
        while True:
            try:
                self._socket = await connect(
                    self._url, subprotocols=[JSON], local_addr=(self.caller, 0)
                )
                break
            except (OSError, InvalidStatus, EOFError):
                await asyncio.sleep(PAUSE_SECONDS)
        hello = {"type": "hello", "protocol": [1, 1], "langs": ["en"], "bot": True}
        await self._send(hello | ({"token": self._token} if self._token else {"name": self.name}))
        while (frame := await self._hear())["type"] != "welcome":
            pass
        self._token = frame["token"]

    async def _talk(self) -> None:
        while True:
            line = f"{self.name}-{len(self.sent_lines) + 1}"
            lost = 0.0
            while True:
                try:
                    if lost and self._socket is None:
                        await self._arrive()
                        await self._enter(f"/room {self.room}")
                    await self._say(line)
                    break
                except ConnectionClosed:
                    lost, self._socket = lost or time.monotonic(), None
            if lost:
                self.returned.append(time.monotonic() - lost)
            self.sent_lines.append(line)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _say(self, line: str) -> None:
        """Say a line in the only room, again under its id until it is saved."""
        while True:
            await self._send({"type": "say", "id": line, "room": 1, "text": f"said {line}"})
            while True:
                frame = await self._hear()
                if frame.get("done") == line or (frame["type"] == "done" and frame["id"] == line):
                    return
                if frame["type"] == "error" and frame.get("id") == line:
                    break
            assert frame["code"] == "not_saved", frame
            await asyncio.sleep(PAUSE_SECONDS)

    async def _send(self, frame: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(frame))

    async def _hear(self) -> dict[str, Any]:
        assert self._socket is not None
        async with asyncio.timeout(READY_SECONDS):
            frame: dict[str, Any] = json.loads(await self._socket.recv())
        return frame


class Topology:
    """All processes, over the database at `url`; `port` is the proxy's."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.port = free_port()
        self._folder = folder
        self._edges = {name: free_port() for name in EDGES}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start all."""
        (self._folder / "secret").write_text("x" * 32)
        for name in ENGINES:
            listens = f"unix:{self._folder / name}"
            self._node(name, "--role", "engine", "--listen", listens, "--no-house-bots")
        for name in EDGES:
            self.start_edge(name)
        text = (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
        path = self._folder / "haproxy.cfg"
        path.write_text(configured(text, self.port, self._edges), encoding="utf-8")
        subprocess.run(["haproxy", "-c", "-q", "-f", path], check=True)
        print("haproxy -c: valid")
        self._begin("haproxy", ["haproxy", "-f", str(path)])

    async def until_both(self) -> None:
        """Wait until the proxy finds both edges well."""

        async def both() -> bool:
            return {await self.edge_of(each) for each in CALLERS} == set(EDGES)

        await _until(both)

    def start_edge(self, name: str) -> None:
        """Start an edge, maybe again."""
        arguments = ("--port", str(self._edges[name]), "--trusted-proxy", "127.0.0.1")
        self._node(name, "--role", "edge", *arguments)

    def _node(self, name: str, *arguments: str) -> None:
        given = ["--node", name, "--store", self.url, "--data", str(self._folder / f"data-{name}")]
        given += ["--link-secret", str(self._folder / "secret"), *arguments]
        self._begin(name, python("bluebear", "serve", *given))

    def _begin(self, name: str, command: Sequence[str]) -> None:
        self._running[name] = begin(command, self._folder / f"{name}.log")

    def kill(self, name: str) -> None:
        """End a process without a word."""
        self._running[name].kill()
        self._running[name].wait()

    async def edge_of(self, caller: str) -> str:
        """The edge that replies to this address; nothing while no healthy edge does."""
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(caller, 0)
            )
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answer = await reader.read()
        except OSError:
            return ""
        writer.close()
        match = re.search(rb'"node": ?"(edge-\d)', answer)
        is_well = answer.startswith(b"HTTP/1.1 200")
        return match[1].decode() if match and is_well else ""

    def close(self) -> None:
        """End all."""
        end(*self._running.values())


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds. Raises TimeoutError."""
    async with asyncio.timeout(READY_SECONDS):
        while True:
            if await holds():
                return
            await asyncio.sleep(PAUSE_SECONDS)


@asynccontextmanager
async def topology() -> AsyncIterator[Topology]:
    """All of it, until this is over."""
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as database,
        tempfile.TemporaryDirectory() as folder,
        private_postgres(Path(database)) as url,
    ):
        made = Topology(url, Path(folder))
        try:
            made.start()
            await made.until_both()
            yield made
        except BaseException:
            sys.stderr.write(last_lines(Path(folder)))
            raise
        finally:
            made.close()


async def hashed(made: Topology) -> dict[str, str]:
    """Whether each address comes to one edge, however often it calls; which."""
    results = {each: await made.edge_of(each) for each in CALLERS}
    for _ in range(3):
        assert {each: await made.edge_of(each) for each in CALLERS} == results
    reported = Counter(results.values())
    print(f"{len(results)} addresses, four calls each: {dict(reported)}, each always at one edge")
    return results


async def bounded(made: Topology, edges: dict[str, str]) -> None:
    """Whether an edge sees who calls: one address is full, its neighbour at that edge is not."""
    full, other = [each for each, edge in edges.items() if edge == EDGES[0]][-2:]
    async with AsyncExitStack() as stack:
        for _ in range(CONNECTIONS_PER_ADDRESS):
            term = await _first_reply(made.port, stack, full, {})
            assert term == "welcome", term
        for headers in ({}, FORGED):
            assert await _first_reply(made.port, stack, full, headers) == "bye", headers
        assert await _first_reply(made.port, stack, other, {}) == "welcome"
    print(
        f"{CONNECTIONS_PER_ADDRESS} connections of one address, then bye, also with a forged"
        " Forwarded; its neighbour gets in"
    )


async def _first_reply(
    port: int, stack: AsyncExitStack, caller: str, headers: dict[str, str]
) -> str:
    """The first reply to a hello from this address; the connection lives as long as `stack`."""
    url = f"ws://127.0.0.1:{port}/ws"
    made = connect(url, subprotocols=[JSON], local_addr=(caller, 0), additional_headers=headers)
    socket = await stack.enter_async_context(made)
    with suppress(ConnectionClosed):
        await socket.send(json.dumps({"type": "hello", "protocol": [1, 1], "langs": ["en"]}))
    async with asyncio.timeout(READY_SECONDS):
        return str(json.loads(await socket.recv())["type"])


async def killed(made: Topology, edges: dict[str, str]) -> None:
    """Kill the edge of half of the people."""
    guests = [Guest(made.port, f"g{n}", each) for n, each in enumerate(CALLERS[:16])]
    try:
        for number, each in enumerate(guests):
            await each.start(guests[number - 1].room if number % 2 else "")
        await asyncio.sleep(PLAY_SECONDS)
        made.kill(EDGES[0])
        concerned = [each for each in guests if edges[each.caller] == EDGES[0]]

        async def all_back() -> bool:
            return all(each.returned for each in concerned)

        await _until(all_back)
        away = sorted(each.returned[0] for each in concerned)
        assert await made.edge_of(concerned[0].caller) == EDGES[1]
        made.start_edge(EDGES[0])
        await made.until_both()
        await asyncio.sleep(PLAY_SECONDS)
    finally:
        for each in guests:
            await each.stop()
    assert not [each.name for each in guests if each.returned and each not in concerned]
    assert all(len(each.returned) == 1 for each in concerned)
    lines = await _check(made.url, guests)
    print(
        f"edge killed: {len(concerned)} of {len(guests)} people came back at the other one, into"
        f" their rooms, after {away[len(away) // 2]:.2f} s (median), {away[-1]:.2f} s (most);"
        f" nobody else lost a connection, also when it was there again; of {lines} answered lines"
        " none is lost or doubled"
    )


async def _check(url: str, guests: list[Guest]) -> int:
    """Every answered line is written once; how many there are."""
    database = await asyncpg.connect(url)
    try:
        for each in guests:
            rows = await database.fetch(_WRITTEN, each.room)
            counted = Counter(row["client_id"] for row in rows)
            wrong = [line for line in each.sent_lines if counted[line] != 1]
            assert not wrong, f"lost or doubled: {wrong}"
    finally:
        await database.close()
    return sum(len(each.sent_lines) for each in guests)


async def run() -> None:
    """All of it, one after the other."""
    async with topology() as made:
        edges = await hashed(made)
        await bounded(made, edges)
        await killed(made, edges)


def main() -> int:
    """Run it, where its programs are."""
    if programs() is None:
        print(MISSING)
        return 2
    if shutil.which("haproxy") is None:
        print("HAProxy is not here; on Debian: apt-get install haproxy")
        return 2
    asyncio.run(run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
