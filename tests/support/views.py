"""What eyes see of a room, for tests that look at a server from outside."""

from __future__ import annotations

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Eyes
from bluebear.server.room.state import Room
from bluebear.server.rooms.views import AnyGame, VersionViews


def view_of(room: Room, game: AnyGame, eyes: Eyes) -> Shaped:
    """The whole view: the tree `{room, game}`, without `game` before the start."""
    return VersionViews(room, game).view(eyes)
