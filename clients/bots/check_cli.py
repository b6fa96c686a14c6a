"""Checks a bot by seeded games offline, and prints what went wrong.

Nothing is repaired here: a late choice, an illegal line or the end of the program ends the game,
and is reported with the game's seed, so that the game can be repeated.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from bluebear.clients.bots.factory import CASUAL, BotInstance, FromClass, FromProgram, instance
from bluebear.clients.bots.json_lines import Program, ProgramError
from bluebear.clients.bots.offline import IllegalLineError, Offline, play_offline
from bluebear.clients.bots.strategies import Games, ready_made, tell_over
from bluebear.clients.bots.thread_bot import ThreadBot
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Chooser, MoveClock, View, answer_of
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case, read_case
from bluebear.rules.core.visibility import Seat

GAMES_PLAYED: Final = 20
FAULTS_MAX: Final = 3
"""The check ends after this many failed games: more of the same are no news."""

Say = Callable[[str], None]


@dataclass(slots=True)
class Report:
    """The results so far."""

    played: int = 0
    faults: int = 0
    firsts: int = 0
    times: list[float] = field(default_factory=list)


class _LateError(Exception):
    """The bot's choice was late."""


class _Watched:
    """Calls a bot with a time limit, and stores the time it took."""

    def __init__(self, bot: Chooser, times: list[float]) -> None:
        self._bot = bot
        self._times = times

    def over(self, view: View) -> None:
        """Report the end of a game to the bot."""
        tell_over(self._bot, view)

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The bot's choice; raises _LateError."""
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(clock.move):
                return await answer_of(self._bot, view, lines, clock)
        except TimeoutError:
            raise _LateError from None
        finally:
            self._times.append(time.perf_counter() - begun)


@asynccontextmanager
async def candidate(kind: FromClass | FromProgram, seed: int) -> AsyncIterator[BotInstance]:
    """Create the bot without a fallback, until the context ends. Raises ProgramError."""
    if isinstance(kind, FromClass):
        bot: ThreadBot | Program = ThreadBot(instance(kind, seed))
        made = BotInstance(bot, kind.name)
    else:
        bot, introduced = await Program.start(kind.command, kind.name)
        made = BotInstance(bot, introduced.name or kind.name, introduced.games)
    try:
        yield made
    finally:
        await bot.close()


class Check:
    """One check; `say` gets each sentence."""

    def __init__(
        self, games: Games, texts: Texts, say: Say, *, seconds: float, count: int = GAMES_PLAYED
    ) -> None:
        self._games = games
        self._texts = texts
        self._say = say
        self._seconds = seconds
        self._count = count
        self._report = Report()
        self._number = 0

    async def run(self, kind: FromClass | FromProgram) -> bool:
        """Play the games and print the results; returns whether all were fine."""
        while self._number < self._count and self._report.faults < FAULTS_MAX:
            try:
                async with candidate(kind, self._number + 1) as bot:
                    if not await self._play_on(bot):
                        return False
            except ProgramError as problem:
                self._number += 1
                self._report.faults += 1
                self._tell("check_start", why=problem.say(self._texts))
        self._sum_up()
        return self._report.faults == 0

    async def _play_on(self, bot: BotInstance) -> bool:
        """Play games until one fails; returns False if there is no game to play."""
        unknown = [key for key in bot.games if key not in self._games]
        if unknown:
            self._tell("check_game", name=bot.name, game=unknown[0], games=", ".join(self._games))
            return False
        keys = bot.games or tuple(self._games)
        going = True
        while going and self._number < self._count:
            self._number += 1
            going = await self._play(bot, *self._case(keys))
        return True

    def _case(self, keys: Sequence[str]) -> tuple[Case, Seat]:
        """The next game: cycles through games, the fewest and the most seats, and seats."""
        game = self._games[keys[self._number % len(keys)]]
        turn = self._number // len(keys)
        seats = (game.info.seats.min, game.info.seats.max)[turn % 2]
        return read_case(game, [f"seats={seats}"]), Seat(1 + turn // 2 % seats)

    async def _play(self, bot: BotInstance, case: Case, seat: Seat) -> bool:
        """Play one game; returns False if it failed."""
        number, report = self._number, self._report
        bots: dict[Seat, Chooser] = {
            Seat(each): ready_made(CASUAL, self._games, FastChance(number))
            for each in range(1, case.seats + 1)
        }
        bots[seat] = _Watched(bot.bot, report.times)
        moves = 0

        def watch(game: Offline) -> None:
            nonlocal moves
            moves = len(game.played_lines)

        try:
            played = await play_offline(case, number, bots, seconds=self._seconds, watch=watch)
        except _LateError:
            why = ProgramError("late", seconds=f"{self._seconds:.0f}")
        except IllegalLineError as problem:
            why = ProgramError("illegal", line=f"{problem.line:.200}")
        except ProgramError as problem:
            why = problem
        except Exception as problem:  # noqa: BLE001 - whatever a user-defined class raises is reported
            why = ProgramError("raised", why=repr(problem))
        else:
            report.played += 1
            report.firsts += case.seats > 1 and played.rank(seat) == 1
            return True
        report.faults += 1
        reason = why.say(self._texts)
        self._tell("check_where", number=number, case=case, seat=seat, moves=moves, why=reason)
        return False

    def _sum_up(self) -> None:
        report = self._report
        times = report.times or [0.0]
        self._tell(
            "check_played",
            played=report.played,
            firsts=report.firsts,
            lines=len(report.times),
            median=f"{statistics.median(times):.3f}",
            slowest=f"{max(times):.3f}",
        )
        self._tell("check_bad" if report.faults else "check_good", faults=report.faults)

    def _tell(self, key: str, **params: object) -> None:
        self._say(self._texts.say(key, **params))
