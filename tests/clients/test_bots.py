"""Bots that play through the protocol: house bots, and those of `bluebear bots`."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from bluebear.clients.bots import HouseBots, strategy
from bluebear.clients.bots.__main__ import _failed
from bluebear.clients.bots.options import BotSeat, read_line, read_orders
from bluebear.clients.bots.player import Player
from bluebear.clients.bots.strategies import (
    FAILURES,
    CheckedBot,
    RandomBot,
    StrategyBot,
    UnknownStrategyError,
)
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Client, HelloRefused, MoveClock, RoomId, Seat, Updated, View
from bluebear.protocol import Code, Version
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from tests.clients.conftest import PATIENCE_SECONDS, until
from tests.clients.fake_server import FakeServer

NO_GAMES: Mapping[str, Game[Any]] = {}
LINES = ("/add 1", "/add 2")
VIEW = View(
    game="counting",
    seat=Seat(1),
    version=Version(3),
    tree={"room": {}, "game": {}},
    room_id=RoomId("1"),
)
CLOCK = MoveClock(10.0)


@pytest_asyncio.fixture
async def house(server: FakeServer) -> AsyncIterator[HouseBots]:
    """House bots whose handshake is done."""
    made = HouseBots(server.url, "HOUSE", NO_GAMES, chance=lambda: FastChance(1))
    running = asyncio.create_task(made.run())
    async with asyncio.timeout(PATIENCE_SECONDS):
        await server.arrival("HOUSE")
    yield made
    running.cancel()
    await asyncio.wait([running])


def is_over(happening: Updated) -> bool:
    return happening.text == ("The count is reached. It is over.",)


async def test_a_wanted_seat_is_played_to_the_end(server: FakeServer, house: HouseBots) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        await server.want(server.tables[room], 1, "random")
        await server.arrival(f"ticket {room} 1")
        await ayu.say("/start", room=room)
        await until(ayu, Updated, is_over)


async def test_a_stand_in_plays_at_a_human_pace(server: FakeServer) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with Client(server.url, name="Ayu", wants={"moves"}, bot=True) as ayu:
        for line in ("/newroom counting", "/join", "/start"):
            assert (await ayu.say(line, room=next(iter(ayu.mirror.rooms), None))).ok
        chosen = strategy("random", NO_GAMES, FastChance(1))
        await Player(ayu, chosen, pace=3.0, sleep=sleep).play(until_over=True)
    assert waited
    assert set(waited) == {3.0}


async def test_seats_of_several_rooms_are_played_at_once(
    server: FakeServer, house: HouseBots
) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        rooms = [(await ayu.say("/newroom counting")).room for _ in range(3)]
        for room in rooms:
            assert room is not None
            for seat in (1, 2):
                await server.want(server.tables[room], seat, "random")
                await server.arrival(f"ticket {room} {seat}")
        for room in rooms:
            await ayu.say("/start", room=room)
        for _ in rooms:
            await until(ayu, Updated, is_over)


async def test_a_seat_that_is_taken_back_is_not_played_again(
    server: FakeServer, house: HouseBots
) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        await server.want(server.tables[room], 1, "random")
        await server.arrival(f"ticket {room} 1")
        await server.cut(f"ticket {room} 1", code=1000)
        await server.want(server.tables[room], 2, "random")
        await server.arrival(f"ticket {room} 2")
    assert [hello.token for hello in server.hellos].count(f"ticket {room} 1") == 1


async def test_the_house_ends_with_its_control_connection(server: FakeServer) -> None:
    running = asyncio.create_task(HouseBots(server.url, "HOUSE", NO_GAMES).run())
    await server.arrival("HOUSE")
    await server.cut("HOUSE")
    async with asyncio.timeout(PATIENCE_SECONDS):
        await running


async def test_house_bots_say_what_they_are(server: FakeServer, house: HouseBots) -> None:
    [hello] = server.hellos
    assert (hello.bot, hello.name, hello.token) == (True, None, "HOUSE")


async def test_the_house_of_a_server_ends_when_its_stdin_does(server: FakeServer) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bluebear.clients.bots", "--house", stdin=asyncio.subprocess.PIPE
    )
    assert child.stdin is not None
    child.stdin.write(json.dumps({"url": server.url, "token": "HOUSE"}).encode() + b"\n")
    await server.arrival("HOUSE")
    child.stdin.close()
    assert await child.wait() == 0


async def test_the_program_joins_and_plays_until_the_game_is_over(server: FakeServer) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bluebear.clients.bots", server.http, room),
            *("--name", "Robo", "--count", "2", "--seed", "7"),
            stdout=asyncio.subprocess.PIPE,
            env={"LANG": "C"},
        )
        for _ in range(2):
            await until(ayu, Updated, lambda updated: "sits down" in updated.text[0])
        await ayu.say("/start", room=room)
        out, _ = await child.communicate()
    assert child.returncode == 0
    assert sorted(out.decode().splitlines()) == [
        f"Robo1 is in room {room} and plays random.",
        "Robo1: the game is over.",
        f"Robo2 is in room {room} and plays random.",
        "Robo2: the game is over.",
    ]


async def test_guest_bots_whose_names_are_taken_come_in_under_the_rest(server: FakeServer) -> None:
    server.taken |= {"CarefulWithTrap1", "CarefulWithTrap2", "CarefulWithTrap4"}
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bluebear.clients.bots", server.http, room),
            *("--name", "CarefulWithTraps", "--count", "2"),
            stdout=asyncio.subprocess.PIPE,
            env={"LANG": "C"},
        )
        for _ in range(2):
            await until(ayu, Updated, lambda updated: "sits down" in updated.text[0])
        await ayu.say("/start", room=room)
        out, _ = await child.communicate()
    assert child.returncode == 0
    assert sorted(out.decode().splitlines())[::2] == [
        f"CarefulWithTrap3 is in room {room} and plays random.",
        f"CarefulWithTrap6 is in room {room} and plays random.",
    ]


def test_a_bot_alone_is_numbered_only_where_its_name_is_taken() -> None:
    names = read_orders(read_line(["ws://x", "5"])).names_of(BotSeat(1, 0, None), "Otto")
    assert [*names][:3] == ["Otto", "Otto2", "Otto3"]


async def test_the_program_seats_ones_bots_by_their_tokens(server: FakeServer) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        for given, environment in (
            (("--token", "t1,t2"), {}),
            ((), {"BLUEBEAR_BOT_TOKENS": "t3"}),
        ):
            child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bluebear.clients.bots", server.http, "nowhere", *given),
                stderr=asyncio.subprocess.PIPE,
                env={"LANG": "C", **environment},
            )
            _, err = await child.communicate()
            assert child.returncode == 1, err
    tokens = [hello.token for hello in server.hellos if hello.bot]
    assert sorted(map(str, tokens)) == ["t1", "t2", "t3"]


async def test_the_program_says_where_no_server_is() -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bluebear.clients.bots", "127.0.0.1:1", "5"),
        stderr=asyncio.subprocess.PIPE,
        env={"LANG": "ja_JP.UTF-8"},
    )
    _, err = await child.communicate()
    assert child.returncode == 2
    assert err.decode() == "ws://127.0.0.1:1/ws に BlueBear のサーバーが見つかりません。\n"


def test_an_owner_whose_token_is_refused_reads_which_one_is_wanted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    refused = HelloRefused(Code.UNAUTHORIZED, "Connect with a name instead.")
    assert _failed(refused, "ws://x", "Otto", Texts("en", "bluebear.clients.bots")) == 1
    [sentence] = capsys.readouterr().err.splitlines()
    assert sentence.startswith(
        "Otto: The server does not have this token. Give the one that /token"
    )


async def test_a_bot_lets_go_of_lines_that_are_no_longer_legal(server: FakeServer) -> None:
    chosen: list[View] = []

    class First:
        def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            chosen.append(view)
            return lines[0]

    async with (
        Client(server.url, name="Ayu", wants={"moves"}, backoff=None) as ayu,
        Client(server.url, name="Bob") as bob,
    ):
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        await bob.say(f"/room {room}")
        await ayu.say("/join", room=room)
        await bob.say("/join", room=room)
        await ayu.say("/start", room=room)
        await ayu.say("/add 1", room=room)
        await server.cut("Ayu")
        await Player(ayu, First()).play(until_over=False)
    assert chosen == []


@pytest.mark.parametrize("lines", [("/add 1",), LINES])
async def test_at_random_is_one_of_the_lines(lines: tuple[str, ...]) -> None:
    seeds = range(40)
    drawn = {
        await strategy("random", NO_GAMES, FastChance(seed)).choose(VIEW, lines, CLOCK)
        for seed in seeds
    }
    assert drawn == set(lines)


def test_a_player_that_the_game_does_not_have_is_an_error() -> None:
    with pytest.raises(UnknownStrategyError):
        StrategyBot("greedy", NO_GAMES, FastChance(1)).choose(VIEW, LINES, CLOCK)


@pytest.mark.expects_log("a strategy that fails is told to who runs it")
async def test_a_strategy_that_fails_plays_at_random(caplog: pytest.LogCaptureFixture) -> None:
    chosen = strategy("greedy", NO_GAMES, FastChance(1))
    with caplog.at_level(logging.ERROR):
        assert await chosen.choose(VIEW, LINES, CLOCK) in LINES
    assert "greedy failed in room 1, version 3, seat 1" in caplog.text
    # With the view and the moves that made it fail, and how often it has come to that.
    before = FAILURES["counting", "greedy"]
    assert before
    seven = replace(VIEW, tree={"room": {}, "game": {"sum": 7}})
    assert await chosen.choose(seven, LINES, CLOCK) in LINES
    assert FAILURES["counting", "greedy"] == before + 1
    assert f'failure {before + 1}); moves /add 1 /add 2; view {{"sum": 7}}' in caplog.text


@pytest.mark.expects_log("a bot that says nonsense is told to who runs it")
async def test_a_bot_that_says_none_of_the_lines_is_answered_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Wild:
        def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            return "/quit"

    guarded = CheckedBot(Wild(), "wild", RandomBot(FastChance(1)))
    assert await guarded.choose(VIEW, LINES, CLOCK) in LINES
    assert "'/quit' is none of the lines" in caplog.text


@pytest.mark.expects_log("a bot that is late is told to who runs it")
async def test_a_bot_that_thinks_for_ever_is_answered_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stopped = []

    class Slow:
        async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            try:
                await asyncio.Event().wait()
            finally:
                stopped.append(view)
            return lines[0]

    guarded = CheckedBot(Slow(), "slow", RandomBot(FastChance(1)))
    assert await guarded.choose(VIEW, LINES, MoveClock(0.0)) in LINES
    assert "no line within 0.0 s" in caplog.text
    assert stopped == [VIEW]


async def test_thinking_ends_when_the_game_moves_on(server: FakeServer) -> None:
    begun, stopped = asyncio.Event(), asyncio.Event()

    class Slow:
        async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()
            return lines[0]

    async with (
        Client(server.url, name="Ayu", wants={"moves"}, backoff=None) as ayu,
        Client(server.url, name="Bob") as bob,
    ):
        room = (await ayu.say("/newroom counting")).room
        await bob.say(f"/room {room}")
        for line in ("/join", "/start"):
            assert (await ayu.say(line, room=room)).ok
        playing = asyncio.create_task(Player(ayu, Slow()).play(until_over=False))
        async with asyncio.timeout(PATIENCE_SECONDS):
            await begun.wait()
            assert (await ayu.say("/add 1", room=room)).ok
            await stopped.wait()
        playing.cancel()
        await asyncio.wait([playing])


async def test_entering_a_finished_room_ends_the_bot(server: FakeServer) -> None:
    async with Client(server.url, name="Ayu") as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        server.tables[room].view["room"]["phase"] = "over"
    async with Client(server.url, name="Bob") as bob:
        await bob.say(f"/room {room}")
        await Player(bob, strategy("random", NO_GAMES, FastChance(1))).play(until_over=True)
        assert bob.room(room).phase == "over"
