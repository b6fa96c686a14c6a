"""Two rounds of each trouble with real processes; more by command: `python -m tests.cluster`."""

from __future__ import annotations

import random

import pytest

from tests.cluster.processes import processes
from tests.cluster.rounds import KINDS, play
from tests.postgres import MISSING, programs

ROUNDS = 2
PEOPLE = 4


@pytest.mark.slow_loop
@pytest.mark.skipif(programs() is None, reason=MISSING)
async def test_whatever_happens_to_an_engine_no_acknowledged_line_is_lost_or_doubled() -> None:
    async with processes() as made:
        for kind in KINDS:
            report = await play(made, kind, ROUNDS, PEOPLE, random.Random(1))
            assert report.lines > PEOPLE * ROUNDS
