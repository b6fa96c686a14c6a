"""`bluebear bots`: players for a room, or, as a child of the server, its house bots."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clients.address import Address, BadAddressError, read_address
from clients.arguments import Arguments, UsageError, read_arguments, whole_number
from clients.bots.house import House
from clients.bots.making import Kind, ReadyMade, load_class, made
from clients.bots.player import Player
from clients.bots.strategies import RANDOM, Games
from clients.bots.timing import SECONDS
from clients.sdk import Client, Trouble, Unreachable
from clients.words import Words, preferred_lang
from rules import EVERYWHERE, games
from rules.core.chance import SEAT_SEED_BYTES

COUNT_MAX: Final = 16
"""Bots of one call: more than any table has seats."""

SECONDS_MAX: Final = 3600

TOKENS: Final = "BLUEBEAR_BOT_TOKENS"
"""Where tokens stand that are not given on the command line."""

REFUSED: Final = 1
USAGE: Final = 2


def main(argv: Sequence[str]) -> int:
    """Run `bluebear bots ...`: 0 after the game, 1 if a bot was refused, 2 without a server."""
    words = Words(preferred_lang(os.environ), "clients.bots")
    try:
        arguments = read_arguments(
            argv[1:],
            values=frozenset({"strategy", "bot", "name", "count", "seed", "seconds", "token"}),
            switches=frozenset({"house", "help"}),
            words_max=2,
        )
        if "help" in arguments.switches:
            print(words.say("usage").strip())
            return 0
        if "house" in arguments.switches:
            return _house(words)
        orders = _orders(arguments)
    except UsageError as error:
        print(f"bluebear bots: {words.say(error.key, given=error.given)}", file=sys.stderr)
        print(words.say("usage").strip(), file=sys.stderr)
        return USAGE
    try:
        return asyncio.run(_play_all(orders, words))
    except KeyboardInterrupt:
        return 0


@dataclass(frozen=True, slots=True)
class _Orders:
    """What the command line asks for."""

    url: str
    room: str
    kind: Kind
    seconds: float
    """What a decision may take."""
    seeds: dict[str, int]
    """Name of each bot and the seed of its choices."""
    tokens: dict[str, str]
    """Name of each bot that comes in as somebody's, and its token."""


def _orders(arguments: Arguments) -> _Orders:
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
    seconds = whole_number(arguments, "seconds", int(SECONDS), low=1, high=SECONDS_MAX)
    count = whole_number(arguments, "count", 1, low=1, high=COUNT_MAX)
    drawn = int.from_bytes(os.urandom(7), "big")
    seed = whole_number(arguments, "seed", drawn, low=0, high=2**63)
    name = arguments.values.get("name", kind.name.rpartition(":")[2])
    tokens = [each for each in _tokens(arguments).split(",") if each]
    count = len(tokens) or count
    names = [name] if count == 1 else [f"{name}{number}" for number in range(1, count + 1)]
    seeds = {each: seed + offset for offset, each in enumerate(names)}
    owned = dict(zip(names, tokens, strict=False))
    return _Orders(address.url, room, kind, float(seconds), seeds, owned)


def _kind(arguments: Arguments) -> Kind:
    """Which bot is wanted; UsageError for two at once."""
    given = [name for name in ("strategy", "bot") if name in arguments.values]
    if len(given) > 1:
        raise UsageError("two_bots", f"--{given[0]} --{given[1]}")
    if "bot" in arguments.values:
        return load_class(arguments.values["bot"])
    return ReadyMade(arguments.values.get("strategy", RANDOM))


def _tokens(arguments: Arguments) -> str:
    """Tokens of bots; from the environment, where no other user of the machine sees them."""
    return arguments.values.get("token") or os.environ.get(TOKENS, "")


async def _play_all(orders: _Orders, words: Words) -> int:
    codes = await asyncio.gather(*(_play(orders, name, words) for name in orders.seeds))
    return max(codes)


async def _play(orders: _Orders, name: str, words: Words) -> int:
    """One bot, from entering the room to the end of the game; an exit code."""
    try:
        async with Client(
            orders.url,
            name=name,
            token=orders.tokens.get(name),
            langs=(words.lang,),
            wants={"moves"},
            bot=True,
        ) as bot:
            entered = await bot.say(f"/room {orders.room}")
            if entered.ok:
                seed = os.urandom(SEAT_SEED_BYTES).hex()
                entered = await bot.say(f"/join seed={seed}", room=entered.room)
            if not entered.ok:
                print(words.say("refused", name=name, text=entered.text), file=sys.stderr)
                return REFUSED
            print(
                words.say("joined", name=bot.name, room=orders.room, strategy=orders.kind.name),
                flush=True,
            )
            async with made(orders.kind, orders.seeds[name], _games()) as chosen:
                await Player(bot, chosen, seconds=orders.seconds).play(until_over=True)
            print(words.say("over", name=bot.name), flush=True)
            return 0
    except Unreachable:
        print(words.say("unreachable", url=orders.url), file=sys.stderr)
        return USAGE
    except Trouble as trouble:
        print(words.say("refused", name=name, text=trouble.text), file=sys.stderr)
        return REFUSED


def _house(words: Words) -> int:
    """Be the server's child: orders come as one JSON line on stdin, and end with it."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    # How connections end is the server's to count.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    try:
        orders = json.loads(sys.stdin.buffer.readline())
        url, token = orders["url"], orders["token"]
    except (ValueError, LookupError, TypeError):
        print(words.say("no_house"), file=sys.stderr)
        return USAGE
    try:
        asyncio.run(_until_stdin_closes(House(url, token, _games())))
    except Trouble as trouble:
        logging.getLogger(__name__).warning("no house: %s", trouble)
        return USAGE
    return 0


def _games() -> Games:
    """The games that the server beside us has, if there is one: it reads the same variable."""
    return games(os.environ.get("BLUEBEAR_GAMES", ",".join(EVERYWHERE)).split(","))


class _JsonLines(logging.Formatter):
    """The form of the server's log, which the house's bots write into."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


async def _until_stdin_closes(house: House) -> None:
    playing = asyncio.ensure_future(house.run())
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: _Watch(playing), sys.stdin
    )
    try:
        await asyncio.wait([playing])
        if not playing.cancelled():
            playing.result()
    finally:
        transport.close()


class _Watch(asyncio.Protocol):
    """Sees the end of the parent, who writes nothing more, and ends what is played for him."""

    def __init__(self, playing: asyncio.Future[None]) -> None:
        self._playing = playing

    def eof_received(self) -> None:
        self._playing.cancel()


if __name__ == "__main__":
    sys.exit(main(["bots", *sys.argv[1:]]))
