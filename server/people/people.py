"""People at the server: guests, names and tokens, each person a stream of entries.

That a name is somebody's is decided by the journal, not by memory: two servers over one store
could not both give it away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from rules.core.refusal import NotAllowed
from server.clock import Clock
from server.journal import Answer as Answered
from server.journal import (
    Append,
    GroupWriter,
    JournalError,
    NotSaved,
    PersonRow,
    Store,
    Taken,
    Written,
)
from server.limits import DISK_RETRY_SECONDS
from server.observe import log
from server.people.names import clean_name
from server.people.person import Guest, append_of, is_good, new_guest, renamed, seen
from server.tokens import token_hash


class People:
    """Owned by the app. Raises NotAllowed (not_saved) where the disk cannot say or take."""

    def __init__(
        self, store: Store, writer: GroupWriter, clock: Clock, fresh: Callable[[int], bytes]
    ) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._fresh = fresh

    async def guest(self, name: str, *, human: bool) -> Guest:
        """Somebody new. Raises NotAllowed: name_bad, name_taken."""
        now = self._clock.now()
        guest = new_guest(clean_name(name), human=human, fresh=self._fresh(64), now=now)
        await self._write(guest.row, None, name)
        return guest

    async def rename(self, person: str, name: str) -> PersonRow:
        """Somebody under another name. Raises NotAllowed: name_bad, name_taken, unauthorized."""
        cleaned = clean_name(name)
        before = await self._known(self._store.person(person))
        if before is None:
            raise NotAllowed("unauthorized")
        row = renamed(before, cleaned)
        await self._write(row, before, name)
        return row

    async def by_token(self, token: str) -> PersonRow | None:
        """Who holds a token that is still good."""
        row = await self._known(self._store.person_of_token(token_hash(token)))
        return row if row is not None and is_good(row, self._clock.now()) else None

    async def note_use(self, row: PersonRow) -> None:
        """Keep somebody's token alive; where that fails, the next time will do."""
        fresh = seen(row, self._clock.now())
        if fresh is None:
            return
        try:
            await self._write(fresh, row, row.name)
        except NotAllowed as refusal:
            log(logging.WARNING, "use of a token not noted", why=refusal.code)

    async def _known(self, asked: Coroutine[Any, Any, PersonRow | None]) -> PersonRow | None:
        try:
            return await asked
        except JournalError as problem:
            log(logging.ERROR, "person not looked up", why=str(problem))
            raise NotAllowed("not_saved") from problem

    async def _write(self, row: PersonRow, before: PersonRow | None, given: str) -> None:
        """Write a row's entry; NotAllowed: name_taken, not_saved."""
        answer = await self._append(append_of(row, before, self._clock.now()))
        if isinstance(answer, NotSaved) and not answer.certain:
            answer = await self._read_back(row)
        if isinstance(answer, Taken):
            raise NotAllowed("name_taken", given=given)
        if not isinstance(answer, Written):
            # Fenced: another connection of the same person was quicker; saying it again will do.
            raise NotAllowed("not_saved")

    async def _append(self, append: Append) -> Answered:
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

        def answered(answer: Answered) -> None:
            if not future.done():
                future.set_result(answer)

        self._writer.submit(append, answered)
        return await future

    async def _read_back(self, row: PersonRow) -> Answered:
        """Whether a row was written, where the commit could not tell."""
        while True:
            try:
                found = await self._store.person(row.id)
            except JournalError as problem:
                log(logging.ERROR, "person not read back", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
                continue
            return Written(row.seq) if found == row else NotSaved("not written")
