"""How long does a worker go on after it was told to stop?

`python -m tests.tools.bench.cancel` lets a worker think about positions of every game, tells it to
stop after a while that differs from one to the next, and says how long it took until it answered,
and how much processor time the worker had of that (Linux): the rest is waiting for a processor.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bluebear.clients.bots.search.jobs import Job
from bluebear.clients.bots.search.worker import Worker
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import MASTER
from bluebear.rules.core.visibility import Seat

EACH: Final = 10
"""Positions of each table."""
EVERY: Final = 4
"""Decisions from one of them to the next."""
ATTEMPTS: Final = 12 * EACH
"""So many at most, since some thoughts are over before they are stopped."""


def positions(game: Game[Any], seats: int) -> Iterator[Job]:
    """Decisions of a greedy game, as a server would send them."""
    chance = FastChance(11)
    outcome = game.setup(game.info.complete({}), seats, chance)
    number = 0
    while outcome.to_move:
        seat = min(outcome.to_move)
        eyes = frozenset({seat})
        moves = game.plain(outcome.state, seat)
        number += 1
        if number % EVERY == 1 and len(moves) > 1:
            lines = tuple(map(game.grammar.format, moves))
            view = game.tree.view(outcome.state, eyes)
            yield Job(game.info.key, None, view, int(seat), lines, MASTER, 60.0, number)
        seen = game.seen(outcome.state, eyes)
        move = game.bots["greedy"](seen, Seat(seat), moves, chance)
        outcome = game.play(outcome.state, seat, move, chance)


def processor_ms(pid: int | None) -> float:
    """The processor time that a process has had."""
    text = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii")
    return int(text.split()[0]) / 1e6


def stopped(worker: Worker, job: Job, after: float) -> tuple[float, float] | None:
    """Milliseconds from the word to stop to the answer, and of processor time in them; None where
    it was there before.
    """
    with ThreadPoolExecutor(1) as pool:
        thinking = pool.submit(worker.think, job)
        time.sleep(after)
        if thinking.done():
            return None
        used, began = processor_ms(worker.pid), time.monotonic()
        worker.stop()
        thinking.exception()
        return 1000 * (time.monotonic() - began), processor_ms(worker.pid) - used


def main() -> None:
    """One line a table: the longest and the middle one."""
    worker = Worker(["bluebear.rules"])
    registered = games(("bluebear.rules",))
    # The first job starts the process, which takes longer than any.
    worker.think(replace(next(positions(registered["manhattan"], 2)), seconds=0.02))
    print(f"load average {os.getloadavg()[0]:.1f}")
    for key, game in registered.items():
        for seats in sorted({game.info.seats.min, game.info.seats.max}):
            took: list[tuple[float, float]] = []
            for number, job in enumerate(islice(positions(game, seats), ATTEMPTS)):
                one = stopped(worker, job, 0.02 + 0.03 * (number % EACH))
                took += [one] if one else []
                if len(took) == EACH:
                    break
            if took:
                walls, used = (sorted(each) for each in zip(*took, strict=True))
                print(
                    f"{key} {seats}: {len(took)} times, longest {walls[-1]:.0f} ms,"
                    f" middle {walls[len(walls) // 2]:.0f}; of the processor {used[-1]:.0f}"
                )
    worker.close()


if __name__ == "__main__":
    main()
