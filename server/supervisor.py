"""`bluebear serve --processes N`: engines and edges as processes of one machine.

One edge for every three engines and two at least, all at one port (SO_REUSEPORT); links over unix
sockets in a private folder. A process that ends is started again, later each time that it ends at
once, but always within five seconds. SIGHUP has the engines start anew one by one, each giving its
rooms away before; SIGTERM ends all.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.server.config import Config
from bluebear.server.net.http import bound_socket, url_host
from bluebear.server.observe import log
from bluebear.server.sentences import say
from bluebear.server.serving import Told, write_note

ENGINES_PER_EDGE: Final = 3
EDGES_LEAST: Final = 2
"""While one of them starts again, people connect to the other."""
BACK_OFF_SECONDS: Final = (0.2, 1.0, 5.0)
"""Waits before a process that has ended is started again. The last one is as long as people may
wait for a server whose machine or database is back: a try costs a second of one processor.
"""
STAYED_SECONDS: Final = 60.0
"""Who has lived for so long dies for the first time."""
ENDS_SECONDS: Final = 30.0
"""Beside what people are warned: who has not ended by then is killed."""


class Kept:
    """One process that is kept running; owned by the supervisor."""

    def __init__(self, name: str, words: Sequence[str]) -> None:
        self.name = name
        self.words = words
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._ending = False
        self.lives = 0

    def start(self) -> None:
        """Run it from now on."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        tries = 0
        while not self._ending:
            began = loop.time()
            code = await self._live()
            tries = 0 if code == 0 or loop.time() - began > STAYED_SECONDS else tries + 1
            if not self._ending:
                wait = BACK_OFF_SECONDS[min(tries, len(BACK_OFF_SECONDS) - 1)]
                log(logging.WARNING, "process ended", name=self.name, code=code, wait=wait)
                await asyncio.sleep(wait)

    async def _live(self) -> int | None:
        """Start the process and wait until it has ended; its code, None where it cannot start."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bluebear.server", *self.words)
            )
        except OSError as problem:
            # The machine has no memory or no process left for it; there may be some soon.
            log(logging.ERROR, "process not started", name=self.name, why=str(problem))
            return None
        self.lives += 1
        return await self._process.wait()

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    async def renew(self) -> None:
        """Have it end, and wait until it has begun anew."""
        life = self.lives
        self.tell(signal.SIGTERM)
        while self.lives == life and not self._ending:  # noqa: ASYNC110  # its own task counts
            await asyncio.sleep(0.1)

    async def end(self, seconds: float) -> None:
        """End it for good; who does not end in time is killed."""
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
    """Keep all processes running until told to end. `argv` are the words behind `serve`."""
    told = Told()
    renew = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, renew.set)
    with tempfile.TemporaryDirectory(prefix="bluebear-") as folder, _port(config) as held:
        port: int = held.getsockname()[1]
        secret = Path(folder) / "secret"
        secret.touch(mode=0o600)
        secret.write_text(secrets.token_hex(32))
        made = plan(config, argv, Path(folder), port)
        engines, edges = made.engines, made.edges
        for each in (*engines, *edges):
            each.start()
        note = config.data / "server.json"
        write_note(note, {"url": f"ws://{url_host(config.host, port)}/ws", "pid": os.getpid()})
        log(logging.INFO, "supervising", port=port, engines=len(engines), edges=len(edges))
        renewing = asyncio.get_running_loop().create_task(_renew(engines, renew))
        try:
            await told.stop.wait()
        finally:
            note.unlink(missing_ok=True)
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            seconds = ENDS_SECONDS + config.drain
            # People first: a room that is given away then would be given to who ends as well.
            await asyncio.gather(*(each.end(seconds) for each in edges))
            for each in engines:
                each.tell(signal.SIGINT)
            await asyncio.gather(*(each.end(seconds) for each in engines))
    return 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is kept running."""

    engines: Sequence[Kept]
    edges: Sequence[Kept]


def plan(config: Config, argv: Sequence[str], folder: Path, port: int) -> Plan:
    """Engines and edges; `argv` are the supervisor's own words, `folder` is private to them."""
    edges = max(EDGES_LEAST, -(-config.processes // ENGINES_PER_EDGE))
    return Plan(
        [_engine(config, argv, number + 1, folder) for number in range(config.processes)],
        [_edge(config, argv, number + 1, folder, port) for number in range(edges)],
    )


async def _renew(engines: Sequence[Kept], renew: asyncio.Event) -> None:
    """Each time that somebody asks: one engine after the other."""
    while True:
        await renew.wait()
        renew.clear()
        for each in engines:
            log(logging.INFO, "renewing", name=each.name)
            await each.renew()
            # The next one's rooms may go to this one: it is to have joined by then.
            await asyncio.sleep(3.0)


def _port(config: Config) -> socket.socket:
    """The port of all edges, held as long as the supervisor runs; a free one if that is busy."""
    try:
        return bound_socket(config.host, config.port, shared=True)
    except OSError:
        held = bound_socket(config.host, 0, shared=True)
    port = held.getsockname()[1]
    for lang in LANGS:
        print(say("serve.port_busy", lang, wished=config.port, port=port), file=sys.stderr)
    return held


def _engine(config: Config, argv: Sequence[str], number: int, folder: Path) -> Kept:
    name = f"engine-{number}"
    words = ["--role", "engine", "--listen", f"unix:{folder / name}"]
    return _kept(config, argv, name, folder, config.data / name, words, number)


def _edge(config: Config, argv: Sequence[str], number: int, folder: Path, port: int) -> Kept:
    name = f"edge-{number}"
    # The first one's folder is that of the whole: there `bluebear operator` finds it.
    data = config.data if number == 1 else config.data / name
    words = ["--role", "edge", "--port", str(port), "--shared-port"]
    return _kept(config, argv, name, folder, data, words, config.processes + number)


def _kept(
    config: Config,
    argv: Sequence[str],
    name: str,
    folder: Path,
    data: Path,
    words: Sequence[str],
    number: int,
) -> Kept:
    """A process with the supervisor's own words, and then what is its own."""
    given = [*argv, *words, "--node", name, "--data", str(data), "--processes", "1"]
    given += ["--link-secret", str(folder / "secret")]
    if config.metrics:
        host, _, first = config.metrics.rpartition(":")
        given += ["--metrics", f"{host}:{int(first) + number}"]
    return Kept(name, given)
