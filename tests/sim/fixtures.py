"""What scenes in virtual time begin and end with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bluebear.clients.sdk.client_events import RoomId
from bluebear.server.store import StreamId, streams
from tests.sim.invariants import faults_of
from tests.sim.simulated_clients import Mover, Person
from tests.sim.simulation import World


@asynccontextmanager
async def running(world: World | None = None) -> AsyncIterator[World]:
    """A server in smooth weather. At the end what must always hold is looked at."""
    made = world or World()
    await made.start()
    yield made
    await asyncio.sleep(2)
    faults = await faults_of(made)
    assert not faults, "\n".join(faults)
    await made.go_home()


async def sit(
    world: World,
    people: Sequence[Person],
    game: str = "manhattan",
    *,
    options: Sequence[str] = (),
    bots: int = 0,
    start: bool = True,
) -> RoomId:
    """The people sit down in a room of the first one, in their order, and begin."""
    host, *rest = people
    made = await host.insist(f"/newroom {game} unlisted")
    assert made.ok, made
    room = host.here
    assert room is not None
    for person in rest:
        assert (await person.insist(f"/room {room}")).ok
    for person in people:
        assert (await person.insist("/join")).ok
        await asyncio.sleep(1)  # no line exceeds the rate limit
    for line in (*(f"/option {option}" for option in options), *["/bot random"] * bots):
        assert (await host.insist(line)).ok, line
        await asyncio.sleep(1)
    if start:
        assert (await host.insist("/start")).ok
    return room


async def pause(seconds: float) -> None:
    """Let virtual time pass."""
    await asyncio.sleep(seconds)


async def two(world: World, *names: str) -> list[Person]:
    """Registered people, Ayu and Ben if no other names are given."""
    return [await world.person(name) for name in names or ("Ayu", "Ben")]


async def movers(world: World, *names: str) -> list[Mover]:
    """People who play by themselves."""
    made = [world.add(Mover(world, name)) for name in names]
    for person in made:
        await person.met()
    return made


async def written(world: World, room: RoomId, *, after: int = 0) -> list[str]:
    """The entries of a room, as "actor line ; line"; people by their names."""
    names = {f"p:{person.person}": person.name for person in world.people}
    return [
        f"{names.get(entry.actor, entry.actor)} {' ; '.join(entry.lines)}"
        for entry in await world.journal.read(streams.load, StreamId(room), after)
    ]


async def until_over(world: World, room: RoomId, *, seconds: float = 7200) -> None:
    """Wait for the end of a game."""
    loop = asyncio.get_running_loop()
    last = loop.time() + seconds
    while loop.time() < last:
        live = world.app.engine.room(room)
        if live is not None and live.room.table.phase == "over":
            return
        await asyncio.sleep(5)
    raise AssertionError("the game does not come to its end")
