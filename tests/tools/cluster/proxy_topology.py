"""`python -m tests.tools.cluster.proxy_topology`: what docker-compose.yml draws, as plain
processes.

HAProxy by deploy/haproxy.cfg before two nodes and PostgreSQL. It says whether each node answers
under its path, and what happens to clients whose node is killed or drained: whether they go on,
with no acknowledged line lost or doubled, and how long that took.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import asyncpg

from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs
from tests.tools.cluster.load import Talker
from tests.tools.servers import ROOT, begin, end, free_port, last_lines, python

NODES: Final = ("node-1", "node-2")
TALKERS: Final = 8
READY_SECONDS: Final = 120.0
TALK_SECONDS: Final = 8.0
_WRITTEN: Final = "SELECT client_id FROM bluebear.entry WHERE stream = $1 ORDER BY seq"


def configured(text: str, port: int, ports: dict[str, int]) -> str:
    """The configuration for this machine's processes: ports differ, and how many may connect, since
    each connection takes two open files.
    """
    text = text.replace("maxconn 20000", "maxconn 2000")
    text = text.replace("bind :8765", f"bind 127.0.0.1:{port}")
    for name, number in ports.items():
        text = text.replace(f"{name}:8765", f"127.0.0.1:{number}")
    return text.replace(" resolvers names", "")


class Topology:
    """All processes, over the database at `url`; `port` is the proxy's."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.port = free_port()
        self._folder = folder
        self._ports = {name: free_port() for name in NODES}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start all."""
        for name in NODES:
            self.start_node(name)
        text = (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
        path = self._folder / "haproxy.cfg"
        path.write_text(configured(text, self.port, self._ports), encoding="utf-8")
        subprocess.run(["haproxy", "-c", "-q", "-f", path], check=True)
        self._running["haproxy"] = begin(["haproxy", "-f", str(path)], self._folder / "haproxy.log")

    def start_node(self, name: str) -> None:
        """Start a node, maybe again."""
        given = ["--node", name, "--data", str(self._folder / name), "--bench", "--no-house-bots"]
        given += ["--port", str(self._ports[name]), "--trusted-proxy", "127.0.0.1"]
        command = python("bluebear", "serve", *given)
        log = self._folder / f"{name}.log"
        self._running[name] = begin(command, log, more={"BLUEBEAR_STORE": self.url})

    def stop(self, name: str, number: signal.Signals) -> None:
        """End a node by a signal."""
        self._running[name].send_signal(number)
        self._running[name].wait(READY_SECONDS)

    def node_at(self, path: str) -> str:
        """The name of the node that answers at a path; "" if none does."""
        with suppress(OSError, ValueError, KeyError):
            call = HTTPConnection("127.0.0.1", self.port, timeout=5)
            call.request("GET", f"{path}healthz")
            return str(json.loads(call.getresponse().read())["node"]).partition(".")[0]
        return ""

    async def until_all(self) -> None:
        """Wait until each node answers under its path. Raises TimeoutError."""
        async with asyncio.timeout(READY_SECONDS):
            for name in NODES:
                while await asyncio.to_thread(self.node_at, f"/n/{name}/") != name:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)

    def close(self) -> None:
        """End all."""
        end(*self._running.values())


async def run(made: Topology) -> None:
    """People talk while one node is killed and the other one drained."""
    await made.until_all()
    answered = [made.node_at(f"/n/{name}/") for name in NODES * 10]
    assert answered == list(NODES * 10)
    people = [Talker(f"ws://127.0.0.1:{made.port}/ws", f"t{number}") for number in range(TALKERS)]
    try:
        for each in people:
            each.start()
        await asyncio.sleep(TALK_SECONDS)
        for name, number in zip(NODES, (signal.SIGKILL, signal.SIGTERM), strict=True):
            began = time.monotonic()
            await asyncio.to_thread(made.stop, name, number)
            made.start_node(name)
            await made.until_all()
            await asyncio.sleep(TALK_SECONDS)
            waits = [max(gap for at, gap in each.gaps if at + gap > began) for each in people]
            print(f"{name} {number.name}: longest waits {sorted(round(each, 2) for each in waits)}")
    finally:
        for each in people:
            await each.stop()
    database = await asyncpg.connect(made.url)
    for each in people:
        counted = Counter(row["client_id"] for row in await database.fetch(_WRITTEN, each.room))
        wrong = [line for line in each.sent_lines if counted[line] != 1]
        assert not wrong, f"lost or doubled: {wrong}"
    await database.close()
    print(
        f"{sum(len(each.sent_lines) for each in people)} lines acknowledged, none lost or doubled"
    )


def main() -> int:
    """Run it, where its programs are."""
    if programs() is None or shutil.which("haproxy") is None:
        print(MISSING if programs() is None else "HAProxy is not here: apt-get install haproxy")
        return 2
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as database,
        tempfile.TemporaryDirectory() as folder,
        private_postgres(Path(database)) as url,
    ):
        made = Topology(url, Path(folder))
        try:
            made.start()
            asyncio.run(run(made))
        except BaseException:
            sys.stderr.write(last_lines(Path(folder)))
            raise
        finally:
            made.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
