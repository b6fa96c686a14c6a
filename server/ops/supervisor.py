"""`bluebear serve --processes N`: N nodes on one machine, all at one port (SO_REUSEPORT).

A node that reads a request for another one gives away the socket, by one in a private folder, with
the bytes that it has read, before anything was answered; no byte passes through it afterwards.

A node that ends is started again, later each time that it ends at once, but always within two
seconds; one that does not answer is killed, since it goes on getting its share of new connections.
A wrong setting at the first start of a node ends all; the first node alone says what all have.
SIGHUP has the nodes start again one by one, each giving its rooms away before; SIGTERM ends all.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from bluebear.server.config import Config
from bluebear.server.net.http import bound_socket, url_host
from bluebear.server.runtime import Tasks, count, first_of, log
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence

BACK_OFF_SECONDS: Final = (0.2, 1.0, 2.0)
"""Waits before a node that has ended is started again; the last one is that of all later ones."""
STORE_AWAY: Final = 4
"""The exit code of a node whose database is away, or in use."""
STORE_AWAY_SECONDS: Final = 1.0
"""Wait before such a node is tried again, which counts as no death."""
STAYED_SECONDS: Final = 60.0
"""A node that has lived for this long dies for the first time."""
ENDS_SECONDS: Final = 30.0
"""A node that has not ended this long after people were warned is killed."""
LOOK_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 3.0
"""A node that has answered before and does not for this long is killed."""


@contextmanager
def noted(data: Path | None, note: dict[str, object]) -> Iterator[None]:
    """What serves: `server.json` of a folder says meanwhile, whole, where the server is.

    Raises OSError where it cannot be written; one from then on is a bug, and RuntimeError.
    """
    path = None if data is None else data / "server.json"
    if path is not None:
        made = path.with_suffix(".new")
        made.write_text(json.dumps(note) + "\n", encoding="utf-8")
        made.replace(path)
    try:
        yield
    except OSError as bug:
        raise RuntimeError("no setting is wrong: it failed while it served") from bug
    finally:
        if path is not None:
            path.unlink(missing_ok=True)


class Signals:
    """What signals have signals this process; one that comes while it still starts counts as well.

    SIGTERM stops it gently, SIGINT now, and so does any second signal. The end of its terminal
    (SIGHUP) is like SIGTERM, unless it was started so as to outlive that.
    """

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.at_once = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._hear)
        loop.add_signal_handler(signal.SIGINT, self._hear_now)
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            loop.add_signal_handler(signal.SIGHUP, self._hear)

    def _hear(self) -> None:
        if self.stop.is_set():
            self.at_once.set()
        self.stop.set()

    def _hear_now(self) -> None:
        self.at_once.set()
        self.stop.set()


class NodeProcess:
    """One node that is kept running; owned by the supervisor."""

    def __init__(self, name: str, argv: Sequence[str], path: Path, store: str) -> None:
        self.name = name
        self.argv = argv
        self._path = path
        # A password in the address of the database stands in no list of processes.
        self.environment = {**os.environ, "BLUEBEAR_STORE": store}
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._ending = False
        self._answers = asyncio.Event()
        """Set while the node that runs now has answered."""
        self.attempted, self.refused = asyncio.Event(), asyncio.Event()
        """One is set when it first answers or ends: the second where it says of a wrong setting."""

    def start(self) -> None:
        """Run it from now on."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        tries = 0
        while not self._ending:
            began = loop.time()
            code = await self._live()
            if code == UNUSABLE and not self.attempted.is_set():
                self.refused.set()
                return
            self.attempted.set()
            if code == STORE_AWAY:
                wait = STORE_AWAY_SECONDS
            else:
                stayed = code == 0 or loop.time() - began > STAYED_SECONDS
                tries = 0 if stayed else tries + 1
                wait = BACK_OFF_SECONDS[min(tries, len(BACK_OFF_SECONDS) - 1)]
            if not self._ending:
                log(logging.WARNING, "node ended", name=self.name, code=code, wait=wait)
                await asyncio.sleep(wait)

    async def _live(self) -> int | None:
        """Start the process and wait until it has ended; its code, None where it cannot start."""
        self._answers.clear()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bluebear.server", *self.argv), env=self.environment
            )
        except OSError as problem:
            # The machine has no memory or no process left for it; there may be some soon.
            log(logging.ERROR, "node not started", name=self.name, why=str(problem))
            return None
        looks = asyncio.get_running_loop().create_task(self._look())
        try:
            return await self._process.wait()
        finally:
            looks.cancel()

    async def _look(self) -> None:
        """Kill the process when it has answered and does not any more."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if await is_alive(self._path, SILENT_SECONDS):
                self._answers.set()
                self.attempted.set()
            elif self._answers.is_set():
                log(logging.ERROR, "node does not answer", name=self.name)
                self.tell(signal.SIGKILL)
                return

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def renew(self) -> None:
        """Have it end, and wait until the next one answers."""
        process = self._process
        self.tell(signal.SIGTERM)
        if process is not None:
            await process.wait()
        self._answers.clear()
        await self._answers.wait()

    async def end(self, seconds: float) -> None:
        """End it; if it has not ended in `seconds` it is killed."""
        self._ending = True
        self.tell(signal.SIGTERM)
        if self._task is None:
            return
        done, _ = await asyncio.wait({self._task}, timeout=seconds)
        if not done:
            self.tell(signal.SIGKILL)
            await asyncio.wait({self._task}, timeout=seconds)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


async def run(config: Config, argv: Sequence[str]) -> int:
    """Keep all nodes running until a signal ends them, or a wrong setting, with exit code 2."""
    signals = Signals()
    renew = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, renew.set)
    with tempfile.TemporaryDirectory(prefix="bluebear-") as folder, _port(config) as port_socket:
        port: int = port_socket.getsockname()[1]
        nodes = plan(config, argv, Path(folder), port)
        note = {"url": f"ws://{url_host(config.host, port)}/ws", "pid": os.getpid()}
        with noted(config.data, note):
            log(logging.INFO, "supervising", port=port, nodes=len(nodes))
            running = asyncio.get_running_loop().create_task(_start_and_renew(nodes, renew))
            refused = [each.refused for each in nodes]
            await first_of(signals.stop.wait(), *(each.wait() for each in refused))
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            # A room that one node gave to another now would be given to one that ends as well.
            for each in nodes:
                each.tell(signal.SIGINT)
            await asyncio.gather(*(each.end(ENDS_SECONDS) for each in nodes))
    return UNUSABLE if any(each.is_set() for each in refused) else 0


async def _start_and_renew(nodes: Sequence[NodeProcess], renew: asyncio.Event) -> None:
    """Start the first node, so that one says what is wrong for all; then all, again on request."""
    nodes[0].start()
    await nodes[0].attempted.wait()
    for each in nodes[1:]:
        each.start()
    while True:
        await renew.wait()
        renew.clear()
        for each in nodes:
            log(logging.INFO, "renewing", name=each.name)
            await each.renew()


def _port(config: Config) -> socket.socket:
    """The port of all nodes, bound while the supervisor runs; a free one if that is busy."""
    try:
        return bound_socket(config.host, config.port, shared=True)
    except OSError:
        port_socket = bound_socket(config.host, 0, shared=True)
    port = port_socket.getsockname()[1]
    print_sentence(FAILED, "serve.port_busy", wished=config.port, port=port)
    return port_socket


def plan(config: Config, argv: Sequence[str], folder: Path, port: int) -> list[NodeProcess]:
    """The nodes, each with the supervisor's words and its own; `folder` is private to them."""
    nodes = []
    for number in range(1, config.processes + 1):
        name = f"node-{number}"
        # The first folder is that of the whole: there `bluebear operator` finds it.
        data = config.data if number == 1 else config.data / name
        arguments = [*_without_store(argv), "--node", name, "--data", str(data), "--processes", "1"]
        arguments += ["--port", str(port), "--sockets", str(folder)]
        if config.metrics:
            host, _, first = config.metrics.rpartition(":")
            arguments += ["--metrics", f"{host}:{int(first) + number}"]
        nodes.append(NodeProcess(name, arguments, folder / f"{name}.sock", config.store))
    return nodes


def _without_store(argv: Sequence[str]) -> list[str]:
    """The arguments without the address of the database."""
    arguments = [each for each in argv if not each.startswith("--store=")]
    while "--store" in arguments:
        at = arguments.index("--store")
        del arguments[at : at + 2]
    return arguments


# Connections of a shared port.

HEAD_MAX_BYTES: Final = 128 * 1024
"""A request, and the frames that came with it; the library reads no longer requests."""
BACKLOG: Final = 256
_PING: Final = b"?"
_PONG: Final = b"!"

Take = Callable[[socket.socket, bytes], Coroutine[Any, Any, None]]


class SocketExchange:
    """Owned by its process. `folder` is private to the nodes of this machine."""

    def __init__(self, folder: Path, name: str, take: Take) -> None:
        self._folder = folder
        self._path = folder / f"{name}.sock"
        self._take = take
        self._plug = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self._tasks = Tasks()

    def open(self) -> None:
        """Take connections from now on. Raises OSError."""
        self._path.unlink(missing_ok=True)
        self._plug.bind(str(self._path))
        self._plug.listen(BACKLOG)
        asyncio.get_running_loop().add_reader(self._plug, self._accept)

    async def close(self) -> None:
        """Take no more."""
        asyncio.get_running_loop().remove_reader(self._plug)
        self._plug.close()
        self._path.unlink(missing_ok=True)
        await self._tasks.close()

    def give(self, name: str, descriptor: int, head: bytes) -> bool:
        """Give a connection to the node called `name`; False if there is none."""
        call = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        with call, suppress(OSError):
            call.connect(str(self._folder / f"{name}.sock"))
            socket.send_fds(call, [head], [descriptor])
            count("handover.given")
            return True
        return False

    def _accept(self) -> None:
        with suppress(OSError):
            call, _ = self._plug.accept()
            call.settimeout(0.0)
            asyncio.get_running_loop().add_reader(call, self._receive, call)

    def _receive(self, call: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(call)
        with call, suppress(OSError):
            head, descriptors, _, _ = socket.recv_fds(call, HEAD_MAX_BYTES, 1)
            if descriptors:
                count("handover.taken")
                self._tasks.start(self._take(socket.socket(fileno=descriptors[0]), head))
            elif head == _PING:
                call.send(_PONG)


async def is_alive(path: Path, seconds: float) -> bool:
    """Whether the node that takes connections at `path` answers within `seconds`."""
    loop = asyncio.get_running_loop()
    call = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
    with call:
        try:
            async with asyncio.timeout(seconds):
                await loop.sock_connect(call, str(path))
                await loop.sock_sendall(call, _PING)
                return await loop.sock_recv(call, 1) == _PONG
        except (OSError, TimeoutError):
            return False
