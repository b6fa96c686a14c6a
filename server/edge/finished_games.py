"""Finished games, for people who may look at them."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.edge.connection import Connection
from bluebear.server.lookups import LookUps
from bluebear.server.observe import log
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.rooms.loading import FinishedGame, read_finished
from bluebear.server.store import JournalError, Store


@dataclass(frozen=True, slots=True)
class FinishedGames:
    """Owned by the app."""

    store: Store
    rooms: RoomAccess
    look_ups: LookUps

    async def find(self, connection: Connection, game_id: str) -> FinishedGame:
        """A finished game that a person may look at. Raises NotAllowed: no_such_record, not_saved.

        A private room's game is for people who may know of the room.
        """
        result = await self._read(game_id)
        if result is None or not await self._may_have(connection, result):
            raise NotAllowed("no_such_record", given=game_id)
        return result

    async def _read(self, game_id: str) -> FinishedGame | None:
        try:
            return await read_finished(self.store, game_id)
        except JournalError as problem:
            log(logging.ERROR, "record not loaded", why=str(problem))
            raise NotAllowed("not_saved") from problem

    async def _may_have(self, connection: Connection, game: FinishedGame) -> bool:
        if not game.private:
            return True
        person = connection.person
        line = await self.look_ups.room(game.room, person)
        return line is not None and (person in line.admitted or line.of(person))

    async def about(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        """What the public may know of a finished game; None of one of a private room."""
        result = await self._read(game_id)
        if result is None or result.private:
            return None
        return {
            "game": result.game,
            "seats": list(result.names),
            "steps": result.steps,
            "ended": result.at,
        }

    async def resolve(self, connection: Connection, room: str, game_id: str) -> str:
        """The id of a game: the one given, just over in the room, or stepped through.

        Raises NotAllowed (no_replay) if it is none.
        """
        if game_id:
            return game_id
        status = await self.rooms.status(room) if room else None
        if status is not None and status.over:
            return status.game_id
        if connection.replaying[0]:
            return connection.replaying[0]
        raise NotAllowed("no_replay")
