"""`make bench`: what a move costs, in the rules, in the journal, and in the whole server.

    python -m tests.tools.bench                      everything, about half an hour
    python -m tests.tools.bench server --long        the server: 25, 100 and 1,000 rooms, five times
    python -m tests.tools.bench cluster --rooms 25 --repeat 3   one process, then several
    python -m tests.tools.bench rules                the rules alone

Judges nothing: it prints tables and adds one line to `history.jsonl`. What the figures mean is in
docs/performance.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.tools.bench import journal, rules
from tests.tools.bench.cluster import NODES, measure_cluster
from tests.tools.bench.report import measure_server


def main(argv: Sequence[str]) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench", description=__doc__)
    parser.add_argument("part", nargs="?", choices=("all", "server", "cluster", "rules", "journal"))
    parser.add_argument(
        "--rooms",
        type=lambda text: [int(component) for component in text.split(",")],
        help="numbers of rooms, as 1,25",
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="measured time of each load")
    parser.add_argument("--repeat", type=int, default=5, help="cells of each kind, interleaved")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="the disk to measure")
    parser.add_argument("--long", action="store_true", help="also the memory of long evenings")
    parser.add_argument("--keep", action="store_true", help="add a line to history.jsonl")
    parser.add_argument(
        "--nodes",
        type=lambda text: [int(component) for component in text.split(",")],
        default=list(NODES),
        help="numbers of nodes, as 1,2",
    )
    given = parser.parse_args(argv)
    component = given.part or "all"
    if component in ("all", "rules"):
        rules.main([])
        print()
    if component in ("all", "journal"):
        journal.main(["--folder", str(given.folder)])
        print()
    if component == "cluster":
        rooms, seconds, repeat = given.rooms or [25, 100], given.seconds, given.repeat
        measure_cluster(rooms, seconds, repeat, given.folder, given.nodes)
    if component in ("all", "server"):
        measure_server(
            given.rooms or [25, 100, 1000],
            given.seconds,
            given.repeat,
            given.folder,
            keep=given.keep or component == "all",
            long=given.long or component == "all",
        )


if __name__ == "__main__":
    main(sys.argv[1:])
