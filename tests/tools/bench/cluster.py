"""`python -m tests.tools.bench cluster`: one process beside nodes, and what each
part costs.

The server bench's load on one process with its file, one over PostgreSQL, then nodes
over PostgreSQL; in turn, and again in turn. All that serves, the database too, has one processor
and the load the other, so moves a second are those of one processor for all parts together, and a
second node cannot bring any: what is measured is the processor time of each part for a move.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import median
from typing import Final

import asyncpg
import uvloop

from tests.tools.bench import deployments, runs
from tests.tools.bench.deployments import Served
from tests.tools.bench.runs import Figures
from tests.tools.bench.system_stats import facts, sync_ms

FILE: Final = "one process, file"
BASE: Final = "one process, PostgreSQL"
NODES: Final = (1, 2, 4)
PARTS: Final = ("server", "node", "database")


def kinds(nodes: Sequence[int]) -> list[str]:
    """What is measured, in this order."""
    return [FILE, BASE, *(_kind(each) for each in nodes)]


def _kind(nodes: int) -> str:
    return f"{nodes} node{'s' * (nodes > 1)}"


def measure_cluster(
    rooms: Sequence[int], seconds: float, repeat: int, folder: Path, nodes: Sequence[int]
) -> None:
    """Measure all kinds and print the tables."""
    reported = [facts(), sync_ms(folder)]
    print(*reported, flush=True)
    results: dict[tuple[int, str], list[Figures]] = {}
    with deployments.private_database(folder) as base:
        number = 0
        for _ in range(repeat):
            for each in rooms:
                arguments = ("--rooms", str(each), "--seconds", str(seconds))
                for kind, made in _each(folder, base.url, base.pid, number, nodes):
                    with made as served:
                        figures = runs.watched(
                            served.arguments, *arguments, "--warm-up", "1", "--half"
                        )
                    results.setdefault((each, kind), []).append(figures)
                number += 1
    show(results)


def _each(
    folder: Path, url: str, base: int, number: int, nodes: Sequence[int]
) -> Iterator[tuple[str, AbstractContextManager[Served]]]:
    """One deployment of each kind; each begins on an empty database."""
    yield FILE, deployments.alone(folder)
    yield BASE, deployments.alone(folder, _fresh(url, f"alone{number}"), base)
    for each in nodes:
        store = _fresh(url, f"nodes{number}x{each}")
        yield _kind(each), deployments.cluster(folder, store, base, each)


def _fresh(url: str, name: str) -> str:
    async def make() -> None:
        link = await asyncpg.connect(url)
        await link.execute(f"CREATE DATABASE {name}")
        await link.close()

    uvloop.run(make())
    return url.replace("/postgres?", f"/{name}?")


def by_section(parts: Mapping[str, float]) -> dict[str, float]:
    """Nodes together."""
    return {
        component: sum(each for name, each in parts.items() if name.partition("-")[0] == component)
        for component in PARTS
    }


def show(runs: Mapping[tuple[int, str], Sequence[Figures]]) -> None:
    """The tables, as Markdown; every figure is a median, ranges are of all repeats."""
    for loop in ("closed", "half"):
        print(
            f"\n{loop}\n\n| rooms | | moves/s | range | {' | '.join(PARTS)} | all us | range",
            end="",
        )
        print(" | p50 ms | p99 ms | entries per commit |\n|---:|---" + "|---:" * 11 + "|")
        for (rooms, kind), repeats in runs.items():
            cells_of = [run[loop] for run in repeats]
            parts = [by_section(cell["parts_us"]) for cell in cells_of]
            sums = [sum(each.values()) for each in parts]
            rates = [cell["per_second"] for cell in cells_of]
            reported = [f"{median(each[component] for each in parts):.0f}" for component in PARTS]
            line = [str(rooms), kind, f"{median(rates):.0f}", f"{min(rates):.0f}-{max(rates):.0f}"]
            line += [*reported, f"{median(sums):.0f}", f"{min(sums):.0f}-{max(sums):.0f}"]
            line += [
                f"{median(cell[name] for cell in cells_of):.1f}"
                for name in ("p50_ms", "p99_ms", "entries_per_commit")
            ]
            print(f"| {' | '.join(line)} |")
    print("\nmemory in KiB with all seated, by part and process:")
    for (rooms, kind), repeats in runs.items():
        kib = {
            name: median(run["parts_kib"][name] for run in repeats)
            for name in repeats[0]["parts_kib"]
        }
        print(f"  {rooms} rooms, {kind}: {json.dumps(kib)}, joining {_joins(repeats)} ms a client")


def _joins(repeats: Sequence[Figures]) -> float:
    """Processor time of the first part for each client that comes."""
    return float(median(run["join_ms"] for run in repeats))
