"""The server as it is measured beside itself: one process on a file or on a database, or nodes
over a database. All that serves is on the server's processor, the database as well.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

from tests.tools.bench import runs
from tests.tools.bench.database import Database, database
from tests.tools.servers import ROOT, begin, free_port, last_lines, python, running

_GLANCE_SECONDS: Final = 0.05
_START_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Served:
    """What runs: its address, its processes by part, figures and paths of nodes."""

    address: str
    parts: Mapping[str, int]
    figures: Sequence[str] = ()
    paths: Sequence[str] = ()

    @property
    def arguments(self) -> list[str]:
        """What the load is told."""
        first = next(iter(self.parts.values()))
        results = [self.address, "--pid", str(first)]
        for name, pid in self.parts.items():
            results += ["--part", f"{name}={pid}"]
        for each in self.figures:
            results += ["--figures", each]
        for each in self.paths:
            results += ["--path", each]
        return results


@contextmanager
def private_database(folder: Path) -> Iterator[Database]:
    """A private database whose processes are all on the server's processor."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {runs.processor(0)})
    try:
        made = ExitStack()
        result = made.enter_context(database(folder))
    finally:
        os.sched_setaffinity(0, before)
    with made:
        yield result


@contextmanager
def alone(folder: Path, store: str = "", base: int = 0) -> Iterator[Served]:
    """One process; over a database (`base` is its parent process), if `store` names one."""
    more = ("--store", store) if store else ()
    with runs.server(folder, ROOT, *more) as (pid, address):
        yield Served(address, {"server": pid, **({"database": base} if store else {})})


@contextmanager
def cluster(folder: Path, store: str, base: int, nodes: int) -> Iterator[Served]:
    """As many nodes at one port."""
    with tempfile.TemporaryDirectory(dir=folder) as made, ExitStack() as stack:
        data, port = Path(made), stack.enter_context(_reserved_port())
        pids: dict[str, int] = {}
        figures = []
        for number in range(1, nodes + 1):
            figures.append(f"127.0.0.1:{free_port()}")
            given = ["bluebear", "serve", "--bench", "--no-house-bots", "--node", f"node-{number}"]
            given += ["--store", store, "--data", str(data / f"node-{number}")]
            given += ["--port", str(port), "--sockets", str(data), "--metrics", figures[-1]]
            log = data / f"node-{number}.log"
            process = begin(python(*given), log, processor=runs.processor(0))
            stack.enter_context(running(process))
            pids[f"node-{number}"] = process.pid
        _wait_for(port, pids, data)
        paths = [f"/n/{name}/ws" for name in pids]
        yield Served(f"ws://127.0.0.1:{port}/ws", {**pids, "database": base}, figures, paths)


@contextmanager
def _reserved_port() -> Iterator[int]:
    """A port that nodes share; no other process gets it meanwhile."""
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind(("127.0.0.1", 0))
        yield reserved.getsockname()[1]


def _wait_for(port: int, pids: Mapping[str, int], data: Path) -> None:
    """Wait until the node that replies is healthy and knows all the others."""
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        time.sleep(_GLANCE_SECONDS)
        with suppress(OSError, ValueError):
            call = HTTPConnection("127.0.0.1", port, timeout=2)
            call.request("GET", "/healthz")
            fields = json.loads(call.getresponse().read())
            if fields["ok"] and len(fields["nodes"]) == len(pids):
                return
    raise RuntimeError(f"the nodes did not come up:\n{last_lines(data)}")
