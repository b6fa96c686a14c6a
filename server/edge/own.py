"""What somebody sets for himself, and sees of it: vacations, where he is told of his turns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from msgspec.structs import replace

from bluebear.server.clock import Clock
from bluebear.server.commands.acts import OwnAct, SetHook, SetVacation
from bluebear.server.edge.connection import Connection
from bluebear.server.people.own import Hook, Own, ended_vacation, with_vacation
from bluebear.server.people.people import People
from bluebear.server.room.options import day_of
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.rooms.webhooks import check_url, new_secret
from bluebear.server.sentences import say


class OwnThings:
    """Owned by the app."""

    def __init__(
        self,
        people: People,
        engine: RoomAccess,
        clock: Clock,
        fresh: Callable[[int], bytes],
        hosts: tuple[str, ...],
    ) -> None:
        self._people = people
        self._engine = engine
        self._clock = clock
        self._fresh = fresh
        self._hosts = hosts

    async def perform(self, connection: Connection, act: OwnAct) -> str:
        """Carry out an act; what there is to say to its speaker. Raises Refusal."""
        match act:
            case SetVacation():
                return await self._vacation(connection, act.days)
            case SetHook():
                return await self._hook(connection, act.url)

    async def _vacation(self, connection: Connection, days: int | None) -> str:
        person, now = connection.person, self._clock.now()
        if days is None:
            return self._said(connection, await self._people.own(person), now)
        change = partial(with_vacation, days=days, now=now) if days else partial(_end, now=now)
        own = await self._people.change_own(person, change)
        await self._engine.be_away(person, own.away_until(now))
        return self._said(connection, own, now)

    async def _hook(self, connection: Connection, url: str) -> str:
        person, lang = connection.person, connection.lang
        if not url:
            hook = (await self._people.own(person)).hook
            if hook is not None:
                return say("answer.hook", lang, host=urlsplit(hook.url).hostname or "")
            hosts = ", ".join(self._hosts)
            return say("answer.no_hook", lang, hosts=hosts) if hosts else say("answer.hooks", lang)
        if url == "off":
            await self._people.change_own(person, lambda own: replace(own, hook=None))
            return say("answer.hook_off", lang)
        check_url(url, self._hosts)
        hook = Hook(url, new_secret(self._fresh(64)), lang)
        await self._people.change_own(person, lambda own: replace(own, hook=hook))
        return say("answer.hook_on", lang, secret=hook.secret)

    def _said(self, connection: Connection, own: Own, now: int) -> str:
        until, left = own.away_until(now), own.days_left(now)
        if until:
            return say("answer.vacation", connection.lang, day=day_of(until), left=left)
        return say("answer.no_vacation", connection.lang, left=left)


def _end(own: Own, now: int) -> Own:
    return ended_vacation(own, now)
