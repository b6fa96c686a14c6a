"""Bots from classes outside the project, and the errors for classes that are no bots."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bluebear.clients.bots.factory import FromClass, NamedStrategy, load_class, made
from bluebear.clients.bots.strategies import tell_over
from bluebear.clients.bots.thread_bot import ThreadBot
from bluebear.clients.command_line import UsageError
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Bot, MoveClock, RoomId, Seat, View, answer_of
from bluebear.protocol import Version
from tests.clients.conftest import PATIENCE_SECONDS
from tests.clients.fake_server import FakeServer

VIEW = View(
    game="counting",
    seat=Seat(1),
    version=Version(3),
    tree={"room": {}, "game": {}},
    room_id=RoomId("1"),
)
CLOCK = MoveClock(10.0)
LINES = ("/add 1", "/add 2", "/add 3")

SOURCE = """
from bluebear.clients.sdk import Bot

class Last(Bot):
    def choose(self, view, lines, clock):
        return lines[-1]

class Shy:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "lastbot.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "needy.py").write_text("import surely_not_there\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("lastbot", None)


async def run(folder: Path, *argv: str) -> tuple[int | None, str]:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bluebear.clients.bots", *argv),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={"LANG": "C", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        out, _ = await child.communicate()
    return child.returncode, out.decode()


async def test_a_class_plays_in_a_room(server: FakeServer, folder: Path) -> None:
    code, out = await run(folder, server.http, "nowhere", "--bot", "lastbot:Last")
    # There is no such room: but the class was found, and gave the bot its name.
    assert (code, out.split(":")[0]) == (1, "Last")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("lastbot", "names no class. Write MODULE:CLASS"),
        ("nobody:Bot", "there is no module nobody here. For mybot.py in this folder"),
        ("lastbot:Shy", "is no class with a method `choose`."),
        ("lastbot:Nobody", "is no class with a method `choose`."),
    ],
)
async def test_what_is_no_bot_is_reported(folder: Path, given: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        load_class(given)
    sentence = Texts("en", "bluebear.clients.bots").say(
        refused.value.key, given=refused.value.given
    )
    assert message in sentence


def test_a_module_that_the_bot_needs_and_has_not_is_its_error(folder: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match="surely_not_there"):
        load_class("needy:Bot")


async def test_a_seed_makes_a_class_repeatable(folder: Path) -> None:
    async def drawn(seed: int) -> list[str]:
        async with made(FromClass("Bot", Bot), seed, {}) as bot:
            return [await answer_of(bot.bot, VIEW, LINES, CLOCK) for _ in range(20)]

    assert await drawn(1) == await drawn(1)
    assert await drawn(1) != await drawn(2)


async def test_a_class_thinks_beside_the_connection() -> None:
    seen: list[str] = []

    class Where(Bot):
        def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            seen.append(threading.current_thread().name)
            return lines[0]

        def over(self, view: View) -> None:
            seen.append("over")

    threads = threading.active_count()
    async with made(FromClass("Where", Where), 1, {}) as bot:
        for _ in range(2):
            assert await answer_of(bot.bot, VIEW, LINES, CLOCK) == LINES[0]
        tell_over(bot.bot, VIEW)
        assert await answer_of(bot.bot, VIEW, LINES, CLOCK) == LINES[0]
    assert seen == ["bot", "bot", "over", "bot"]
    assert threading.active_count() <= threads + 1


async def test_a_class_may_think_with_await() -> None:
    class Awaiting(Bot):
        async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            assert threading.current_thread() is threading.main_thread()
            return lines[1]

    async with made(FromClass("Awaiting", Awaiting), 1, {}) as bot:
        assert await answer_of(bot.bot, VIEW, LINES, CLOCK) == LINES[1]


async def test_what_a_class_raises_is_raised_where_it_is_waited_for() -> None:
    class Broken(Bot):
        def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            raise LookupError("no idea")

    bot = ThreadBot(Broken())
    with pytest.raises(LookupError, match="no idea"):
        await bot.choose(VIEW, LINES, CLOCK)
    await bot.close()


@pytest.mark.expects_log("a bot that is late is told to who runs it")
async def test_thinking_that_no_person_waits_for_does_not_answer_the_next_question() -> None:
    go = threading.Event()

    class Late(Bot):
        def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            go.wait(PATIENCE_SECONDS)
            return lines[0]

    async with made(FromClass("Late", Late), 1, {}) as bot:
        assert await answer_of(bot.bot, VIEW, LINES, MoveClock(0.0)) in LINES
        go.set()
        other = ("/add 7", "/add 8")
        assert await answer_of(bot.bot, VIEW, other, CLOCK) == "/add 7"


async def test_ready_made_players_are_made_by_name() -> None:
    async with made(NamedStrategy("random"), 1, {}) as bot:
        assert await answer_of(bot.bot, VIEW, LINES, CLOCK) in LINES
