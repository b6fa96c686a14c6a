"""Strangers who send what the schema forbids, in any order, beside people who play.

python -m tests.tools.load.invalid_messages --messages 100000
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from bluebear.protocol import JSON, MSGPACK, Codec, ReceivedKeys
from bluebear.server.runtime import COUNTERS
from tests.tools.load.live_server import Running, running
from tests.tools.load.raw_client import arrive
from tests.tools.load.schema import CLIENT, Maker
from tests.tools.load.table import Table

SENDERS: Final = 8
LIFE_MESSAGES: Final = 40
"""Messages of one connection, if the server bears it for so long."""
MESSAGES_PER_GAME: Final = 500
"""So much is thrown while one game is played at the table beside."""
EXPECTED_CLOSE_CODES: Final = frozenset({1000, 1002, 1005, 1006, 1007, 1008, 1009, 4001, 4008})


@dataclass(slots=True)
class Report:
    """What became of the messages; owned by one run."""

    sent: int = 0
    connections: int = 0
    received: Counter[str] = field(default_factory=Counter)
    ends: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    games: int = 0


class _Sender:
    """Connects, sends, is cut off, comes back; owned by the run."""

    def __init__(self, server: Running, seed: str, report: Report) -> None:
        self._server = server
        self._chance = random.Random(seed)
        self._maker = Maker(self._chance)
        self._report = report

    async def send_all(self, messages: int) -> None:
        """Send so many messages over as many connections as that takes."""
        left = messages
        while left > 0:
            left -= await self._live(min(left, LIFE_MESSAGES))

    async def _live(self, messages: int) -> int:
        codec = self._chance.choice((JSON, MSGPACK))
        stranger = await arrive(self._server.url, codec)
        self._report.connections += 1
        connection, sent = stranger.connection, 0
        listening = asyncio.create_task(self._listen(connection, codec))
        try:
            for number in range(messages):
                frame = self._maker.frame(codec, self._message(number))
                await connection.send(frame, text=codec.text)
                sent += 1
                # What is answered after it was judged after it: nothing is sent to the deaf.
                await (await connection.ping())
        except ConnectionClosed:
            pass
        await connection.close()
        await listening
        self._report.sent += max(1, sent)
        self._report.ends[connection.close_code or 1006] += 1
        return max(1, sent)

    def _message(self, number: int) -> object:
        """Mostly a hello first, as one would; then right and wrong ones in any order."""
        if number == 0 and self._chance.random() < 0.8:
            return {
                "type": "hello",
                "langs": ["en"],
                "name": f"H{self._chance.randrange(10**9)}",
                "bot": True,
            }
        if self._chance.random() < 0.6:
            return self._maker.right(self._chance.choice(CLIENT))
        return self._maker.wrong()

    async def _listen(self, connection: ClientConnection, codec: Codec) -> None:
        keys = ReceivedKeys()
        try:
            async for frame in connection:
                message = codec.decode_server(frame, keys)
                self._report.received[type(message).__name__] += 1
        except ConnectionClosed:
            return
        except Exception as error:  # noqa: BLE001 - what the server sends must be readable
            self._report.faults.append(f"unreadable answer: {error!r}")


async def attack(server: Running, messages: int, seed: int) -> Report:
    """Send so many messages while a table plays; what came of it."""
    report = Report()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(
        lambda _, context: report.faults.append(f"in the loop: {context.get('exception')!r}")
    )
    before = COUNTERS["bugs"]
    async with AsyncExitStack() as stack:
        table = Table(server, 0, game="duel", seats=2)
        await table.sit_down(stack)
        staying = len(server.app.dispatcher.connections)
        senders = [_Sender(server, f"{seed} {number}", report) for number in range(SENDERS)]
        await asyncio.gather(
            table.play(max(1, messages // MESSAGES_PER_GAME)),
            *(each.send_all(messages // SENDERS) for each in senders),
        )
        await table.check()
        report.games = table.finished
        await _check_ended(server, staying, report)
    if COUNTERS["bugs"] != before:
        report.faults.append(f"{COUNTERS['bugs'] - before} bugs were counted")
    strange = set(report.ends) - EXPECTED_CLOSE_CODES
    if strange:
        report.faults.append(f"connections ended with {sorted(strange)}")
    return report


async def _check_ended(server: Running, staying: int, report: Report) -> None:
    """Wait until the server has noticed that they are gone."""
    for _ in range(10_000):
        if len(server.app.dispatcher.connections) <= staying:
            return
        await asyncio.sleep(0)
    report.faults.append(f"{len(server.app.dispatcher.connections) - staying} are still there")


async def _run(messages: int, seed: int) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as server:
            return await attack(server, messages, seed)


def main(argv: Sequence[str]) -> int:
    """Attack a private server, and print the result."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.load.invalid_messages",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=20261122)
    given = parser.parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    report = asyncio.run(_run(given.messages, given.seed))
    print(
        f"{report.sent} messages over {report.connections} connections,"
        f" {report.games} games beside them, {len(report.faults)} faults"
    )
    print("answers:", dict(report.received.most_common()))
    print("ends:", dict(report.ends.most_common()))
    for fault in report.faults[:20]:
        print(fault)
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
