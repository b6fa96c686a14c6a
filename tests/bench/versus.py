"""`python -m tests.bench.versus FOLDER`: the server of this checkout beside that of another one.

One process with its file each, in turn, and which of the two comes first changes from pair to pair;
the load is this checkout's for both. Says by how much this one needs more processor time for a
move, and plays fewer a second: medians of the pairs, and the range of their middle half.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

from tests.bench import cells
from tests.bench.cells import Figures

_MEASURED = ("us", "user_us", "per_second", "p50_ms", "p99_ms")


def pairs(other: Path, rooms: int, repeat: int, seconds: float, folder: Path) -> list[Figures]:
    """Figures of this checkout (`this`) and of the other one (`that`), pair by pair."""
    words = ("--rooms", str(rooms), "--seconds", str(seconds), "--warm-up", "1")
    found: list[Figures] = []
    for number in range(repeat):
        both = [("this", cells.ROOT), ("that", other)]
        pair: Figures = {}
        for name, root in both if number % 2 else reversed(both):
            with cells.server(folder, root) as (pid, address):
                pair[name] = cells.load(pid, address, *words)["closed"]
        found.append(pair)
    return found


def show(found: Sequence[Figures]) -> None:
    """The table, as Markdown."""
    print("| | that | this | ratio, median | middle half |\n|---|---:|---:|---:|---:|")
    for name in _MEASURED:
        ratios = [pair["this"][name] / pair["that"][name] for pair in found]
        low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else (ratios[0],) * 3
        that, this = (median(pair[each][name] for pair in found) for each in ("that", "this"))
        print(f"| {name} | {that:.1f} | {this:.1f} | {median(ratios):.3f} | {low:.3f}-{high:.3f} |")


def main(argv: Sequence[str]) -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.versus")
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("--rooms", type=int, default=25)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"))
    given = parser.parse_args(argv)
    show(pairs(given.other, given.rooms, given.repeat, given.seconds, given.folder))


if __name__ == "__main__":
    main(sys.argv[1:])
