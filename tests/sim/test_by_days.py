"""Correspondence games: clocks that run while no member is connected, vacations, virtual weeks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import DAY_MS, VACATION_DAYS_A_YEAR
from bluebear.server.people.account import with_vacation
from bluebear.server.room.state import Chair, Phase, Room
from tests.sim.fixtures import running, sit, two, written
from tests.sim.simulated_clients import Person
from tests.sim.simulation import World
from tests.sim.virtual_loop import sleep_days, virtual

HOUR = 3600.0
DAY = 24 * HOUR


@asynccontextmanager
async def a_game(world: World, days: int = 3) -> AsyncIterator[tuple[Person, Person, RoomId]]:
    """The player on turn, the other one, and their room."""
    people = await two(world)
    room = await sit(world, people, options=[f"clock {days}d"])
    of_seat = [person for person in people if person.view.deciding_seats]
    [other] = [person for person in people if person not in of_seat]
    yield of_seat[0], other, room


async def room_of(world: World, room: RoomId) -> Room:
    """The room as it is, loaded if it sleeps."""
    return (await world.app.engine.load(room)).room


def chair_of(room: Room, person: Person) -> Chair:
    seat = room.seat_of(person.person)
    assert seat is not None
    return room.seats[seat]


def seat_of(room: Room, person: Person) -> Seat:
    seat = room.seat_of(person.person)
    assert seat is not None
    return seat


async def say_my_rooms(person: Person) -> str:
    """The reply to a person's `/myrooms`."""
    assert (await person.line("/myrooms")).ok
    return person.notes[-1].text


@virtual
async def test_a_clock_of_days_continues_while_the_room_sleeps() -> None:
    async with running() as world, a_game(world) as (mover, other, room):
        mover.go()
        other.go()
        await asyncio.sleep(3 * DAY - HOUR)
        assert not any("@clock" in line for line in await written(world, room))
        assert world.app.engine.room(room) is None, "it has left memory meanwhile"
        await asyncio.sleep(HOUR + 120)
        seat = seat_of(await room_of(world, room), mover)
        assert any(line.startswith(f"clock @clock {seat}") for line in await written(world, room))


@virtual
async def test_a_week_passes_in_which_no_person_arrives_and_a_bot_stands_in() -> None:
    async with running() as world, a_game(world, days=1) as (mover, other, room):
        world.open_house()
        mover.go()
        other.go()
        await sleep_days(7)
        now = await room_of(world, room)
        assert chair_of(now, mover).bot is not None
        assert chair_of(now, other).bot is not None


@virtual
async def test_every_turn_has_its_days() -> None:
    async with running() as world, a_game(world) as (mover, other, room):
        await sleep_days(2)
        moves = next(iter(mover.view.moves.values()))
        assert (await mover.line(moves.lines[0])).ok
        now = await room_of(world, room)
        while chair_of(now, mover).deadline is not None:
            moves = next(iter(mover.view.moves.values()))
            assert (await mover.line(moves.lines[0])).ok
            now = await room_of(world, room)
        deadline = chair_of(now, other).deadline
        assert deadline is not None
        assert abs(deadline - world.clock.now() - 3 * DAY_MS) < 5000


@virtual
async def test_no_person_waking_a_room_moves_its_clocks() -> None:
    async with running() as world, a_game(world) as (mover, other, room):
        before = chair_of(await room_of(world, room), mover).deadline
        mover.go()
        other.go()
        await asyncio.sleep(DAY)
        other.return_()
        await asyncio.sleep(5)
        assert (await other.line(f"/room {room}")).ok
        assert chair_of(await room_of(world, room), mover).deadline == before
        assert not any("@wake" in line for line in await written(world, room))


@virtual
async def test_the_clock_rings_after_the_server_has_been_away() -> None:
    async with running() as world, a_game(world, days=1) as (mover, other, room):
        mover.go()
        other.go()
        await world.kill()
        await sleep_days(2)
        await world.start()
        await asyncio.sleep(120)
        assert any("@clock" in line for line in await written(world, room))


@virtual
async def test_my_rooms_begin_with_my_turn_and_the_time_left() -> None:
    async with running() as world, a_game(world) as (mover, other, room):
        second = await sit(world, [other, mover], options=["clock 2d"])
        await asyncio.sleep(HOUR)
        lines = (await say_my_rooms(mover)).splitlines()
        turns = ["your turn" in line for line in lines]
        assert turns == sorted(turns, reverse=True)
        assert any(f" {room} " in line and "2 d 22 h left" in line for line in lines)
        assert any(f" {second} " in line and "1 d 2" in line for line in lines)


@virtual
async def test_a_vacation_stops_the_clock() -> None:
    async with running() as world, a_game(world, days=2) as (mover, other, room):
        before = chair_of(await room_of(world, room), mover).deadline
        assert before is not None
        assert (await mover.line("/vacation 10")).ok
        assert "Days off left this year: 20" in mover.notes[-1].text
        await asyncio.sleep(1)
        chair = chair_of(await room_of(world, room), mover)
        assert chair.deadline is not None
        assert abs(chair.deadline - before - 10 * DAY_MS) < 5000
        assert any("is on vacation until" in line for line in other.text)
        assert (await other.line("/who")).ok
        assert "(on vacation until " in other.notes[-1].text
        mover.go()
        other.go()
        await sleep_days(11)
        assert not any("@clock" in line for line in await written(world, room))
        await asyncio.sleep(DAY + HOUR)
        assert any("@clock" in line for line in await written(world, room))


@virtual
async def test_who_is_back_early_has_the_rest_of_his_time() -> None:
    async with running() as world, a_game(world, days=2) as (mover, other, room):
        before = chair_of(await room_of(world, room), mover).deadline
        assert before is not None
        assert (await mover.line("/vacation 10")).ok
        await sleep_days(3)
        assert (await mover.line("/vacation off")).ok
        await asyncio.sleep(1)
        chair = chair_of(await room_of(world, room), mover)
        assert chair.deadline is not None
        assert abs(chair.deadline - before - 3 * DAY_MS) < 5000
        assert (chair.away_until, other.text[-1]) == (None, f"{mover.name} is back from vacation.")
        assert "Days off left this year: 26" in mover.notes[-1].text


@virtual
async def test_a_vacation_that_the_room_was_not_reported_counts_as_well() -> None:
    async with running() as world, a_game(world, days=1) as (mover, other, room):
        mover.go()
        other.go()
        await asyncio.sleep(DAY - HOUR)
        await world.kill()
        await world.start()
        away = partial(with_vacation, days=5, now=world.clock.now())
        await world.app.people.update_preferences(mover.person, away)
        await sleep_days(2)
        assert not any("@clock" in line for line in await written(world, room))


@virtual
async def test_days_off_are_bounded_by_the_year() -> None:
    async with running() as world:
        [ayu] = await two(world, "Ayu")
        reply = await ayu.line(f"/vacation {VACATION_DAYS_A_YEAR + 1}")
        assert reply.code == "too_many_days"
        assert (await ayu.line("/vacation 20")).ok
        assert (await ayu.line("/vacation 1")).code == "on_vacation"
        await sleep_days(20)
        assert (await ayu.line("/vacation off")).code == "not_on_vacation"
        assert (await ayu.line("/vacation 11")).code == "too_many_days"
        assert (await ayu.line("/vacation 10")).ok


@virtual
async def test_by_days_all_people_who_plays_has_a_vote_and_a_day_for_it() -> None:
    async with running() as world, a_game(world) as (mover, other, room):
        other.go()
        await asyncio.sleep(30)
        assert (await mover.line("/masterreset !")).ok
        assert "within 1 d 0 h" in mover.text[-1]
        assert (await room_of(world, room)).table.phase is Phase.PLAYING
        mover.go()
        await asyncio.sleep(DAY + 120)
        now = await room_of(world, room)
        assert not now.table.votes, "silence is a no"
        assert now.table.phase is Phase.PLAYING
