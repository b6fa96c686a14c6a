"""`python -m tests.sim SEED...`: run storms from their seeds and say what does not hold."""

from __future__ import annotations

import logging
import sys
import time

from tests.sim.loop import run
from tests.sim.storm import storm


def main(argv: list[str]) -> int:
    """Run the storms of the seeds on the command line, `FIRST-LAST` for several."""
    logging.basicConfig(level=logging.ERROR)
    bad = 0
    for word in argv[1:] or ["0"]:
        first, _, last = word.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            began = time.process_time()
            report = run(storm(seed))
            took = time.process_time() - began
            print(
                f"seed {seed}: {report.versions} versions, {report.frames} frames,"
                f" {report.lives} lives, {took:.2f} s, trace {report.trace}"
            )
            for fault in report.faults:
                print(f"  {fault}")
            bad += bool(report.faults)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
