"""What lies along the lines from a point: the stops that may still be visited, one by one."""

from __future__ import annotations

from typing import NamedTuple

from bluebear.rules.tokai.network import BIT, LINES_AT, STEPS


class Branch(NamedTuple):
    """One way out of a point along a line: its stops in order.

    `cut` says that the line goes on, but to a point that was visited on this trip.
    """

    line: int
    stops: tuple[int, ...]
    cut: bool


def branches(at: int, visited: int, *, express: bool) -> list[Branch]:
    """All ways out of a point along each of its lines, in the order of the map.

    Where a line forks, each arm is a branch of its own.
    """
    found: list[Branch] = []
    for line in LINES_AT[at]:
        waiting: list[tuple[int, tuple[int, ...], int]] = [(at, (), visited | BIT[at])]
        while waiting:
            here, stops, seen = waiting.pop()
            ahead = [step for step in STEPS[express][here] if step.line == line]
            open_steps = [step for step in ahead if not step.entered & seen]
            if not open_steps and stops:
                before = stops[-2] if len(stops) > 1 else at
                found.append(Branch(line, stops, cut=any(step.to != before for step in ahead)))
            waiting.extend(
                (step.to, (*stops, step.to), seen | step.entered) for step in reversed(open_steps)
            )
    return found
