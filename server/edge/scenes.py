"""What a line in the lobby is judged in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bluebear.rules.core.game import Game
from bluebear.server.clock import Clock
from bluebear.server.commands.needs import Found
from bluebear.server.commands.scene import Scene
from bluebear.server.edge.connection import Connection
from bluebear.server.room.creation import NO_PINS, Pins

_FRESH_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class LobbyScenes:
    """Makes scenes of the lobby; owned by the app."""

    games: Mapping[str, Game[Any]]  # Any: each game has a state class of its own
    clock: Clock
    fresh: Callable[[int], bytes]
    public_url: Callable[[], str]
    pins: Pins = NO_PINS

    def scene(self, connection: Connection, found: Found | None = None) -> Scene:
        """For a line of somebody, with what was looked up for it."""
        return Scene(
            speaker=connection.speaker,
            games=self.games,
            now=self.clock.now(),
            fresh=self.fresh(_FRESH_BYTES),
            found=found,
            public_url=self.public_url(),
            pins=self.pins,
            ascii="ascii" in connection.wants,
            linear="linear" in connection.wants,
        )
