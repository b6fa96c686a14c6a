"""While an owner may come back the bots of the room play slowly, all of them together."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Final

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS, STAND_IN_PACE_SECONDS, VOTE_MS
from bluebear.server.store import Entry, StreamId, streams
from tests.sim.fixtures import movers, running, sit
from tests.sim.simulated_clients import Person
from tests.sim.simulation import World
from tests.sim.virtual_loop import virtual

WATCHED_SECONDS: Final = 120
MOST: Final = WATCHED_SECONDS / STAND_IN_PACE_SECONDS + 1


async def moves_of_bots(world: World, room: RoomId, *, after: int) -> list[Entry]:
    """The entries in which a house bot, or the clock in its place, has moved."""
    entries = await world.journal.read(streams.load, StreamId(room), after)
    return [each for each in entries if each.actor.startswith("h:") or "@clock" in each.lines[0]]


def gaps(moves: list[Entry]) -> list[float]:
    """The seconds between each two moves."""
    return [(later.at - at.at) / 1000 for at, later in pairwise(moves)]


async def stood_in(world: World, game: str, *, bots: int) -> tuple[Person, RoomId, int]:
    """A bot plays for Ben, who is gone; Ayu and other bots play on. Ben, the room, its version."""
    world.open_house()
    ayu, ben = await movers(world, "Ayu", "Ben")
    room = await sit(world, [ayu, ben], game, bots=bots)
    await asyncio.sleep(5)
    ben.go()
    await asyncio.sleep(AWAY_SECONDS + VOTE_MS / 1000)
    return ben, room, await replaced(world, room, Seat(2))


async def replaced(world: World, room: RoomId, seat: Seat) -> int:
    """Wait until a bot plays for the owner of a seat; the version of the room by then."""
    for _ in range(10_000):
        now = world.app.engine.live[room].room
        if now.seats[seat].bot is not None:
            return now.version
        await asyncio.sleep(0.1)
    raise AssertionError("no bot stands in")


@pytest.mark.parametrize("bots", [0, 1, 2])
@pytest.mark.parametrize("game", ["manhattan", "railroad_ink"])
@virtual
async def test_bots_make_no_more_than_a_move_in_five_seconds(game: str, bots: int) -> None:
    async with running() as world:
        _, room, version = await stood_in(world, game, bots=bots)
        await asyncio.sleep(WATCHED_SECONDS)
        moves = await moves_of_bots(world, room, after=version)
        assert MOST / 2 < len(moves) <= MOST
        assert min(gaps(moves)) >= STAND_IN_PACE_SECONDS
        assert not [each for each in moves if "@clock" in each.lines[0]]


@virtual
async def test_nothing_is_played_in_the_first_seconds() -> None:
    async with running() as world:
        _, room, version = await stood_in(world, "manhattan", bots=2)
        await asyncio.sleep(STAND_IN_PACE_SECONDS - 0.5)
        assert await moves_of_bots(world, room, after=version) == []


@virtual
async def test_when_the_owner_is_back_bots_are_quick_again() -> None:
    async with running() as world:
        ben, room, before = await stood_in(world, "manhattan", bots=2)
        ben.return_()
        await asyncio.sleep(STAND_IN_PACE_SECONDS)
        contents = await moves_of_bots(world, room, after=before)
        assert "h:2" not in [each.actor for each in contents]
        version = world.app.engine.live[room].room.version
        await asyncio.sleep(20)
        moves = await moves_of_bots(world, room, after=version)
        assert len(moves) > 2 * 20 / STAND_IN_PACE_SECONDS


@virtual
async def test_on_a_short_clock_too_and_no_bot_loses_by_it() -> None:
    """Ayu is there, but silent: three times the clock plays, then a bot does."""
    async with running() as world:
        world.open_house()
        ayu = await world.person("Ayu")
        room = await sit(world, [ayu], options=["clock 10+1"], bots=2)
        version = await replaced(world, room, Seat(1))
        await asyncio.sleep(WATCHED_SECONDS)
        moves = await moves_of_bots(world, room, after=version)
        assert MOST / 2 < len(moves) <= MOST
        assert min(gaps(moves)) >= STAND_IN_PACE_SECONDS
        assert not [each for each in moves if "@clock" in each.lines[0]]


@virtual
async def test_on_another_node_bots_answer_at_once() -> None:
    async with running() as world:
        world.open_house()
        [ben] = await movers(world, "Ben")
        room = await sit(world, [ben], bots=1)
        version = world.app.engine.live[room].room.version
        await asyncio.sleep(20)
        assert len(await moves_of_bots(world, room, after=version)) > 12
