"""House bots never tire: all of them together have one rate limit."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.server.limits import AWAY_SECONDS
from tests.sim.fixtures import movers, running, sit, written
from tests.sim.simulated_clients import Mover, Person
from tests.sim.simulation import World
from tests.sim.virtual_loop import virtual

PACE: Final = "bluebear.server.limits"
FEW: Final = 4
"""Moves at once in games of bots alone, in these scenes; and one a second."""


@pytest.fixture(autouse=True)
def _slow_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{PACE}.SHOW_BURST", FEW)
    monkeypatch.setattr(f"{PACE}.SHOWS_PER_SECOND", 1.0)


async def show(world: World, host: Person) -> RoomId:
    """A game of two bots, whose host looks on."""
    room = await sit(world, [host], bots=2)
    assert (await host.line("/leave !")).ok
    return room


async def moves_of_bots(world: World, room: RoomId) -> int:
    return sum(line.startswith("h:") for line in await written(world, room))


@virtual
async def test_games_of_bots_alone_share_one_rate() -> None:
    async with running() as world:
        world.open_house()
        rooms = [await show(world, await world.person(name)) for name in ("Ayu", "Ben", "Chi")]
        before = [await moves_of_bots(world, room) for room in rooms]
        await asyncio.sleep(30)
        made = [await moves_of_bots(world, room) for room in rooms]
        reported = [now - then for now, then in zip(made, before, strict=True)]
        assert 29 <= sum(reported) <= 30 + FEW
        assert min(reported) >= 9


@virtual
async def test_a_bot_at_a_table_of_people_answers_at_once() -> None:
    async with running() as world:
        world.open_house()
        await show(world, await world.person("Ayu"))
        [ben] = await movers(world, "Ben")
        room = await sit(world, [ben], bots=1)
        await asyncio.sleep(20)
        assert await moves_of_bots(world, room) > 12


@virtual
async def test_at_a_table_of_people_bots_have_a_separate_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{PACE}.HOUSE_BURST", 2)
    monkeypatch.setattr(f"{PACE}.HOUSE_PER_SECOND", 0.5)
    async with running() as world:
        world.open_house()
        [ben] = await movers(world, "Ben")
        room = await sit(world, [ben], bots=1)
        await asyncio.sleep(20)
        assert 9 <= await moves_of_bots(world, room) <= 13


@virtual
async def test_a_bot_whose_turn_arrives_too_late_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{PACE}.HOUSE_BURST", 1)
    monkeypatch.setattr(f"{PACE}.HOUSE_PER_SECOND", 1 / 60)
    async with running() as world:
        world.open_house()
        ayu, ben = world.add(Mover(world, "Ayu")), await world.person("Ben")
        await ayu.met()
        room = await sit(world, [ayu, ben])
        await asyncio.sleep(5)
        ben.go()
        await asyncio.sleep(AWAY_SECONDS + 40)
        ben.return_()
        await asyncio.sleep(1)
        before = await moves_of_bots(world, room)
        await asyncio.sleep(120)
        assert before <= 2
        assert await moves_of_bots(world, room) == before
