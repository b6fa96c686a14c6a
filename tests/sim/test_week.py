"""Promise D6: days of playing leave nothing behind but the journal."""

from __future__ import annotations

import asyncio

from tests.sim.fixtures import movers, pause, running, sit, until_over
from tests.sim.virtual_loop import sleep_days, virtual

DAYS = 7


@virtual
async def test_a_week_of_evenings_leaves_no_task_and_no_room_in_memory() -> None:
    async with running() as world:
        left: list[tuple[int, int, int]] = []
        for _ in range(DAYS):
            people = await movers(world, "Ayu", "Ben")
            room = await sit(world, people, "duel")
            await until_over(world, room)
            for person in people:
                person.go()
            await pause(60)
            await sleep_days(1)
            app = world.app
            left.append(
                (len(asyncio.all_tasks()), len(app.engine.live), len(app.dispatcher.connections))
            )
            world.people.clear()
        assert left == [left[0]] * DAYS
        assert left[0][1:] == (0, 0)
