"""`python -m tests.sim SEED...`: run storms from their seeds and say what does not hold.

    python -m tests.sim 7 20-29             these storms
    python -m tests.sim --squall 0-9999     squalls: short, and servers die at any await
    python -m tests.sim --aimed 0-199       squalls in which they die where none has died yet

Ends by saying at how many of the server's awaits one has died.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.sim.await_points import awaits_of_server
from tests.sim.chaos import SQUALL, STORM, storm
from tests.sim.virtual_loop import run


def seeds_of(arguments: Sequence[str]) -> Iterator[int]:
    """The seeds that are meant, `FIRST-LAST` for several."""
    for term in arguments:
        first, _, last = term.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main(argv: Sequence[str]) -> int:
    """Run the storms of the seeds on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.sim",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("seeds", nargs="*", default=["0"], metavar="SEED")
    parser.add_argument("--squall", action="store_true", help="short storms with sudden deaths")
    parser.add_argument("--aimed", action="store_true", help="squalls; each await kills once")
    given = parser.parse_args(argv)
    logging.basicConfig(level=logging.CRITICAL)
    bad, count, lives, deaths = 0, 0, 0, 0
    positions: Counter[str] = Counter()
    short = given.squall or given.aimed
    aims = set(awaits_of_server()) if given.aimed else None
    for seed in seeds_of(given.seeds):
        began = time.process_time()
        report = run(storm(seed, SQUALL if short else STORM, aims))
        took = time.process_time() - began
        positions.update(report.await_points)
        bad, count, lives = bad + bool(report.faults), count + 1, lives + report.lives
        deaths += report.deaths
        if report.faults or not short:
            print(
                f"seed {seed}: {report.versions} versions, {report.frames} frames,"
                f" {report.lives} lives, {took:.2f} s, trace {report.trace}"
            )
        for fault in report.faults:
            print(f"  {fault}")
    died = positions.keys() & awaits_of_server()
    print(
        f"{count} storms, {bad} bad, {lives} lives, {deaths} sudden deaths"
        f" at {len(died)} of {len(awaits_of_server())} awaits of the server"
    )
    for position in sorted(aims or ()):
        print(f"  not struck: {position}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
