"""`bluebear serve`: one process, one file, until it is told to stop."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rules import find_games
from rules.core.phrases import LANGS
from server import faults
from server.app import App
from server.clock import SystemClock
from server.config import Config, read_config
from server.edge.transport import Transport
from server.engine.child import run_child
from server.journal import JournalError, NotOpened, SqliteJournal
from server.observe import COUNTERS, log, start_logging
from server.room.pins import BadPin, read_pins
from server.sentences import say

CANNOT_START = 2

_COLLECTOR = (20_000, 20, 100)
"""States are trees, so there is little to collect: by Python's own numbers, looking for it takes
7 % of a busy server's time and stops it for 35 ms (docs/performance.md)."""


def main(argv: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT. `argv[0]` is the command word.

    Returns 0, or 2 with one sentence in both languages if the server cannot start.
    """
    config = read_config(argv[1:], os.environ)
    start_logging()
    faults.arm_from(config.faults)
    config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _lock(config.data)
    if lock is None:
        return _cannot("serve.in_use", str(config.data))
    try:
        return _run(config)
    except BadPin as wrong:
        return _cannot("serve.bad_pin", str(wrong))
    except NotOpened as problem:
        return _cannot(f"serve.{problem.code}", str(config.data))
    except JournalError as problem:
        log(logging.ERROR, "journal", why=str(problem))
        return _cannot("serve.journal_unusable", str(config.data))
    finally:
        lock.close()


def _cannot(key: str, path: str) -> int:
    for lang in LANGS:
        print(say(key, lang, path=path), file=sys.stderr)
    return CANNOT_START


def _lock(data: Path) -> IO[str] | None:
    """The lock on a data folder, held as long as the file is open; None if somebody has it."""
    file = (data / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _run(config: Config) -> int:
    try:
        import uvloop  # noqa: PLC0415 - where it does not install, asyncio serves
    except ImportError:
        log(logging.WARNING, "uvloop is missing: the server is about half as fast")
        asyncio.run(_serve(config))
    else:
        uvloop.run(_serve(config))
    return 0


async def _serve(config: Config) -> None:
    told = _told_to_stop()
    found = find_games(config.games)
    pins = read_pins(config.offered, config.pinned, found.games)
    journal = SqliteJournal(config.data / "bluebear.sqlite")
    for broken in found.broken:
        log(logging.WARNING, "broken game", game=broken.name, why=broken.why)
    app = App(config, journal, found.games, SystemClock(), meter=time.thread_time, pins=pins)
    await app.open()

    def health() -> dict[str, Any]:  # Any: a plain tree
        return {
            "ok": app.healthy,
            "version": app.version,
            "connections": len(app.reception.connections),
            "rooms": len(app.engine.live),
            "games": {"loaded": len(found.games), "broken": len(found.broken)},
            "journal": dict(journal.settings),
            "written": {"entries": app.writer.entries, "commits": app.writer.commits},
            "counters": dict(sorted(COUNTERS.items())),
        }

    transport = app.transport(health)
    port = await _listen(transport, config)
    if not config.public_url:
        app.public_url = f"http://{config.host}:{port}"
    private = await transport.open_private()
    address = f"ws://{'127.0.0.1' if config.host == '0.0.0.0' else config.host}:{port}/ws"
    child = None
    if config.house:
        child = asyncio.get_running_loop().create_task(
            run_child(
                f"ws://127.0.0.1:{private}/ws",
                app.engine.house.token,
                lambda: app.engine.house.has_child,
            )
        )
    note = config.data / "server.json"
    _write_note(note, {"url": address, "pid": os.getpid(), "version": app.version})
    # What was loaded stays for good: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
    log(logging.INFO, "serving", address=address, games=list(app.games))
    try:
        await told.wait()
    finally:
        with suppress(FileNotFoundError):
            note.unlink()
        if child is not None:
            child.cancel()
            with suppress(asyncio.CancelledError):
                await child
        await app.close()
        await transport.close()
        log(logging.INFO, "stopped")


async def _listen(transport: Transport, config: Config) -> int:
    """Listen on the wished port, or on a free one if that is busy; says so."""
    try:
        return await transport.open(config.host, config.port)
    except OSError:
        port = await transport.open(config.host, 0)
        for lang in LANGS:
            print(say("serve.port_busy", lang, wished=config.port, port=port), file=sys.stderr)
        return port


def _write_note(path: Path, note: dict[str, object]) -> None:
    """Write `server.json` whole or not at all: clients read it to find the server."""
    made = path.with_suffix(".new")
    made.write_text(json.dumps(note) + "\n", encoding="utf-8")
    made.replace(path)


def _told_to_stop() -> asyncio.Event:
    """Set by SIGINT or SIGTERM, also by one that comes while the server is still starting."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    return told


if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
