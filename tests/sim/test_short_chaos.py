"""Hundreds of squalls: short, rough, and servers die at any await of their tasks.

`python -m tests.sim --squall SEED` repeats one; `SQUALLS=10000 pytest
tests/sim/test_short_chaos.py` runs more of them.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from tests.sim.await_points import awaits_of_server
from tests.sim.chaos import SQUALL, storm
from tests.sim.virtual_loop import run

SQUALLS: Final = int(os.environ.get("SQUALLS", "300"))
SHARES: Final = 12
AWAIT_POINTS_MIN: Final = 20
"""Awaits of the server at which one share of all squalls must have seen a server die."""
AIMED: Final = range(200)
STRUCK: Final = 170
"""Awaits of the server at which one dies in these; in a thousand there are 196."""


@pytest.mark.expects_log("disks fail in squalls, and the server says so")
@pytest.mark.parametrize("share", range(SHARES))
def test_squalls_leave_nothing_wrong(share: int) -> None:
    deaths, positions = 0, set[str]()
    for seed in range(share, SQUALLS, SHARES):
        report = run(storm(seed, SQUALL))
        assert report.faults == [], f"python -m tests.sim --squall {seed}"
        deaths += report.deaths
        positions.update(report.await_points)
    assert deaths > SQUALLS // SHARES
    assert len(positions & awaits_of_server()) >= AWAIT_POINTS_MIN


@pytest.mark.expects_log("disks fail in squalls, and the server says so")
def test_servers_die_wherever_one_of_their_tasks_ever_waits() -> None:
    aims = set(awaits_of_server())
    for seed in AIMED:
        report = run(storm(seed, SQUALL, aims))
        assert report.faults == [], f"python -m tests.sim --aimed 0-{seed}"
    assert len(awaits_of_server() - aims) >= STRUCK


@pytest.mark.expects_log("disks fail in squalls, and the server says so")
def test_the_same_seed_gives_the_same_squall() -> None:
    first = run(storm(3, SQUALL))
    again = run(storm(3, SQUALL))
    other = run(storm(7, SQUALL))
    assert (first.trace, first.await_points) == (again.trace, again.await_points)
    assert first.trace != other.trace
