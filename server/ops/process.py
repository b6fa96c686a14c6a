"""What every server process does around its app: listen, count, run the bots, hear signals."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import signal
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any

from bluebear.protocol.limits import ENTRY_PASSWORD_MAX
from bluebear.rules.core.game import Game
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.handshake import plain_password
from bluebear.server.net.http import Listener, host_and_port
from bluebear.server.ops.metrics import MetricsPort
from bluebear.server.people.passwords import Hashing
from bluebear.server.rooms.house_bots import run_child
from bluebear.server.runtime import log
from bluebear.server.sentences import FAILED, print_sentence

_COLLECTOR = (2_000, 1, 10_000)
"""States are trees, so there is little to collect. By Python's own numbers, looking for it takes
7 % of a busy server's time and stops it for 35 ms. So little is looked at together, and what has
been looked at twice not again for long (docs/notes/2026-11-performance.md)."""


class NoEntryPasswordError(Exception):
    """The file that should have the password for newcomers cannot be read, or has none."""


async def entry_hash(config: Config) -> str:
    """The hash of the password for newcomers; the password itself is not kept."""
    if config.entry_password_file is None:
        return ""
    try:
        text = config.entry_password_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise NoEntryPasswordError from problem
    password = plain_password(text.partition("\n")[0])
    if not 1 <= len(password) <= ENTRY_PASSWORD_MAX:
        raise NoEntryPasswordError
    return await Hashing().hash(password)


def settle(games: Mapping[str, Game[Any]]) -> dict[str, str]:  # Any: each has its own state class
    """Do what no client should have to wait for later; the codes of all games."""
    codes = {key: game.code for key, game in games.items()}
    # What was loaded stays for good: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
    return codes


def start_child(app: App, private: int) -> asyncio.Task[None]:
    """Run the bots' process, whatever becomes of it, until this is cancelled."""
    house = app.engine.house
    work = run_child(f"ws://127.0.0.1:{private}/ws", house)
    return asyncio.get_running_loop().create_task(work)


async def listen(transport: Listener, config: Config) -> int:
    """Listen on the wished port, or on a free one if that is busy; says so."""
    try:
        return await transport.open(config.host, config.port, shared=config.sockets is not None)
    except OSError:
        port = await transport.open(config.host, 0)
        print_sentence(FAILED, "serve.port_busy", wished=config.port, port=port)
        return port


async def open_metrics(app: App, config: Config) -> MetricsPort | None:
    """Where figures are to be read, if anywhere; says so if that address cannot be had."""
    if not config.metrics:
        return None
    host, port = host_and_port(config.metrics)
    opened = MetricsPort(app)
    try:
        number = await opened.open(host, port)
    except OSError:
        print_sentence(FAILED, "serve.no_metrics", address=config.metrics)
        return None
    log(logging.INFO, "metrics", port=number)
    return opened


def write_note(path: Path, note: dict[str, object]) -> None:
    """Write `server.json` whole or not at all: clients read it to find the server."""
    made = path.with_suffix(".new")
    made.write_text(json.dumps(note) + "\n", encoding="utf-8")
    made.replace(path)


class Signals:
    """What signals have signals this process; one that comes while it still starts counts as well.

    SIGTERM stops it gently, SIGINT now, and so does any second signal.
    """

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.at_once = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._hear)
        loop.add_signal_handler(signal.SIGINT, self._hear_now)

    def _hear(self) -> None:
        if self.stop.is_set():
            self.at_once.set()
        self.stop.set()

    def _hear_now(self) -> None:
        self.at_once.set()
        self.stop.set()


async def drain(app: App, seconds: float, signals: Signals) -> None:
    """Let people end what they do, unless it is to be over now or no client is connected."""
    if not seconds or signals.at_once.is_set() or not app.dispatcher.connections:
        return
    log(logging.INFO, "draining", seconds=seconds)
    print_sentence(FAILED, "serve.draining", seconds=round(seconds))
    await app.drain(seconds, signals.at_once)


async def first_of(*ends: Coroutine[Any, Any, object]) -> None:
    """Wait until one of them is over; the others are cancelled."""
    tasks = [asyncio.ensure_future(each) for each in ends]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
