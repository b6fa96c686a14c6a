"""Do the clients and the real server understand each other?"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Client, RoomId, Updated, Welcomed
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.local_server import running_server
from bluebear.protocol import Lang
from tests.clients.conftest import until
from tests.tools.servers import ROOT, ServerProcess

pytestmark = pytest.mark.slow_loop

PATIENCE_SECONDS: Final = 60


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server on a data folder, without house bots."""
    async with ServerProcess(tmp_path) as made:
        yield made


@pytest_asyncio.fixture
async def house(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server on a data folder, with its house bots."""
    async with ServerProcess(tmp_path, house=True) as made:
        yield made


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


async def test_a_server_that_was_there_before_continues(
    server: ServerProcess, tmp_path: Path
) -> None:
    code, out = await run("-m", "bluebear", "play", stdin=b"/who\n/quit\n", data=tmp_path)
    assert code == 0
    assert out.startswith(f"Joined the server that runs at {server.url}.")
    assert running_server(tmp_path) == server.url


async def test_an_invite_link_leads_into_a_private_room(
    server: ServerProcess, tmp_path: Path
) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom manhattan private")).room
        await ayu.say("/invite", room=room)
        link = ""
        async for happening in ayu.happenings():
            match = re.search(r"http://\S+/r/\w+", str(happening))
            if match is not None:
                link = match[0]
                break
        _, out = await run(
            *("-m", "bluebear", "chat", link, "--name", "Bob"), stdin=b"hello\n", data=tmp_path
        )
        assert "Bob: hello" in out


async def test_the_bot_of_the_docs_plays_as_it_stands_there(
    house: ServerProcess, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [source] = [block for block in blocks if "async def play" in block]
    (tmp_path / "ten.py").write_text(source, encoding="utf-8")
    async with Client(house.url, name="Ayu", wants={"text"}) as ayu:
        room = await room_with_bot(ayu)
        playing = asyncio.create_task(run(str(tmp_path / "ten.py"), house.url, room, data=tmp_path))
        await until(ayu, Updated, lambda updated: "Ten took a seat." in updated.text)
        await ayu.say("/start", room=room)
        assert await playing == (0, "")
        assert ayu.room(room).phase == "over"


async def test_the_five_minutes_of_the_docs_as_they_are_typed(
    house: ServerProcess, tmp_path: Path
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

        code, out = await run(*typed(check), data=tmp_path, folder=tmp_path)
        assert (code, out.splitlines()[-1]) == (0, "All is well: the bot may play.")
        playing = asyncio.create_task(run(*typed(play), data=tmp_path, folder=tmp_path))
        await until(ayu, Updated, lambda updated: "Careful took a seat." in updated.text)
        await ayu.say("/start", room=room)
        code, out = await playing
        assert (code, out.splitlines()[-1]) == (0, "Careful: the game is over.")


async def test_a_killed_server_is_come_back_to(house: ServerProcess) -> None:
    async with Client(house.url, name="Ayu", wants={"text"}) as ayu:
        room = await room_with_bot(ayu)
        await ayu.say("/join", room=room)
        await ayu.say("/start", room=room)
        await house.kill()
        saying = asyncio.create_task(ayu.say("are you there?", room=room))
        await house.start()
        await until(ayu, Welcomed, lambda welcomed: welcomed.again)
        assert (await saying).ok
        assert ayu.room(room).phase == "playing"


async def test_piped_lines_play_in_japanese(house: ServerProcess, tmp_path: Path) -> None:
    lines = "・ボット\n・開始\n・盤\n"
    code, out = await run(
        *("-m", "bluebear", "play", "--lang", "ja"), stdin=lines.encode(), data=tmp_path
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
async def talking(
    url: str, phrases: Texts, paper: Paper, name: str = "Ayu"
) -> AsyncIterator[Conversation]:
    """A person at a terminal."""
    async with Client(url, name=name, langs=(phrases.lang,), wants={"text"}) as client:
        conversation = Conversation(client, phrases, paper, greets=True)
        listening = asyncio.create_task(conversation.listen())
        yield conversation
        listening.cancel()
        await asyncio.wait([listening])


async def test_who_is_in_two_rooms_moves_from_one_to_the_other(server: ServerProcess) -> None:
    paper = Paper()
    async with talking(server.url, Texts("en", "bluebear.clients.terminal"), paper) as conversation:
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
    server: ServerProcess,
) -> None:
    phrases, paper = Texts("en", "bluebear.clients.terminal"), Paper()
    async with talking(server.url, phrases, paper) as conversation:
        await conversation.type("/newroom manhattan")
        await conversation.type("/lang ja")
        assert phrases.lang == conversation.lang == "ja"
        assert paper.lines[-1] == "これからは日本語で表示します。"
        await server.kill()
        await server.start()
        await conversation.type("/join")
        assert paper.lines[-1] == "Ayuが席に着きました。"


@pytest.mark.parametrize(
    ("lang", "lines", "option"),
    [
        (
            "en",
            ["/listroom", "/myrooms", "/newroom manhattan unlisted", "/join"],
            "/option hints on",
        ),
        (
            "ja",
            ["/部屋一覧", "/自分の部屋", "/新部屋 マンハッタン 限定公開", "/参加"],
            "/オプション ヒント オン",
        ),
    ],
)
async def test_automatic_lines_are_in_the_person_s_language_and_allow_hints(
    server: ServerProcess, lang: Lang, lines: list[str], option: str
) -> None:
    paper, phrases = Paper(), Texts(lang, "bluebear.clients.terminal")
    async with talking(server.url, phrases, paper, phrases.say("default_name")) as conversation:
        for key in ("line_rooms", "line_my_rooms", "line_new_room", "lines_join"):
            assert await conversation.type_lines(key)
        echoed = [line[2:].split(" seed=")[0] for line in paper.lines if line.startswith("> ")]
        assert echoed == [*lines, option]
        assert conversation.room is not None
        room = conversation.client.room(conversation.room).view["room"]
        assert isinstance(room, dict)
        assert room["options"] == {"hints": "on"}


async def room_with_bot(ayu: Client) -> RoomId:
    room = (await ayu.say("/newroom manhattan unlisted")).room
    assert room is not None
    assert (await ayu.say("/bot", room=room)).ok
    return room
