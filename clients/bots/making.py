"""Which bot is meant, and how one is made for a seat."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from clients.arguments import UsageError
from clients.bots.strategies import Games, Guarded, Plain, strategy
from clients.bots.threads import Threaded
from clients.sdk import Bot, Chooser
from rules.core.chance import Fast


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """A player by its name: `random`, or one that the game brings."""

    name: str


@dataclass(frozen=True, slots=True)
class FromClass:
    """A class of somebody's own. `name` is how it was written."""

    name: str
    cls: type[Any]  # Any: whatever has a `choose`


Kind: TypeAlias = ReadyMade | FromClass


def load_class(given: str) -> FromClass:
    """The class that `module:Class` names, the present folder being looked into as well.

    Raises UsageError with the sentence that says what is missing.
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
            raise  # a module that the bot itself needs: its own traceback says which
        raise UsageError("no_module", module) from None
    if not isinstance(cls, type) or not callable(getattr(cls, "choose", None)):
        raise UsageError("no_bot_class", given)
    return FromClass(given, cls)


@asynccontextmanager
async def made(kind: Kind, seed: int, games: Games) -> AsyncIterator[Chooser]:
    """A bot of this kind for one seat, guarded, until the context ends."""
    match kind:
        case ReadyMade(name):
            yield strategy(name, games, Fast(seed))
        case FromClass(name, cls):
            bot: Chooser = cls(seed) if issubclass(cls, Bot) else cls()
            otherwise = Plain(games, Fast(seed))
            if inspect.iscoroutinefunction(cls.choose):
                yield Guarded(bot, name, otherwise)
                return
            thread = Threaded(bot)
            try:
                yield Guarded(thread, name, otherwise)
            finally:
                thread.close()
