"""A planned restart: who is there is told, nothing new begins, and no line is lost or doubled."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from pathlib import Path

import pytest

from bluebear.clients.sdk import Client
from bluebear.clients.sdk.client_events import RoomId
from bluebear.protocol import Error
from bluebear.rules.core.phrases import LANGS
from bluebear.server.config import read_config
from bluebear.server.sentences import say
from bluebear.server.store import SqliteStore, StreamId, streams
from tests.server.fixtures import Stage
from tests.tools.servers import ServerProcess

ROOMS = 6
RESTARTS = 3


def test_all_people_hears_in_his_language_when_the_server_stops(stage: Stage) -> None:
    stage.come("Ayu")
    stage.come("Mai", lang="ja")
    stage._forget()
    stage.run(stage.app.drain(5, asyncio.Event()))
    assert stage._take_received() == {
        "Ayu": [f"(restart) {say('note.restart', 'en', seconds=5)}"],
        "Mai": [f"(restart) {say('note.restart', 'ja', seconds=5)}"],
    }


def test_the_end_is_announced_as_a_second_away_at_the_least(stage: Stage) -> None:
    stage.come("Ayu")
    stage._forget()
    stage.run(stage.app.drain(0.2, asyncio.Event()))
    assert stage._take_received() == {"Ayu": [f"(restart) {say('note.restart', 'en', seconds=1)}"]}


def test_no_room_is_made_any_more_and_lines_are_received(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.run(stage.app.drain(5, asyncio.Event()))
    assert stage.refused("Ayu", "/newroom journey", lobby=True) == "restarting"
    assert (stage.people["Ayu"].last(Error).retry_ms or 0) >= 5_000
    stage.play("Ayu", "/go mill")


def test_it_waits_as_long_as_was_reported_and_not_for_no_person(stage: Stage) -> None:
    stage.come("Ayu")
    began = stage.loop.time()
    stage.run(stage.app.drain(5, asyncio.Event()))
    assert stage.loop.time() - began == pytest.approx(5)
    stage.drop("Ayu")
    began = stage.loop.time()
    stage.run(stage.app.drain(5, asyncio.Event()))
    assert stage.loop.time() == began


def test_it_ends_when_the_last_one_moves_or_when_it_is_reported(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    connections = [stage.people[name].connection for name in ("Ayu", "Ben")]

    async def go() -> float:
        began = stage.loop.time()
        for after, connection in enumerate(connections, 1):
            assert connection is not None
            stage.loop.call_later(after, stage.app.dispatcher.on_disconnect, connection)
        await stage.app.drain(60, asyncio.Event())
        return stage.loop.time() - began

    assert stage.run(go()) == pytest.approx(2)
    stage.people.clear()
    stage.come("Eva")

    async def time_drain() -> float:
        began, at_once = stage.loop.time(), asyncio.Event()
        stage.loop.call_later(3, at_once.set)
        await stage.app.drain(60, at_once)
        return stage.loop.time() - began

    assert stage.run(time_drain()) == pytest.approx(3)


def test_a_window_and_a_bench_do_not_wait() -> None:
    assert read_config([], {}).drain > 0
    assert read_config([], {"BLUEBEAR_DRAIN": "12.5"}).drain == 12.5
    assert read_config(["--of-window"], {}).drain == 0
    assert read_config(["--bench", "--drain", "9"], {}).drain == 0


# The real process.


async def lines_of(journal: Path, room: RoomId) -> Counter[str]:
    opened = SqliteStore(journal)
    results = Counter(entry.lines[0] for entry in await opened.read(streams.load, StreamId(room)))
    await opened.close()
    return results


@pytest.mark.slow_loop
async def test_restarts_while_people_talk_lose_no_line_and_double_none(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, drain=0.5)
    await server.start()
    over = asyncio.Event()
    clients = [Client(server.url, name=f"Guest{n}", bot=True) for n in range(ROOMS)]
    reported = Counter[str]()

    async def listen(client: Client) -> None:
        async for happening in client.happenings():
            reported[type(happening).__name__] += 1

    async def talk(client: Client, room: RoomId) -> int:
        sent = 0
        while not over.is_set():
            assert (await client.say(f"line {sent}", room=room)).ok
            sent += 1
        return sent

    async with asyncio.TaskGroup() as group:
        for client in clients:
            await client.__aenter__()
            assert (await client.say("/newroom tokai")).ok
        rooms = [next(iter(client.mirror.rooms)) for client in clients]
        hearing = [group.create_task(listen(client)) for client in clients]
        talking = [
            group.create_task(talk(client, room))
            for client, room in zip(clients, rooms, strict=True)
        ]
        for _ in range(RESTARTS):
            assert await server.stop() == 0
            await server.start()
            answers = [
                client.say("/info", room=r) for client, r in zip(clients, rooms, strict=True)
            ]
            assert all(answer.ok for answer in await asyncio.gather(*answers))
        over.set()
        counts = [await each for each in talking]
        for client in clients:
            await client.__aexit__(None, None, None)
        for each in hearing:
            each.cancel()
    await server.stop()
    assert reported["Bye"] == RESTARTS * ROOMS
    log = server.log.read_text(encoding="utf-8")
    for lang in LANGS:
        assert say("serve.draining", lang, seconds=0) in log
    for room, count in zip(rooms, counts, strict=True):
        result = await lines_of(tmp_path / "bluebear.sqlite", room)
        assert {f"line {n}": 1 for n in range(count)}.items() <= result.items()


async def test_a_second_signal_stops_at_once(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path, drain=600) as server, Client(server.url, name="Ayu"):
        server.process.send_signal(signal.SIGTERM)
        server.process.send_signal(signal.SIGINT)
        assert await server.ended() == 0
