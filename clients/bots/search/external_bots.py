"""User-defined bots in the arena: a class, or a program in any language.

They get what a server would send to their seat. As at a table, the game's fallback is played for a
bot that fails or is late, and the log has the reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bluebear.clients.bots.factory import FromClass, FromProgram, load_class, made, read_program
from bluebear.clients.bots.offline import OFFLINE, view_for
from bluebear.clients.bots.search.contestants import Decided
from bluebear.clients.bots.strategies import tell_over
from bluebear.clients.bots.time_budget import SECONDS
from bluebear.clients.sdk import Chooser, MoveClock, View, answer_of
from bluebear.protocol import Branch
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")

PROGRAM_SIGN: Final = "/"
CLASS_SIGN: Final = ":"


@dataclass(frozen=True, slots=True)
class ExternalBot:
    """A user-defined bot by its text: `module:Class`, `./mybot`, with `@2` for two seconds a
    decision.
    """

    text: str
    kind: FromClass | FromProgram
    seconds: float = SECONDS

    @contextmanager
    def seated(self, game: Game[Any], seed: int) -> Iterator[Seated]:
        """The bot at one seat for one game. Raises ProgramError if it cannot be started."""
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            installed = {game.info.key: game}
            bot = runner.run(stack.enter_async_context(made(self.kind, seed, installed))).bot
            try:
                yield Seated(bot, self.seconds, runner)
            finally:
                runner.run(stack.aclose())


class Seated:
    """A user-defined bot in one game. Owned by the running game."""

    def __init__(self, bot: Chooser, seconds: float, runner: asyncio.Runner) -> None:
        self._bot = bot
        self._seconds = seconds
        self._runner = runner
        self._decisions = 0

    def decide(
        self,
        game: Game[S],
        view: S,
        seat: Seat,
        moves: Sequence[Move],
        chance: Chance,
        *,
        clock: Callable[[], float],
    ) -> Decided:
        """Choose one of the moves; the time excludes that of a separate program."""
        began = clock()
        lines = tuple(map(game.grammar.format, moves))
        shown = self._view(game, view, seat)
        line = self._runner.run(answer_of(self._bot, shown, lines, MoveClock(self._seconds)))
        self._decisions += 1
        return Decided(moves[lines.index(line)], clock() - began, considered=len(moves) > 1)

    def over(self, game: Game[S], view: S, seat: Seat, ending: Branch) -> None:
        """Report the end of a game, as `ending_of` a result."""
        self._runner.run(self._tell(self._view(game, view, seat, ending=ending)))

    async def _tell(self, shown: View) -> None:
        tell_over(self._bot, shown)

    def _view(self, game: Game[S], view: S, seat: Seat, **more: Branch) -> View:
        room: Branch = {"id": OFFLINE, "game": game.info.key, "turn": [int(seat)], **more}
        return view_for(game, view, seat, room, self._decisions)


def is_guest(text: str) -> bool:
    """Whether a text names a user-defined bot."""
    return PROGRAM_SIGN in text or CLASS_SIGN in text


def guest(text: str) -> ExternalBot:
    """The bot of a text. Raises UsageError with the reason."""
    name, sign, seconds = text.rpartition("@")
    if not sign or not seconds.replace(".", "", 1).isdecimal():
        name, seconds = text, ""
    kind = read_program(name) if PROGRAM_SIGN in name else load_class(name)
    return ExternalBot(text, kind, float(seconds) if seconds else SECONDS)
