"""What is done to a node in a round, and what must be true afterwards."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

import asyncpg

from bluebear.server.store import leases
from tests.tools.cluster.load import Talker
from tests.tools.cluster.report import Report
from tests.tools.cluster.topology import NODES, Processes

KINDS: Final = ("kill", "stop", "cut", "upgrade", "database")
_WRITTEN: Final = "SELECT client_id FROM bluebear.entry WHERE stream = $1 ORDER BY seq"
ON_SECONDS: Final = 20.0
"""So long a round waits for the rooms to go on; how long it took is in the report."""

JOINED_SECONDS: Final = 2.5
"""A node that has just joined may depose no node for two seconds: the next fault waits for that."""
STOPPED_SECONDS: Final = 10.0
"""The longest that a node hangs; others own its rooms by then."""
AWAY_SECONDS: Final = 5.0
"""The longest that a database is away."""
ENDS_SECONDS: Final = 2.0
"""A deposed node ends within so long after it can learn of it."""


async def play(
    made: Processes, kind: str, rounds: int, people: int, chance: random.Random
) -> Report:
    """Rounds of one kind while people talk."""
    names = [f"{kind}{n}" for n in range(people)]
    talkers = [Talker(f"ws://127.0.0.1:{made.port}/ws", name) for name in names]
    report = Report(kind)
    before = Counter(made.deposed)
    try:
        for each in talkers:
            each.start()
        await _all_go_on(made, talkers)
        for number in range(rounds):
            report.pauses.append(await _round(made, kind, number, talkers, chance))
    finally:
        for each in talkers:
            await each.stop()
    await _check(made, talkers)
    report.lines = sum(len(each.sent_lines) for each in talkers)
    report.refused = sum(len(each.refused) for each in talkers)
    report.deposed = dict(made.deposed - before)
    return report


async def _round(
    made: Processes, kind: str, number: int, talkers: Sequence[Talker], chance: random.Random
) -> list[float]:
    """One fault; each client's longest wait since it began."""
    began = time.monotonic()
    await _inject(made, kind, number, chance)
    await _all_go_on(made, talkers)
    pauses = [max(gap for at, gap in each.gaps if at + gap > began) for each in talkers]
    await made.until_alive(*NODES)
    await asyncio.sleep(JOINED_SECONDS)
    return pauses


async def _inject(made: Processes, kind: str, number: int, chance: random.Random) -> None:
    name = NODES[number % len(NODES)]
    await asyncio.sleep(chance.uniform(0, 0.3))
    match kind:
        case "kill":
            made.tell(name, signal.SIGKILL)
            await made.ended(name)
            made.start(name)
        case "stop":
            made.tell(name, signal.SIGSTOP)
            await asyncio.sleep(_seconds(number, STOPPED_SECONDS, chance))
            made.tell(name, signal.SIGCONT)
            await _may_end(made, name)
        case "cut":
            target = made.proxies[name]
            target.cut()
            await asyncio.sleep(_seconds(number, AWAY_SECONDS, chance))
            target.mend()
            await _may_end(made, name)
        case "database":
            await _without_database(made, number, _seconds(number, AWAY_SECONDS, chance))
        case _:
            made.tell(name, signal.SIGTERM)
            assert await made.ended(name) == 0
            made.start(name)


def _seconds(number: int, most: float, chance: random.Random) -> float:
    """How long a fault lasts: in every second pair of rounds as long as any, else less."""
    return most if number // len(NODES) % 2 else chance.uniform(0.1, most)


async def _without_database(made: Processes, number: int, seconds: float) -> None:
    """In turns: the database is unreachable, it is stopped, its processes are killed."""
    proxies = made.proxies.values()
    match number % 3:
        case 0:
            for route in proxies:
                route.cut()
            await asyncio.sleep(seconds)
            for route in proxies:
                route.mend()
        case kind:
            await made.stop_database("fast" if kind == 1 else "immediate")
            await asyncio.sleep(seconds)
            await made.start_database()


async def _may_end(made: Processes, name: str) -> None:
    """A node that was deposed ends by itself, as soon as it can know: then it is started again."""
    before, until = made.deposed[name], time.monotonic() + ENDS_SECONDS
    while made.deposed[name] == before and time.monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.05)


async def _all_go_on(made: Processes, talkers: Sequence[Talker]) -> None:
    """Wait until every client has had a reply to a line that it has sent since."""
    now = time.monotonic()

    def late() -> list[Talker]:
        for each in talkers:
            if each.error is not None:
                raise each.error
        return [each for each in talkers if not (each.gaps and each.gaps[-1][0] > now)]

    try:
        await made.until(
            ON_SECONDS, lambda: not late(), lambda: "\n".join(each.waits for each in late())
        )
    except TimeoutError as problem:
        raise TimeoutError(
            f"not all rooms go on\n{problem}\nowners: {await _summary(made)}"
        ) from None


async def _summary(made: Processes) -> str:
    """The leases of the rooms and the live nodes, to explain why nothing proceeds."""
    try:
        living = [(e.id, e.state, e.beat_seconds) for e in await made.nodes.read(leases.living)]
        return f"{await made.owners()}; living: {living}; deposed: {dict(made.deposed)}"
    except Exception as problem:  # noqa: BLE001  # only told of; what is wrong is told before it
        return repr(problem)


async def _check(made: Processes, talkers: Sequence[Talker]) -> None:
    """Every line that was acknowledged is written once, in its order; each room has one owner."""
    owned: Counter[str] = Counter()
    for node in await made.nodes.read(leases.living):
        owned.update(map(str, await made.nodes.read(leases.owned, node.id)))
    assert max(owned.values(), default=0) <= 1, owned
    database = await asyncpg.connect(made.url)
    try:
        for each in talkers:
            rows = await database.fetch(_WRITTEN, each.room)
            written = [row["client_id"] for row in rows]
            counted = Counter(written)
            doubled = [line for line in each.sent_lines if counted[line] > 1]
            lost = [line for line in each.sent_lines if not counted[line]]
            assert not doubled, f"doubled: {doubled}"
            assert not lost, f"lost: {lost}"
            sent = set(each.sent_lines)
            assert [line for line in written if line in sent] == each.sent_lines, "out of order"
    finally:
        await database.close()
