"""Who comes with many others leaves turns of the loop to those who play."""

from __future__ import annotations

import asyncio
from functools import partial

from bluebear.server.net.cpu_meter import TickLimiter


async def test_of_many_who_come_at_once_a_few_are_taken_in_a_turn_of_the_loop() -> None:
    limiter, taken = TickLimiter(3), list[int]()
    for number in range(8):
        limiter.run(partial(taken.append, number))
    sizes = [len(taken)]
    for _ in range(3):
        await asyncio.sleep(0)
        sizes.append(len(taken))
    assert sizes == [3, 6, 8, 8]
    assert taken == list(range(8))
