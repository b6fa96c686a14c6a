"""`python -m tests.tools.bench.compare FOLDER`: the server of this checkout beside that of
another one.

One process with its file each, in turn, and which of the two comes first changes from pair to pair;
the load is this checkout's for both. Says by how much this one needs more processor time for a
move, and plays fewer a second: medians of the pairs, and the range of their middle half. With
`--alone` there are neither sockets nor a disk (`tests/tools/bench/in_process.py`), which differs
less from run to run. With `--rules` there are only the rules (`tests/tools/bench/rules_cell.py`):
two processes take turns, game by game, so that neighbours on the machine slow down both.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from bluebear.rules import games
from tests.tools.bench import runs
from tests.tools.bench.runs import Figures
from tests.tools.servers import ROOT

GAMES: Final = 12
"""Games of one cell without sockets."""


def pairs(other: Path, repeat: int, cell: Callable[[Path], Figures]) -> list[Figures]:
    """Figures of this checkout (`this`) and of the other one (`that`), pair by pair."""
    results: list[Figures] = []
    for number in range(repeat):
        both = [("this", ROOT), ("that", other)]
        pair: Figures = {}
        for name, root in both if number % 2 else reversed(both):
            pair[name] = cell(root)
        results.append(pair)
    return results


def served(folder: Path, rooms: int, seconds: float, root: Path) -> Figures:
    """A server with its file, and people who play as fast as it answers."""
    arguments = ("--rooms", str(rooms), "--seconds", str(seconds), "--warm-up", "1")
    with runs.server(folder, root) as (pid, address):
        closed: Figures = runs.load(pid, address, *arguments)["closed"]
    return {name: closed[name] for name in ("us", "user_us", "per_second", "p50_ms", "p99_ms")}


def alone(root: Path) -> Figures:
    """A server in one process with its two people."""
    # -P: the folder of the program would hide packages of the server's.
    bench = ROOT / "tests/tools/bench"
    arguments = (sys.executable, "-P", str(bench / "in_process.py"), str(root), str(GAMES))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (root, bench)))}
    done = subprocess.run(arguments, env=env, cwd=root, capture_output=True, text=True, check=True)
    made: Figures = json.loads(done.stdout)
    return made


class RulesCell:
    """The rules of both checkouts, each in a process that stays warm. Owned by one comparison."""

    def __init__(self, other: Path) -> None:
        program = [sys.executable, "-P", str(ROOT / "tests/tools/bench/rules_cell.py")]
        self._processes = {
            root: subprocess.Popen(
                [*program, str(root)],
                env={**os.environ, "PYTHONPATH": str(root)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for root in (ROOT, other)
        }

    def measure(self, game: str, root: Path) -> Figures:
        """The figures of one game in one checkout, by names that begin with the game's."""
        process = self._processes[root]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{game}\n")
        process.stdin.flush()
        made: Figures = json.loads(process.stdout.readline())
        return {f"{game} {name}": figure for name, figure in made.items()}

    def close(self) -> None:
        """End both processes."""
        for process in self._processes.values():
            process.communicate()


def rules_alone(other: Path, repeat: int) -> list[Figures]:
    """The pairs of all games, after one that warms both up."""
    cell = RulesCell(other)
    results: list[Figures] = [{"this": {}, "that": {}} for _ in range(repeat)]
    for game in games():
        compared = pairs(other, repeat + 1, partial(cell.measure, game))[1:]
        for result, pair in zip(results, compared, strict=True):
            for name, figures in pair.items():
                result[name] |= figures
    cell.close()
    return results


def show(runs: Sequence[Figures]) -> None:
    """The table, as Markdown."""
    print("| | that | this | ratio, median | middle half |\n|---|---:|---:|---:|---:|")
    for name in runs[0]["this"]:
        ratios = [pair["this"][name] / pair["that"][name] for pair in runs]
        low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else (ratios[0],) * 3
        that, this = (median(pair[each][name] for pair in runs) for each in ("that", "this"))
        middle = f"{low:.3f}-{high:.3f}"
        print(f"| {name} | {that:,.1f} | {this:,.1f} | {median(ratios):.3f} | {middle} |")


def main(argv: Sequence[str]) -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.compare")
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("--alone", action="store_true", help="without sockets and disk")
    parser.add_argument("--rules", action="store_true", help="the rules of the games alone")
    parser.add_argument("--rooms", type=int, default=25)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"))
    given = parser.parse_args(argv)
    if given.rules:
        show(rules_alone(given.other, given.repeat))
        return
    cell = alone if given.alone else partial(served, given.folder, given.rooms, given.seconds)
    show(pairs(given.other, given.repeat, cell))


if __name__ == "__main__":
    main(sys.argv[1:])
