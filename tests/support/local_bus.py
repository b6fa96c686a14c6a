"""The bus of nodes in one process."""

from __future__ import annotations

import asyncio

from bluebear.server.cluster.peers import Bus


class LocalBus(Bus):
    """The `Bus` of nodes that share `hub`."""

    def __init__(self, hub: list[LocalBus]) -> None:
        super().__init__()
        self._hub = hub
        self._hub.append(self)

    def say(self, body: bytes) -> None:
        """See `Bus`."""
        loop = asyncio.get_running_loop()
        for each in self._hub:
            if each is not self:
                loop.call_soon(each.received, body)

    async def close(self) -> None:
        """See `Bus`."""
        self._hub.remove(self)
