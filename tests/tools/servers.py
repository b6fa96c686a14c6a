"""Servers as processes of their own: started, waited for, killed, and started again.

Tests and programs start them here, so each has an environment of its own, its log in a file, and a
wait that a busy machine does not use up.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, Self
from urllib.parse import urlsplit

from tests.tools.fork_server import ForkServer

ROOT: Final = Path(__file__).parents[2]
LOOK_SECONDS: Final = 0.01
PATIENCE_SECONDS: Final = 120.0
"""A net, no measurement: what never comes up shall fail its test rather than stop the suite."""
MOST_SECONDS: Final = 600.0
"""However starved the machine is, no wait is longer."""
LAST_CHARACTERS: Final = 2000
"""So much of each log is shown where processes did not do what was waited for."""
_NANO: Final = 1e-9
_PORTS: Final = range(20_000, 32_000)
"""Below the range that systems give away: a client that knocks at a dead server's port must not
be given that very port as its own, and connect to itself."""


class Patience:
    """So many seconds, without those in which these processes had to wait for a processor.

    A process that hangs waits for none, so for it they are seconds of the clock; so they are where
    the system does not say how long a process has waited (`/proc/PID/schedstat`).
    """

    def __init__(self, seconds: float, processes: Callable[[], Iterable[int]]) -> None:
        self._seconds = seconds
        self._processes = processes
        self._began = time.monotonic()
        self._before = {pid: _starved(pid) for pid in processes()}

    def check(self, what: Callable[[], str]) -> None:
        """Raise TimeoutError when it is used up; `what` was waited for."""
        took = time.monotonic() - self._began
        since = (_starved(pid) - self._before.get(pid, 0.0) for pid in self._processes())
        # Of a process that has ended nothing is known any more.
        starved = sum(max(0.0, each) for each in since)
        if took - starved > self._seconds or took > MOST_SECONDS:
            raise TimeoutError(f"{what()}\n{took:.0f} s, {starved:.0f} of them without a processor")


def children_of(pid: int) -> list[int]:
    """A process and those that it has begun, where the system says so."""
    with suppress(OSError, ValueError):
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    return [pid]


def _starved(pid: int) -> float:
    """Seconds for which a process was ready to run, and others ran."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) * _NANO
    return 0.0


def environment(path: Path | None = None, root: Path = ROOT) -> dict[str, str]:
    """The environment of this process without what would set a server up otherwise.

    `root` is the checkout that is run, `path` a folder with packages beside ours.
    """
    ours = {key: value for key, value in os.environ.items() if not key.startswith("BLUEBEAR_")}
    return {**ours, "PYTHONPATH": os.pathsep.join(map(str, filter(None, (root, path))))}


def free_port() -> int:
    """A port that no process listens on, and that the system gives to none."""
    for port in random.sample(_PORTS, 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no port is free")


def python(*arguments: str) -> tuple[str, ...]:
    """The command that runs a module with these words."""
    return (sys.executable, "-m", *arguments)


def begin(
    command: Sequence[str],
    log: Path,
    *,
    root: Path = ROOT,
    more: Mapping[str, str] | None = None,
    path: Path | None = None,
    processor: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process, and wait for nothing; all that it says is added to `log`.

    `more` goes into its environment. All its threads stay on `processor`, if one is named.
    """
    env = {**environment(path, root), **(more or {})}
    with log.open("ab") as output:
        if "pytest" in sys.modules and command[1] == "-m" and path is None and root == ROOT:
            process: subprocess.Popen[bytes] = _fork_server().begin(command, env, output)
        else:
            process = subprocess.Popen(
                command, cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
    if processor is not None:
        # Before it has any thread, so that all of them are pinned.
        os.sched_setaffinity(process.pid, {processor})
    return process


def begin_piped(
    command: Sequence[str], more: Mapping[str, str]
) -> tuple[IO[str], subprocess.Popen[bytes]]:
    """Start a process as a test does; what it says, line by line, and the process."""
    reading, writing = os.pipe()
    with open(writing, "wb") as output:
        process = _fork_server().begin(command, {**environment(), **more}, output)
    return open(reading, encoding="utf-8"), process


@cache
def _fork_server() -> ForkServer:
    """What the suite starts servers with; programs that measure start them as people do."""
    made = ForkServer(environment())
    atexit.register(made.close)
    return made


def end(*processes: subprocess.Popen[bytes]) -> None:
    """Tell processes to stop, those that were halted as well, and wait until they have ended."""
    for process in processes:
        process.send_signal(signal.SIGCONT)
        process.terminate()
    for process in processes:
        process.wait(MOST_SECONDS)


@contextmanager
def running(*processes: subprocess.Popen[bytes]) -> Iterator[None]:
    """End these processes when this is over."""
    try:
        yield
    finally:
        end(*processes)


async def ended(process: subprocess.Popen[bytes]) -> int:
    """Wait for the end of a process; its exit code, negative for a signal."""
    patience = Patience(PATIENCE_SECONDS, lambda: [process.pid])
    while (code := process.poll()) is None:
        patience.check(lambda: "the process does not end")
        await asyncio.sleep(LOOK_SECONDS)
    return code


async def bluebear(*arguments: str) -> tuple[int, str]:
    """Run a command of ours to its end; its exit code and what it has said."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        code = await ended(begin(python("bluebear", *arguments), log))
        return code, log.read_text(encoding="utf-8")


def last_lines(folder: Path) -> str:
    """What the processes whose logs are in a folder have said last."""
    result = ((log.name, log.read_text(errors="replace")) for log in sorted(folder.glob("*.log")))
    return "\n".join(f"--- {name}\n{sent[-LAST_CHARACTERS:]}" for name, sent in result)


class ServerProcess:
    """`bluebear serve` on a data folder, at one port for all its lives.

    With `async with` it is started, and killed at the end if it still runs. `games` says where its
    games are, `path` a folder in which it finds packages beside ours, `more` what else it is told,
    `drain` how long it warns people, `root` the checkout that it runs, `processor` the only one it
    has. Port 0 is one that the system chooses.
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
        root: Path = ROOT,
        processor: int | None = None,
    ) -> None:
        self._data = data
        self._games = games
        self._path = path
        self._more = (*(() if house else ("--no-house-bots",)), "--drain", str(drain), *more)
        self._root = root
        self._processor = processor
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port() if port is None else port
        self.log = data / "stderr"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.alive:
            await self.kill()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def note(self) -> Path:
        """Where a server says that it runs."""
        return self._data / "server.json"

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process of its present life, or of its last one."""
        assert self._process is not None, "it was never started"
        return self._process

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self, *, faults: str = "") -> subprocess.Popen[bytes]:
        """Start the process, and do not wait for anything."""
        arguments = ("serve", "--data", str(self._data), "--port", str(self.port), *self._more)
        self._process = begin(
            python("tests.support.faults" if faults else "bluebear", *arguments),
            self.log,
            root=self._root,
            # Another checkout finds its games by itself: its packages may have other names.
            more={"BLUEBEAR_FAULTS": faults}
            | ({"BLUEBEAR_GAMES": self._games} if self._root == ROOT else {}),
            path=self._path,
            processor=self._processor,
        )
        return self._process

    async def start(self, *, faults: str = "") -> None:
        """Start the process, and wait until it takes connections or has died of its faults."""
        process = self.begin(faults=faults)
        patience = Patience(PATIENCE_SECONDS, lambda: [process.pid])
        while True:
            note = self._read_note()
            if process.poll() is not None:
                assert faults, f"it did not start: {self.log.read_text(encoding='utf-8')}"
                return
            if note.get("pid") == process.pid:
                self.port = urlsplit(note["url"]).port or 0
                return
            patience.check(lambda: "the server does not come up")
            await asyncio.sleep(LOOK_SECONDS)

    def _read_note(self) -> dict[str, Any]:  # Any: what a server has written
        try:
            note: dict[str, Any] = json.loads(self.note.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return note

    async def ended(self) -> int:
        """Wait for the end; the exit code, negative for a signal."""
        return await ended(self.process)

    async def kill(self) -> None:
        """End it with SIGKILL, at this very moment."""
        self.process.kill()
        await self.ended()

    async def stop(self) -> int:
        """Tell it to stop; its exit code."""
        self.process.terminate()
        return await self.ended()

    def complaints(self) -> list[str]:
        """What it has logged above INFO, in all its lives."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if '"level": "info"' not in line]
