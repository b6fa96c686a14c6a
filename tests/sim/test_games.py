"""Every game is played in a room to its end, by people and bots, on few and many seats."""

from __future__ import annotations

import pytest

from tests.sim.fixtures import movers, running, sit, until_over
from tests.sim.simulation import all_games
from tests.sim.virtual_loop import virtual

TABLES = [
    (key, seats)
    for key, game in all_games().items()
    for seats in sorted({game.info.seats.min, game.info.seats.max})
]


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=str)
@virtual
async def test_a_table_plays_to_the_end(game: str, seats: int) -> None:
    async with running() as world:
        world.open_house()
        people = await movers(world, *("Ayu", "Ben", "Chie", "Dan")[: max(1, seats - 1)])
        watcher = await world.person("Emi")
        room = await sit(world, people, game, bots=seats - len(people))
        assert (await watcher.line(f"/room {room}")).ok
        await until_over(world, room)
        ending = world.live(room).room.table.ending
        assert ending is not None
        assert len(ending.places) == seats
        assert (await watcher.line("/record")).ok
