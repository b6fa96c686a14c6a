"""How does `bluebear serve` start and stop? The real process, on a folder of its own."""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bluebear.clients.sdk import Client
from bluebear.rules.core.phrases import LANGS
from bluebear.server.limits import OPEN_FILES
from bluebear.server.sentences import UNUSABLE, say
from tests.tools.servers import ServerProcess, begin, ended, free_port

JOURNAL = "bluebear.sqlite"


async def refused(server: ServerProcess) -> str:
    """What a server says that has to give up at once."""
    server.begin()
    assert await server.ended() == UNUSABLE
    return server.log.read_text(encoding="utf-8")


async def test_the_note_names_address_process_and_version(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        note = json.loads(server.note.read_text(encoding="utf-8"))
        assert note["url"] == server.url
        assert note["pid"] == server.pid
        assert note["version"].startswith("bluebear ")


async def test_a_server_that_is_instructed_to_stop_takes_its_note_with_it(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        assert await server.stop() == 0
        assert not server.note.exists()
        assert server.complaints() == []


async def test_a_broken_game_is_one_line_of_the_log(tmp_path: Path) -> None:
    broken = tmp_path / "hall" / "sixth"
    broken.mkdir(parents=True)
    (broken / "game.toml").write_text('key = "sixth"\n', encoding="utf-8")
    (broken / "__init__.py").write_text(
        "from tests.games.sealed import SealedGame\n\n\n"
        "class Sixth(SealedGame): ...\n\n\nGAME = Sixth()\n",
        encoding="utf-8",
    )
    games = "tests.games,hall"
    async with ServerProcess(tmp_path, games=games, path=tmp_path) as server:
        (line,) = server.complaints()
        assert json.loads(line)["why"] == "hall/sixth/game.toml: missing required field name"
        async with Client(server.url, name="Ayu") as ayu:
            assert ayu.connected
        health = server.url.replace("ws://", "http://").replace("/ws", "/healthz")
        output = await asyncio.to_thread(urlopen, health)
        with output:
            assert json.load(output)["games"] == {"loaded": 4, "broken": 1}


async def test_without_any_game_there_is_no_server(tmp_path: Path) -> None:
    output = await refused(ServerProcess(tmp_path, games="nonsense, hall"))
    for lang in LANGS:
        assert say("serve.no_games", lang, path="nonsense, hall") in output


@pytest.mark.parametrize("function", ["serve._until_over", "serve.Listener.close"])
async def test_what_fails_once_it_serves_is_no_wrong_setting(function: str, tmp_path: Path) -> None:
    program = f"""
import sys
from bluebear.server import __main__ as serve
async def until_over(*given):
    pass
async def fail(*given):
    raise OSError("a bug")
serve._until_over = until_over
{function} = fail
sys.exit(serve.main(["serve", "--no-house-bots", "--port", "0", "--data", sys.argv[1]]))
"""
    log = tmp_path / "log"
    assert await ended(begin((sys.executable, "-c", program, str(tmp_path)), log)) == 1
    output = log.read_text(encoding="utf-8")
    assert "OSError: a bug" in output
    assert "cannot start" not in output


@pytest.mark.parametrize("hard", [630, resource.getrlimit(resource.RLIMIT_NOFILE)[1]])
async def test_as_many_files_are_opened_as_the_system_allows(hard: int, tmp_path: Path) -> None:
    program = """
import resource, sys
from bluebear.server import __main__ as serve
resource.setrlimit(resource.RLIMIT_NOFILE, (300, int(sys.argv[2])))
async def look(config):
    print("open files:", resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return 0
serve._serve = look
sys.exit(serve.main(["serve", "--data", sys.argv[1]]))
"""
    log = tmp_path / "log"
    assert await ended(begin((sys.executable, "-c", program, str(tmp_path), str(hard)), log)) == 0
    output = log.read_text(encoding="utf-8")
    allowed = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    assert f"open files: {allowed}\n" in output
    assert ("few open files" in output) == (allowed < OPEN_FILES)


async def test_the_end_of_its_terminal_ends_a_server_gently(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        server.process.send_signal(signal.SIGHUP)
        assert await server.ended() == 0
        assert not server.note.exists()


async def test_a_second_server_on_a_folder_says_so_in_both_languages(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as first:
        output = await refused(ServerProcess(tmp_path))
        for lang in LANGS:
            assert say("serve.in_use", lang, path=str(tmp_path)) in output
        assert first.alive
        assert json.loads(first.note.read_text(encoding="utf-8"))["pid"] == first.pid


async def test_the_folder_of_a_killed_server_is_free(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        await server.kill()
        assert server.note.exists()
        await server.start()
        assert server.complaints() == []


async def test_a_busy_port_is_replaced_and_it_says_so(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        async with ServerProcess(tmp_path, port=port) as server:
            assert server.port != port
            output = server.log.read_text(encoding="utf-8")
            for lang in LANGS:
                assert say("serve.port_busy", lang, wished=port, port=server.port) in output
            async with Client(server.url, name="Ayu") as ayu:
                assert ayu.connected


async def test_the_journal_of_a_newer_server_is_left_alone(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        await server.stop()
    change(tmp_path / JOURNAL, "UPDATE alembic_version SET version_num = '0099'")
    await expect_left_alone(tmp_path, "journal_newer")


async def test_a_journal_from_before_0_1_0_is_left_alone(tmp_path: Path) -> None:
    for table in ("log", "segment"):
        change(tmp_path / JOURNAL, f"CREATE TABLE {table} (row INTEGER)")
    await expect_left_alone(tmp_path, "journal_older")


async def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    change(tmp_path / JOURNAL, "CREATE TABLE recipes (title TEXT)")
    await expect_left_alone(tmp_path, "journal_foreign")


async def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text("Dear diary, " * 1000, encoding="utf-8")
    await expect_left_alone(tmp_path, "journal_foreign")


async def played_and_killed(folder: Path) -> None:
    """A folder as a killed server leaves it, with what some guests have said."""
    async with ServerProcess(folder) as server:
        async with Client(server.url, name="Ayu") as ayu:
            await ayu.say("/newroom tokai")
            for number in range(6):
                await ayu.say(f"line {number} " + "x" * 400)
        await server.kill()


async def test_a_torn_journal_is_opened_only_by_choice(tmp_path: Path) -> None:
    await played_and_killed(tmp_path)
    wal = tmp_path / f"{JOURNAL}-wal"
    complete = wal.read_bytes()
    wal.write_bytes(complete[: len(complete) * 2 // 3])
    output = await refused(ServerProcess(tmp_path))
    assert "--accept-older" in output
    assert "足りないファイル" in output
    async with ServerProcess(tmp_path, more=("--accept-older",)) as server:
        health = await health_of(server)
        assert health["ok"]
        assert health["journal"]["missing"] >= 1
        assert any("older than what was last written" in line for line in server.complaints())
    async with ServerProcess(tmp_path) as server:
        assert "missing" not in (await health_of(server))["journal"]


async def test_a_torn_journal_that_is_put_back_has_everything(tmp_path: Path) -> None:
    await played_and_killed(tmp_path)
    wal = tmp_path / f"{JOURNAL}-wal"
    complete = wal.read_bytes()
    wal.write_bytes(b"")
    await refused(ServerProcess(tmp_path))
    wal.write_bytes(complete)
    async with ServerProcess(tmp_path) as server:
        assert "missing" not in (await health_of(server))["journal"]


async def test_figures_are_read_at_a_separate_address(tmp_path: Path) -> None:
    port = free_port()
    async with ServerProcess(tmp_path, more=("--metrics", f"127.0.0.1:{port}")) as server:
        async with Client(server.url, name="Ayu"):
            text = await asyncio.to_thread(read, f"http://127.0.0.1:{port}/metrics")
        assert "bluebear_connections 1\n" in text
        assert "bluebear_healthy 1\n" in text
        assert "bluebear" not in await asyncio.to_thread(status_of, f"{http(server)}/metrics")


async def test_figures_without_an_address_stop_nothing(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        address = f"127.0.0.1:{port}"
        async with ServerProcess(tmp_path, more=("--metrics", address)) as server:
            output = server.log.read_text(encoding="utf-8")
            for lang in LANGS:
                assert say("serve.no_metrics", lang, address=address) in output


def http(server: ServerProcess) -> str:
    return server.url.replace("ws://", "http://").removesuffix("/ws")


def read(url: str) -> str:
    with urlopen(url) as output:
        return str(output.read(), "utf-8")


def status_of(url: str) -> str:
    """What stands at an address where nothing is."""
    try:
        return read(url)
    except HTTPError as wrong:
        return wrong.read().decode()


async def health_of(server: ServerProcess) -> dict[str, Any]:  # Any: plain JSON
    """What it says of its health."""
    results: dict[str, Any] = json.loads(await asyncio.to_thread(read, f"{http(server)}/healthz"))
    return results


def change(file: Path, statement: str) -> None:
    """Do something to a database that no server of ours would do."""
    with closing(sqlite3.connect(file)) as journal, journal:
        journal.execute(statement)


async def expect_left_alone(data: Path, key: str) -> None:
    """See that a server gives up with a sentence, and that the file stays as it was."""
    before = (data / JOURNAL).read_bytes()
    output = await refused(ServerProcess(data))
    for lang in LANGS:
        assert say(f"serve.{key}", lang, path=str(data)) in output
    assert (data / JOURNAL).read_bytes() == before
