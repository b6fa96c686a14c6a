"""Long proofs on a real server, by command. `python -m tests.tools.load` takes one of these words.

    flood --seconds 20                p99 of players while 50 strangers flood
    siege --seconds 20                the same beside strangers with every right there is
    crowd --connections 10000         connections opened and closed
    soak --minutes 30                 memory while people come, talk, play and leave
    restarts --rooms 200 --times 20   planned restarts in mid-game
    hidden --tries 2000               the time of an answer for hidden rooms and for none
    watchers --count 1000             the players of a room beside a crowd of spectators
    backups --rooms 200 --times 3     copies of a server in mid-game, restored
    lag --rooms 100 --seconds 20      how long the event loop keeps a client waiting
    rate --rooms 250 --rate 200 --seconds 600   a load on a timetable
    silent --connections 5000         what thousands of silent connections cost
    cold --rooms 1000                 a start with many rooms in mid-game

Each prints what it has measured, and ends with 1 where the promise does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final

from tests.tools.bench.system_stats import resident_kib, share_of
from tests.tools.load.backups import backups
from tests.tools.load.broadcast import watched
from tests.tools.load.foreground import Club, Evening
from tests.tools.load.loop_lag import lag
from tests.tools.load.raw_client import arrive
from tests.tools.load.restarts import restarts
from tests.tools.load.siege import Stage, siege
from tests.tools.load.sustained import cold, silent, sustained
from tests.tools.load.timing_leaks import hidden, verdict
from tests.tools.servers import ROOT, ServerProcess

ROOMS: Final = 4
PEOPLE: Final = 3
STRANGERS: Final = 50
CLUBS: Final = (("railroad_ink", 3), ("manhattan", 4), ("tokugawa", 2))
"""Games that go on all the time in a soak, and how many bots play each."""
RATIO_MAX: Final = 2.0
"""Good people's p99 in a flood, as a multiple of the quiet one."""
THERE_LEAST: Final = 0.8
"""Moves beside strangers, as a part of those without."""
LAG_MAX_SECONDS: Final = 0.05
"""What 999 of 1,000 answers take at most while a server is loaded."""
LATE_MAX_SECONDS: Final = 0.15
"""From a line to the last of a thousand watchers who has read what came of it, 99 times in 100."""
P99_MAX_MS: Final = 50.0
"""Of moves on a timetable, each counted from when it was due."""
BURST: Final = 800.0
BURST_P99_MAX_MS: Final = 250.0
"""The same at so many a second and more."""
SILENT_MAX_KIB: Final = 25.0
ACCEPTS_MAX_SECONDS: Final = 2.0
TOUCH_MAX_SECONDS: Final = 0.1
AT_ONCE: Final = 50
GROWTH_MAX: Final = 0.1
"""Of the memory after the first part, while nothing is kept: allocators keep a little."""
SAMPLE_SECONDS: Final = 5.0


async def flood(seconds: float, rounds: int) -> int:
    """Alternate quiet and flooded times; compare the p99 of good people's answers."""
    quiet: list[float] = []
    loud: list[float] = []
    sent = 0
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = await stack.enter_async_context(ServerProcess(Path(folder)))
        evening = Evening(server.url)
        await evening.begin(stack, ROOMS, PEOPLE)
        for _ in range(rounds):
            quiet += await evening.talk(seconds)
            strangers = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.tools.load.flood", server.url),
                *("--rooms", ",".join(evening.rooms), "--strangers", str(STRANGERS)),
                cwd=ROOT,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            await asyncio.sleep(1)
            loud += await evening.talk(seconds)
            output, _ = await strangers.communicate(b"")
            sent += int(output.split()[0])
        refused = sum(talker.refused for talker in evening.talkers)
        complaints = [line for line in server.complaints() if '"warning"' not in line]
    ratio = share_of(loud, 0.99) / share_of(quiet, 0.99)
    for name, taken in (("quiet", quiet), ("flood", loud)):
        print(
            f"{name}: {len(taken)} answers, p50 {share_of(taken, 0.5) * 1e3:.1f} ms,"
            f" p99 {share_of(taken, 0.99) * 1e3:.1f} ms"
        )
    print(
        f"{STRANGERS} strangers sent {sent} messages; p99 ratio {ratio:.2f} (at most {RATIO_MAX})"
    )
    print(f"{refused} good lines were refused, {len(complaints)} complaints in the log")
    return 0 if ratio <= RATIO_MAX and not refused and not complaints else 1


async def besieged(rooms: int, seconds: float) -> int:
    """Compare the p99 of rooms alone with that beside strangers who take all that they may."""

    def tell(stage: Stage) -> None:
        print(
            f"{stage.name}: {len(stage.taken)} moves,"
            f" p50 {share_of(stage.taken, 0.5) * 1e3:.1f} ms,"
            f" p99 {share_of(stage.taken, 0.99) * 1e3:.1f} ms;"
            f" {stage.refused} refused, processor {stage.busy:.0%};"
            f" strangers sent {stage.sent or 'nothing'}",
            flush=True,
        )

    with tempfile.TemporaryDirectory() as folder:
        quiet, *loud = await siege(Path(folder), rooms, seconds, tell)
    holds = True
    for stage in loud:
        ratio = share_of(stage.taken, 0.99) / share_of(quiet.taken, 0.99)
        # Who waits to the end is not among those who have waited.
        there = len(stage.taken) / len(quiet.taken)
        holds = holds and ratio <= RATIO_MAX and there >= THERE_LEAST
        print(
            f"{stage.name}: p99 ratio {ratio:.2f} (at most {RATIO_MAX}), {there:.0%} of the moves"
            f" (at least {THERE_LEAST:.0%})"
        )
    return 0 if holds else 1


async def open_connections(connections: int) -> int:
    """Open and close so many connections; descriptors and memory afterwards."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = await stack.enter_async_context(ServerProcess(Path(folder), more=("--bench",)))
        before = _descriptors(server.pid)
        began = time.monotonic()
        sizes = []
        for index in range(4):
            await _come_and_go(server.url, connections // 4, index)
            await _settled(server.pid, before)
            sizes.append(resident_kib(server.pid))
        took = time.monotonic() - began
        after = _descriptors(server.pid)
        complaints = server.complaints()
    growth = (sizes[-1] - sizes[1]) / sizes[1]
    print(
        f"{connections} connections in {took:.0f} s; descriptors {before} before and {after} after;"
        f" memory {sizes} KiB, {growth:+.1%} in the second half"
    )
    for line in complaints[:5]:
        print(line)
    return 0 if after == before and growth <= GROWTH_MAX and not complaints else 1


async def _come_and_go(url: str, connections: int, index: int) -> None:
    async def one(number: int) -> None:
        source = f"127.{10 + index}.{number // 200 % 200}.{number % 200 + 1}"
        client = await arrive(url, source=source)
        async with client.connection:
            if number % 2:
                await client.hello(f"C{index}N{number}")

    for first in range(0, connections, AT_ONCE):
        some = range(first, min(first + AT_ONCE, connections))
        await asyncio.gather(*(one(number) for number in some))


async def _settled(pid: int, descriptors: int) -> None:
    """Wait until the server has noticed that all are gone."""
    for _ in range(1000):
        if _descriptors(pid) <= descriptors:
            return
        await asyncio.sleep(0.01)


def _descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def soak(minutes: float) -> int:
    """Let people talk and others come and go for so long; memory in the first and last third."""
    sizes: list[int] = []
    visits = 0
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = await stack.enter_async_context(ServerProcess(Path(folder), house=True))
        evening = Evening(server.url)
        await evening.begin(stack, ROOMS, PEOPLE)
        clubs = [await Club.meet(server.url, stack, game, seats) for game, seats in CLUBS]
        last = time.monotonic() + minutes * 60
        while time.monotonic() < last:
            visiting = asyncio.create_task(_visit(server.url, evening, visits))
            await evening.talk(SAMPLE_SECONDS)
            await visiting
            for club in clubs:
                await club.go_on()
            visits += 1
            sizes.append(resident_kib(server.pid))
        descriptors = _descriptors(server.pid)
        complaints = server.complaints()
    third = max(1, len(sizes) // 3)
    first, end = statistics.median(sizes[:third]), statistics.median(sizes[-third:])
    growth = (end - first) / first
    print(
        f"{minutes:g} minutes, {visits} visits, {sum(club.begun for club in clubs)} games of"
        f" {', '.join(game for game, _ in CLUBS)}, {descriptors} descriptors at the end; memory"
        f" {first:.0f} KiB in the first third, {end:.0f} KiB in the last, {growth:+.1%}"
    )
    print("MiB on the way:", *(f"{size / 1024:.1f}" for size in sizes[:: max(1, len(sizes) // 20)]))
    return 0 if growth <= GROWTH_MAX and not complaints else 1


async def restarted(rooms: int, times: int) -> int:
    """Restart a server with so many rooms; what was lost, and how long people were away."""
    with tempfile.TemporaryDirectory() as folder:
        result = await restarts(Path(folder), rooms, times, partial(print, flush=True))
    for fault in result.faults[:5]:
        print(fault)
    print(
        f"{times} restarts of {rooms} rooms, {result.answers} answers; away"
        f" {statistics.median(result.away):.1f} s (longest {max(result.away):.1f} s);"
        f" {len(result.faults)} faults"
    )
    return 1 if result.faults else 0


async def guessed(tries: int) -> int:
    """Try hidden rooms and none, and compare how long the answers take."""
    with tempfile.TemporaryDirectory() as folder:
        text, holds = verdict(await hidden(Path(folder), tries))
    print(text)
    return 0 if holds else 1


async def backed_up(rooms: int, times: int) -> int:
    """Copy a server with so many rooms in mid-game; whether each copy has a prefix of each room."""
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        result = await backups(Path(data), Path(folder), rooms, times)
    for fault in result.faults[:5]:
        print(fault)
    copies = ", ".join(
        f"{count} in {taken:.1f} s"
        for count, taken in zip(result.copied, result.taken, strict=True)
    )
    print(
        f"{rooms} rooms, {result.entries} entries in the end; copies with {copies};"
        f" {len(result.faults)} faults"
    )
    return 1 if result.faults else 0


async def lagging(rooms: int, seconds: float) -> int:
    """Load a server with so many rooms; how long answers took meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        taken = await lag(Path(folder), rooms, seconds)
    late = share_of(taken, 0.999)
    shares = (0.5, 0.99, 0.999)
    text = ", ".join(f"p{share * 100:g} {share_of(taken, share) * 1e3:.1f} ms" for share in shares)
    print(f"{rooms} rooms, {len(taken)} answers: {text}, longest {max(taken) * 1e3:.1f} ms")
    return 0 if late <= LAG_MAX_SECONDS else 1


async def rated(rooms: int, rates: list[float], seconds: float) -> int:
    """Put these rates on a server, one after the other; the answers' p99 at each."""
    with tempfile.TemporaryDirectory() as folder:
        result = await sustained(Path(folder), rooms, rates, seconds)
    holds = True
    for rate, each in zip(rates, result.rates, strict=True):
        most = BURST_P99_MAX_MS if rate >= BURST else P99_MAX_MS
        holds = holds and each["p99_ms"] <= most
        print(
            f"{rate:g} moves a second in {rooms} rooms: {each['per_second']} came, p50"
            f" {each['p50_ms']} ms, p99 {each['p99_ms']} ms (at most {most:g}), longest"
            f" {each['longest_ms']} ms; processor {each['busy']:.0%}"
        )
    print(f"memory in the end {result.kib / 1024:.0f} MiB")
    return 0 if holds else 1


async def silenced(connections: int, at_once: int) -> int:
    """Let so many come who say nothing; what each keeps, and what players notice."""
    with tempfile.TemporaryDirectory() as folder:
        result = await silent(Path(folder), connections, at_once)
    print(
        f"{connections} silent connections in {result.took:.1f} s, {result.kib:.1f} KiB each"
        f" (at most {SILENT_MAX_KIB:g}); players' p99 {result.before} ms before,"
        f" {result.meanwhile} ms meanwhile (at most twice)"
    )
    fair = result.meanwhile <= RATIO_MAX * result.before
    return 0 if fair and result.kib <= SILENT_MAX_KIB else 1


async def started_cold(rooms: int, moves: int) -> int:
    """Start a server with so many rooms in mid-game; how soon it is there, and each room."""
    with tempfile.TemporaryDirectory() as folder:
        result = await cold(Path(folder), rooms, moves)
    late = share_of(result.touched, 0.99)
    print(
        f"{rooms} rooms of {moves} moves: welcome after {result.accepts:.2f} s;"
        f" {len(result.touched)} rooms looked into,"
        f" p50 {share_of(result.touched, 0.5) * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms"
    )
    return 0 if result.accepts <= ACCEPTS_MAX_SECONDS and late <= TOUCH_MAX_SECONDS else 1


async def crowded(count: int, processes: int) -> int:
    """Let so many people look at one room; how often its frames were made, and the players' p99."""
    with tempfile.TemporaryDirectory() as folder:
        alone, beside = await watched(Path(folder), count, processes)
    for name, result in (("alone", alone), ("watched", beside)):
        print(
            f"{name}: {result.lines} lines, p50 {share_of(result.taken, 0.5) * 1e3:.1f} ms, p99"
            f" {share_of(result.taken, 0.99) * 1e3:.1f} ms; {result.frames} frames of rooms, of"
            f" which {result.packed} were made ({result.packed / result.lines:.1f} a line)"
        )
    typical, late = share_of(beside.late, 0.5), share_of(beside.late, 0.99)
    print(
        f"{beside.received} updates reached {count} watchers, {beside.missed} had not the last one;"
        f" the last had it after p50 {typical * 1e3:.0f} ms, p99 {late * 1e3:.0f} ms"
        f" (at most {LATE_MAX_SECONDS * 1e3:.0f})"
    )
    # Other audiences are other frames, so a crowd may add one of its kind to each line.
    fair = beside.packed / beside.lines <= alone.packed / alone.lines + 2
    return 0 if fair and not beside.missed and late <= LATE_MAX_SECONDS else 1


async def _visit(url: str, evening: Evening, number: int) -> None:
    """A client connects, joins a room, sends a line and disconnects; some connections are cut."""
    with suppress(ConnectionError):
        client = await arrive(url, source=f"127.7.{number // 200 % 200}.{number % 200 + 1}")
        async with client.connection:
            await client.hello(f"Visitor{number}", bot=False)
            room = await client.enter(evening.rooms[number % len(evening.rooms)])
            for term in ("hello", "/board", "/who", "bye"):
                await client.say(term, room)
            if number % 3 == 0:
                client.connection.transport.abort()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    flooding = kinds.add_parser("flood")
    flooding.add_argument("--seconds", type=float, default=20.0, help="of each quiet or loud time")
    flooding.add_argument("--rounds", type=int, default=3)
    besieging = kinds.add_parser("siege")
    besieging.add_argument("--rooms", type=int, default=25)
    besieging.add_argument("--seconds", type=float, default=20.0, help="of each part")
    crowding = kinds.add_parser("crowd")
    crowding.add_argument("--connections", type=int, default=10_000)
    soaking = kinds.add_parser("soak")
    soaking.add_argument("--minutes", type=float, default=30.0)
    restarting = kinds.add_parser("restarts")
    restarting.add_argument("--rooms", type=int, default=200)
    restarting.add_argument("--times", type=int, default=20)
    copying = kinds.add_parser("backups")
    copying.add_argument("--rooms", type=int, default=200)
    copying.add_argument("--times", type=int, default=3)
    loading = kinds.add_parser("lag")
    loading.add_argument("--rooms", type=int, default=100)
    loading.add_argument("--seconds", type=float, default=20.0, help="of the load as much as goes")
    rating = kinds.add_parser("rate")
    rating.add_argument("--rooms", type=int, default=250, help="of four people each")
    rating.add_argument("--rate", type=float, action="append", required=True)
    rating.add_argument("--seconds", type=float, default=60.0)
    idling = kinds.add_parser("silent")
    idling.add_argument("--connections", type=int, default=5000)
    idling.add_argument("--at-once", type=int, default=1, help="in the same moment")
    starting = kinds.add_parser("cold")
    starting.add_argument("--rooms", type=int, default=1000)
    starting.add_argument("--moves", type=int, default=200, help="made in each room")
    watching = kinds.add_parser("watchers")
    watching.add_argument("--count", type=int, default=1000)
    watching.add_argument("--processes", type=int, default=4)
    guessing = kinds.add_parser("hidden")
    guessing.add_argument("--tries", type=int, default=2000, help="of each kind")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run one of the long proofs."""
    given = _parser().parse_args(argv)
    match given.kind:
        case "backups":
            return asyncio.run(backed_up(given.rooms, given.times))
        case "lag":
            return asyncio.run(lagging(given.rooms, given.seconds))
        case "rate":
            return asyncio.run(rated(given.rooms, given.rate, given.seconds))
        case "silent":
            return asyncio.run(silenced(given.connections, given.at_once))
        case "cold":
            return asyncio.run(started_cold(given.rooms, given.moves))
        case "watchers":
            return asyncio.run(crowded(given.count, given.processes))
        case "hidden":
            return asyncio.run(guessed(given.tries))
        case "restarts":
            return asyncio.run(restarted(given.rooms, given.times))
        case "flood":
            return asyncio.run(flood(given.seconds, given.rounds))
        case "siege":
            return asyncio.run(besieged(given.rooms, given.seconds))
        case "crowd":
            return asyncio.run(open_connections(given.connections))
        case _:
            return asyncio.run(soak(given.minutes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
