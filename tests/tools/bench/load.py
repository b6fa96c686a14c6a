"""Puts load on a server, or on the bare relay, from a process of its own.

    python -m tests.tools.bench.load --pid PID --rooms 25 ws://127.0.0.1:8765/ws

First in a closed loop: every table sends the next move when all four have the last one. Then, with
`--half`, at half that rate on a timetable; what is sent late because the move before was late
counts from when it was due, so no wait is left out. With `--rate` only at these rates, told of on
stderr before the warm-up of each. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import heapq
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import uvloop

from tests.tools.bench.clients import SEATS, GameTable, Player, RelayTable, Table
from tests.tools.bench.system_stats import family_seconds, processor_seconds, resident_kib, share_of
from tests.tools.bench.wire import RunFailed

_TICK_SECONDS = 0.001
_GLANCE_SECONDS = 1.0
_COMPARED_TABLES = 10
_GAME_MOVES = 108
_COUNTED = {"bluebear_commits_total": "commits", "bluebear_entries_total": "entries"}

Figures = dict[str, Any]  # Any: a tree of numbers, for JSON


@dataclass(frozen=True)
class Order:
    """What to do."""

    address: str
    pid: int
    rooms: int
    warm_up: float
    seconds: float
    half: bool
    relay: bool
    wants: tuple[str, ...]
    idle: int
    games: float
    rate: tuple[float, ...]
    """Instead of a closed loop, so many moves a second on a timetable, one after the other."""
    section: tuple[tuple[str, int], ...]
    """Processes whose time is told apart, each with its children: name and number."""
    path: tuple[str, ...]
    """The nodes' own paths, which the tables take in turn: a room is at the node of its host."""
    figures: tuple[str, ...]
    """Where Prometheus reads commits and entries, instead of the server's own page of health."""


class Pace:
    """Makes the tables go on, and notes how long everything took. Owned by one run."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._running = False
        self._due: dict[Table, float] = {}
        self._interval = 0.0
        self._quiet = asyncio.Event()
        self._ahead: dict[Table, int] = {}
        self._timetable: list[tuple[float, int, Table]] = []
        self.taken: list[float] = []
        for table in tables:
            table.finished = self._finished

    def _finished(self, table: Table, seconds: float) -> None:
        self.taken.append(seconds)
        if self._ahead.get(table, 0) > 0:
            self._ahead[table] -= 1
            table.begin(time.perf_counter())
        elif not self._running:
            self._quiet.set()
        elif not self._interval:
            table.begin(time.perf_counter())
        elif table in self._due:
            table.begin(self._due.pop(table))

    async def spread(self) -> None:
        """Bring the tables to different places of their games: else all games end at once."""
        count = len(self._tables)
        self._ahead = {
            table: _GAME_MOVES * number // count for number, table in enumerate(self._tables)
        }
        for table in self._tables:
            table.begin(time.perf_counter())
        await self.stop()

    def close_loop(self) -> None:
        """Every table sends as soon as it can."""
        self._running, self._interval = True, 0.0
        now = time.perf_counter()
        for table in self._tables:
            table.begin(now)

    def open_loop(self, per_second: float) -> None:
        """Every table sends when it is due, all together so many a second."""
        self._running, self._interval = True, len(self._tables) / per_second
        start = time.perf_counter()
        self._timetable = [
            (start + self._interval * number / len(self._tables), number, table)
            for number, table in enumerate(self._tables)
        ]
        heapq.heapify(self._timetable)
        self._tick()

    def _tick(self) -> None:
        if not self._running:
            return
        asyncio.get_running_loop().call_later(_TICK_SECONDS, self._tick)
        now = time.perf_counter()
        while self._timetable[0][0] <= now:
            due, number, table = self._timetable[0]
            heapq.heapreplace(self._timetable, (due + self._interval, number, table))
            if table.busy:
                # The oldest one counts: what is due after it is not sent before it.
                self._due.setdefault(table, due)
            else:
                table.begin(due)

    async def stop(self) -> None:
        """No table sends anything more; wait for what is under way."""
        self._running = False
        while any(table.busy for table in self._tables):
            self._quiet.clear()
            await self._quiet.wait()
        self._due.clear()


async def groups_of(order: Order) -> Counter[str]:
    """Commits and entries of the journal so far; nothing for the bare relay."""
    if order.relay:
        return Counter()
    if not order.figures:
        body = await _page(urlsplit(order.address).netloc, "/healthz")
        return Counter(json.loads(body).get("written", {}))
    results: Counter[str] = Counter()
    for address in order.figures:
        for line in (await _page(address, "/metrics")).decode().splitlines():
            name, _, number = line.partition(" ")
            if name in _COUNTED:
                results[_COUNTED[name]] += int(float(number))
    return results


async def _page(where: str, path: str) -> bytes:
    host, _, port = where.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    writer.write(request.encode())
    answer = await reader.read()
    writer.close()
    return answer.partition(b"\r\n\r\n")[2]


async def measured(order: Order, pace: Pace) -> Figures:
    """What happens in the measured time, after the warm-up."""
    await asyncio.sleep(order.warm_up)
    groups = await groups_of(order)
    before = {name: family_seconds(pid) for name, pid in order.section}
    pace.taken.clear()
    began, spent = time.perf_counter(), processor_seconds(order.pid)
    await asyncio.sleep(order.seconds)
    seconds = time.perf_counter() - began
    user, system = (
        after - before for before, after in zip(spent, processor_seconds(order.pid), strict=True)
    )
    taken = list(pace.taken)
    worked = {name: family_seconds(pid) - before[name] for name, pid in order.section}
    groups = await groups_of(order) - groups
    moves = max(1, len(taken))
    parts = {name: round(spent / moves * 1e6, 2) for name, spent in worked.items()}
    return {
        "per_second": round(len(taken) / seconds, 1),
        "us": round((user + system) / moves * 1e6, 2),
        "user_us": round(user / moves * 1e6, 2),
        "busy": round((user + system) / seconds, 3),
        "p50_ms": round(share_of(taken, 0.5) * 1e3, 2),
        "p99_ms": round(share_of(taken, 0.99) * 1e3, 2),
        "longest_ms": round(max(taken, default=0.0) * 1e3, 2),
        "entries_per_commit": round(groups["entries"] / max(1, groups["commits"]), 2),
        **({"parts_us": parts} if parts else {}),
    }


async def run(order: Order) -> Figures:
    """One cell: all players sit down, the loads, the comparison of the mirrors."""
    figures: Figures = {"rooms": order.rooms, "kib_before": resident_kib(order.pid)}
    targets = [urljoin(order.address, path) for path in order.path or ("",)]
    tables: list[Table] = [
        RelayTable(order.address, number)
        if order.relay
        else GameTable(targets[number % len(targets)], number, order.wants)
        for number in range(order.rooms)
    ]
    spent = sum(processor_seconds(order.pid))
    for table in tables:
        await table.sit_down()
    spent = sum(processor_seconds(order.pid)) - spent
    figures["join_ms"] = round(spent / order.rooms / SEATS * 1e3, 3)
    figures["kib_seated"] = resident_kib(order.pid)
    if order.section:
        figures["parts_kib"] = {name: resident_kib(pid) for name, pid in order.section}
    gc.freeze()
    pace = Pace(tables)
    await pace.spread()
    if not order.rate:
        pace.close_loop()
        figures["closed"] = await measured(order, pace)
        await pace.stop()
    for number, rate in enumerate(order.rate):
        print(f"at {rate:g} a second", file=sys.stderr, flush=True)
        pace.open_loop(rate)
        figures[f"rate{number}"] = await measured(order, pace)
        await pace.stop()
    while games_of(tables) < order.games * order.rooms:
        pace.close_loop()
        await asyncio.sleep(_GLANCE_SECONDS)
        await pace.stop()
    if order.half:
        pace.open_loop(figures["closed"]["per_second"] / 2)
        figures["half"] = await measured(order, pace)
        await pace.stop()
    figures["kib_played"] = resident_kib(order.pid)
    figures["games"] = round(games_of(tables) / order.rooms, 1)
    games = [table for table in tables if isinstance(table, GameTable)]
    if games:
        figures |= await _weighed(games)
    for table in tables:
        table.leave()
    return figures


def games_of(tables: Sequence[Table]) -> float:
    """How many games have been played at all tables together."""
    return sum(table.moves for table in tables if isinstance(table, GameTable)) / _GAME_MOVES


async def _weighed(games: Sequence[GameTable]) -> Figures:
    """Compare mirrors, then say what the moves have cost on the wire."""
    for game in games[:_COMPARED_TABLES]:
        await game.compare()
    moves = sum(game.moves for game in games)
    parts: Counter[str] = Counter()
    for game in games:
        parts += game.bytes
        for player in game.players:
            parts["moves"] += player.frames["moves"]
    return {
        "moves": moves,
        "bytes": {
            component: round(size / moves / SEATS, 2) for component, size in sorted(parts.items())
        },
    }


async def idle(order: Order) -> Figures:
    """What many connections cost that only say who they are, and then nothing."""
    players: list[Player] = []
    before = 0
    host, port = urlsplit(order.address).netloc.split(":")
    for number in range(order.idle):
        if number == order.idle // 10:
            before = resident_kib(order.pid)
        _, player = await asyncio.get_running_loop().create_connection(
            lambda: Player(order.address, lambda *_: None), host, int(port)
        )
        await player.opened
        player.hello(f"idle{number}", ())
        await player.welcome
        players.append(player)
    counted = order.idle - order.idle // 10
    kib = (resident_kib(order.pid) - before) / counted
    for player in players:
        player.leave()
    return {"idle": order.idle, "kib_per_connection": round(kib, 1)}


async def _run_all(order: Order) -> Figures:
    failed: asyncio.Future[Figures] = asyncio.get_running_loop().create_future()

    def fail(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # Any: what the loop tells of an error.
        if not failed.done():
            failed.set_exception(context.get("exception") or RunFailed(context["message"]))

    asyncio.get_running_loop().set_exception_handler(fail)
    work = asyncio.create_task(idle(order) if order.idle else run(order))
    done, _ = await asyncio.wait({work, failed}, return_when=asyncio.FIRST_COMPLETED)
    return done.pop().result()


def _section(text: str) -> tuple[str, int]:
    name, _, pid = text.partition("=")
    return name, int(pid)


def main(argv: Sequence[str]) -> None:
    """Run one cell and print its figures."""
    parser = argparse.ArgumentParser(prog="tests.tools.bench.load", description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--pid", type=int, required=True, help="of the server, to read its time")
    parser.add_argument("--rooms", type=int, default=25)
    parser.add_argument("--warm-up", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--half", action="store_true", help="then half load on a timetable")
    parser.add_argument("--rate", type=float, action="append", default=[], help="moves a second")
    parser.add_argument("--relay", action="store_true", help="the bare relay is what is loaded")
    parser.add_argument("--wants", default="", help="events,text,moves")
    parser.add_argument("--games", type=float, default=0, help="go on for so many games a table")
    parser.add_argument("--idle", type=int, default=0, help="only so many silent connections")
    parser.add_argument(
        "--part",
        dest="section",
        type=_section,
        action="append",
        default=[],
        metavar="NAME=PID",
        help="also watched",
    )
    parser.add_argument(
        "--figures", action="append", default=[], metavar="HOST:PORT", help="of nodes"
    )
    parser.add_argument("--path", action="append", default=[], help="of a node, as /n/node-1/ws")
    given = parser.parse_args(argv)
    wants = tuple(given.wants.split(",")) if given.wants else ()
    more = {
        "wants": wants,
        "rate": tuple(given.rate),
        "section": tuple(given.section),
        "figures": tuple(given.figures),
        "path": tuple(given.path),
    }
    order = Order(**{**vars(given), **more})
    gc.disable()  # frames are trees; a collector in here would be taken for the server's delay
    print(json.dumps(uvloop.run(_run_all(order))))


if __name__ == "__main__":
    main(sys.argv[1:])
