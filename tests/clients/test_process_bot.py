"""Do programs of any language play, and is there a line whatever they do?"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bluebear.clients.bots.check_cli import Check
from bluebear.clients.bots.factory import read_program
from bluebear.clients.bots.json_lines import Program, ProgramError
from bluebear.clients.bots.process_bot import FAILURES_MAX, ProcessBot
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Client, MoveClock, RoomId, Seat, Updated, View
from bluebear.protocol import Lang, Version
from bluebear.rules import games
from tests.clients.conftest import PATIENCE_SECONDS, until
from tests.clients.fake_server import FakeServer

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "bots"
NODE: Final = ROOT / "clients" / "web" / "with-node"
LINES: Final = ("/add 1", "/add 2")
CLOCK: Final = MoveClock(PATIENCE_SECONDS, 300.0)
VIEW: Final = View(
    game="counting",
    seat=Seat(1),
    version=Version(3),
    tree={"room": {"phase": "playing"}, "game": {"count": 2}},
    room_id=RoomId("5"),
)
ENDED: Final = View(
    game="counting",
    seat=Seat(1),
    version=Version(9),
    tree={"room": {"ending": {"places": {"1": {"place": 1, "score": 7}}}}, "game": {}},
    room_id=RoomId("5"),
)


SOURCE: Final = """
import json, os, subprocess, sys
def say(line): print(line, flush=True)
def tell(number, line): say(json.dumps({"id": number, "line": line}))
diary = open(sys.argv[1], "a")
for text in sys.stdin:
    diary.write(text)
    diary.flush()
    message = json.loads(text)
    if message["do"] == "hello": say(json.dumps({"name": "Otto", "games": ["counting"]}))
    if message["do"] == "choose":
        number, lines = message["id"], message["lines"]
        ACTION
    if message["do"] == "bye": break
"""


class Otto:
    """A program that does `action` when it is asked for a line, and keeps what it is told."""

    def __init__(self, folder: Path, action: str) -> None:
        self.diary = folder / "diary"
        self.diary.touch()
        source = SOURCE.replace("ACTION", action)
        self.command = (sys.executable, "-S", "-E", "-c", source, str(self.diary))

    def received(self, do: str) -> list[dict[str, object]]:
        """The messages of a kind that it was told."""
        lines = self.diary.read_text(encoding="utf-8").splitlines()
        return [message for line in lines if (message := json.loads(line))["do"] == do]


Say = Callable[[str], Otto]


@pytest.fixture
def otto(tmp_path: Path) -> Say:
    """Makes the program that does an action; its messages go into one diary."""
    return lambda action: Otto(tmp_path, action)


class First:
    """A stand-in for the fallback; its line shows that the fallback played."""

    def __init__(self, line: str) -> None:
        self.line = line

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        return self.line


@asynccontextmanager
async def outside(
    program: Otto, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> AsyncIterator[ProcessBot]:
    """The program at a seat, with others that say who they are where it does not."""
    bot = ProcessBot(
        program.command, name="otto", plain=First("plain"), casual=First("casual"), sleep=sleep
    )
    introduced = await bot.start()
    assert (introduced.name, introduced.games) == ("Otto", ("counting",))
    try:
        yield bot
    finally:
        await bot.close()


async def started(bot: ProcessBot) -> bool:
    """Whether the program runs after a pending start."""
    while bot._starting is not None and not bot._starting.done():
        await asyncio.wait([bot._starting])
    return bot._program is not None


async def choice(bot: ProcessBot, clock: MoveClock = CLOCK) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await bot.choose(VIEW, LINES, clock)


@pytest.mark.parametrize("action", ["say(lines[1])", "tell(number, lines[1])"])
async def test_a_program_says_a_line(otto: Say, action: str) -> None:
    async with outside(otto(action)) as bot:
        for _ in range(3):
            assert await choice(bot) == "/add 2"
        assert bot.failures == 0


async def test_a_program_hears_what_arrived_over_the_wire(otto: Say) -> None:
    program = otto("tell(number, lines[0])")
    async with outside(program) as bot:
        assert await choice(bot) == "/add 1"
        bot.over(ENDED)
        # The same program for the next game.
        assert await choice(bot, MoveClock(0.25 * PATIENCE_SECONDS)) == "/add 1"
    [hello], [first, second] = program.received("hello"), program.received("choose")
    assert hello == {"do": "hello", "v": 1}
    assert first == {
        "do": "choose",
        "id": 1,
        "game": "counting",
        "seat": 1,
        "version": 3,
        "rules": None,
        "view": dict(VIEW.tree),
        "lines": list(LINES),
        "clock": {"move": float(PATIENCE_SECONDS), "left": 300.0},
    }
    assert second["clock"] == {"move": 0.25 * PATIENCE_SECONDS}
    assert program.received("over") == [
        {"do": "over", "standings": [{"seat": 1, "place": 1, "score": 7}]}
    ]
    assert program.received("bye") == [{"do": "bye"}]


async def test_thinking_that_is_cancelled_is_stopped_and_answers_nothing_else(otto: Say) -> None:
    for action in (
        # Answers the first question only when the second one comes, in both forms.
        "tell(number, lines[0]) if number > 1 else None; number > 1 and tell(1, lines[1])",
        "number > 1 and (say(lines[1]), say(lines[0]))",
    ):
        program = otto(action)
        async with outside(program) as bot:
            first = asyncio.create_task(choice(bot))
            await asyncio.sleep(0)  # it has asked
            first.cancel()
            await asyncio.wait([first])
            assert await choice(bot) == "/add 1"
        assert program.received("stop")[-1] == {"do": "stop", "id": 1}


async def test_an_answer_that_arrived_just_before_the_stop_is_counted_once(
    otto: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = otto("say(lines[number - 1])")
    async with outside(program) as bot:
        inner = bot._program
        assert inner is not None
        received = inner._hear
        first: asyncio.Task[str] = asyncio.create_task(choice(bot))

        def hear(line: str) -> None:
            received(line)
            first.cancel()  # the game moves on before the answer is taken

        with monkeypatch.context() as patched:
            patched.setattr(inner, "_hear", hear)
            await asyncio.wait([first])
        assert first.cancelled()
        assert await choice(bot, MoveClock(PATIENCE_SECONDS / 2)) == "/add 2"
        assert bot.failures == 0
    assert program.received("stop") == [{"do": "stop", "id": 1}]


async def test_a_question_that_precedes_the_stop_of_the_last_one_is_answered(
    otto: Say,
) -> None:
    program = otto("say(lines[number - 1])")
    async with outside(program) as bot:
        first = asyncio.create_task(choice(bot))
        await asyncio.sleep(0)  # it has asked
        second = asyncio.create_task(choice(bot))
        first.cancel()
        await asyncio.wait([first])
        assert await second == "/add 2"
        assert bot.failures == 0
    assert program.received("stop") == [{"do": "stop", "id": 1}]


@pytest.mark.expects_log("an owner is told why his bot did not play")
@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("tell(number, '/fly')", "said /fly, which is none of its lines"),
        ("say('{nonsense')", "wrote {nonsense, which is no answer"),
        ("say('x' * 70000)", "wrote a line of more than 65536 bytes"),
        ("sys.exit(3)", "has ended with exit code 3"),
        ("None", "gave no line within 0.2 s"),
    ],
)
async def test_whatever_it_does_there_is_a_line(
    otto: Say, caplog: pytest.LogCaptureFixture, action: str, why: str
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    program = otto(action)
    clock = MoveClock(0.2) if action == "None" else CLOCK
    async with outside(program, sleep) as bot:
        for failure in range(1, FAILURES_MAX + 1):
            sent = await choice(bot, clock)
            assert sent == ("plain" if failure < FAILURES_MAX else "casual")
            assert await started(bot) == (failure < FAILURES_MAX)
        # Its pauses grow; then the fallback plays on to the end of the game.
        assert pauses == [1.0, 2.0]
        assert await choice(bot, clock) == "casual"
        bot.over(ENDED)
        assert await started(bot)
        assert bot.failures == 0
    assert caplog.text.count(f"otto in room 5, version 3: {why}") == FAILURES_MAX
    assert "another bot plays this game to its end" in caplog.text
    assert len(program.received("hello")) == FAILURES_MAX + 1


@pytest.mark.expects_log("an owner is told why his bot did not play")
async def test_while_it_is_started_again_the_plain_line_is_sent(otto: Say) -> None:
    go = asyncio.Event()

    async def sleep(seconds: float) -> None:
        await go.wait()

    async with outside(otto("say('/fly') if number == 2 else say(lines[0])"), sleep) as bot:
        assert [await choice(bot) for _ in range(4)] == ["/add 1", "plain", "plain", "plain"]
        go.set()
        assert await started(bot)
        assert await choice(bot) == "/add 1"
        assert bot.failures == 0


async def test_what_it_writes_beside_passes_to_the_log(
    otto: Say, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        async with outside(otto("sys.stderr.write('think' * 200 + '\\n'); say(lines[0])")) as bot:
            assert await choice(bot) == "/add 1"
    [line] = [
        each.getMessage() for each in caplog.records if each.name.startswith("bluebear.clients")
    ]
    assert line == "otto: " + "think" * 100


async def test_tokens_are_none_of_its_business(otto: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUEBEAR_BOT_TOKENS", "secret")
    action = "say(lines['BLUEBEAR_BOT_TOKENS' in os.environ])"
    async with outside(otto(action)) as bot:
        assert await choice(bot) == "/add 1"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("/nowhere/bot",), "cannot be started"),
        (("false",), "has ended with exit code 1"),
        (("echo", '{"name": "Otto", "games": "all"}'), "where games are no list of names"),
    ],
)
async def test_a_program_that_does_not_come_up_is_an_error(
    command: tuple[str, ...], why: str
) -> None:
    with pytest.raises(ProgramError, match=why):
        await Program.start(command, "otto")


async def test_a_program_that_says_nothing_is_not_waited_for() -> None:
    with pytest.raises(ProgramError, match="did not answer hello within 0 s"):
        await Program.start(("sh", "-c", "read x; read x"), "otto", seconds=0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_nothing_is_left_running(server: FakeServer, tmp_path: Path, number: int) -> None:
    """lichess-bot #1053: an engine outlived the bot that had started it."""
    alive = tmp_path / "alive"
    os.mkfifo(alive)
    # The program and a child of its own hold the pipe open for as long as they live.
    script = tmp_path / "otto.sh"
    child = "" if number == signal.SIGKILL else "sleep 1000 >&3 & "
    script.write_text(
        f"exec 3>{alive}; {child}while read -r line; do echo otto; done", encoding="utf-8"
    )
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        bots = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bluebear.clients.bots", server.http, room),
            *("--exec", f"sh {script}"),
            stdout=asyncio.subprocess.DEVNULL,
            env={"LANG": "C", "PATH": os.environ["PATH"]},
        )
        with await asyncio.to_thread(alive.open, "rb") as pipe:
            await until(ayu, Updated, lambda updated: "sits down" in updated.text[0])
            bots.send_signal(number)
            async with asyncio.timeout(PATIENCE_SECONDS):
                assert await bots.wait() in (0, -number)
                assert await asyncio.to_thread(pipe.read) == b""


async def test_a_program_plays_in_a_room(server: FakeServer) -> None:
    async with Client(server.url, name="Ayu", wants={"text"}) as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bluebear.clients.bots", server.http, room),
            *("--exec", f"sh {EXAMPLES / 'shelly.sh'}", "--count", "2"),
            stdout=asyncio.subprocess.PIPE,
            env={"LANG": "C", "PATH": os.environ["PATH"]},
        )
        for _ in range(2):
            await until(ayu, Updated, lambda updated: "sits down" in updated.text[0])
        await ayu.say("/start", room=room)
        out, _ = await child.communicate()
    assert child.returncode == 0
    assert sorted(out.decode().splitlines()) == [
        f"Shelly1 is in room {room} and plays shelly.",
        "Shelly1: the game is over.",
        f"Shelly2 is in room {room} and plays shelly.",
        "Shelly2: the game is over.",
    ]


async def test_a_program_sits_down_at_no_game_that_it_does_not_play(server: FakeServer) -> None:
    async with Client(server.url, name="Ayu") as ayu:
        room = (await ayu.say("/newroom counting")).room
        assert room is not None
        greeting = 'read x; echo \'{"name": "Otto", "games": ["manhattan"]}\'; read x'
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bluebear.clients.bots", server.http, room),
            *("--exec", f"sh -c {shlex.quote(greeting)}"),
            stderr=asyncio.subprocess.PIPE,
            env={"LANG": "C", "PATH": os.environ["PATH"]},
        )
        _, err = await child.communicate()
    assert child.returncode == 1
    assert err.decode() == "Otto: this room plays counting, the bot only manhattan.\n"


async def checked(given: str, *, lang: Lang = "en", count: int = 20) -> tuple[bool, list[str]]:
    sent: list[str] = []
    phrases = Texts(lang, "bluebear.clients.bots")
    check = Check(
        games(("bluebear.rules",)), phrases, sent.append, seconds=PATIENCE_SECONDS, count=count
    )
    return await check.run(read_program(given)), sent


@pytest.mark.slow_loop
@pytest.mark.parametrize(
    ("given", "count"),
    [(f"sh {EXAMPLES / 'shelly.sh'}", 3), (f"{NODE} node {EXAMPLES / 'nodine.mjs'}", 2)],
)
async def test_the_examples_are_fit(given: str, count: int) -> None:
    well, sent = await checked(given, count=count)
    assert well, sent
    assert sent[0].startswith(f"{count} games to the end, ")
    assert sent[1:] == ["All is well: the bot may play."]


async def test_what_is_not_fit_is_reported(tmp_path: Path) -> None:
    fly = "sh -c 'while read -r x; do echo /fly; done'"
    well, sent = await checked(fly)
    assert not well
    assert re.fullmatch(
        r"Game 1 \(manhattan seats=2 .*, seat 1\), after \d moves: "
        r"the bot said /fly, which is none of its lines\.",
        sent[0],
    )
    assert sent[-1] == "3 games went wrong: the bot is not ready yet."
    _, sent = await checked(fly, lang="ja")
    assert sent[0].endswith("手のあと: /fly は選べる行の中にありません。")
    script = tmp_path / "kasparov.sh"
    script.write_text("""read x; echo '{"games": ["chess"]}'; read x""", encoding="utf-8")
    well, [sentence] = await checked(f"sh {script}")
    assert not well
    assert sentence.startswith("kasparov says that it plays chess, and there is no such game.")
    well, sent = await checked("false")
    assert sent[0] == "The program has ended with exit code 1."
