"""Who somebody is, changed by himself: logging out, keeping a name, coming in as somebody else."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, assert_never

from protocol import Bye, Close
from rules.core.refusal import NotAllowed
from server.commands.acts import AccountAct, LogOut
from server.commands.needs import Found, Wanted
from server.edge.connection import Connection
from server.edge.presence import Presence
from server.people.people import People
from server.room.state import Phase
from server.sentences import say

_OF_ONE: Final = Wanted(mine=True)
_RUNNING: Final = (Phase.PLAYING, Phase.PAUSED)
EVERYWHERE: Final = "all"
"""Instead of one grant: all of somebody's."""


class Accounts:
    """Owned by the app."""

    def __init__(
        self,
        people: People,
        presence: Presence,
        fetch: Callable[[Wanted, str], Coroutine[Any, Any, Found]],
    ) -> None:
        self._people = people
        self._presence = presence
        self._fetch = fetch

    async def perform(
        self, connection: Connection, act: AccountAct, done: Callable[[], None]
    ) -> None:
        """Carry out an act, and answer it by `done`. Raises Refusal."""
        match act:
            case LogOut():
                await self._log_out(connection, everywhere=act.everywhere)
                done()
                self._hang_up(connection.person, EVERYWHERE if act.everywhere else connection.grant)
            case _:
                assert_never(act)

    async def _log_out(self, connection: Connection, *, everywhere: bool) -> None:
        """What let him in is void; a guest without any other is nobody's, and his name free."""
        row = await self._people.person(connection.person)
        if row is not None and not row.kept:
            await self._check_may_go(connection)
        await self._people.log_out(
            connection.person, EVERYWHERE if everywhere else connection.grant
        )

    async def _check_may_go(self, connection: Connection) -> None:
        """NotAllowed (guest_seated) for a guest whom a game waits for: nobody could come back."""
        found = await self._fetch(_OF_ONE, connection.person)
        seats = [
            room.id
            for room in found.mine
            if room.phase in _RUNNING and connection.person in room.persons
        ]
        if seats:
            raise NotAllowed("guest_seated", rooms=seats)

    def _hang_up(self, person: str, grant: str) -> None:
        """Close the connections that a grant has let in."""
        for other in list(self._presence.of(person)):
            if grant in (EVERYWHERE, other.grant):
                other.send(Bye(why="logged_out", text=say("bye.logged_out", other.lang)))
                other.close(Close.BYE, "logged out")
