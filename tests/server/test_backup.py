"""`bluebear backup` and `bluebear restore`, as an operator uses them: real processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bluebear.clients.sdk import Client
from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.phrases import LANGS
from bluebear.server.ops import control
from bluebear.server.ops.control import SOCKET, ask
from bluebear.server.sentences import say
from bluebear.server.store import Entry, SqliteStore, StreamId, streams
from tests.tools.servers import ServerProcess, bluebear

DONE, FAILED, UNUSABLE = 0, 1, 2
COPIES = 3


async def entries_of(journal: Path, room: str) -> list[Entry]:
    opened = SqliteStore(journal)
    result = await opened.read(streams.load, StreamId(room))
    await opened.close()
    return result


@pytest.mark.slow_loop
async def test_copies_made_while_people_play_come_back_as_a_prefix_of_each_room(
    tmp_path: Path,
) -> None:
    data, over = tmp_path / "data", asyncio.Event()
    data.mkdir()
    rooms: dict[RoomId, int] = {}

    async def chatter(client: Client, room: RoomId) -> None:
        while not over.is_set():
            assert (await client.say(f"line {rooms[room]}", room=room)).ok
            rooms[room] += 1

    async with ServerProcess(data) as server:
        clients = [Client(server.url, name=f"Guest{n}", bot=True) for n in range(4)]
        async with clients[0], clients[1], clients[2], clients[3]:
            for client in clients:
                await client.say("/newroom tokai")
                (room,) = client.mirror.rooms
                assert (await client.say("line 0", room=room)).ok
                rooms[room] = 1
            talking = [
                asyncio.create_task(chatter(c, r)) for c, r in zip(clients, rooms, strict=True)
            ]
            for number in range(COPIES):
                target = tmp_path / f"{number}.sqlite"
                code, sent = await bluebear("backup", "--data", str(data), "--to", str(target))
                assert code == DONE, sent
            over.set()
            await asyncio.gather(*talking)
        await server.stop()
        assert not (data / SOCKET).exists()

    complete = {room: await entries_of(data / "bluebear.sqlite", room) for room in rooms}
    for number in range(COPIES):
        new = tmp_path / f"restored{number}"
        code, sent = await bluebear(
            "restore", str(tmp_path / f"{number}.sqlite"), "--data", str(new)
        )
        assert code == DONE, sent
        async with ServerProcess(new) as server:
            assert server.complaints() == []
            async with Client(server.url, name="Late") as late:
                await late.say(f"/room {next(iter(rooms))}")
            await server.stop()
        for room, entries in complete.items():
            section = await entries_of(new / "bluebear.sqlite", room)
            assert section == entries[: len(section)]
            assert len(section) > 1
    assert all(len(entries) > 2 for entries in complete.values())


async def test_without_a_server_the_file_is_copied(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        await server.stop()
    code, sent = await bluebear("backup", "--data", str(tmp_path))
    assert code == DONE
    [copy] = (tmp_path / "backups").iterdir()
    for lang in LANGS:
        assert say("backup.done", lang, path=str(copy), size="0.1").split("(")[0] in sent


async def test_a_journal_that_a_person_serves_is_not_replaced(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        copy = tmp_path / "copy.sqlite"
        assert (await bluebear("backup", "--data", str(tmp_path), "--to", str(copy)))[0] == DONE
        code, sent = await bluebear("restore", str(copy), "--data", str(tmp_path))
        assert code == UNUSABLE
        for lang in LANGS:
            assert say("serve.in_use", lang, path=str(tmp_path)) in sent
        assert server.alive


async def test_what_was_there_is_stored(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        await server.stop()
    copy = tmp_path / "copy.sqlite"
    assert (await bluebear("backup", "--data", str(tmp_path), "--to", str(copy)))[0] == DONE
    code, _ = await bluebear("restore", str(copy), "--data", str(tmp_path))
    assert code == DONE
    [stored] = tmp_path.glob("replaced-*")  # noqa: ASYNC240 - a folder of one file
    assert (stored / "bluebear.sqlite").exists()
    async with ServerProcess(tmp_path) as server:
        assert server.complaints() == []


async def test_a_copy_that_fails_is_reported_and_the_server_continues(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    async with ServerProcess(tmp_path) as server:
        target = tmp_path / "file" / "copy.sqlite"
        code, sent = await bluebear("backup", "--data", str(tmp_path), "--to", str(target))
        assert code == FAILED
        for lang in LANGS:
            assert say("backup.failed", lang, path=str(target)) in sent
        assert server.alive


async def test_the_door_knows_its_orders_and_is_for_the_operator_alone(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path):
        assert (tmp_path / SOCKET).stat().st_mode & 0o077 == 0
        answer = await asyncio.to_thread(ask, tmp_path, "format c:")
        assert answer == {"error": "no such order: format"}
        answer = await asyncio.to_thread(ask, tmp_path, "backup " + "x" * 10_000)
        assert answer is not None
        assert "error" in answer


@pytest.mark.parametrize("arguments", [["backup"], ["restore", "nothing.sqlite"]])
def test_where_nothing_is_it_says_so(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    code = control.main([*arguments, "--data", str(tmp_path / "data")])
    assert code == UNUSABLE
    output = capsys.readouterr().err
    path = "nothing.sqlite" if arguments[0] == "restore" else str(tmp_path / "data")
    for lang in LANGS:
        assert say("backup.no_journal", lang, path=path) in output
