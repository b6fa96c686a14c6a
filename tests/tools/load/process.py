"""The real server as a process of its own, to be killed and started again on the same file."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

ROOT: Final = Path(__file__).parents[3]
LOOK_SECONDS: Final = 0.01
PATIENCE_SECONDS: Final = 120.0
"""A net, no measurement: what never comes up shall fail its test rather than stop the suite.

Seconds in which the process did not wait for a processor: a starved machine is no fault of its.
"""

_PORTS: Final = range(20_000, 32_000)
"""Below the range that systems give away: a client that knocks at a dead server's port must not
be given that very port as its own, and connect to itself."""


class ServerProcess:
    """`bluebear serve` on a data folder, at one port for all its lives.

    With `async with` it is started, and killed at the end if it still runs. `games` says where its
    games are, `path` a folder in which it finds packages beside ours, `more` what else it is told,
    `drain` how long it warns people.
    """

    def __init__(
        self,
        data: Path,
        *,
        house: bool = False,
        port: int | None = None,
        games: str = "bluebear.rules",
        path: Path | None = None,
        more: tuple[str, ...] = (),
        drain: float = 0.0,
    ) -> None:
        self._data = data
        self._games = games
        self._path = path
        self._house = house
        self._more = ("--drain", str(drain), *more)
        self._process: asyncio.subprocess.Process | None = None
        self.port = free_port() if port is None else port
        self.log = data / "stderr"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def note(self) -> Path:
        """Where a server says that it runs."""
        return self._data / "server.json"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def begin(self, *, faults: str = "") -> asyncio.subprocess.Process:
        """Start the process, and do not wait for anything."""
        command = ["serve", "--data", str(self._data), "--port", str(self.port), *self._more]
        if not self._house:
            command.append("--no-house-bots")
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bluebear",
                *command,
                cwd=ROOT,
                env={
                    **environment(self._path),
                    "BLUEBEAR_FAULTS": faults,
                    "BLUEBEAR_GAMES": self._games,
                },
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        return self._process

    async def start(self, *, faults: str = "") -> None:
        """Start the process, and wait until it takes connections or has died of its faults."""
        process = await self.begin(faults=faults)
        patience = Patience(process.pid)
        while True:
            note = self._said()
            if process.returncode is not None:
                assert faults, f"it did not start: {self.log.read_text(encoding='utf-8')}"
                return
            if note.get("pid") == process.pid:
                self.port = urlsplit(note["url"]).port or 0
                return
            patience.check("the server does not come up")
            await asyncio.sleep(LOOK_SECONDS)

    def _said(self) -> dict[str, Any]:  # Any: what a server has written
        try:
            note: dict[str, Any] = json.loads(self.note.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return note

    async def ended(self) -> int:
        """Wait for the end; the exit code, negative for a signal."""
        assert self._process is not None
        patience = Patience(self._process.pid)
        ending = asyncio.ensure_future(self._process.wait())
        try:
            while not (await asyncio.wait({ending}, timeout=1.0))[0]:
                patience.check("the server does not end")
            return ending.result()
        finally:
            ending.cancel()

    async def kill(self) -> None:
        """End it with SIGKILL, at this very moment."""
        if self.alive:
            assert self._process is not None
            self._process.kill()
        await self.ended()

    async def stop(self) -> int:
        """Tell it to stop; its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self.ended()

    def complaints(self) -> list[str]:
        """What it has logged above INFO, in all its lives."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if '"level": "info"' not in line]


class Patience:
    """How long a process is waited for; what the machine keeps it waiting does not count."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._began = time.monotonic()
        self._waited = waited_for_a_processor(pid)

    def check(self, error: str) -> None:
        """AssertionError if the patience is at its end."""
        seconds = time.monotonic() - self._began
        starved = waited_for_a_processor(self._pid) - self._waited
        assert seconds - starved < PATIENCE_SECONDS, (
            f"{error}: {seconds:.0f} s, in {starved:.0f} of which it waited for a processor"
        )


def waited_for_a_processor(pid: int) -> float:
    """Seconds that a process could have run and had no processor; 0 where no system tells."""
    try:
        _, nanoseconds, _ = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0.0
    return int(nanoseconds) / 1e9


def environment(path: Path | None = None) -> dict[str, str]:
    """The environment of this process without what would set a server up otherwise.

    `path` is a folder with packages beside ours.
    """
    ours = {key: value for key, value in os.environ.items() if not key.startswith("BLUEBEAR_")}
    return {**ours, "PYTHONPATH": os.pathsep.join(map(str, filter(None, (ROOT, path))))}


def free_port() -> int:
    """A port that is free, and that the system hands to no other process."""
    for port in random.sample(_PORTS, 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no port is free")
