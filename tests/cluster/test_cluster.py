"""Two rounds of each trouble with real processes; more by command: `python -m
tests.tools.cluster`.
"""

from __future__ import annotations

import random

import pytest

from tests.postgres import MISSING, programs
from tests.tools.cluster.fault_rounds import KINDS, play
from tests.tools.cluster.topology import processes

ROUNDS = 2
PEOPLE = 4


@pytest.mark.slow_loop
@pytest.mark.skipif(programs() is None, reason=MISSING)
async def test_whatever_happens_to_an_engine_no_acknowledged_line_is_lost_or_doubled() -> None:
    async with processes() as made:
        for kind in KINDS:
            report = await play(made, kind, ROUNDS, PEOPLE, random.Random(1))
            assert report.lines > PEOPLE * ROUNDS
