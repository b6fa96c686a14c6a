"""`bluebear serve`: one process, one file, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from protocol.limits import ENTRY_PASSWORD_MAX
from rules import find_games
from rules.core.game import Game
from rules.core.phrases import LANGS
from server import faults
from server.app import App
from server.clock import SystemClock
from server.config import Config, read_config
from server.edge.entrance import plain_password
from server.edge.transport import Transport
from server.engine.child import run_child
from server.journal import Behind, Copied, JournalError, NotOpened, SqliteJournal, Store
from server.observe import log, start_logging
from server.people.passwords import Hashing
from server.room.pins import BadPin, read_pins
from server.sentences import say
from server.watch.control import Answer, Control
from server.watch.exposition import exposition
from server.watch.figures import figures
from server.watch.folder import JOURNAL, lock_folder
from server.watch.port import MetricsPort
from server.watch.report import free_share, report

CANNOT_START = 2

_COLLECTOR = (20_000, 20, 100)
"""States are trees, so there is little to collect: by Python's own numbers, looking for it takes
7 % of a busy server's time and stops it for 35 ms (docs/performance.md)."""


class Kept(Store, Protocol):
    """A store that says how it keeps things, and copies itself if it can."""

    settings: Mapping[str, str | int]
    behind: Behind | None

    async def copy_to(self, target: Path) -> Copied:
        """Copy everything into one file. Raises JournalError."""


def main(argv: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT. `argv[0]` is the command word.

    Returns 0, or 2 with one sentence in both languages if the server cannot start.
    """
    config = read_config(argv[1:], os.environ)
    start_logging()
    faults.arm_from(config.faults)
    config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = lock_folder(config.data)
    if lock is None:
        return _cannot("serve.in_use", str(config.data))
    try:
        return _run(config)
    except NoEntryPasswordError:
        return _cannot("serve.no_entry_password", str(config.entry_password_file))
    except BadPin as wrong:
        return _cannot("serve.bad_pin", str(wrong))
    except NotOpened as problem:
        log(logging.ERROR, "journal not opened", why=str(problem))
        at = datetime.fromtimestamp(problem.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        return _cannot(f"serve.{problem.code}", _place(config), count=problem.missing, at=at)
    except JournalError as problem:
        log(logging.ERROR, "journal", why=str(problem))
        return _cannot("serve.journal_unusable", _place(config))
    finally:
        lock.close()


def _place(config: Config) -> str:
    """Where everything is kept, as a sentence may say it: without passwords."""
    if not config.store:
        return str(config.data)
    found = urlsplit(config.store)
    return f"{found.scheme}://{found.hostname or ''}{found.path}"


def _cannot(key: str, path: str, *, count: int = 0, at: str = "") -> int:
    for lang in LANGS:
        print(say(key, lang, path=path, count=count, at=at), file=sys.stderr)
    return CANNOT_START


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
    told, entry_hash = _Told(), await _entry_hash(config)
    found = find_games(config.games)
    pins = read_pins(config.offered, config.pinned, found.games)
    journal = await _open_journal(config)
    for broken in found.broken:
        log(logging.WARNING, "broken game", game=broken.name, why=broken.why)
    app = App(
        config,
        journal,
        found.games,
        SystemClock(),
        meter=time.thread_time,
        free=lambda: free_share(config.data),
        pins=pins,
        entry_hash=entry_hash,
    )
    await app.open()

    def health() -> dict[str, Any]:  # Any: a plain tree
        return report(app, len(found.broken), journal.settings, journal.behind)

    transport = app.transport(health)
    port = await _listen(transport, config)
    if not config.public_url:
        app.public_url = f"http://{config.host}:{port}"
    private = await transport.open_private()
    address = f"ws://{'127.0.0.1' if config.host == '0.0.0.0' else config.host}:{port}/ws"
    figures_port = await _open_metrics(app, config)
    orders = {"backup": lambda path: _back_up(journal, path), "operator": app.operating.appoint}
    control = Control(config.data, orders)
    await control.open()
    child = _start_child(app, private) if config.house else None
    note = config.data / "server.json"
    _write_note(note, {"url": address, "pid": os.getpid(), "version": app.version})
    codes = _settle(found.games)
    log(logging.INFO, "serving", address=address, games=codes)
    try:
        await told.stop.wait()
        await _drain(app, config.drain, told)
    finally:
        with suppress(FileNotFoundError):
            note.unlink()
        if child is not None:
            child.cancel()
            with suppress(asyncio.CancelledError):
                await child
        await control.close()
        await app.close()
        await transport.close()
        if figures_port is not None:
            await figures_port.close()
        log(logging.INFO, "stopped")


def _settle(games: Mapping[str, Game[Any]]) -> dict[str, str]:  # Any: each has its own state class
    """Do what nobody should have to wait for later; the codes of all games."""
    codes = {key: game.code for key, game in games.items()}
    # What was loaded stays for good: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
    return codes


class NoEntryPasswordError(Exception):
    """The file that should have the password for newcomers cannot be read, or has none."""


async def _entry_hash(config: Config) -> str:
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


async def _open_journal(config: Config) -> Kept:
    """The journal of the data folder, or that of a database. Raises NotOpened."""
    if config.store:
        # Its driver is loaded only where it is wanted.
        from server.journal.postgres import PostgresJournal  # noqa: PLC0415

        database = PostgresJournal(config.store)
        await database.open()
        return database
    journal = SqliteJournal(config.data / JOURNAL, accept_older=config.accept_older)
    if journal.behind is not None:
        missing = journal.behind.entries
        log(logging.ERROR, "journal older than what was last written", missing=missing)
    return journal


async def _back_up(journal: Kept, path: str) -> Answer:
    """Copy the journal while everybody plays."""
    try:
        copied = await journal.copy_to(Path(path))
    except JournalError as problem:
        log(logging.ERROR, "backup failed", why=str(problem))
        return {"error": str(problem)}
    log(logging.INFO, "backup", path=str(copied.path), bytes=copied.bytes)
    return {"path": str(copied.path), "bytes": copied.bytes}


def _start_child(app: App, private: int) -> asyncio.Task[None]:
    """Run the bots' process, whatever becomes of it, until this is cancelled."""
    house = app.engine.house
    work = run_child(f"ws://127.0.0.1:{private}/ws", house.token, lambda: house.has_child)
    return asyncio.get_running_loop().create_task(work)


async def _listen(transport: Transport, config: Config) -> int:
    """Listen on the wished port, or on a free one if that is busy; says so."""
    try:
        return await transport.open(config.host, config.port)
    except OSError:
        port = await transport.open(config.host, 0)
        for lang in LANGS:
            print(say("serve.port_busy", lang, wished=config.port, port=port), file=sys.stderr)
        return port


async def _open_metrics(app: App, config: Config) -> MetricsPort | None:
    """Where figures are to be read, if anywhere; says so if that address cannot be had."""
    if not config.metrics:
        return None
    host, _, port = config.metrics.rpartition(":")
    opened = MetricsPort(lambda: exposition(figures(app, time.thread_time)))
    try:
        number = await opened.open(host, int(port))
    except OSError:
        for lang in LANGS:
            print(say("serve.no_metrics", lang, address=config.metrics), file=sys.stderr)
        return None
    log(logging.INFO, "metrics", port=number)
    return opened


def _write_note(path: Path, note: dict[str, object]) -> None:
    """Write `server.json` whole or not at all: clients read it to find the server."""
    made = path.with_suffix(".new")
    made.write_text(json.dumps(note) + "\n", encoding="utf-8")
    made.replace(path)


class _Told:
    """What signals have told this process; one that comes while it still starts counts as well.

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


async def _drain(app: App, seconds: float, told: _Told) -> None:
    """Let people end what they do, unless it is to be over now or nobody is there."""
    if not seconds or told.at_once.is_set() or not app.reception.connections:
        return
    log(logging.INFO, "draining", seconds=seconds)
    for lang in LANGS:
        print(say("serve.draining", lang, seconds=round(seconds)), file=sys.stderr)
    await app.drain(seconds, told.at_once)


if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
