"""`/fork`: makes a room in which a finished game goes on, and tells those who sat there."""

from __future__ import annotations

from bluebear.rules.core.record import RECORDED_BOT, format_record
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import ForkGame, NewRoom
from bluebear.server.commands.needs import RoomLine
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.making import Making
from bluebear.server.edge.past import Past
from bluebear.server.lookups import LookUps
from bluebear.server.people.account import account_of
from bluebear.server.people.people import People
from bluebear.server.room.creation import Pins
from bluebear.server.room.state import Privacy
from bluebear.server.rooms.loading import FinishedGame


class Forking:
    """Owned by the app."""

    def __init__(
        self,
        past: Past,
        making: Making,
        people: People,
        look_ups: LookUps,
        pins: Pins,
    ) -> None:
        self._past = past
        self._making = making
        self._people = people
        self._look_ups = look_ups
        self._pins = pins

    async def fork(self, connection: Connection, act: ForkGame, say_id: str) -> None:
        """Make the room and bring the speaker in, or tell him why not.

        The game of a private room goes on in a private one, for those who may know of the first.
        """
        try:
            game, record = await self._past.beginning(connection, act)
            if not self._pins.offers(game.game):
                offered = self._pins.offered
                raise NotAllowed("not_offered", given=game.game, candidates=offered)
            guests = await self._guests(connection, game)
        except Refusal as refusal:
            connection.refuse(say_id, refusal)
            return
        privacy = Privacy.PRIVATE if game.private else Privacy.PUBLIC
        made = NewRoom(game.game, privacy.value, "", format_record(record), guests)
        await self._making.make(connection, made, say_id)

    async def _guests(self, connection: Connection, game: FinishedGame) -> dict[str, str]:
        """Who sat there and is asked to come: not who does not want to hear of the speaker."""
        room = await self._room(game, connection) if game.private else None
        found = {}
        for name in dict.fromkeys(game.seats):
            if name.startswith(RECORDED_BOT):
                continue
            row = await self._people.find(name)
            if row is None or row.id == connection.person:
                continue
            if connection.person in account_of(row).lists.unheard:
                continue
            if not game.private or (room is not None and _knows(room, row.id)):
                found[row.id] = row.name
        return found

    async def _room(self, game: FinishedGame, connection: Connection) -> RoomLine | None:
        return await self._look_ups.room(game.room, connection.person)


def _knows(room: RoomLine, person: str) -> bool:
    return person not in room.banned and (person in room.admitted or room.of(person))
