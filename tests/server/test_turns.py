"""Who comes with many others leaves turns of the loop to those who play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from bluebear.server.net.rate_limits import TickLimiter
from tests.tools.load.live_server import running
from tests.tools.load.raw_client import stranger


async def test_of_many_who_come_at_once_a_few_are_taken_in_a_turn_of_the_loop() -> None:
    limiter, taken = TickLimiter(3), list[int]()
    for number in range(5):
        limiter.run(partial(taken.append, number))

    async def one(number: int) -> None:
        await limiter.wait()
        taken.append(number)

    waiting = [asyncio.create_task(one(number)) for number in range(5, 9)]
    removed = waiting.pop(1)
    sizes = [len(taken)]
    for turn in range(4):
        await asyncio.sleep(0)
        sizes.append(len(taken))
        if not turn:
            removed.cancel()
    assert sizes[0] == 3
    assert max(after - before for before, after in pairwise(sizes)) <= 3
    await asyncio.gather(*waiting)
    assert taken == [0, 1, 2, 3, 4, 5, 7, 8]


async def test_handshakes_and_welcomes_have_turns_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[str] = []
    run = TickLimiter.run

    def noted(self: TickLimiter, one: Callable[[], None]) -> None:
        requests.append("turn")
        run(self, one)

    monkeypatch.setattr(TickLimiter, "run", noted)
    async with running(tmp_path) as server:
        async with stranger(server.url) as new:
            await new.hello("Newcomer")
            assert len(requests) == 2
        async with stranger(server.url) as again:
            await again.return_with(new.token)
            assert len(requests) == 4
