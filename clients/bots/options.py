"""What stands on the command line of `bluebear bots`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bluebear.clients.bots.factory import (
    FromClass,
    FromProgram,
    Kind,
    NamedStrategy,
    load_class,
    read_program,
)
from bluebear.clients.bots.strategies import RANDOM
from bluebear.clients.bots.time_budget import SECONDS
from bluebear.clients.command_line import Arguments, UsageError, read_arguments, whole_number
from bluebear.clients.server_url import Address, BadAddressError, read_address

NAMES_MAX: Final = 20
"""Names that a guest tries: the bots of earlier games keep theirs for a while."""

NAME_SIGNS: Final = 16
"""A longer name is taken by no server; so it is cut before a number."""

COUNT_MAX: Final = 16
"""Bots of one call: more than any table has seats."""

SECONDS_MAX: Final = 3600

_CLASS: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")

ENTRY_PASSWORD: Final = "BLUEBEAR_ENTRY_PASSWORD"
"""Where the password stands that a server may ask newcomers for."""

TOKENS: Final = "BLUEBEAR_BOT_TOKENS"
"""Where tokens stand that are not given on the command line."""

VALUES: Final = frozenset(
    {"strategy", "bot", "exec", "check", "owner", "name", "count", "seed", "seconds", "token"}
)
SWITCHES: Final = frozenset({"house", "help"})


@dataclass(frozen=True, slots=True)
class BotSeat:
    """One bot: the seed of its choices, and the token by which it comes in as somebody's."""

    number: int
    seed: int
    token: str | None


@dataclass(frozen=True, slots=True)
class Orders:
    """What is to be played, where and by whom. `name` None: as the bot calls itself."""

    url: str
    room: str
    kind: Kind
    seconds: float
    name: str | None
    bots: tuple[BotSeat, ...]

    def names_of(self, bot: BotSeat, own: str) -> Iterator[str]:
        """What a bot is to be called, and then what instead where that is taken.

        Several are numbered, and go on with numbers that none of them begins with.
        """
        name, count = self.name or own, len(self.bots)
        for number in range(bot.number, count * NAMES_MAX + 1, count):
            sign = "" if number == count == 1 else str(number)
            yield f"{name[: NAME_SIGNS - len(sign)]}{sign}" if sign else name


def read_line(argv: Sequence[str]) -> Arguments:
    """A command line, taken apart. Raises UsageError."""
    return read_arguments(argv, values=VALUES, switches=SWITCHES, words_max=2)


def read_orders(arguments: Arguments) -> Orders:
    """What a command line that names a room asks for. Raises UsageError."""
    if not arguments.words:
        raise UsageError("no_room", "")
    try:
        address: Address = read_address(arguments.words[0])
    except BadAddressError:
        raise UsageError("bad_address", arguments.words[0]) from None
    room = (*arguments.words[1:], address.invite)[0]
    if room is None:
        raise UsageError("no_room", "")
    kind = _kind(arguments)
    tokens = [each for each in _tokens(arguments).split(",") if each]
    count = len(tokens) or whole_number(arguments, "count", 1, low=1, high=COUNT_MAX)
    drawn = int.from_bytes(os.urandom(7), "big")
    seed = whole_number(arguments, "seed", drawn, low=0, high=2**63)
    bots = tuple(
        BotSeat(number, seed + number - 1, tokens[number - 1] if tokens else None)
        for number in range(1, count + 1)
    )
    name = arguments.values.get("name")
    return Orders(address.url, room, kind, read_seconds(arguments), name, bots)


def read_seconds(arguments: Arguments) -> float:
    """What a decision may take. Raises UsageError."""
    return float(whole_number(arguments, "seconds", int(SECONDS), low=1, high=SECONDS_MAX))


def read_checked(given: str) -> FromClass | FromProgram:
    """The bot that is to be checked: a class where it is written like one, else a program."""
    return load_class(given) if _CLASS.fullmatch(given) else read_program(given)


def _kind(arguments: Arguments) -> Kind:
    """Which bot is wanted; UsageError for two at once."""
    given = [name for name in ("strategy", "bot", "exec") if name in arguments.values]
    if len(given) > 1:
        raise UsageError("two_bots", f"--{given[0]} --{given[1]}")
    if "bot" in arguments.values:
        return load_class(arguments.values["bot"])
    if "exec" in arguments.values:
        return read_program(arguments.values["exec"])
    return NamedStrategy(arguments.values.get("strategy", RANDOM))


def _tokens(arguments: Arguments) -> str:
    """Tokens of bots; from the environment, where no other user of the machine sees them."""
    return arguments.values.get("token") or os.environ.get(TOKENS, "")
