"""`bluebear serve`: one process, one file, until it is told to stop; or a node, or all nodes."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bluebear.rules import find_games
from bluebear.rules.core.phrases import LANGS
from bluebear.server import faults, supervisor
from bluebear.server.app import App, Outside
from bluebear.server.clock import SystemClock
from bluebear.server.config import Config, read_config
from bluebear.server.limits import THREAD_SWITCH_SECONDS
from bluebear.server.net.http import url_host
from bluebear.server.observe import log, start_logging
from bluebear.server.roles import NoSecret
from bluebear.server.room.creation import BadPin, read_pins
from bluebear.server.sentences import say
from bluebear.server.serving import (
    NoEntryPasswordError,
    Told,
    drain,
    entry_hash,
    listen,
    open_metrics,
    settle,
    start_child,
    write_note,
)
from bluebear.server.store import JournalError, NotOpened, SqliteStore, Store
from bluebear.server.watch.control import JOURNAL, Answer, Control, lock_folder
from bluebear.server.watch.figures import free_share, report

CANNOT_START = 2


def main(argv: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT. `argv[0]` is the command word.

    Returns 0, or 2 with one sentence in both languages if the server cannot start.
    """
    config = read_config(argv[1:], os.environ)
    if why := _not_so(config):
        return _cannot(why, config.role)
    start_logging()
    faults.arm_from(config.faults)
    config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if config.role:
        # The first edge of a supervisor has its folder; two of one name end each other.
        return _sentenced(config, lambda: _run(config, argv[1:]))
    lock = lock_folder(config.data)
    if lock is None:
        return _cannot("serve.in_use", str(config.data))
    try:
        return _sentenced(config, lambda: _run(config, argv[1:]))
    finally:
        lock.close()


def _not_so(config: Config) -> str:
    """The sentence for settings that do not go together; empty: they do."""
    if (config.processes > 1 or config.role) and not config.store:
        return "serve.needs_store"
    if config.role and not config.node:
        return "serve.needs_node"
    if config.role == "engine" and not config.listen:
        return "serve.needs_listen"
    return ""


def _sentenced(config: Config, work: Callable[[], int]) -> int:
    """Do it; whatever keeps a server from starting is said in a sentence."""
    try:
        return work()
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
    except NoSecret as problem:
        return _cannot("serve.no_secret", str(problem))


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


def _run(config: Config, argv: Sequence[str]) -> int:
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    if config.role:
        # The database's driver is loaded only where it is wanted.
        from bluebear.server import roles  # noqa: PLC0415

        work = roles.run(config)
    elif config.processes > 1:
        return asyncio.run(supervisor.run(config, argv))
    else:
        work = _serve(config)
    try:
        import uvloop  # noqa: PLC0415 - where it does not install, asyncio serves
    except ImportError:
        log(logging.WARNING, "uvloop is missing: the server is about half as fast")
        return asyncio.run(work)
    return uvloop.run(work)


async def _serve(config: Config) -> int:
    told, entry = Told(), await entry_hash(config)
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
        pins=pins,
        outside=Outside(
            meter=time.thread_time, free=lambda: free_share(config.data), entry_hash=entry
        ),
    )
    await app.open()

    def health() -> dict[str, Any]:  # Any: a plain tree
        return report(app, len(found.broken), journal.settings, journal.behind)

    transport = app.listener(health)
    port = await listen(transport, config)
    if not config.public_url:
        app.resources.public_url = f"http://{url_host(config.host, port)}"
    private = await transport.open_private()
    address = f"ws://{url_host(config.host, port)}/ws"
    figures_port = await open_metrics(app, config)
    orders = {
        "backup": lambda path: _back_up(journal, path),
        **app.features.control,
    }
    control = Control(config.data, orders)
    await control.open()
    child = start_child(app, private) if config.house else None
    note = config.data / "server.json"
    write_note(note, {"url": address, "pid": os.getpid(), "version": app.version})
    codes = settle(found.games)
    log(logging.INFO, "serving", address=address, games=codes)
    try:
        await told.stop.wait()
        await drain(app, config.drain, told)
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
    return 0


async def _open_journal(config: Config) -> Store:
    """The journal of the data folder, or that of a database. Raises NotOpened."""
    if config.store:
        # Its driver is loaded only where it is wanted.
        from bluebear.server.store.postgres import PostgresStore  # noqa: PLC0415

        database = PostgresStore(config.store)
        await database.open()
        return database
    journal = SqliteStore(config.data / JOURNAL, accept_older=config.accept_older)
    if journal.behind is not None:
        missing = journal.behind.entries
        log(logging.ERROR, "journal older than what was last written", missing=missing)
    return journal


async def _back_up(journal: Store, path: str) -> Answer:
    """Copy the journal while everybody plays."""
    try:
        copied = await journal.copy_to(Path(path))
    except JournalError as problem:
        log(logging.ERROR, "backup failed", why=str(problem))
        return {"error": str(problem)}
    log(logging.INFO, "backup", path=str(copied.path), bytes=copied.bytes)
    return {"path": str(copied.path), "bytes": copied.bytes}


if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
