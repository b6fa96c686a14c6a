"""A server on a real port and a real file, in the loop of the test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bluebear.clients.sdk import Client, RoomId
from bluebear.protocol import canonical
from bluebear.rules import games
from bluebear.rules.core.visibility import Seat
from bluebear.server.app import App, Outside
from bluebear.server.config import Config
from bluebear.server.net.http import Listener
from bluebear.server.ops.metrics import Report
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import SystemClock
from bluebear.server.store import SqliteStore
from tests.support.views import view_of

UNLIMITED = 1_000_000
"""Rates and crowds that no test reaches."""


@dataclass(frozen=True, slots=True)
class Running:
    """A server that takes connections."""

    app: App
    port: int
    transport: Listener

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def room(self, room: RoomId) -> RoomActor:
        """A room that is in memory; fails the test if it is not."""
        live = self.app.engine.room(room)
        assert live is not None, f"room {room} is not in memory"
        return live

    def check(self, client: Client, room: RoomId) -> None:
        """Hold a client's mirror against what the server would show those eyes at this moment."""
        live, mirror = self.room(room), client.room(room)
        assert mirror.sound
        eyes = frozenset(Seat(seat) for seat in mirror.eyes)
        assert mirror.version == live.room.version_for(eyes)
        assert canonical(mirror.view) == canonical(view_of(live.room, live.game, eyes))


@asynccontextmanager
async def running(
    data: Path, config: Config | None = None, entry_hash: str = ""
) -> AsyncIterator[Running]:
    """Serve Manhattan and the fixture games, without limits unless `config` sets some."""
    if config is None:
        config = Config(
            data=data,
            house=False,
            connections_per_address=UNLIMITED,
            bounded=False,
        )
    journal = SqliteStore(data / "journal.sqlite")
    app = App(config, journal, all_games(), SystemClock(), outside=Outside(entry_hash=entry_hash))
    transport = app.listener(Report(app, 0))
    await app.open()
    port = await transport.open("127.0.0.1", 0)
    try:
        yield Running(app, port, transport)
    finally:
        await app.close()
        await transport.close()


def all_games() -> Mapping[str, Any]:  # Any: each game has a state class of its own
    """The games of the server and those of the tests, by key."""
    return games(("bluebear.rules", "tests.games"))
