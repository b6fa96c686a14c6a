"""People at their pipes and a real server: what a new user can do, from first line to last."""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import FOREVER, Client, RoomId, YourMove
from bluebear.clients.terminal.login import LoginRequest, StoredToken
from bluebear.clients.terminal.saved_state import Memory
from bluebear.protocol import canonical
from bluebear.rules.core.chance import Chance, FastChance
from bluebear.server.sentences import say
from tests.tools.servers import PATIENCE_SECONDS, ROOT, ServerProcess, environment

pytestmark = pytest.mark.slow_loop

NO_SERVER: Final = 2
OVER: Final = "The game is over."
MOVES_BETWEEN_KILLS: Final = 15


class Pipe:
    """One `bluebear` program without a terminal. Owned by a test."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._news = asyncio.Condition()
        self._ended = False
        self.lines: list[str] = []

    async def listen(self) -> None:
        """Read what it prints, to its end."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            await self._note(line.decode().rstrip("\n"))
        async with self._news:
            self._ended = True
            self._news.notify_all()

    async def _note(self, line: str) -> None:
        async with self._news:
            self.lines.append(line)
            self._news.notify_all()

    async def type(self, line: str) -> None:
        """Give it a line to send."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()

    async def saw(self, pattern: str, *, times: int = 1) -> str:
        """Wait until so many lines have something in them; what the first one has.

        That is the pattern's group, if it has one.
        """
        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            while (
                len(match := [hit for line in self.lines if (hit := re.search(pattern, line))])
                < times
            ):
                assert not self._ended, f"it ended without {pattern}: {self.lines}"
                await self._news.wait()
        return str(match[0].group(match[0].lastindex or 0))

    async def leave(self) -> int:
        """End its input; its exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self._process.wait()

    def end(self) -> None:
        """End the program, if it still runs."""
        if self._process.returncode is None:
            self._process.kill()


@asynccontextmanager
async def pipe(data: Path, *argv: str) -> AsyncIterator[Pipe]:
    """A program that runs until the end of the block at the latest."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bluebear", *argv),
        cwd=ROOT,
        env={
            **environment(),
            "BLUEBEAR_DATA": str(data),
            "BLUEBEAR_PORT": "0",
            "XDG_STATE_HOME": str(data / "state"),
            "LANG": "C.UTF-8",
        },
        stdin=PIPE,
        stdout=PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    made = Pipe(process)
    async with asyncio.TaskGroup() as listening:
        listening.create_task(made.listen())
        try:
            yield made
        finally:
            made.end()
    await process.wait()


async def test_play_says_why_no_server_can_start(tmp_path: Path) -> None:
    (tmp_path / "bluebear.sqlite").write_text("Dear diary, " * 1000, encoding="utf-8")
    async with pipe(tmp_path, "play") as program:
        assert await program.leave() == NO_SERVER
        await program.saw(re.escape(say("serve.journal_foreign", "en", path=str(tmp_path))))


async def test_play_without_a_position_for_its_data_ends_with_a_sentence(tmp_path: Path) -> None:
    position = tmp_path / "taken"
    position.write_text("no folder", encoding="utf-8")
    async with pipe(position, "play") as program:
        assert await program.leave() == NO_SERVER
        await program.saw(re.escape(str(position)))


class Person:
    """A person who types lines into a pipe, and knows which ones are legal. Owned by a test."""

    def __init__(self, name: str, typing: Pipe, chance: Chance) -> None:
        self.name = name
        self.pipe = typing
        self._chance = chance

    async def play(self, knowing: Client, room: RoomId) -> None:
        """Type a legal line at each own turn, until the game is over.

        `knowing` is the same person on a second connection, which is told the legal lines.
        """
        position = b""
        async for happening in knowing.happenings():
            here = knowing.room(room)
            if here.phase == "over":
                return
            if not isinstance(happening, YourMove) or here.moves.get(happening.seat) != happening:
                continue
            # After a return the same moves come again, while the typed line is on its way.
            before, position = position, canonical(here.view["game"])
            if position != before:
                await self.pipe.type(happening.lines[self._chance.pick(len(happening.lines))])


async def test_two_people_and_two_bots_continue_after_kills_while_a_person_watches(
    tmp_path: Path,
) -> None:
    phrases = Texts("en", "bluebear.clients.terminal")
    async with ServerProcess(tmp_path, house=True) as server, AsyncExitStack() as stack:
        people: list[Person] = []
        for number, name in enumerate(("Ayu", "Bea", "Cat")):
            typing = await stack.enter_async_context(
                pipe(tmp_path, "chat", server.url, "--name", name)
            )
            await typing.saw(phrases.say("you_are", name=name))
            people.append(Person(name, typing, FastChance(number)))
        ayu, bea, cat = people
        room = await sit_down(ayu, bea, cat)
        async with asyncio.TaskGroup() as playing:
            for person in (ayu, bea):
                memory = Memory(tmp_path / "state" / "bluebear")
                guest = LoginRequest(url=server.url, name=person.name, lang="en", backoff=FOREVER)
                knowing = await stack.enter_async_context(
                    Client(server.url, tokens=StoredToken(memory, guest), wants={"moves"})
                )
                assert (await knowing.say(f"/room {room}")).ok
                playing.create_task(person.play(knowing, room))
            for kill in (1, 2):
                await cat.pipe.saw(" builds ", times=kill * MOVES_BETWEEN_KILLS)
                await server.kill()
                await server.start()
        for person in people:
            await person.pipe.saw(re.escape(OVER))
            await person.pipe.saw(re.escape(phrases.say("lost")))
            await person.pipe.saw(re.escape(phrases.say("back", name=person.name)))
            assert await person.pipe.leave() == 0
    results = [[line for line in p.pipe.lines if line.startswith(OVER)] for p in people]
    assert results[0] == results[1] == results[2]
    assert len(results[0]) == 1


async def sit_down(ayu: Person, bea: Person, cat: Person) -> RoomId:
    """Seat two people and two bots, let a spectator join, and start the game."""
    for line in ("/newroom manhattan", "/join", "/info"):
        await ayu.pipe.type(line)
    room = await ayu.pipe.saw(r"room (\d+)")
    for line in (f"/room {room}", "/join"):
        await bea.pipe.type(line)
    await cat.pipe.type(f"/room {room}")
    await ayu.pipe.saw("Bea took a seat")
    for line in ("/bot greedy", "/bot random", "/start"):
        await ayu.pipe.type(line)
    await cat.pipe.saw("begins: ")
    return RoomId(room)
