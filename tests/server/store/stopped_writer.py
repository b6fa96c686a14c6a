"""A process that joins as a node and writes entry after entry, until it is told that it is dead.

    python -m tests.server.store.stopped_writer postgresql://...

It says its node, each number that was stored, and at the end the name of another answer.
"""

import asyncio
import sys

from bluebear.server.store import Written, streams
from bluebear.server.store.postgres import PostgresStore, postgres_nodes
from tests.server.store.contract import ROOM, line


def say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


async def write(url: str) -> None:
    nodes = postgres_nodes(url)
    node = await nodes.join("writer", address="", version="")
    say(f"{node.id} {node.generation}")
    journal = PostgresStore(url, node)
    number = len(await journal.read(streams.load, ROOM))
    while True:
        number += 1
        [answer] = await journal.append([line(number)])
        if not isinstance(answer, Written):
            say(type(answer).__name__)
            break
        say(str(number))
    await journal.close()
    await nodes.close()


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))
