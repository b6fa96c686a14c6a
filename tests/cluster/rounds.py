"""What is done to an engine in a round, and what must be true afterwards."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from tests.cluster.load import Talker
from tests.cluster.processes import ENGINES, Processes

KINDS: Final = ("kill", "stop", "cut", "upgrade")
_WRITTEN: Final = "SELECT client_id FROM bluebear.entry WHERE stream = $1 ORDER BY seq"
ON_SECONDS: Final = 20.0
"""So long a round waits for the rooms to go on; how long it took is in the report."""

JOINED_SECONDS: Final = 2.5
"""Who has just joined may depose nobody for two seconds: the next trouble waits for that."""


@dataclass(slots=True)
class Report:
    """The longest wait in each round, in seconds, and how many lines were acknowledged."""

    kind: str
    waits: list[float] = field(default_factory=list)
    lines: int = 0

    def __str__(self) -> str:
        waits = sorted(self.waits)
        middle = waits[len(waits) // 2]
        return (
            f"{self.kind}: {len(waits)} rounds, {self.lines} lines acknowledged, none lost or "
            f"doubled; longest wait {middle:.2f} s (median), {waits[-1]:.2f} s (most)"
        )


async def play(
    made: Processes, kind: str, rounds: int, people: int, chance: random.Random
) -> Report:
    """Rounds of one kind while people talk."""
    talkers = [Talker(f"ws://127.0.0.1:{made.port}/ws", f"{kind}{n}") for n in range(people)]
    report = Report(kind)
    try:
        for each in talkers:
            await each.start()
        await _rounds(made, report, rounds, talkers, chance)
    finally:
        for each in talkers:
            await each.stop()
    await _check(made, talkers)
    report.lines = sum(len(each.said) for each in talkers)
    return report


async def _rounds(
    made: Processes, report: Report, rounds: int, talkers: list[Talker], chance: random.Random
) -> None:
    for number in range(rounds):
        name = ENGINES[number % len(ENGINES)]
        began = time.monotonic()
        await _trouble(made, report.kind, name, chance)
        await _all_go_on(made, talkers)
        report.waits.append(
            max(gap for each in talkers for at, gap in each.gaps if at + gap > began)
        )
        await made.until_alive(*ENGINES)
        await asyncio.sleep(JOINED_SECONDS)


async def _trouble(made: Processes, kind: str, name: str, chance: random.Random) -> None:
    await asyncio.sleep(chance.uniform(0, 0.3))
    match kind:
        case "kill":
            made.tell(name, signal.SIGKILL)
            await made.ended(name)
            made.start_engine(name)
        case "stop":
            made.tell(name, signal.SIGSTOP)
            await asyncio.sleep(chance.uniform(0.1, 5))
            made.tell(name, signal.SIGCONT)
            await _again_if_deposed(made, name)
        case "cut":
            way = made.database if name == ENGINES[0] else made.links[name]
            way.cut()
            await asyncio.sleep(chance.uniform(0.1, 4))
            way.mend()
            await _again_if_deposed(made, name)
        case _:
            made.tell(name, signal.SIGTERM)
            assert await made.ended(name) == 0
            made.start_engine(name)


async def _again_if_deposed(made: Processes, name: str) -> None:
    """A node that was deposed ends by itself; whoever keeps it running starts it anew."""
    for _ in range(20):
        if made.running[name].poll() is not None:
            made.start_engine(name)
            return
        await asyncio.sleep(0.1)


async def _all_go_on(made: Processes, talkers: list[Talker]) -> None:
    """Wait until everybody has had an answer to a line that he has said since."""
    now = time.monotonic()
    patience = made.patience(ON_SECONDS)
    while True:
        for each in talkers:
            if each.trouble is not None:
                raise each.trouble
        if all(each.gaps and each.gaps[-1][0] > now for each in talkers):
            return
        patience.check("not all rooms go on")
        await asyncio.sleep(0.02)


async def _check(made: Processes, talkers: list[Talker]) -> None:
    """Every line that was acknowledged is written once, in its order; each room has one owner."""
    owned: Counter[str] = Counter()
    for node in await made.nodes.living():
        owned.update(map(str, await made.nodes.owned(node.id)))
    assert max(owned.values(), default=0) <= 1, owned
    database = await asyncpg.connect(made.url)
    try:
        for each in talkers:
            rows = await database.fetch(_WRITTEN, each.room)
            written = [row["client_id"] for row in rows]
            counted = Counter(written)
            doubled = [line for line in each.said if counted[line] > 1]
            lost = [line for line in each.said if not counted[line]]
            assert not doubled, f"doubled: {doubled}"
            assert not lost, f"lost: {lost}"
            said = set(each.said)
            assert [line for line in written if line in said] == each.said, "out of order"
    finally:
        await database.close()
