"""Whatever the weather: nothing is lost, doubled, skipped or seen too early.

`python -m tests.sim SEED` repeats one storm and says what did not hold.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.sim.chaos import storm
from tests.sim.virtual_loop import run

SEEDS: Final = range(50)


@pytest.mark.expects_log("disks fail in storms, and the server says so")
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"seed{seed}")
def test_a_storm_leaves_nothing_wrong(seed: int) -> None:
    report = run(storm(seed))
    assert report.faults == []
    assert report.lives > 0
    assert report.versions > 10


@pytest.mark.expects_log("disks fail in storms, and the server says so")
def test_the_same_seed_gives_the_same_bytes_at_the_same_times() -> None:
    first = run(storm(14))
    again = run(storm(14))
    other = run(storm(20))
    assert first.trace == again.trace
    assert first.trace != other.trace
