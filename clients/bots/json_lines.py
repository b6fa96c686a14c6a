"""A child process that chooses lines: JSON lines on its standard input and output.

    > {"do":"hello","v":1}                               < {"name":"Otto","games":["manhattan"]}
    > {"do":"choose","id":7,"game":"manhattan","seat":2,"version":41,"rules":1,
       "view":{"room":{...},"game":{...}},"lines":["/build 1 cairo 2"],"clock":{"move":5.0}}
    < {"id":7,"line":"/build 1 cairo 2"}                 or the bare line
    > {"do":"stop","id":7}    > {"do":"over","standings":[...]}    > {"do":"bye"}

Its standard error goes to the log. It gets its own process group, which ends with it. It ends when
its standard input does, also if this program is killed.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import MoveClock, View
from bluebear.protocol import Branch

VERSION: Final = 1
LINE_MAX: Final = 64 * 1024
"""Maximum bytes of a line from a program; expected are some hundred."""
STDERR_LINES_MAX: Final = 1000
"""Maximum number of lines of standard error that are logged before a restart."""
_STDERR_SHOWN: Final = 500
HELLO: Final = 0
"""The id of the greeting; requests are counted from 1."""
HELLO_SECONDS: Final = 20.0
"""A program may load tables before its greeting."""
BYE_SECONDS: Final = 2.0
"""The time for a program to end by itself after `bye`."""
SECRETS: Final = ("BLUEBEAR_BOT_TOKENS", "BLUEBEAR_ENTRY_PASSWORD")
"""Variables of the environment that a bot's program must not see."""

log = logging.getLogger(__name__)


class ProgramError(Exception):
    """A program failed. `key` and `params` are a phrase that follows the program's name; `str`
    gives it in English, for the log.
    """

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key, params)
        self.key = f"program_{key}"
        self.params = params

    def __str__(self) -> str:
        return self.say(Texts("en", "bluebear.clients.bots"))

    def say(self, texts: Texts) -> str:
        """The failure as a sentence in the language of `texts`."""
        return texts.say(self.key, **self.params)


@dataclass(frozen=True, slots=True)
class Introduced:
    """A program's greeting. Empty `games` means all games."""

    name: str
    games: tuple[str, ...]


class Program:
    """A running program; it handles one request at a time."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None  # `start` opens all three
        self._process = process
        self._name = name
        self._stdin = process.stdin
        self._last_id = HELLO
        self._unanswered: dict[int, asyncio.Future[str]] = {}
        """Requests without a reply, oldest first; a program that sends bare lines also answers the
        cancelled ones.
        """
        self._tasks = (
            asyncio.create_task(self._listen(process.stdout)),
            asyncio.create_task(self._log(process.stderr)),
        )

    @classmethod
    async def start(
        cls, command: Sequence[str], name: str, *, seconds: float = HELLO_SECONDS
    ) -> tuple[Program, Introduced]:
        """Start a program and wait for its greeting. Raises ProgramError."""
        environment = {key: value for key, value in os.environ.items() if key not in SECRETS}
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LINE_MAX,
                env=environment,
                start_new_session=True,
            )
        except OSError as problem:
            raise ProgramError("start", why=problem) from problem
        program = cls(process, name)
        try:
            async with asyncio.timeout(seconds):
                greeting = await program._request({"do": "hello", "v": VERSION}, HELLO)
            return program, _introduced(greeting)
        except TimeoutError:
            await program.close()
            raise ProgramError("hello", seconds=f"{seconds:.0f}") from None
        except BaseException:
            await program.close()
            raise

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The program's choice. Cancelling sends `stop`. Raises ProgramError."""
        self._last_id += 1
        number = self._last_id
        given: Branch = {
            "do": "choose",
            "id": number,
            "game": view.game,
            "seat": view.seat,
            "version": view.version,
            "rules": view.rules,
            "view": view.tree,
            "lines": list(lines),
        }
        times = {"move": round(clock.move, 3)}
        if clock.left is not None:
            times["left"] = round(clock.left, 3)
        try:
            return await self._request({**given, "clock": times}, number)
        except asyncio.CancelledError:
            self.tell({"do": "stop", "id": number})
            raise

    def tell(self, message: Mapping[str, object]) -> None:
        """Write a message that has no reply."""
        with suppress(OSError, RuntimeError):
            self._stdin.write(_line(message))

    def over(self, view: View) -> None:
        """Report the end of a game; the program keeps running."""
        self.tell({"do": "over", "standings": standings_of(view)})

    async def close(self) -> None:
        """Send `bye`, then end the program with all its children."""
        self.tell({"do": "bye"})
        with suppress(OSError, RuntimeError):
            self._stdin.close()
        is_running = self._process.returncode is None and not self._tasks[0].done()
        try:
            async with asyncio.timeout(BYE_SECONDS if is_running else 0):
                await self._process.wait()
        except TimeoutError:
            pass
        finally:
            self.kill()
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)

    def kill(self) -> None:
        """Kill the program and its children immediately."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def _request(self, message: Mapping[str, object], number: int) -> str:
        if self._tasks[0].done():
            raise self._ended()
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._unanswered[number] = answer
        try:
            self._stdin.write(_line(message))
            with suppress(OSError):  # the listening task also notices the end
                await self._stdin.drain()
            return await answer
        finally:
            answer.cancel()

    async def _listen(self, stdout: asyncio.StreamReader) -> None:
        """Read replies until the program ends or sends an invalid one."""
        try:
            while line := await stdout.readline():
                self._hear(line.decode(errors="replace").strip())
            await self._process.wait()
            self._fail(self._ended())
        except ValueError:
            self._fail(ProgramError("long", most=LINE_MAX))

    def _hear(self, line: str) -> None:
        if not line:
            return
        if not line.startswith("{"):
            # Bare replies come in the order of the requests.
            self._settle(next(iter(self._unanswered), self._last_id), line)
            return
        greeting = _object(line)
        number, chosen = greeting.get("id"), greeting.get("line")
        if HELLO in self._unanswered and ("name" in greeting or "games" in greeting):
            self._settle(HELLO, line)
        elif isinstance(number, int) and HELLO < number < self._last_id:
            self._settle(number)
        elif number == self._last_id and isinstance(chosen, str):
            self._settle(number, chosen)
        else:
            self._fail(ProgramError("answer", line=f"{line:.200}"))

    def _settle(self, number: int, line: str | None = None) -> None:
        """Resolve a request, and drop the requests before it."""
        for each in [each for each in self._unanswered if each <= number]:
            answer = self._unanswered.pop(each)
            if each == number and line is not None and not answer.done():
                answer.set_result(line)

    def _fail(self, why: ProgramError) -> None:
        for answer in self._unanswered.values():
            if not answer.done():
                answer.set_exception(why)

    def _ended(self) -> ProgramError:
        code = self._process.returncode
        return ProgramError("gone") if code is None else ProgramError("ended", code=code)

    async def _log(self, stderr: asyncio.StreamReader) -> None:
        for _ in range(STDERR_LINES_MAX):
            try:
                line = await stderr.readline()
            except ValueError:
                line = b"(a line that is too long)"
            if not line:
                return
            log.info("%s: %s", self._name, line.decode(errors="replace").strip()[:_STDERR_SHOWN])
        log.info("%s says more on its standard error than is kept", self._name)
        while await stderr.read(LINE_MAX):
            pass


def _line(message: Mapping[str, object]) -> bytes:
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


def _object(line: str) -> Mapping[str, object]:
    try:
        greeting = json.loads(line)
    except ValueError:
        return {}
    return cast("Mapping[str, object]", greeting) if isinstance(greeting, dict) else {}


def _introduced(line: str) -> Introduced:
    """Parse a greeting; a bare name is accepted."""
    if not line.startswith("{"):
        return Introduced(line[:_STDERR_SHOWN], ())
    greeting = _object(line)
    games = greeting.get("games", [])
    if not isinstance(games, list) or not all(isinstance(each, str) for each in games):
        raise ProgramError("greeting", line=f"{line:.200}")
    return Introduced(str(greeting.get("name", "")), tuple(games))


def standings_of(view: View) -> list[Branch]:
    """The result as sent to a program: `seat`, `place`, `score`; empty if the game was void."""
    ending = cast(Branch, view.room.get("ending") or {})
    ranks = cast("Mapping[str, Mapping[str, int]]", ending.get("places") or {})
    return [{"seat": int(seat), **rank} for seat, rank in ranks.items()]
