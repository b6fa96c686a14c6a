"""What a line in the lobby is judged in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bluebear.server.commands.needs import NOTHING, Offers
from bluebear.server.commands.scene import Scene
from bluebear.server.edge.connection import Connection
from bluebear.server.resources import Resources

_FRESH_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class LobbyScenes:
    """Makes scenes of the lobby; owned by the app."""

    resources: Resources

    def scene(self, connection: Connection, offers: Offers = NOTHING) -> Scene:
        """For a line of somebody, with what was looked up for it."""
        resources = self.resources
        return Scene(
            speaker=connection.speaker,
            games=resources.games,
            now=resources.clock.now(),
            fresh=resources.fresh(_FRESH_BYTES),
            offers=offers,
            public_url=resources.public_url,
            pins=resources.pins,
            ascii="ascii" in connection.wants,
            linear="linear" in connection.wants,
        )
