"""The server as it is measured beside itself: one process on a file or on a database, or edges and
engines over a database. All that serves is on the server's processor, the database as well.
"""

from __future__ import annotations

import json
import os
import secrets
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
ENGINES_PER_EDGE: Final = 3
"""As the supervisor has it, beside the second edge that it starts in case one ends."""


@dataclass(frozen=True, slots=True)
class Served:
    """What runs: its address, its processes by part, and where engines tell their figures."""

    address: str
    parts: Mapping[str, int]
    figures: Sequence[str] = ()

    @property
    def arguments(self) -> list[str]:
        """What the load is told."""
        engine = next(iter(self.parts.values()))
        results = [self.address, "--pid", str(engine)]
        for name, pid in self.parts.items():
            results += ["--part", f"{name}={pid}"]
        for each in self.figures:
            results += ["--figures", each]
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
def cluster(folder: Path, store: str, base: int, engines: int) -> Iterator[Served]:
    """So many engines, and an edge for every three of them, linked by unix sockets."""
    edges = -(-engines // ENGINES_PER_EDGE)
    with tempfile.TemporaryDirectory(dir=folder) as name, ExitStack() as stack:
        data, port = Path(name), stack.enter_context(_reserved_port())
        (data / "secret").write_text(secrets.token_hex(32))
        pids: dict[str, int] = {}
        figures = []
        for number in range(1, engines + 1):
            figures.append(f"127.0.0.1:{free_port()}")
            arguments = ["--role", "engine", "--listen", f"unix:{data}/l{number}"]
            arguments += ["--metrics", figures[-1]]
            pids[f"engine-{number}"] = _node(stack, data, f"engine-{number}", store, arguments)
        for number in range(1, edges + 1):
            arguments = ["--role", "edge", "--port", str(port), "--shared-port"]
            pids[f"edge-{number}"] = _node(stack, data, f"edge-{number}", store, arguments)
        _wait_for(port, pids, data)
        yield Served(f"ws://127.0.0.1:{port}/ws", {**pids, "database": base}, figures)


def _node(stack: ExitStack, data: Path, name: str, store: str, arguments: Sequence[str]) -> int:
    given = ["bluebear", "serve", "--bench", "--no-house-bots", "--node", name, *arguments]
    given += ["--store", store, "--link-secret", str(data / "secret"), "--data", str(data / name)]
    process = begin(python(*given), data / f"{name}.log", processor=runs.processor(0))
    stack.enter_context(running(process))
    return process.pid


@contextmanager
def _reserved_port() -> Iterator[int]:
    """A port that edges share; no other process gets it meanwhile."""
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
                # Those that have come last are linked at the next look.
                time.sleep(1.0)
                return
    raise RuntimeError(f"the nodes did not come up:\n{last_lines(data)}")
