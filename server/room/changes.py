"""What one entry changed in a room, for whoever shows it to the members."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from bluebear.rules.core.game import NO_CHANGES, Game, Outcome
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Event
from bluebear.server.room.state import TABLE, Room, Table
from bluebear.server.room.versions import shown_by


class RoomChanges:
    """How a room differs from the one before; worked out when it is asked for, once.

    `draft` is the table's, None if it was not opened; `outcome` that of the one move of the entry.
    Without it (several moves, undo) two states of the game are compared.
    """

    def __init__(
        self,
        before: Room,
        after: Room,
        games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
        draft: Table | None,
        outcome: Outcome[Any] | None,
    ) -> None:
        self._before = before
        self._after = after
        self._games = games
        self._draft = draft
        self._outcome = outcome

    @cached_property
    def table(self) -> Changes:
        """What differs in the table."""
        if self._draft is None:
            return NO_CHANGES
        return TABLE.changes(self._draft, self._before.table)

    @cached_property
    def game(self) -> Changes:
        """What differs in the game; nothing where it begins or is cleared away as a whole."""
        old, new = self._before.game, self._after.game
        if old is new or old is None or new is None:
            return NO_CHANGES
        if self._outcome is not None:
            return self._outcome.changes
        game = shown_by(self._games, self._after)
        if game is None:
            return NO_CHANGES
        tree = game.tree
        owns = {seat: tree.diff_private(old, new, seat) for seat in self._after.seats}
        own = {seat: part for seat, part in owns.items() if part is not None}
        return Changes(tree.diff_public(old, new), own, tree.secret_changed(old, new))


class Folded(Struct, frozen=True):
    """The room after an entry, what this told and changed, the game's digest where one is due.

    `sent_out` is the person who has to leave the room by it.
    """

    room: Room
    events: tuple[Event, ...]
    changes: RoomChanges
    digest: str
    sent_out: str = ""
