"""The floor: a relay that sends 120 bytes to the four members of a room, and knows no rules.

    python -m tests.tools.bench.baseline

The same library, loop and machine as the server's, driven by the same load: what remains between
the two is ours. Prints its port, serves until it is ended.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

_ROOMS: defaultdict[str, set[ServerConnection]] = defaultdict(set)


async def relay(socket: ServerConnection) -> None:
    """Send each message of a client to all clients in its room; the path names the room."""
    assert socket.request is not None
    members = _ROOMS[socket.request.path]
    members.add(socket)
    # The load goes without a word.
    with suppress(ConnectionClosed):
        async for message in socket:
            broadcast(members, message)


async def main() -> None:
    """Serve until the process is ended."""
    server = await serve(relay, "127.0.0.1", 0, compression=None)
    async with server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    uvloop.run(main())
