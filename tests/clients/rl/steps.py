"""How fast are the environments? PettingZoo's own benchmark on every table.

`python -m tests.clients.rl.steps [KEY...]`; each takes some five seconds. The figures belong into
`docs/performance.md`.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import time
from collections.abc import Sequence

from pettingzoo.test import performance_benchmark

from bluebear.clients.bots.rl.aec import BlueBearEnv
from tests.clients.rl.sampled import tables


def main(argv: Sequence[str]) -> int:
    """Print the steps per second of each table, also by processor time."""
    for game, seats in tables():
        if argv and game.info.key not in argv:
            continue
        printed = io.StringIO()
        began, worked = time.perf_counter(), time.process_time()
        with contextlib.redirect_stdout(printed):
            performance_benchmark(BlueBearEnv(game, seats=seats))
        share = (time.process_time() - worked) / (time.perf_counter() - began)
        [turns] = re.findall(r"([\d.]+) turns per second", printed.getvalue())
        steps = float(turns)
        complete = f"{steps / share:,.0f} of one processor"
        sys.stdout.write(f"{game.info.key} {seats}: {steps:,.0f} steps/s, {complete}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
