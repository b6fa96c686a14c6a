"""Nodes as real processes over a private PostgreSQL, each with a proxy of its own to it.

They share one port, or each has a port and HAProxy is before them, by `deploy/haproxy.cfg`.

A deposed node exits and is started again, as a supervisor does it: on a machine that is
too busy a node may miss its beats although no fault was injected. How often that was is
counted. A node that exits for any other reason, unless a fault asked for it, is an error.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from bluebear.server.__main__ import DEPOSED
from bluebear.server.store import NotRead, leases
from bluebear.server.store.leases import Living
from bluebear.server.store.postgres import postgres_nodes
from tests.postgres import (
    IN_MEMORY,
    postgres_pid,
    private_postgres,
    start_postgres,
    stop_postgres,
)
from tests.tools.cluster.fault_proxy import Proxy
from tests.tools.servers import (
    ROOT,
    Patience,
    begin,
    children_of,
    end,
    free_port,
    last_lines,
    python,
)

READY_SECONDS: Final = 120.0
LOOK_SECONDS: Final = 0.05
NODES: Final = ("node-1", "node-2")


class Processes:
    """The nodes, by name. The way of each to the database is a proxy, which can be cut."""

    def __init__(
        self,
        database: Path,
        url: str,
        folder: Path,
        names: tuple[str, ...],
        *,
        behind_haproxy: bool = False,
    ) -> None:
        self.url = url
        self.folder = folder
        self.names = names
        self._behind: dict[str, int] = {each: free_port() for each in names if behind_haproxy}
        """The port of each node, where HAProxy is before them."""
        self._haproxy: subprocess.Popen[bytes] | None = None
        self.proxies: dict[str, Proxy] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.port = free_port()
        self.deposed: Counter[str] = Counter()
        """How often each node was started again because it was deposed."""
        self.nodes = postgres_nodes(url)
        self._database = database
        self._ending: set[str] = set()
        self._fault = ""
        self._keeper: asyncio.Task[None] | None = None

    async def open(self, first: Sequence[str]) -> None:
        """Start these nodes, and wait until they are there."""
        for name in self.names:
            self.proxies[name] = Proxy(f"{self._database}/.s.PGSQL.5432")
            await self.proxies[name].open()
        self._keeper = asyncio.create_task(self._keep())
        for name in first:
            self.start(name)
        if self._behind:
            path = self.folder / "haproxy.cfg"
            path.write_text(self._haproxy_config(), encoding="utf-8")
            self._haproxy = begin(["haproxy", "-f", str(path)], self.folder / "haproxy.log")
        await self.until_alive(*first)

    def _haproxy_config(self) -> str:
        """Ours for these processes: other ports, and fewer connections, each two open files."""
        text = (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
        text = text.replace("maxconn 20000", "maxconn 2000")
        text = text.replace("bind :8765", f"bind 127.0.0.1:{self.port}")
        for name, port in self._behind.items():
            text = text.replace(f"{name}:8765", f"127.0.0.1:{port}")
        return text.replace(" resolvers names", "")

    def start(self, name: str) -> None:
        """Start one node."""
        arguments = ["--node", name, "--data", str(self.folder / name), "--no-house-bots"]
        if self._behind:
            arguments += ["--port", str(self._behind[name]), "--trusted-proxy", "127.0.0.1"]
        else:
            arguments += ["--port", str(self.port), "--sockets", str(self.folder)]
        store = f"postgresql://postgres@127.0.0.1:{self.proxies[name].port}/postgres"
        log = self.folder / f"{name}.log"
        command = python("bluebear.server", *arguments, "--bench")
        self.running[name] = begin(command, log, more={"BLUEBEAR_STORE": store})
        self._ending.discard(name)

    async def _keep(self) -> None:
        """Start deposed nodes again."""
        while True:
            for name, process in list(self.running.items()):
                code = process.poll()
                if code is None or name in self._ending:
                    continue
                self._ending.add(name)
                if code == DEPOSED:
                    self.deposed[name] += 1
                    self.start(name)
                else:
                    self._fault = f"{name} has ended by itself with {code}"
            await asyncio.sleep(LOOK_SECONDS)

    async def until(
        self, seconds: float, is_so: Callable[[], bool], what: Callable[[], str]
    ) -> None:
        """Wait until something is so. Raises TimeoutError with `what` else was waited for, and
        AssertionError where a node has ended that was not to.
        """
        patience = self.patience(seconds)
        while not is_so():
            assert not self._fault, self._fault
            patience.check(what)
            await asyncio.sleep(LOOK_SECONDS)

    async def until_alive(self, *names: str) -> None:
        """Wait until these nodes beat."""
        patience = self.patience(READY_SECONDS)
        while True:
            # Before the first node there are no tables.
            living: list[Living] = []
            with suppress(NotRead):
                living = await self.nodes.read(leases.living)
            beating = {e.name for e in living if (e.beat_seconds or 0.0) < 1.0}
            if beating.issuperset(names):
                return
            assert not self._fault, self._fault
            patience.check(partial("of {} there are {}".format, names, sorted(beating)))
            await asyncio.sleep(LOOK_SECONDS)

    def patience(self, seconds: float) -> Patience:
        """So much time for these processes, the database and this one to do something."""
        return Patience(seconds, self._pids)

    def _pids(self) -> list[int]:
        served = postgres_pid(self._database)
        database = [] if served is None else children_of(served)
        return [os.getpid(), *database, *(each.pid for each in self.running.values())]

    async def owners(self) -> dict[str, str]:
        """Which node has which room, by the names of both."""
        return {
            str(room): each.name
            for each in await self.nodes.read(leases.living)
            for room in await self.nodes.read(leases.owned, each.id)
        }

    def tell(self, name: str, number: signal.Signals) -> None:
        """Send a node a signal."""
        if number in (signal.SIGKILL, signal.SIGTERM):
            self._ending.add(name)
        self.running[name].send_signal(number)

    async def ended(self, name: str) -> int:
        """Wait until a process has ended that was told to; its code."""
        process = self.running[name]
        await self.until(
            READY_SECONDS, lambda: process.poll() is not None, lambda: f"{name} does not end"
        )
        return process.returncode

    async def stop_database(self, mode: str) -> None:
        """Stop the database as `mode` says, see `stop_postgres`."""
        await asyncio.to_thread(stop_postgres, self._database, mode)

    async def start_database(self) -> None:
        """Have it served again."""
        await asyncio.to_thread(start_postgres, self._database)

    async def close(self) -> None:
        """End all."""
        if self._keeper is not None:
            self._keeper.cancel()
        ending = [*self.running.values(), self._haproxy]
        await asyncio.to_thread(end, *filter(None, ending))
        await self.nodes.close()
        for proxy in self.proxies.values():
            await proxy.close()


@contextmanager
def _stored_logs(folder: Path) -> Iterator[None]:
    """Where something fails, each node's last lines are shown, and all logs are kept."""
    try:
        yield
    except BaseException:
        data_folder = Path(tempfile.mkdtemp(prefix="bluebear-rounds-"))
        for log in folder.glob("*.log"):
            shutil.copy(log, data_folder)
        sys.stderr.write(f"{last_lines(folder)}\nall logs: {data_folder}\n")
        raise


@asynccontextmanager
async def processes(
    names: tuple[str, ...] = NODES, first: tuple[str, ...] = (), *, behind_haproxy: bool = False
) -> AsyncIterator[Processes]:
    """All nodes, or those to begin with, until the scene is over."""
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as database,
        tempfile.TemporaryDirectory() as folder,
        private_postgres(Path(database)) as url,
        _stored_logs(Path(folder)),
    ):
        made = Processes(Path(database), url, Path(folder), names, behind_haproxy=behind_haproxy)
        try:
            await made.open(first or names)
            yield made
        finally:
            await made.close()
