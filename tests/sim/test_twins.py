"""Do the page's sessions, in Node, do in storms what the Python ones do?"""

from __future__ import annotations

from typing import Final

import pytest

from tests.sim.chaos import STORM, storm
from tests.sim.twins import Tape, Twin
from tests.sim.virtual_loop import run

SEEDS: Final = range(3)


@pytest.mark.expects_log("disks fail in storms, and the server says so")
def test_the_page_does_the_same_in_storms() -> None:
    with Twin() as twin:
        for seed in SEEDS:
            tape = Tape(twin)
            report = run(storm(seed, STORM, session=tape.session))
            assert report.faults + tape.differences == [], f"python -m tests.sim.twins {seed}"
