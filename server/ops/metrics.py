"""The figures of a running server, for its operator, as the text that Prometheus reads.

By hand: the format is three kinds of lines, and all our figures are there already; the client
library would keep a second set of them. Private rooms count here, and only here.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.package_data import read_text
from bluebear.server.app import App
from bluebear.server.net.pages import NO_STORE, make_response
from bluebear.server.ops.health import Problem
from bluebear.server.room.state import Privacy
from bluebear.server.runtime import BOUNDS, COUNTERS, Times

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"

Samples = Mapping[tuple[str, ...], float]
"""Values by the values of their labels."""


def figure(name: str, kind: str, text: str, samples: Samples, *labels: str) -> str:
    """The lines of one thing that is measured: its name without `bluebear_`, and what it is now.

    `kind` is counter (only ever grows; its name ends in `_total`) or gauge.
    """
    lines = [f"# HELP bluebear_{name} {text}", f"# TYPE bluebear_{name} {kind}"]
    for values, number in sorted(samples.items()):
        # A value is escaped as in JSON.
        escaped = (msgspec.json.encode(value).decode() for value in values)
        braced = ",".join(f"{label}={value}" for label, value in zip(labels, escaped, strict=True))
        lines.append(f"bluebear_{name}{braced and f'{{{braced}}}'} {number:.10g}")
    return "".join(f"{line}\n" for line in lines)


def gauge(name: str, text: str, value: float) -> str:
    """Something that goes up and down."""
    return figure(name, "gauge", text, {(): value})


def counter(name: str, text: str, value: float) -> str:
    """Something that only grows while the server runs."""
    return figure(f"{name}_total", "counter", text, {(): value})


def histogram(name: str, text: str, times: Times) -> str:
    """How many took at most so long."""
    sums = list(accumulate(times.counts))
    bounds = zip((*map(str, BOUNDS), "+Inf"), sums, strict=True)
    samples = {f'_bucket{{le="{bound}"}}': float(count) for bound, count in bounds}
    samples |= {"_sum": times.seconds, "_count": sums[-1]}
    lines = (f"bluebear_{name}{end} {number:.10g}\n" for end, number in samples.items())
    return figure(name, "histogram", text, {}) + "".join(lines)


_REQUEST_MAX: Final = 8 * 1024
_REQUEST_SECONDS: Final = 5.0
"""One request of a few lines; who asks slower, or more, is no Prometheus."""
_AT_ONCE: Final = 8
"""Askers at a time: one or two are wanted, and making the text takes a millisecond."""


async def open_metrics(app: App, host: str, port: int) -> asyncio.Server:
    """Answer `GET /metrics`, and anything else with 404. Raises OSError if the port is taken."""
    answer = partial(_answer, app, asyncio.Semaphore(_AT_ONCE))
    return await asyncio.start_server(answer, host, port, limit=_REQUEST_MAX)


async def _answer(
    app: App, turns: asyncio.Semaphore, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    broken = OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
    with closing(writer), suppress(*broken):
        if not turns.locked():
            async with turns, asyncio.timeout(_REQUEST_SECONDS):
                writer.write(_response(app, await reader.readuntil(b"\r\n\r\n")))
                await writer.drain()


def _response(app: App, request: bytes) -> bytes:
    method, _, rest = request.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    status, text, kind = HTTPStatus.NOT_FOUND, "not found\n", "text/plain"
    if method == b"GET" and path == b"/metrics":
        status, text, kind = HTTPStatus.OK, "".join(figures(app)), KIND
    return make_response(status, text.encode(), kind, NO_STORE, ()).serialize()


class _Reason(Struct):
    """A counter whose name goes on with a reason."""

    name: str
    label: str
    help: str


class _Counters(Struct):
    """The contents of `counters.toml`."""

    plain: dict[str, str]
    reasons: dict[str, _Reason]


_COUNTERS: Final = msgspec.toml.decode(
    read_text("bluebear.server.ops", "counters.toml"), type=_Counters
)


def figures(app: App) -> Iterator[str]:
    """All figures as they are now."""
    yield from _well(app)
    yield counter("loop_busy_seconds", "time that the loop's thread has worked", app.watch.meter())
    yield histogram("loop_lag_seconds", "how late the loop was", app.health.lag)
    writer = app.writer
    yield histogram("commit_seconds", "how long commits took", writer.commit_times)
    yield counter("commits", "commits of the journal", writer.commits)
    yield counter("entries", "entries that commits were to save", writer.entries)
    waiting = sum(len(live.queue) for live in app.engine.live.values())
    yield gauge("lines_waiting", "lines that wait for their turn in rooms", waiting)
    yield gauge("entries_waiting", "entries that wait for the next commit", writer.waiting)
    yield from _rooms(app)
    yield gauge("connections", "open connections", len(app.dispatcher.connections))
    yield gauge("people_online", "people who are connected", len(app.presence))
    if app.membership is not None:
        counted = Counter[tuple[str, ...]]((each.state,) for each in app.membership.living)
        yield figure("nodes", "gauge", "nodes that live", counted, "state")
    yield from _counted()


def _well(app: App) -> Iterator[str]:
    wrong = app.health.troubles()
    beside = {each.partition(":")[0] for each in app.health.beside()}
    yield gauge("healthy", "1 while nothing is wrong", not wrong)
    troubles = {each.value: float(each in wrong) for each in Problem} | dict.fromkeys(beside, 1.0)
    yield figure("trouble", "gauge", "1 for what is wrong", _by_label(troubles), "what")
    yield gauge("disk_free_ratio", "free share of the journal's disk", app.health.disk_free)


def _rooms(app: App) -> Iterator[str]:
    counted: Counter[tuple[str, ...]] = Counter()
    for live in app.engine.live.values():
        if live.exists:
            table = live.room.table
            counted[table.phase.value, table.privacy.value] += 1
    yield figure("rooms", "gauge", "rooms in memory", counted, "phase", "privacy")
    suspended = sum(bool(live.suspended) for live in app.engine.live.values())
    yield gauge("rooms_held_now", "rooms in memory that cannot go on", suspended)


def _counted() -> Iterator[str]:
    left = dict(COUNTERS)
    for name, text in _COUNTERS.plain.items():
        yield counter(name.replace(".", "_"), text, left.pop(name, 0))
    for start, reason in _COUNTERS.reasons.items():
        counts = {
            each.removeprefix(f"{start}."): left.pop(each)
            for each in list(left)
            if each.startswith(f"{start}.")
        }
        name = f"{reason.name}_total"
        yield figure(name, "counter", reason.help, _by_label(counts), reason.label)
    yield figure("events_total", "counter", "what else has happened", _by_label(left), "what")


def _by_label(values: Mapping[str, float]) -> Samples:
    return {(label,): value for label, value in values.items()}


def free_share(folder: Path) -> float:
    """The free share of the disk that a folder is on. Raises OSError."""
    stats = os.statvfs(folder)
    return stats.f_bavail / stats.f_blocks if stats.f_blocks else 1.0


@dataclass(frozen=True, slots=True)
class Report:
    """Makes the reply of `/healthz`; owned by the process. `broken` games do not load."""

    app: App
    broken: int

    def report(self) -> dict[str, Any]:  # Any: a plain tree
        """How the server is; `ok` goes with the status."""
        app = self.app
        rooms = [live for live in app.engine.live.values() if live.exists]
        public = [live for live in rooms if live.room.table.privacy is Privacy.PUBLIC]
        behind, writer, node = app.store.behind, app.writer, app.membership
        living = () if node is None else node.living
        nodes = [{"name": e.name, "state": e.state, "version": e.version} for e in living]
        # Under the bench alone: how much is said in private rooms is private, too.
        written = {"written": {"entries": writer.entries, "commits": writer.commits}}
        return {
            "ok": not app.health.troubles(),
            "troubles": app.health.all_troubles(),
            "version": app.version,
            "connections": len(app.dispatcher.connections),
            "rooms": len(public),
            "rooms_held": sum(bool(live.suspended) for live in public),
            "games": {"loaded": len(app.games), "broken": self.broken},
            "journal": {**app.store.settings, **({"missing": behind.missing} if behind else {})},
            **({} if app.config.bounded else written),
            **({} if node is None else {"node": node.peers.node, "nodes": nodes}),
        }
