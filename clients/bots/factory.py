"""Chooses the kind of bot, and creates one for a seat."""

from __future__ import annotations

import importlib
import inspect
import shlex
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from bluebear.clients.bots.process_bot import ProcessBot
from bluebear.clients.bots.search.worker_pool import Workers
from bluebear.clients.bots.search_bot import player
from bluebear.clients.bots.strategies import CheckedBot, FallbackBot, Games, strategy
from bluebear.clients.bots.thread_bot import ThreadBot
from bluebear.clients.command_line import UsageError
from bluebear.clients.sdk import Bot, Chooser
from bluebear.rules import EVERYWHERE
from bluebear.rules.core.chance import FastChance

CASUAL: Final = "greedy"
"""The strategy that replaces a program after repeated failures."""


@dataclass(frozen=True, slots=True)
class NamedStrategy:
    """A strategy by its name: `random`, or one of the game's."""

    name: str


@dataclass(frozen=True, slots=True)
class FromClass:
    """A user-defined class. `name` is its text on the command line."""

    name: str
    cls: type[Any]  # Any: a class with a `choose`


@dataclass(frozen=True, slots=True)
class FromProgram:
    """A user-defined program: the arguments that start it."""

    name: str
    command: tuple[str, ...]


Kind: TypeAlias = NamedStrategy | FromClass | FromProgram


@dataclass(frozen=True, slots=True)
class BotInstance:
    """A bot for one seat, and its own description; empty `games` means all games."""

    bot: Chooser
    name: str
    games: tuple[str, ...] = ()

    def plays(self, game: str) -> bool:
        """Whether the bot plays a game."""
        return not self.games or game in self.games


def load_class(given: str) -> FromClass:
    """Import the class that `module:Class` names; the current folder is on the path.

    Raises UsageError with a sentence that names what is missing.
    """
    module, colon, name = given.partition(":")
    if not colon or not module or not name:
        raise UsageError("bad_class", given)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        cls = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as missing:
        if missing.name is None or not module.startswith(missing.name):
            raise  # a module that the bot itself imports: its traceback names it
        raise UsageError("no_module", module) from None
    if not isinstance(cls, type) or not callable(getattr(cls, "choose", None)):
        raise UsageError("no_bot_class", given)
    return FromClass(given, cls)


def read_program(given: str) -> FromProgram:
    """Parse the command that starts a program; UsageError if it is none."""
    try:
        arguments = shlex.split(given)
    except ValueError:
        arguments = []
    if not arguments:
        raise UsageError("bad_program", given)
    return FromProgram(Path(arguments[-1]).stem, tuple(arguments))


@asynccontextmanager
async def made(
    kind: Kind, seed: int, games: Games, packages: Sequence[str] = EVERYWHERE
) -> AsyncIterator[BotInstance]:
    """Create a bot of this kind for one seat, until the context ends. Its choice is always one of
    the lines. Its worker finds the games in `packages`. Raises ProgramError if a program cannot be
    started.
    """
    async with AsyncExitStack() as stack:
        match kind:
            case NamedStrategy(name):
                workers = Workers(packages, number=1)
                stack.push_async_callback(workers.close)
                yield BotInstance(player(name, games, FastChance(seed), workers), name)
            case FromClass(name, cls):
                bot = instance(kind, seed)
                if not inspect.iscoroutinefunction(cls.choose):
                    bot = ThreadBot(bot)
                    stack.push_async_callback(bot.close)
                checked = CheckedBot(bot, name, FallbackBot(games, FastChance(seed)))
                yield BotInstance(checked, name.rpartition(":")[2])
            case FromProgram(name, command):
                outside = ProcessBot(
                    command,
                    name=name,
                    plain=FallbackBot(games, FastChance(seed)),
                    casual=strategy(CASUAL, games, FastChance(seed)),
                )
                introduced = await outside.start()
                stack.push_async_callback(outside.close)
                yield BotInstance(outside, introduced.name or name, introduced.games)


def instance(kind: FromClass, seed: int) -> Chooser:
    """Create an instance of a user-defined class; subclasses of `Bot` get the seed."""
    bot: Chooser = kind.cls(seed) if issubclass(kind.cls, Bot) else kind.cls()
    return bot
