"""Two engines and an edge as real processes over a private PostgreSQL, with proxies between."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from server.journal import NotRead
from server.journal.nodes import Living
from server.journal.pg_nodes import PostgresNodes
from tests.cluster.patience import Patience
from tests.cluster.proxy import Proxy
from tests.postgres import IN_MEMORY, private_postgres

ROOT: Final = Path(__file__).parents[2]
READY_SECONDS: Final = 120.0
ENGINES: Final = ("engine-1", "engine-2")


class Processes:
    """The nodes, by name. Engines tell the address of a proxy, so that their links can be cut."""

    def __init__(self, url: str, folder: Path, socket_path: str) -> None:
        self.url = url
        self.folder = folder
        self.database = Proxy(socket_path)
        self.links: dict[str, Proxy] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.port = _free_port()
        self._ports = {name: _free_port() for name in ENGINES}
        self.nodes = PostgresNodes(url)

    async def start(self) -> None:
        """Start all, and wait until they are there."""
        secret = self.folder / "secret"
        secret.write_text("x" * 32)
        await self.database.open()
        for name in ENGINES:
            self.links[name] = Proxy(("127.0.0.1", self._ports[name]))
            await self.links[name].open()
            self.start_engine(name)
        self._run("edge-1", "edge", ["--port", str(self.port), "--bench"], self.url)
        await self.until_alive(*ENGINES, "edge-1")

    def start_engine(self, name: str) -> None:
        """Start one engine; its way to the database is a proxy, too."""
        words = ["--listen", f"127.0.0.1:{self._ports[name]}"]
        words += ["--told", f"127.0.0.1:{self.links[name].port}"]
        proxied = f"postgresql://postgres@127.0.0.1:{self.database.port}/postgres"
        self._run(name, "engine", words, proxied if name == ENGINES[0] else self.url)

    def _run(self, name: str, role: str, words: list[str], store: str) -> None:
        given = ["--role", role, "--node", name, "--data", str(self.folder / name)]
        given += ["--link-secret", str(self.folder / "secret"), "--no-house-bots", *words]
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", "server", *given],
                cwd=ROOT,
                stderr=log,
                env={**os.environ, "BLUEBEAR_STORE": store},
            )

    async def until_alive(self, *names: str) -> None:
        """Wait until these nodes beat."""
        patience = self.patience(READY_SECONDS)
        while True:
            # Before the first node there are no tables.
            living: list[Living] = []
            with suppress(NotRead):
                living = await self.nodes.living()
            beating = {e.name for e in living if (e.beat_seconds or 0.0) < 1.0}
            if beating.issuperset(names):
                return
            patience.check(f"of {names} there are {sorted(beating)}")
            await asyncio.sleep(0.1)

    def patience(self, seconds: float) -> Patience:
        """So much time for these processes, and for this one, to do something."""
        return Patience(seconds, lambda: [os.getpid(), *(p.pid for p in self.running.values())])

    async def owners(self) -> dict[str, str]:
        """Which engine has which room."""
        return {
            str(room): each.name
            for each in await self.nodes.living()
            for room in await self.nodes.owned(each.id)
        }

    def tell(self, name: str, number: signal.Signals) -> None:
        """Send a node a signal."""
        self.running[name].send_signal(number)

    async def ended(self, name: str) -> int:
        """Wait until a process has ended; its code."""
        return await asyncio.to_thread(self.running[name].wait, READY_SECONDS)

    async def close(self) -> None:
        """End all."""
        for process in self.running.values():
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for name in self.running:
            await self.ended(name)
        await self.nodes.close()
        for proxy in (self.database, *self.links.values()):
            await proxy.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _show_logs(folder: Path) -> None:
    for log in sorted(folder.glob("*.log")):
        sys.stderr.write(f"--- {log.name}\n{log.read_text()[-3000:]}\n")


@asynccontextmanager
async def processes() -> AsyncIterator[Processes]:
    """All of them, until the scene is over; what they have logged is shown where it failed."""
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as database,
        tempfile.TemporaryDirectory() as folder,
        private_postgres(Path(database)) as url,
    ):
        made = Processes(url, Path(folder), f"{database}/.s.PGSQL.5432")
        try:
            await made.start()
            yield made
        except BaseException:
            _show_logs(Path(folder))
            raise
        finally:
            await made.close()
