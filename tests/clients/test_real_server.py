"""Do the clients and the real server understand each other?"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Client, RoomId, Updated, Welcomed
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.local_server import SERVE, running_server, started_server
from tests.clients.conftest import until

pytestmark = pytest.mark.slow_loop

ROOT: Final = Path(__file__).parents[2]
PATIENCE_SECONDS: Final = 60


class RealServer:
    """A server on a data folder, as `bluebear play` starts it, with its house bots."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.url = ""
        self._running = ExitStack()

    async def start(self, port: int = 0) -> None:
        server = started_server(
            self.data, command=(*SERVE, "--port", str(port)), stopping=lambda: None
        )
        started = await asyncio.to_thread(self._running.enter_context, server)
        self.url = started.url

    async def kill(self) -> None:
        """End it in the middle of whatever it does."""
        note = json.loads((self.data / "server.json").read_text(encoding="utf-8"))
        os.kill(note["pid"], signal.SIGKILL)
        await self.stop()

    async def stop(self) -> None:
        await asyncio.to_thread(self._running.close)


@pytest_asyncio.fixture
async def house(tmp_path: Path) -> AsyncIterator[RealServer]:
    made = RealServer(tmp_path)
    await made.start()
    yield made
    await made.stop()


async def run(
    *argv: str, stdin: bytes = b"", data: Path, port: int = 0, folder: Path | None = None
) -> tuple[int | None, str]:
    """Run a program with lines on its standard input; its exit code and what it printed."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, *argv),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=folder,
        env={
            "BLUEBEAR_DATA": str(data),
            "BLUEBEAR_PORT": str(port),
            "XDG_STATE_HOME": str(data / "state"),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
        },
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        out, _ = await child.communicate(stdin)
    return child.returncode, out.decode()


async def test_without_a_terminal_play_shows_a_complete_game(tmp_path: Path) -> None:
    code, out = await run("-m", "bluebear", "play", "--name", "Ayu", data=tmp_path)
    lines = out.splitlines()
    typed = [line for line in lines if line.startswith("> ")]
    assert code == 0
    assert typed == ["> /newroom manhattan unlisted", "> /bot", "> /bot", "> /start !"]
    assert any(line.startswith("The game is over.") for line in lines)
    assert running_server(tmp_path) is None


async def test_a_busy_port_is_replaced_and_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        code, out = await run(
            *("-m", "bluebear", "play"), stdin=b"/quit\n", data=tmp_path, port=port
        )
    assert code == 0
    assert str(port) in out.split("The server runs at")[0]


async def test_a_server_that_was_there_before_continues(house: RealServer) -> None:
    code, out = await run("-m", "bluebear", "play", stdin=b"/who\n/quit\n", data=house.data)
    assert code == 0
    assert out.startswith(f"Joined the server that runs at {house.url}.")
    assert running_server(house.data) == house.url


async def test_an_invite_link_leads_into_a_private_room(house: RealServer) -> None:
    async with Client(house.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom manhattan private")).room
        await ayu.say("/invite", room=room)
        link = ""
        async for happening in ayu.happenings():
            match = re.search(r"http://\S+/r/\w+", str(happening))
            if match is not None:
                link = match[0]
                break
        _, out = await run(
            *("-m", "bluebear", "chat", link, "--name", "Bob"), stdin=b"hello\n", data=house.data
        )
        assert "Bob: hello" in out


async def test_the_bot_of_the_docs_plays_as_it_stands_there(
    house: RealServer, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [source] = [block for block in blocks if "async def play" in block]
    (tmp_path / "ten.py").write_text(source, encoding="utf-8")
    async with Client(house.url, name="Ayu", wants={"text"}) as ayu:
        room = await room_with_bot(ayu)
        playing = asyncio.create_task(
            run(str(tmp_path / "ten.py"), house.url, room, data=house.data)
        )
        await until(ayu, Updated, lambda updated: "Ten took a seat." in updated.text)
        await ayu.say("/start", room=room)
        assert await playing == (0, "")
        assert ayu.room(room).phase == "over"


async def test_the_five_minutes_of_the_docs_as_they_are_typed(
    house: RealServer, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    source = re.findall(r"```py\n(.*?)```", page, re.DOTALL)[0]
    [chat], [shell] = (
        re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("chat", "sh")
    )
    (tmp_path / "mybot.py").write_text(source, encoding="utf-8")
    async with Client(house.url, name="Ayu", wants={"text"}) as ayu:
        newroom, *more = chat.splitlines()
        room = (await ayu.say(newroom)).room
        assert room is not None
        for line in more:
            assert (await ayu.say(line, room=room)).ok
        check, play = shell.replace("ws://127.0.0.1:8765", house.url).splitlines()

        def typed(line: str) -> tuple[str, ...]:
            tokens = line.replace("ROOM", room).split()
            assert tokens[0] == ".venv/bin/bluebear"
            return ("-m", "bluebear", *tokens[1:])

        code, out = await run(*typed(check), data=house.data, folder=tmp_path)
        assert (code, out.splitlines()[-1]) == (0, "All is well: the bot may play.")
        playing = asyncio.create_task(run(*typed(play), data=house.data, folder=tmp_path))
        await until(ayu, Updated, lambda updated: "Careful took a seat." in updated.text)
        await ayu.say("/start", room=room)
        code, out = await playing
        assert (code, out.splitlines()[-1]) == (0, "Careful: the game is over.")


async def test_a_killed_server_is_come_back_to(house: RealServer) -> None:
    port = int(house.url.rsplit(":", 1)[1].removesuffix("/ws"))
    async with Client(house.url, name="Ayu", wants={"text"}) as ayu:
        room = await room_with_bot(ayu)
        await ayu.say("/join", room=room)
        await ayu.say("/start", room=room)
        await house.kill()
        saying = asyncio.create_task(ayu.say("are you there?", room=room))
        await house.start(port)
        await until(ayu, Welcomed, lambda welcomed: welcomed.again)
        assert (await saying).ok
        assert ayu.room(room).phase == "playing"


async def test_piped_lines_play_in_japanese(house: RealServer) -> None:
    lines = "・ボット\n・開始\n・盤\n"
    code, out = await run(
        *("-m", "bluebear", "play", "--lang", "ja"), stdin=lines.encode(), data=house.data
    )
    assert code == 0
    assert "マンハッタン" in out
    assert "ニューヨーク" in out


class Paper:
    """A screen that keeps what it shows."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def show(self, text: str) -> None:
        self.lines.append(text)

    def bell(self) -> None:
        """Discards what is written."""


@asynccontextmanager
async def talking(url: str, phrases: Texts, paper: Paper) -> AsyncIterator[Conversation]:
    """A person at a terminal."""
    async with Client(url, name="Ayu", wants={"text"}) as client:
        conversation = Conversation(client, phrases, paper, greets=True)
        listening = asyncio.create_task(conversation.listen())
        yield conversation
        listening.cancel()
        await asyncio.wait([listening])


async def test_who_is_in_two_rooms_moves_from_one_to_the_other(house: RealServer) -> None:
    paper = Paper()
    async with talking(house.url, Texts("en", "bluebear.clients.terminal"), paper) as conversation:
        await conversation.type("/newroom manhattan")
        first = conversation.room
        await conversation.type("/newroom itc")
        second = conversation.room
        assert None not in (first, second)
        for there in (first, second, second, first):
            await conversation.type(f"/room {there}")
            assert conversation.room == there
        assert paper.lines.count(f"Manhattan {first}: waiting for players") == 3
        await conversation.type("/lobby")
        assert conversation.room is None
        await conversation.type(f"/room {second}")
        assert conversation.room == second


async def test_another_language_is_the_client_s_too_and_stays_after_a_loss(
    house: RealServer,
) -> None:
    phrases, paper = Texts("en", "bluebear.clients.terminal"), Paper()
    async with talking(house.url, phrases, paper) as conversation:
        await conversation.type("/newroom manhattan")
        await conversation.type("/lang ja")
        assert phrases.lang == conversation.lang == "ja"
        assert paper.lines[-1] == "これからは日本語で表示します。"
        port = int(house.url.rpartition(":")[2].partition("/")[0])
        await house.kill()
        await house.start(port)
        await conversation.type("/join")
        assert paper.lines[-1] == "Ayuが席に着きました。"


async def room_with_bot(ayu: Client) -> RoomId:
    room = (await ayu.say("/newroom manhattan unlisted")).room
    assert room is not None
    assert (await ayu.say("/bot", room=room)).ok
    return room
