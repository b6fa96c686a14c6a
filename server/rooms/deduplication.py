"""Lines that may have been written before: repeated after a lost answer, or of unknown outcome."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bluebear.protocol import Done, Error, RoomNumber, Version
from bluebear.server.commands.acts import Enter
from bluebear.server.journal import Deposed, Journal, JournalError
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.observe import log
from bluebear.server.rooms.members import MemberConnection
from bluebear.server.tasks import Tasks


class Deduplicator:
    """Owned by the engine.

    `go_in` says that a line led into its room (it made the room, or spent an invite): if its answer
    got lost, whoever said it is not in the room yet, and goes in.
    """

    def __init__(
        self,
        journal: Journal,
        tasks: Tasks,
        number_of: Callable[[MemberConnection, str], RoomNumber | None],
        version_of: Callable[[MemberConnection, str, int], Version | None],
        enter: Callable[[MemberConnection, Enter, str], None],
    ) -> None:
        self._journal = journal
        self._start = tasks.start
        self._number_of = number_of
        self._version_of = version_of
        self._enter = enter

    def look_up(
        self, client: MemberConnection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        """Was a line written? Asked where it would be refused, and where nobody can tell."""
        self._start(self._look_up(client, say_id, otherwise, go_in=go_in))

    async def _look_up(
        self, client: MemberConnection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        try:
            found = await self._journal.find(client.actor.text, say_id)
        except JournalError as problem:
            log(logging.ERROR, "line not looked up", why=str(problem))
            if client.gone or isinstance(problem, Deposed):
                return
            await asyncio.sleep(DISK_RETRY_SECONDS)
            self.look_up(client, say_id, otherwise, go_in=go_in)
            return
        if found is None:
            client.answer(otherwise)
        else:
            self.again(client, say_id, *found, go_in=go_in)

    def again(
        self, client: MemberConnection, say_id: str, stream: str, seq: int, *, go_in: bool
    ) -> None:
        """Answer a line that is entry `seq` of a stream already."""
        number = self._number_of(client, stream)
        if number is None and go_in:
            self._enter(client, Enter(stream), say_id)
        else:
            version = self._version_of(client, stream, seq)
            client.answer(Done(id=say_id, room=number, version=version))
