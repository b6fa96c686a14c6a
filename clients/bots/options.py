"""The command line of `bluebear bots`."""

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
from bluebear.clients.command_line import Arguments, UsageError, read_arguments, read_number
from bluebear.clients.server_url import Address, BadAddressError, read_address

NAMES_MAX: Final = 20
"""Number of names that a guest tries: bots of earlier games keep theirs for a while."""

NAME_SIGNS: Final = 16
"""Servers accept no longer names; a name is cut before its number."""

COUNT_MAX: Final = 16
"""Maximum number of bots of one call: more than any table has seats."""

SECONDS_MAX: Final = 3600

_CLASS: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")

ENTRY_PASSWORD: Final = "BLUEBEAR_ENTRY_PASSWORD"
"""The environment variable with a server's password for newcomers."""

TOKENS: Final = "BLUEBEAR_BOT_TOKENS"
"""The environment variable with tokens that are not on the command line."""

VALUES: Final = frozenset(
    {"strategy", "bot", "exec", "check", "owner", "name", "count", "seed", "seconds", "token"}
)
SWITCHES: Final = frozenset({"house", "help"})


@dataclass(frozen=True, slots=True)
class BotSeat:
    """One bot: the seed of its choices, and its token, if it is an owned bot."""

    number: int
    seed: int
    token: str | None


@dataclass(frozen=True, slots=True)
class Orders:
    """The parsed command line. `name` None: the bot's own name."""

    url: str
    room: str
    kind: Kind
    seconds: float
    name: str | None
    bots: tuple[BotSeat, ...]

    def names_of(self, bot: BotSeat, preferred: str) -> Iterator[str]:
        """The names to try for a bot in order, starting with the preferred one.

        Several bots are numbered; further attempts use numbers above those.
        """
        name, count = self.name or preferred, len(self.bots)
        for number in range(bot.number, count * NAMES_MAX + 1, count):
            sign = "" if number == count == 1 else str(number)
            yield f"{name[: NAME_SIGNS - len(sign)]}{sign}" if sign else name


def read_line(argv: Sequence[str]) -> Arguments:
    """Parse a command line. Raises UsageError."""
    return read_arguments(argv, values=VALUES, switches=SWITCHES, most=2)


def read_orders(arguments: Arguments) -> Orders:
    """Read a command line that names a room. Raises UsageError."""
    if not arguments.positional:
        raise UsageError("no_room", "")
    try:
        address: Address = read_address(arguments.positional[0])
    except BadAddressError:
        raise UsageError("bad_address", arguments.positional[0]) from None
    room = (*arguments.positional[1:], address.invite)[0]
    if room is None:
        raise UsageError("no_room", "")
    kind = _kind(arguments)
    # In the environment other users of the machine cannot see them.
    listed = arguments.values.get("token") or os.environ.get(TOKENS, "")
    tokens = [each for each in listed.split(",") if each]
    count = len(tokens) or read_number(arguments, "count", 1, low=1, high=COUNT_MAX)
    drawn = int.from_bytes(os.urandom(7), "big")
    seed = read_number(arguments, "seed", drawn, low=0, high=2**63)
    bots = tuple(
        BotSeat(number, seed + number - 1, tokens[number - 1] if tokens else None)
        for number in range(1, count + 1)
    )
    name = arguments.values.get("name")
    return Orders(address.url, room, kind, read_seconds(arguments), name, bots)


def read_seconds(arguments: Arguments) -> float:
    """The time for a decision. Raises UsageError."""
    return float(read_number(arguments, "seconds", int(SECONDS), low=1, high=SECONDS_MAX))


def read_checked(given: str) -> FromClass | FromProgram:
    """The bot to check: a class if it is written like one, else a program."""
    return load_class(given) if _CLASS.fullmatch(given) else read_program(given)


def _kind(arguments: Arguments) -> Kind:
    """The kind of bot; UsageError for two at once."""
    given = [name for name in ("strategy", "bot", "exec") if name in arguments.values]
    if len(given) > 1:
        raise UsageError("two_bots", f"--{given[0]} --{given[1]}")
    if "bot" in arguments.values:
        return load_class(arguments.values["bot"])
    if "exec" in arguments.values:
        return read_program(arguments.values["exec"])
    return NamedStrategy(arguments.values.get("strategy", RANDOM))
