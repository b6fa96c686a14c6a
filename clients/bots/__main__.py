"""`bluebear bots`: players for a room, or the house bots as a child of the server."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Final

from bluebear.clients.bots.bots_toml import BotSettings, BotsFile, read_owned
from bluebear.clients.bots.check_cli import Check
from bluebear.clients.bots.factory import BotInstance, made
from bluebear.clients.bots.house_bots import HouseBots
from bluebear.clients.bots.invited_bot import InvitedBot
from bluebear.clients.bots.json_lines import ProgramError
from bluebear.clients.bots.options import (
    ENTRY_PASSWORD,
    BotSeat,
    Orders,
    read_checked,
    read_line,
    read_orders,
    read_seconds,
)
from bluebear.clients.bots.player import Player
from bluebear.clients.bots.search.worker_pool import Workers
from bluebear.clients.bots.strategies import Games
from bluebear.clients.command_line import UsageError
from bluebear.clients.phrases import Texts, preferred_lang
from bluebear.clients.sdk import Client, ClientError, HelloRefused, Reply, Unreachable
from bluebear.protocol import Code
from bluebear.rules import games, packages_of
from bluebear.rules.core.chance import SEAT_SEED_BYTES

REFUSED: Final = 1
USAGE: Final = 2


def main(argv: Sequence[str]) -> int:
    """Run `bluebear bots ...`. Returns 0 after the game, 1 if a bot was refused or failed its
    check, 2 without a server or with a wrong command line.
    """
    texts = Texts(preferred_lang(os.environ), "bluebear.clients.bots")
    try:
        arguments = read_line(argv[1:])
        if "help" in arguments.switches:
            print(texts.say("usage").strip())
            return 0
        if "house" in arguments.switches:
            return _house(texts)
        _log_sentences()
        if "check" in arguments.values:
            kind, seconds = read_checked(arguments.values["check"]), read_seconds(arguments)
            checking = Check(_games(), texts, _say, seconds=seconds).run(kind)
            return 0 if _run(checking) else REFUSED
        if "owner" in arguments.values:
            owned = read_owned(Path(arguments.values["owner"]))
            return _run(_run_invited(owned)) or 0
        orders = read_orders(arguments)
    except UsageError as error:
        print(f"bluebear bots: {texts.say(error.key, given=error.given)}", file=sys.stderr)
        print(texts.say("usage").strip(), file=sys.stderr)
        return USAGE
    return _run(_play_all(orders, texts)) or 0


def _run(work: Coroutine[Any, Any, Any]) -> Any:  # Any: whatever the work makes
    """Run a coroutine to its end; None if a signal ended it. All its tasks end with it."""

    async def until_stopped() -> Any:  # Any: see above
        task = asyncio.ensure_future(work)
        with suppress(NotImplementedError):  # systems without signal handlers
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        return asyncio.run(until_stopped())
    return None


def _say(sentence: str) -> None:
    print(sentence, flush=True)


def _log_sentences() -> None:
    """Write the log, with the failures of bots, to standard error."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


async def _run_invited(owned: BotsFile) -> int:
    """Accept invitations to all bots of a file, until all their clients have ended."""
    texts = Texts(owned.lang, "bluebear.clients.bots")
    codes = await asyncio.gather(*(_run_invited_bot(owned, terms, texts) for terms in owned.bots))
    return max(codes)


async def _run_invited_bot(owned: BotsFile, terms: BotSettings, texts: Texts) -> int:
    try:
        await InvitedBot(owned.url, terms, _games(), texts).run()
    except ClientError as error:
        return _failed(error, owned.url, terms.label, texts)
    return 0


def _failed(error: ClientError, url: str, name: str, texts: Texts) -> int:
    """Print why a bot does not play; the exit code."""
    if isinstance(error, Unreachable):
        print(texts.say("unreachable", url=url), file=sys.stderr)
        return USAGE
    text = texts.say("refused_token") if error.code == Code.UNAUTHORIZED else error.text
    print(texts.say("refused", name=name, text=text), file=sys.stderr)
    return REFUSED


async def _play_all(orders: Orders, texts: Texts) -> int:
    return max(await asyncio.gather(*(_play(orders, bot, texts) for bot in orders.bots)))


async def _play(orders: Orders, seat: BotSeat, texts: Texts) -> int:
    """Run one bot from joining the room to the end of the game; returns an exit code."""
    name = orders.kind.name
    try:
        async with made(orders.kind, seat.seed, _games(), packages_of(os.environ)) as bot:
            name = next(orders.names_of(seat, bot.name))
            async with AsyncExitStack() as stack:
                client = await _come_in(orders, seat, bot, texts, stack)
                return await _play_in_room(orders, client, bot, texts)
    except ProgramError as problem:
        text = texts.say("program", why=problem.say(texts))
        print(texts.say("refused", name=name, text=text), file=sys.stderr)
        return REFUSED
    except ClientError as trouble:
        return _failed(trouble, orders.url, name, texts)


async def _come_in(
    orders: Orders, seat: BotSeat, bot: BotInstance, texts: Texts, stack: AsyncExitStack
) -> Client:
    """A connected client, closed by the stack: with its token, else as a guest with a free name.

    Raises Unreachable or HelloRefused.
    """
    *names, last = orders.names_of(seat, bot.name)
    if seat.token is None:
        for name in names:
            try:
                return await stack.enter_async_context(_client(orders, seat, name, texts))
            except HelloRefused as refused:
                if refused.code != Code.NAME_TAKEN:
                    raise
    return await stack.enter_async_context(_client(orders, seat, last, texts))


def _client(orders: Orders, seat: BotSeat, name: str, texts: Texts) -> Client:
    return Client(
        orders.url,
        name=name,
        token=seat.token,
        password=os.environ.get(ENTRY_PASSWORD),
        langs=(texts.lang,),
        wants={"moves"},
        bot=True,
    )


async def _play_in_room(orders: Orders, client: Client, bot: BotInstance, texts: Texts) -> int:
    entered = await client.say(f"/room {orders.room}")
    if entered.ok:
        entered = await _join(client, entered, bot, texts)
    if not entered.ok:
        print(texts.say("refused", name=client.name, text=entered.text), file=sys.stderr)
        return REFUSED
    print(
        texts.say("joined", name=client.name, room=orders.room, strategy=orders.kind.name),
        flush=True,
    )
    await Player(client, bot.bot, seconds=orders.seconds).play(until_over=True)
    print(texts.say("over", name=client.name), flush=True)
    return 0


async def _join(client: Client, entered: Reply, bot: BotInstance, texts: Texts) -> Reply:
    """Sit down in the joined room if the bot plays its game."""
    assert entered.room is not None  # the reply to joining names the room
    game = client.room(entered.room).game
    if not bot.plays(game):
        text = texts.say("other_game", game=game, games=", ".join(bot.games))
        return Reply(id="", ok=False, text=text)
    seed = os.urandom(SEAT_SEED_BYTES).hex()
    return await client.say(f"/join seed={seed}", room=entered.room)


def _house(texts: Texts) -> int:
    """Run as the server's child: settings are one JSON line on stdin; the end of stdin ends it."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    # The server counts how connections end.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    try:
        orders = json.loads(sys.stdin.buffer.readline())
        url, token = orders["url"], orders["token"]
    except (ValueError, LookupError, TypeError):
        print(texts.say("no_house"), file=sys.stderr)
        return USAGE
    try:
        workers = Workers(packages_of(os.environ))
        asyncio.run(_until_stdin_closes(HouseBots(url, token, _games(), workers=workers)))
    except ClientError as trouble:
        logging.getLogger(__name__).warning("no house: %s", trouble)
        return USAGE
    return 0


def _games() -> Games:
    """The games of the server that started this program: both read the same variable."""
    return games(packages_of(os.environ))


class _JsonLines(logging.Formatter):
    """The server's log format, for the log of its house bots."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


async def _until_stdin_closes(house: HouseBots) -> None:
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
    """Detects the end of the parent process by the end of stdin, and ends its games."""

    def __init__(self, playing: asyncio.Future[None]) -> None:
        self._playing = playing

    def eof_received(self) -> None:
        self._playing.cancel()


if __name__ == "__main__":
    sys.exit(main(["bots", *sys.argv[1:]]))
