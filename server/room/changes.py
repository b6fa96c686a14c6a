"""What one entry changed in a room, for whoever shows it to the members."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgspec import Struct

from bluebear.rules.core.game import NO_CHANGES, Game
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Event
from bluebear.server.room.state import Room


class RoomChanges:
    """How a room differs from the one before, with the patches of `table`.

    `patches` are those of the one move of the entry. Without them (several moves, undo) the two
    states of `game` are compared, once, when the patches are asked for.
    """

    def __init__(
        self,
        before: Room,
        after: Room,
        game: Game[Any] | None,  # Any: each game has a state class of its own
        table: Changes,
        patches: Changes | None,
    ) -> None:
        self.table = table
        self._before = before
        self._after = after
        self._game = game
        if patches is not None:
            self.game = patches

    @cached_property
    def game(self) -> Changes:
        """What differs in the game; nothing where it begins or is cleared away as a whole."""
        old, new = self._before.game, self._after.game
        if old is new or old is None or new is None:
            return NO_CHANGES
        return NO_CHANGES if self._game is None else self._game.tree.changes(old, new)


class Folded(Struct, frozen=True):
    """The room after an entry, what this told and changed, the game's digest where one is due.

    `sent_out` is the person who has to leave the room by it.
    """

    room: Room
    events: tuple[Event, ...]
    changes: RoomChanges
    digest: str
    sent_out: str = ""
