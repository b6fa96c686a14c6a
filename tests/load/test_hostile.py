"""Messages that the schema forbids, over real sockets, beside people who play.

`python -m tests.tools.load.invalid_messages --messages 100000` sends more of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.tools.load.invalid_messages import attack
from tests.tools.load.live_server import running

MESSAGES: Final = int(os.environ.get("HOSTILE_MESSAGES", "3000"))

pytestmark = pytest.mark.slow_loop


async def test_hostile_messages_disturb_no_person_and_are_no_person_s_bug(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        report = await attack(server, MESSAGES, 20261122)
    assert report.faults == []
    assert report.sent >= MESSAGES
    assert report.games > 0
    assert {"Welcome", "Error", "Done", "Answer"} <= set(report.received)
    assert {1007, 1008, 1009} <= set(report.ends)
