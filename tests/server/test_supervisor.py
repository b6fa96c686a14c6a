"""How soon a supervisor starts a process again that has ended."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from bluebear.server.ops.supervisor import (
    STAYED_SECONDS,
    STORE_AWAY,
    STORE_AWAY_SECONDS,
    NodeProcess,
)
from bluebear.server.sentences import UNUSABLE
from tests.sim.virtual_loop import VirtualLoop

PATIENCE: Final = 2.0
"""What an operator is promised (docs/cluster.md)."""
HOUR: Final = 3600.0


class Process:
    """A process that lives for so long in virtual time."""

    def __init__(self, seconds: float, code: int) -> None:
        self._seconds = seconds
        self._code = code
        self.returncode: int | None = None

    async def wait(self) -> int:
        await asyncio.sleep(self._seconds)
        self.returncode = self._code
        return self._code

    def send_signal(self, number: int) -> None:
        """It ends by itself."""


def waits(
    monkeypatch: pytest.MonkeyPatch, live: Callable[[int], Process], until: float = HOUR
) -> list[float]:
    """How long each wait was before the process was started again, in so much time.

    `live` gives the process of the n-th start, or raises what the system says instead.
    """
    ended: list[float] = []
    results: list[float] = []
    numbers = itertools.count()

    async def start(*_: str, **how: object) -> Process:
        loop = asyncio.get_running_loop()
        if ended:
            results.append(loop.time() - ended[-1])
        ended.append(loop.time())
        process = live(next(numbers))
        ended[-1] += process._seconds
        return process

    async def hour() -> None:
        process = NodeProcess("node-1", [], Path("nowhere.sock"), "")
        process.start()
        await asyncio.sleep(until)
        await process.end(1.0)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    loop = VirtualLoop()
    try:
        loop.run_until_complete(hour())
    finally:
        loop.close()
    return results


@pytest.mark.expects_log("processes end here, or cannot be started")
@pytest.mark.parametrize("code", [1, 3, -9])
def test_what_ends_again_and_again_is_started_again_within_two_seconds(
    monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    result = waits(monkeypatch, lambda number: Process(0.5, code))
    assert max(result) <= PATIENCE
    assert len(result) > HOUR / (PATIENCE + 1), "and not given up"
    assert result[:3] == sorted(result[:3]), "later each time at first"
    assert result[-1] > 1.0, "what cannot start does not take the machine from the others"


@pytest.mark.expects_log("processes end here, or cannot be started")
def test_what_has_lived_for_long_is_started_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    result = waits(monkeypatch, lambda number: Process(STAYED_SECONDS + 1, 1))
    assert max(result) <= 1.0


@pytest.mark.expects_log("processes end here, or cannot be started")
def test_what_the_machine_has_no_room_for_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    def crowded(number: int) -> Process:
        if number < 3:
            raise BlockingIOError("Resource temporarily unavailable")
        return Process(HOUR, 0)

    result = waits(monkeypatch, crowded, until=60.0)
    assert len(result) == 3, "started at the fourth try"
    assert max(result) <= PATIENCE


@pytest.mark.expects_log("the database is away")
def test_a_node_whose_database_is_away_starts_again_every_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = waits(monkeypatch, lambda number: Process(0.5, STORE_AWAY), until=60.0)
    assert {round(each, 3) for each in result} == {STORE_AWAY_SECONDS}


@pytest.mark.expects_log("settings are wrong, or the database is away")
@pytest.mark.parametrize(("codes", "starts"), [([UNUSABLE], 1), ([STORE_AWAY, UNUSABLE, 0], 4)])
def test_a_wrong_setting_ends_a_first_start_alone(
    monkeypatch: pytest.MonkeyPatch, codes: list[int], starts: int
) -> None:
    def live(number: int) -> Process:
        return Process(HOUR if number >= len(codes) else 0.5, codes[min(number, len(codes) - 1)])

    assert len(waits(monkeypatch, live, until=60.0)) == starts - 1
