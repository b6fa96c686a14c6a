"""The cells of one run, interleaved with those of the floor, and the table of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Final

from tests.tools.bench import runs
from tests.tools.bench.runs import Figures
from tests.tools.bench.system_stats import facts, sync_ms

_HISTORY: Final = Path(__file__).with_name("history.jsonl")
_WEIGHED_ROOMS: Final = 5
_IDLE: Final = 1000
_LONG_GAMES: Final = 20
_LONG_ROOMS: Final = (25, 100)


def measure_server(
    rooms: Sequence[int], seconds: float, repeat: int, folder: Path, *, keep: bool, long: bool
) -> None:
    """Measure the server and the floor, print the tables, and note the run if wished."""
    sync = [sync_ms(folder)]
    kinds: dict[int, list[tuple[Figures, Figures]]] = {number: [] for number in rooms}
    for _ in range(repeat):
        for number in rooms:
            kinds[number].append(_pair(number, seconds, folder))
            sync.append(sync_ms(folder))
    made = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": _commit(),
        "machine": facts(),
        "sync_ms": {
            component: median(each[component] for each in sync) for component in ("p50", "p99")
        },
        "cells": [_cell(number, pairs) for number, pairs in kinds.items()],
        "bytes": _bytes_of_parts(folder),
        "memory": _memory(kinds, folder, long=long),
    }
    _show(made)
    if keep:
        with _HISTORY.open("a", encoding="utf-8") as file:
            file.write(json.dumps(made) + "\n")


def _pair(rooms: int, seconds: float, folder: Path) -> tuple[Figures, Figures]:
    """One cell of the floor and one of the server, right after each other."""
    arguments = ("--rooms", str(rooms), "--seconds", str(seconds), "--half")
    with runs.relay() as (pid, address):
        floor = runs.load(pid, address, "--relay", *arguments)
    with runs.server(folder) as (pid, address):
        return floor, runs.load(pid, address, *arguments)


def _cell(rooms: int, pairs: Sequence[tuple[Figures, Figures]]) -> Figures:
    """The medians of the cells with so many rooms; the ratio is taken pair by pair."""
    made: Figures = {"rooms": rooms}
    for loop in ("closed", "half"):
        made[loop] = {
            "server": _medians([served[loop] for _, served in pairs]),
            "floor": _medians([floor[loop] for floor, _ in pairs]),
            "ratio": round(median(s[loop]["us"] / f[loop]["us"] for f, s in pairs), 2),
        }
    made["join_ms"] = {
        "server": median(served["join_ms"] for _, served in pairs),
        "floor": median(floor["join_ms"] for floor, _ in pairs),
    }
    ratios = [round(s["closed"]["us"] / f["closed"]["us"], 2) for f, s in pairs]
    made["ratios"] = sorted(ratios)
    made["update_bytes"] = median(served["bytes"]["update"] for _, served in pairs)
    made["kib_seated"] = median(served["kib_seated"] for _, served in pairs)
    return made


def _medians(runs: Sequence[Figures]) -> Figures:
    return {name: round(median(each[name] for each in runs), 3) for name in runs[0]}


def _bytes_of_parts(folder: Path) -> Figures:
    """Bytes per move and client of everything a client may ask for."""
    with runs.server(folder) as (pid, address):
        arguments = (
            "--rooms",
            str(_WEIGHED_ROOMS),
            "--seconds",
            "1",
            "--wants",
            "events,text,moves",
        )
        result: Figures = runs.load(pid, address, *arguments)["bytes"]
        return result


def _memory(
    kinds: dict[int, list[tuple[Figures, Figures]]], folder: Path, *, long: bool
) -> Figures:
    """KiB of an idle connection, and of a room with its four people."""
    with runs.server(folder) as (pid, address):
        results: Figures = {"connection_kib": runs.load(pid, address, "--idle", str(_IDLE))}
    few, many = min(kinds), max(kinds)
    if many > few:
        grown = median(served["kib_seated"] for _, served in kinds[many]) - median(
            served["kib_seated"] for _, served in kinds[few]
        )
        results["room_kib"] = round(grown / (many - few), 1)
    results["server_kib"] = median(served["kib_before"] for _, served in kinds[few])
    if long:
        results[f"room_kib_after_{_LONG_GAMES}_games"] = _long_kib(folder)
    return results


def _long_kib(folder: Path) -> float:
    """KiB of a room of four after many games: what the rooms of a large cell have more than those
    of a small one, so that what the server has once is in neither.
    """
    played: dict[int, int] = {}
    for rooms in _LONG_ROOMS:
        with runs.server(folder) as (pid, address):
            arguments = ("--rooms", str(rooms), "--seconds", "1", "--games", str(_LONG_GAMES))
            played[rooms] = runs.load(pid, address, *arguments)["kib_played"]
    few, many = _LONG_ROOMS
    return round((played[many] - played[few]) / (many - few), 1)


def _commit() -> str:
    requested = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=_HISTORY.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return requested.stdout.strip()


def _show(made: Figures) -> None:
    """The run as Markdown, for docs/performance.md."""
    machine, sync = made["machine"], made["sync_ms"]
    print(f"{made['at']}, {made['code']}; {', '.join(f'{k} {v}' for k, v in machine.items())}")
    print(f"sync of the disk: p50 {sync['p50']} ms, p99 {sync['p99']} ms\n")
    for loop in ("closed", "half"):
        print(
            f"{loop}\n\n| rooms | moves/s | us | of it user | floor us | ratio | busy | p50 ms",
            end="",
        )
        print(" | p99 ms | entries per commit |\n|" + "---:|" * 10)
        for cell in made["cells"]:
            served, floor = cell[loop]["server"], cell[loop]["floor"]
            print(
                f"| {cell['rooms']} | {served['per_second']:.0f} | {served['us']:.0f}"
                f" | {served['user_us']:.0f} | {floor['us']:.0f} | {cell[loop]['ratio']}"
                f" | {served['busy']:.2f} / {floor['busy']:.2f}"
                f" | {served['p50_ms']} | {served['p99_ms']} | {served['entries_per_commit']} |"
            )
        print()
    print("ratios, sorted:", [(c["rooms"], c["ratios"]) for c in made["cells"]])
    print("joining, ms a client:", [(c["rooms"], c["join_ms"]) for c in made["cells"]])
    print("bytes of an update:", [(c["rooms"], c["update_bytes"]) for c in made["cells"]])
    print("bytes of its parts:", made["bytes"])
    print("memory:", made["memory"], flush=True)
