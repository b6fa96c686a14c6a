"""`bluebear serve`: one process with one file, a node among several, or all nodes of a machine."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bluebear.rules import find_games
from bluebear.rules.core.game import Game
from bluebear.server.app import App, Outside
from bluebear.server.config import Config, read_config, shown_store
from bluebear.server.handshake import NoEntryPasswordError, entry_hash
from bluebear.server.limits import OPEN_FILES, THREAD_SWITCH_SECONDS
from bluebear.server.net.http import Listener, host_and_port, url_host
from bluebear.server.ops import supervisor
from bluebear.server.ops.control import Answer, Control
from bluebear.server.ops.metrics import Report, free_share, open_metrics
from bluebear.server.ops.supervisor import STORE_AWAY, Signals, SocketExchange, noted
from bluebear.server.room.creation import BadPin, read_pins
from bluebear.server.rooms.house_bots import run_child
from bluebear.server.runtime import SystemClock, Tasks, first_of, log, start_logging
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import JournalError, NotOpened, Store, open_store
from bluebear.server.store.backup import lock_folder

if TYPE_CHECKING:  # a server that is alone does without the driver of a database
    from bluebear.server.ops.node import ClusterNode

_COLLECTOR = (2_000, 1, 10_000)
"""States are trees, so there is little to collect. By Python's own numbers, looking for it takes
7 % of a busy server's time and stops it for 35 ms. So little is looked at together, and what has
been looked at twice not again for long (docs/notes/2026-11-performance.md)."""

DEPOSED = 3
"""The exit code of a node that owns nothing any more, and is to be started again."""
_RETRIED = ("journal_unusable", "journal_in_use", "node_lives")
"""Why a database is not opened now, and may be later."""


def main(argv: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT. `argv[0]` is the command word.

    Returns 0; with one sentence in both languages 2 if it cannot start, 4 if its database is away.
    """
    config = read_config(argv[1:], os.environ)
    if (config.processes > 1 or config.node) and not config.store:
        return print_sentence(UNUSABLE, "serve.needs_store")
    start_logging()
    address = shown_store(config.store or str(config.data))
    try:
        config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The first node of a supervisor has its folder; no two have one name.
        with nullcontext() if config.node else lock_folder(config.data):
            return _run(config, argv[1:])
    except NoEntryPasswordError:
        return print_sentence(UNUSABLE, "serve.no_entry_password", path=config.entry_password_file)
    except BadPin as wrong:
        return print_sentence(UNUSABLE, "serve.bad_pin", path=wrong)
    except NotOpened as problem:
        log(logging.ERROR, "journal not opened", why=str(problem))
        at = datetime.fromtimestamp(problem.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        addresses = {"node_lives": config.node, "in_use": str(config.data)}
        address = addresses.get(problem.code, address)
        code = STORE_AWAY if config.store and problem.code in _RETRIED else UNUSABLE
        key = f"serve.{problem.code}"
        return print_sentence(code, key, path=address, count=problem.missing, at=at)
    except JournalError as problem:
        log(logging.ERROR, "journal", why=str(problem))
        return print_sentence(UNUSABLE, "serve.journal_unusable", path=address)
    except OSError as problem:
        # No address of this machine, or a disk that is full: nothing is served yet.
        return print_sentence(UNUSABLE, "serve.cannot_start", path=problem)


def _run(config: Config, argv: Sequence[str]) -> int:
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    if config.processes > 1:
        return asyncio.run(supervisor.run(config, argv))
    _open_more_files()
    work = _serve(config)
    try:
        import uvloop  # noqa: PLC0415 - where it does not install, asyncio serves
    except ImportError:
        log(logging.WARNING, "uvloop is missing: the server is about half as fast")
        return asyncio.run(work)
    return uvloop.run(work)


def _open_more_files() -> None:
    """Let this process open the files that all connections need, as far as the system does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if resource.RLIM_INFINITY != soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < OPEN_FILES:
        log(logging.WARNING, "few open files", allowed=allowed, needed=OPEN_FILES)


async def _serve(config: Config) -> int:
    signals, entry = Signals(), await entry_hash(config)
    result = find_games(config.games)
    pins = read_pins(config.offered, config.pinned, result.games)
    for broken in result.broken:
        log(logging.WARNING, "broken game", game=broken.name, why=broken.why)
    if not result.games:
        return print_sentence(UNUSABLE, "serve.no_games", path=", ".join(config.games))
    node, journal = await _open_journal(config)
    outside = Outside(time.thread_time, lambda: free_share(config.data), entry_hash=entry)
    app = App(config, journal, result.games, SystemClock(), pins=pins, outside=outside, among=node)
    await (app.open() if node is None else node.open(app))

    transport = app.listener(Report(app, len(result.broken)))
    orders = {"backup": lambda path: _back_up(journal, path), **app.features.control}
    control = Control(config.data, orders)
    exchange = _exchange(config, transport)
    port = await _listen(transport, config)
    if not config.public_url:
        app.resources.public_url = f"http://{url_host(config.host, port)}"
    figures_port = await _open_metrics(app, config)
    await control.open()
    bots = Tasks()
    if config.house:
        bots.start(
            run_child(f"ws://127.0.0.1:{await transport.open_private()}/ws", app.engine.house)
        )
    address = f"ws://{url_host(config.host, port)}/ws"
    log(logging.INFO, "serving", address=address, games=_settle(result.games), node=config.node)
    # Of several nodes the supervisor says where they are.
    note = {"url": address, "pid": os.getpid(), "version": app.version}
    with noted(config.data if exchange is None else None, note):
        try:
            await _until_over(app, node, config, signals)
        finally:
            transport.stop_listening()
            await bots.close()
            await control.close()
            if exchange is not None:
                await exchange.close()
            await (app.close() if node is None else node.close())
            await transport.close()
            if figures_port is not None:
                figures_port.close()
                await figures_port.wait_closed()
            log(logging.INFO, "stopped")
    return DEPOSED if node is not None and node.over.is_set() else 0


async def _until_over(app: App, node: ClusterNode | None, config: Config, signals: Signals) -> None:
    """Serve until it is to end; then people end what they do, or a node gives its rooms away."""
    if node is None:
        await signals.stop.wait()
        if config.drain and not signals.at_once.is_set() and app.dispatcher.connections:
            log(logging.INFO, "draining", seconds=config.drain)
            print_sentence(FAILED, "serve.draining", seconds=round(config.drain))
            await app.drain(config.drain, signals.at_once)
        return
    await first_of(signals.stop.wait(), node.drain_requested.wait(), node.over.wait())
    if not node.over.is_set() and not signals.at_once.is_set():
        log(logging.INFO, "giving rooms away", rooms=len(app.engine.live))
        await first_of(node.drain(), signals.at_once.wait(), node.over.wait())


def _exchange(config: Config, transport: Listener) -> SocketExchange | None:
    """Open the way by which nodes of one port hand connections over; None: the port is not shared.

    Raises OSError.
    """
    transport.node = config.node
    if config.sockets is None:
        return None
    exchange = SocketExchange(config.sockets, config.node, transport.take)
    transport.other_nodes = exchange
    exchange.open()
    return exchange


async def _open_journal(config: Config) -> tuple[ClusterNode | None, Store]:
    """The journal of the data folder, or that of a database, as a node if it is one of several.

    Raises NotOpened.
    """
    if config.node:
        from bluebear.server.ops.node import join  # noqa: PLC0415

        return await join(config)
    journal = await open_store(config.data, config.store, accept_older=config.accept_older)
    if journal.behind is not None:
        missing = journal.behind.missing
        log(logging.ERROR, "journal older than what was last written", missing=missing)
    return None, journal


async def _back_up(journal: Store, path: str) -> Answer:
    """Copy the journal while games go on."""
    try:
        size = await journal.copy_to(Path(path))
    except JournalError as problem:
        log(logging.ERROR, "backup failed", why=str(problem))
        return {"error": str(problem)}
    log(logging.INFO, "backup", path=path, bytes=size)
    return {"path": path, "bytes": size}


def _settle(games: Mapping[str, Game[Any]]) -> dict[str, str]:  # Any: each has its own state class
    """Do what no client should have to wait for later; the codes of all games."""
    codes = {key: game.code for key, game in games.items()}
    # What was loaded stays for good: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
    return codes


async def _listen(transport: Listener, config: Config) -> int:
    """Listen on the wished port, or on a free one if that is busy; says so. Raises OSError."""
    try:
        return await transport.open(config.host, config.port, shared=config.sockets is not None)
    except OSError:
        port = await transport.open(config.host, 0)
        print_sentence(FAILED, "serve.port_busy", wished=config.port, port=port)
        return port


async def _open_metrics(app: App, config: Config) -> asyncio.Server | None:
    """Where figures are to be read, if anywhere; says so if that address cannot be had."""
    if not config.metrics:
        return None
    host, port = host_and_port(config.metrics)
    try:
        opened = await open_metrics(app, host, port)
    except OSError:
        print_sentence(FAILED, "serve.no_metrics", address=config.metrics)
        return None
    log(logging.INFO, "metrics", port=opened.sockets[0].getsockname()[1])
    return opened


if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
