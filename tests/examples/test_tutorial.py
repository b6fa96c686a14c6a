"""Is the tutorial the game that it builds, and does that game hold, install and play?"""

from __future__ import annotations

import ast
import asyncio
import io
import os
import re
import shutil
import subprocess
import sys
import tokenize
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, cast
from urllib.request import urlopen

import pytest

from bluebear.clients.sdk import Client, Noted, RoomId, Updated, YourMove
from bluebear.protocol import Want
from tests.project import tree
from tests.tools.servers import ServerProcess

EXAMPLE: Final = tree.ROOT / "examples" / "liars_dice"
TUTORIAL: Final = tree.text(tree.ROOT / "docs" / "tutorial.md")
BLOCK: Final = re.compile(r"^```\w+ (?P<file>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SAMPLE: Final = re.compile(
    r"^```\w+ from (?P<file>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
COPY: Final = re.compile(
    r"^    cp examples/liars_dice(?P<folder>/\w+)?/\{(?P<names>\S+)\} mine(?P=folder)?$",
    re.MULTILINE,
)
MOST_CODE: Final = {"liars_dice": 140, "sevens": 150}
PATIENCE_SECONDS: Final = 60


def typed() -> dict[str, str]:
    """The files that a reader of the tutorial types, by their names."""
    pieces: defaultdict[str, list[str]] = defaultdict(list)
    for block in BLOCK.finditer(TUTORIAL):
        pieces[block["file"]].append(block["text"])
    return {name: "\n".join(texts) for name, texts in pieces.items()}


def copied() -> dict[str, str]:
    """The files of the example that a reader copies, by their names."""
    names = [
        f"{copy['folder'] or ''}/{name}".lstrip("/")
        for copy in COPY.finditer(TUTORIAL)
        for name in copy["names"].split(",")
    ]
    return {name: tree.text(EXAMPLE / name) for name in names}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """What was typed and copied, as files."""
    folder = tmp_path / "typed"
    for name, text in (typed() | copied()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def site(package: Path, tmp_path: Path) -> Path:
    """A folder into which the package is installed, as its wheel says."""
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    subprocess.run([sys.executable, "-c", build], cwd=package, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    shutil.rmtree(package)
    return tmp_path / "site"


def test_the_blocks_of_the_tutorial_are_the_files_of_the_example() -> None:
    stored = {
        path.relative_to(EXAMPLE).as_posix(): tree.text(path)
        for path in tree.files(below="examples/liars_dice")
    }
    assert typed() == {name: text for name, text in stored.items() if name not in copied()}
    assert set(copied()) <= set(stored)
    assert not any(name.endswith(".py") for name in copied())


def test_the_samples_of_the_tutorial_are_pieces_of_the_copied_files() -> None:
    samples = list(SAMPLE.finditer(TUTORIAL))
    assert len(samples) == 3
    for sample in samples:
        assert sample["text"] in copied()[sample["file"]]


def test_the_kit_finds_nothing(package: Path) -> None:
    command = "check liars_dice --package liars_dice --games 2 seats=3 dice=2"
    done = subprocess.run(
        [sys.executable, "-m", "bluebear.rules.core.conformance", *command.split()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tree.ROOT), str(package)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert "1 cases hold" in done.stdout


@pytest.mark.parametrize(("game", "most"), MOST_CODE.items())
def test_a_game_is_short(game: str, most: int) -> None:
    """Lines with code; not blank ones, comments, docstrings and imports."""
    sources = [tree.text(path) for path in tree.files(".py", below=f"examples/{game}/{game}")]
    assert sum(len(list(code(source))) for source in sources) <= most


def code(source: str) -> Iterator[int]:
    """The numbers of the lines that have code."""
    other: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            other.update(range(node.lineno, (node.end_lineno or 0) + 1))
    results = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.string.strip() and token.type != tokenize.COMMENT
        for line in range(token.start[0], token.end[0] + 1)
    }
    yield from sorted(results - other)


class Player:
    """A player who types legal lines in one language, and stores the texts received."""

    def __init__(self, client: Client, keywords: Mapping[str, str]) -> None:
        self.client = client
        self.keywords = keywords
        self.read: list[str] = []

    async def play(self, room: RoomId) -> None:
        """Doubt wherever that is legal, else make the lowest bid; until the game is over."""
        async for happening in self.client.happenings():
            if isinstance(happening, Updated):
                self.read.extend(happening.text)
            elif isinstance(happening, Noted):
                self.read.extend(happening.text.splitlines())
            elif isinstance(happening, YourMove):
                line = "/doubt" if "/doubt" in happening.lines else happening.lines[0]
                verb, *rest = line.split()
                typed = " ".join((self.keywords[verb], *rest))
                await self.client.say("/hand", room=room)
                assert (await self.client.say(typed, room=room, at=happening.version)).ok
            if self.client.room(room).phase == "over":
                return


async def the_board_is_served(client: Client, url: str) -> None:
    """The server serves, as they are, the files of the board that the package was built with."""
    await client.ask("game", args={"key": "liars_dice"})
    addresses = cast("list[str]", client.mirror.games["liars_dice"].body["board"])
    served = [
        await asyncio.to_thread(
            urlopen, f"{url.replace('ws', 'http', 1).removesuffix('/ws')}{each}"
        )
        for each in addresses
    ]
    stored = [EXAMPLE / "liars_dice" / name for name in ("board.js", "board.css")]
    assert [each.read() for each in served] == [path.read_bytes() for path in stored]


ENGLISH: Final = {"/bid": "/bid", "/doubt": "/d"}
JAPANESE: Final = {"/bid": "/宣言", "/doubt": "/ダウト"}


@pytest.mark.slow_loop
async def test_it_is_played_in_a_room_by_two_people_and_a_bot(site: Path, tmp_path: Path) -> None:
    """Over sockets, in both languages, on a server that finds it by its entry point."""
    wants = frozenset[Want]({"text", "moves"})
    async with AsyncExitStack() as stack:
        games = "bluebear.rules,bluebear.games"
        data = tmp_path / "var"
        data.mkdir()
        server = ServerProcess(data, house=True, games=games, path=site)
        await stack.enter_async_context(server)
        people = [
            Player(Client(server.url, name="Ayu", wants=wants), ENGLISH),
            Player(Client(server.url, name="蓮", langs=("ja",), wants=wants), JAPANESE),
        ]
        ayu, ren = [await stack.enter_async_context(each.client) for each in people]
        room = (await ayu.say("/newroom liars_dice unlisted")).room
        assert room is not None
        for who, line in (
            (ayu, "/option dice 2"),
            (ayu, "/bot careful"),
            (ayu, "/join"),
            (ren, f"/部屋 {room}"),
            (ren, "/参加"),
            (ayu, "/start"),
        ):
            reply = await who.say(line, room=None if "部屋" in line else room)
            assert reply.ok, reply
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*(each.play(room) for each in people))
        await the_board_is_served(ayu, server.url)
        assert server.complaints() == []
    english, japanese = ("\n".join(each.read) for each in people)
    for sentence in ("begins a round of", "You roll", " doubts ", "Ayu shows", "loses a die"):
        assert sentence in english
    for sentence in (
        "ラウンドを始めます",
        "あなたの目は",
        "をダウトしました",
        "ダイスを1個失い",
    ):
        assert sentence in japanese
