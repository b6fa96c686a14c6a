"""Clocks, votes, grace, stand-ins, sleep and sweeping, in hours that take no time."""

from __future__ import annotations

import asyncio
import gc
from typing import Final

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import (
    AWAY_SECONDS,
    EMPTY_ROOM_SECONDS,
    HOUSE_BOT_SECONDS,
    IDLE_ROOM_SECONDS,
    TOKEN_DAYS,
)
from tests.sim.fixtures import movers, running, sit, two, until_over, written
from tests.sim.invariants import room_list_of
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import sleep_days, virtual

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
VOTE: Final = 30.0


def mover_and_other(people: list[Person]) -> tuple[Person, Person]:
    """The player on turn, and the other one."""
    of_seat = [person for person in people if person.view.deciding_seats]
    return of_seat[0], next(person for person in people if person is not of_seat[0])


@virtual
async def test_who_is_away_for_two_minutes_on_his_turn_is_prompted_about() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people)
        absent, _ = mover_and_other(people)
        absent.go()
        await asyncio.sleep(AWAY_SECONDS - 1)
        assert not world.live(room).room.table.votes
        await asyncio.sleep(2)
        assert (await written(world, room))[-1].startswith("server @remove ")


@virtual
async def test_silence_lets_a_house_bot_stand_in_and_the_game_continues() -> None:
    async with running() as world:
        world.open_house()
        people = await two(world)
        room = await sit(world, people)
        absent, other = mover_and_other(people)
        seat = next(iter(absent.view.eyes))
        absent.go()
        await asyncio.sleep(AWAY_SECONDS + VOTE + 10)
        chair = world.live(room).room.seats[Seat(int(seat))]
        assert (chair.bot, chair.person) != (None, None)
        assert any(line.startswith(f"h:{seat} /") for line in await written(world, room))
        assert other.view.deciding_seats


@virtual
async def test_the_owner_has_his_seat_back_by_coming_in() -> None:
    async with running() as world:
        world.open_house(lazy=1.0)
        people = await two(world)
        room = await sit(world, people)
        absent, _ = mover_and_other(people)
        seat = next(iter(absent.view.eyes))
        absent.go()
        await asyncio.sleep(AWAY_SECONDS + VOTE + 2)
        absent.return_()
        await asyncio.sleep(5)
        assert (await written(world, room))[-1] == f"server @back {seat}"
        assert world.live(room).room.seats[Seat(int(seat))].bot is None
        assert absent.view.eyes == {seat}


@virtual
async def test_who_returns_in_time_is_not_prompted_about() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people)
        absent, _ = mover_and_other(people)
        absent.go()
        await asyncio.sleep(AWAY_SECONDS - 5)
        absent.return_()
        await asyncio.sleep(HOUR)
        assert not any("@remove" in line for line in await written(world, room))


@virtual
async def test_a_wire_that_breaks_is_half_open_and_then_counts_as_absence() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people)
        absent, _ = mover_and_other(people)
        assert absent.wire is not None
        absent.wire.cut(half_open=True)
        absent.stays = False
        await asyncio.sleep(AWAY_SECONDS + 5)
        assert not any("@remove" in line for line in await written(world, room))
        await asyncio.sleep(30)
        assert (await written(world, room))[-1].startswith("server @remove ")


@virtual
async def test_where_no_person_can_vote_no_person_is_prompted() -> None:
    async with running() as world:
        world.open_house()
        ayu, watcher = await two(world)
        room = await sit(world, [ayu], bots=1)
        assert (await watcher.line(f"/room {room}")).ok
        await asyncio.sleep(20)
        ayu.go()
        await asyncio.sleep(HOUR)
        assert not any("@remove" in line for line in await written(world, room))


@virtual
async def test_the_clock_plays_when_the_time_is_up_and_gives_the_seat_to_a_bot_at_last() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people, options=["clock 30+5"])
        idle, _ = mover_and_other(people)
        seat = next(iter(idle.view.eyes))
        before = len(await written(world, room))
        await asyncio.sleep(29)
        assert len(await written(world, room)) == before
        await asyncio.sleep(2)
        assert (await written(world, room))[-1].startswith(f"clock @clock {seat} ; ")
        await asyncio.sleep(10 * 60)
        assert {chair.bot is None for chair in world.live(room).room.seats.values()} == {False}


@virtual
async def test_a_house_bot_that_says_nothing_is_played_by_the_clock() -> None:
    async with running() as world:
        world.open_house(lazy=1.0)
        ayu = await world.person("Ayu")
        room = await sit(world, [ayu], bots=1)
        if ayu.view.deciding_seats:
            assert (await ayu.line(ayu.view.moves[next(iter(ayu.view.deciding_seats))].lines[0])).ok
        before = len(await written(world, room))
        await asyncio.sleep(HOUSE_BOT_SECONDS - 1)
        assert len(await written(world, room)) == before
        await asyncio.sleep(2)
        assert (await written(world, room))[before].startswith("clock @clock 2 ; ")


@virtual
async def test_a_vote_that_no_person_answers_ends_by_its_rule() -> None:
    async with running() as world:
        ayu, ben, chie = await two(world, "Ayu", "Ben", "Chie")
        room = await sit(world, [ayu, ben, chie])
        assert (await ayu.line("/pause")).ok
        await asyncio.sleep(VOTE - 1)
        assert len(world.live(room).room.table.votes) == 1
        await asyncio.sleep(2)
        assert (await written(world, room))[-1] == "clock @vote 1"
        assert world.live(room).room.table.phase == "playing"


@virtual
async def test_a_host_who_has_left_hands_over() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people, start=False)
        people[0].go()
        await asyncio.sleep(AWAY_SECONDS + 2)
        assert (await written(world, room))[-1] == "server @host Ben"


@virtual
async def test_while_no_person_is_here_no_clock_runs() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people, options=["clock 60+0"])
        idle, other = mover_and_other(people)
        before = len(await written(world, room))
        for person in people:
            person.go()
        await asyncio.sleep(HOUR)
        assert len(await written(world, room)) == before
        idle.return_()
        other.return_()
        await asyncio.sleep(40)
        assert [line.split(" ")[1] for line in await written(world, room, after=before)] == [
            "@wake"
        ]
        await asyncio.sleep(30)
        assert (await written(world, room))[-1].startswith("clock @clock ")


@virtual
async def test_no_clock_runs_while_the_server_is_down() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people, options=["clock 60+0"])
        before = len(await written(world, room))
        await world.kill()
        await asyncio.sleep(DAY)
        await world.start()
        await asyncio.sleep(40)
        assert [line.split(" ")[1] for line in await written(world, room, after=before)] == [
            "@wake"
        ]
        await asyncio.sleep(30)
        assert (await written(world, room))[-1].startswith("clock @clock ")


@virtual
async def test_house_bots_do_not_play_alone() -> None:
    async with running() as world:
        world.open_house()
        ayu = await world.person("Ayu")
        room = await sit(world, [ayu], bots=2)
        assert (await ayu.line("/leave !")).ok
        ayu.go()
        await asyncio.sleep(5)
        before = len(await written(world, room))
        await asyncio.sleep(HOUR)
        assert len(await written(world, room)) == before


@virtual
async def test_a_game_sleeps_for_weeks_and_continues() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people)
        for person in people:
            person.go()
        await asyncio.sleep(IDLE_ROOM_SECONDS + 120)
        assert world.app.engine.room(room) is None
        await sleep_days(21)
        for person in people:
            person.return_()
        await asyncio.sleep(10)
        mover, _ = mover_and_other(people)
        lines = mover.view.moves[next(iter(mover.view.deciding_seats))].lines
        assert (await mover.line(lines[0])).ok


@virtual
async def test_a_room_that_never_began_is_closed() -> None:
    async with running() as world:
        people = await two(world)
        room = await sit(world, people, start=False)
        for person in people:
            await person.line("/lobby")
        await asyncio.sleep(EMPTY_ROOM_SECONDS + IDLE_ROOM_SECONDS + 120)
        assert (await people[0].line(f"/room {room}")).code == "room_unknown"


@virtual
async def test_a_name_is_stored_as_long_as_its_token() -> None:
    async with running() as world:
        ayu = await world.person("Ayu")
        ayu.go()
        await sleep_days(TOKEN_DAYS - 1)
        ayu.return_()
        await asyncio.sleep(5)
        assert ayu.session.welcomed
        ayu.go()
        await sleep_days(TOKEN_DAYS - 1)
        other = world.add(Person(world, "Ayu"))
        await asyncio.sleep(5)
        assert other.session.mirror.welcome is not None
        assert other.session.mirror.welcome.name != "Ayu"
        await sleep_days(2)
        heir = await world.person("Ayu")
        assert heir.session.mirror.welcome is not None
        assert heir.session.mirror.welcome.name == "Ayu"


@pytest.mark.parametrize("hours", [-2, -26, 2, 26])
@virtual
async def test_a_wall_clock_that_is_set_stops_no_game(hours: int) -> None:
    async with running() as world:
        world.open_house()
        people = await movers(world, "Ayu", "Ben", "Chie")
        room = await sit(world, people, options=["clock 60+5"])
        await asyncio.sleep(5)
        world.clock.set_by = hours * 3600 * 1000
        assert (await people[0].line("/pause")).ok
        assert (await people[1].line("/accept")).ok
        world.clock.set_by = 0
        await asyncio.sleep(5)
        assert (await people[2].line("/resume")).ok
        await until_over(world, room)


@virtual
async def test_a_week_leaves_nothing_behind() -> None:
    async with running() as world:
        world.open_house()
        everyone = await movers(world, "Ayu", "Ben", "Chie", "Dan")
        sizes: list[tuple[int, ...]] = []
        for _ in range(7):
            pairs = ((everyone[0], everyone[1]), (everyone[2], everyone[3]))
            for pair, game in zip(pairs, ("duel", "sealed"), strict=True):
                for person in pair:
                    person.return_()
                await asyncio.sleep(5)
                room = await sit(world, pair, game, bots=1)
                await until_over(world, room)
                for person in pair:
                    assert (await person.line("/lobby")).ok
            for person in everyone:
                person.go()
            await asyncio.sleep(60)
            await sleep_days(1)
            await asyncio.sleep(1)  # until what the server does every minute is done
            gc.collect()
            app, dispatcher = world.app, world.app.dispatcher
            sizes.append(
                (
                    len(asyncio.all_tasks()),
                    len(app.engine.live),
                    len(room_list_of(app)._views),
                    len(dispatcher.connections),
                    len(app.presence),
                    len(app.engine._idle_since),
                    len(app.engine.house._wanted)
                    + len(app.engine.house._tickets)
                    + len(app.engine.house._playing),
                )
            )
        assert sizes == [sizes[0]] * 7
        assert sizes[0] == (1, 0, 0, 1, 0, 0, 0)  # the room, and the house bots
