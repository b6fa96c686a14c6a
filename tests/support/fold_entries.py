"""Folding many entries at once."""

from __future__ import annotations

from collections.abc import Iterable

from bluebear.server.room.fold_context import Games
from bluebear.server.room.reducer import fold
from bluebear.server.room.state import Room
from bluebear.server.store import Entry


def fold_all(room: Room | None, entries: Iterable[Entry], games: Games) -> Room | None:
    """Fold entries one after the other: loading a room."""
    for entry in entries:
        room = fold(room, entry, games).room
    return room
