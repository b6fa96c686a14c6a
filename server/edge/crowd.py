"""Who is connected to this server, at whichever of its edges: `Connected` for look-ups."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bluebear.rules.core.suggest import nearest
from bluebear.server.commands.needs import Companion
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.words import Company
from bluebear.server.journal import JournalError, Store
from bluebear.server.limits import ONLINE_SHOWN
from bluebear.server.observe import log
from bluebear.server.people.names import name_key

KNOWN_SECONDS: Final = 2.0
"""So long what the store says of who is there is good enough for a list of names."""


class Crowd:
    """Owned by the app."""

    def __init__(self, presence: Presence, others: Others, store: Store) -> None:
        self._presence = presence
        self._others = others
        self._store = store
        self._known: Sequence[tuple[str, str]] = ()
        self._total = 0
        self._known_until = 0.0
        others.hears(Company, lambda word: self._here(word.people))

    async def named(self, name: str) -> tuple[str, str] | None:
        """See `Connected`. Raises NotRead."""
        found = self._presence.named(name)
        if found is not None or self._others.way is None:
            return found
        row = await self._store.person_named(name_key(name))
        if row is None or row.id not in await self._others.elsewhere([row.id]):
            return None
        return row.id, row.name

    async def near(self, name: str) -> tuple[str, ...]:
        """See `Connected`."""
        if self._others.way is None:
            return self._presence.near(name)
        await self._look()
        far = {name_key(called): called for _, called in self._known}
        names = (*self._presence.near(name), *map(far.__getitem__, nearest(name_key(name), far)))
        return tuple(dict.fromkeys(names))

    async def some(self, limit: int) -> tuple[tuple[str, str], ...]:
        """See `Connected`."""
        found = dict(self._presence.some(limit))
        if self._others.way is not None:
            await self._look()
            for person, name in self._known[: limit - len(found)]:
                found.setdefault(person, name)
        return tuple(sorted(found.items(), key=lambda known: known[1]))

    async def count(self) -> int:
        """See `Connected`."""
        if self._others.way is not None:
            await self._look()
        return max(self._total, len(self._presence))

    async def company(self, people: Sequence[str]) -> list[tuple[Companion, list[str]]]:
        """See `Connected`."""
        found = {each.person: (each, rooms) for each, rooms in self._here(people)}
        asked: dict[str, list[str]] = {}
        for person, nodes in (await self._others.elsewhere(people)).items():
            for node in nodes:
                asked.setdefault(node, []).append(person)
        questions = (self._others.ask([node], Company(some)) for node, some in asked.items())
        for answers in await asyncio.gather(*questions):
            for answer in answers:
                for each, rooms in answer:
                    known = found.get(each.person)
                    found[each.person] = (
                        (each, rooms) if known is None else _both(*known, each, rooms)
                    )
        return [found[person] for person in people if person in found]

    def _here(self, people: Sequence[str]) -> list[tuple[Companion, list[str]]]:
        return [each for each in map(self._presence.company, people) if each is not None]

    async def _look(self) -> None:
        """Read who is there, if that was not done just now; names and a number, no more."""
        way, now = self._others.way, asyncio.get_running_loop().time()
        if way is None or now < self._known_until:
            return
        self._known_until = now + KNOWN_SECONDS
        try:
            self._known, self._total = await way.crowd(ONLINE_SHOWN)
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))


def _both(
    one: Companion, rooms: list[str], other: Companion, more: list[str]
) -> tuple[Companion, list[str]]:
    """Somebody who is at two edges."""
    away = one.away if one.away is not None else other.away
    known = replace(one, since=min(one.since, other.since), away=away)
    return known, list(dict.fromkeys((*rooms, *more)))
