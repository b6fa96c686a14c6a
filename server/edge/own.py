"""What somebody sets for himself, and sees of it: vacations."""

from __future__ import annotations

from functools import partial

from server.clock import Clock
from server.commands.acts import OwnAct, SetVacation
from server.edge.connection import Connection
from server.engine.engine import Engine
from server.people.own import Own, ended_vacation, with_vacation
from server.people.people import People
from server.room.options import day_of
from server.sentences import say


class OwnThings:
    """Owned by the app."""

    def __init__(self, people: People, engine: Engine, clock: Clock) -> None:
        self._people = people
        self._engine = engine
        self._clock = clock

    async def perform(self, connection: Connection, act: OwnAct) -> str:
        """Carry out an act; what there is to say to its speaker. Raises Refusal."""
        match act:
            case SetVacation():
                return await self._vacation(connection, act.days)

    async def _vacation(self, connection: Connection, days: int | None) -> str:
        person, now = connection.person, self._clock.now()
        if days is None:
            return self._said(connection, await self._people.own(person), now)
        change = partial(with_vacation, days=days, now=now) if days else partial(_end, now=now)
        own = await self._people.change_own(person, change)
        await self._engine.be_away(person, own.away_until(now))
        return self._said(connection, own, now)

    def _said(self, connection: Connection, own: Own, now: int) -> str:
        until, left = own.away_until(now), own.days_left(now)
        if until:
            return say("answer.vacation", connection.lang, day=day_of(until), left=left)
        return say("answer.no_vacation", connection.lang, left=left)


def _end(own: Own, now: int) -> Own:
    return ended_vacation(own, now)
