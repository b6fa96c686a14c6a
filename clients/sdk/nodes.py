"""The sessions of one person at several nodes of a server; without I/O.

The main session has the lobby, and comes back by itself. A room that has moved is followed: by the
main session where it has nothing else to do, else by a further one. A further session that loses
its connection gives its rooms back to the main one, which asks for them anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol

from bluebear.clients.sdk.client_events import (
    Entered,
    Happening,
    Noted,
    RoomId,
    Synced,
    Welcomed,
)
from bluebear.clients.sdk.session import ClientSession, SessionOutput, Transfer

ROUNDS_MAX: Final = 3
"""Times that a room is followed without an entry, before the line that led there is refused."""


class Wires(Protocol):
    """Connects sessions; owned by the client."""

    def open(self, session: ClientSession) -> None:
        """Connect a new session to its address, and pass on its hello."""

    def close(self, session: ClientSession) -> None:
        """A session is of no use any more."""

    def do(self, session: ClientSession, output: SessionOutput) -> None:
        """Send messages of a session, and emit its events."""


class Nodes:
    """Owned by the client, whose `wires` connect the sessions."""

    def __init__(self, main: ClientSession, wires: Wires) -> None:
        self.main = main
        self._wires = wires
        self._beside: list[ClientSession] = []
        """Further sessions."""
        self._next: ClientSession | None = None
        """The session that becomes the main one as soon as it is welcome."""
        self._rounds: Counter[RoomId] = Counter()

    def __iter__(self) -> Iterator[ClientSession]:
        return iter((self.main, *self._beside))

    def session_of(self, room: RoomId | None) -> ClientSession:
        """The session of a room; the main one for any other."""
        return next((each for each in self if room in each.rooms), self.main)

    def _follow(self, source: ClientSession, moved: Transfer) -> None:
        assert moved.room is not None  # only a whole session is moved without one
        self._rounds[moved.room] += 1
        if self._rounds[moved.room] > ROUNDS_MAX and not moved.joined:
            del self._rounds[moved.room]
            self._wires.do(source, source.refuse(moved))
            return
        target = next((each for each in self if each.url == moved.url), None)
        if target is None:
            target = source.beside()
            target.url = moved.url
            self._beside.append(target)
            target.adopt(moved)
            self._wires.open(target)
        else:
            later = self._rounds[moved.room] > ROUNDS_MAX
            self._wires.do(target, target.adopt(moved, later=later))
        if source is self.main and source.is_idle and source is not target:
            if target.welcomed:
                self._become_main(target)
            else:
                self._next = target

    def lost(self, session: ClientSession) -> bool:
        """The connection of a session is lost; whether the session is over by that."""
        if session is self.main:
            return False
        self._drop(session)
        for each in session.release():
            self._wires.do(self.main, self.main.adopt(each, later=True))
        return True

    def handle(self, session: ClientSession, output: SessionOutput) -> Iterator[Happening]:
        """Follow what has moved; the events that the person has not had from the main session."""
        for event in output.happened:
            if isinstance(event, Entered | Synced):
                self._rounds.pop(event.room, None)
            if isinstance(event, Welcomed) and session is self._next:
                self._next = None
                if self.main.is_idle:
                    self._become_main(session)
            elif session is self.main or not _is_for_person(event, session):
                yield event
        for moved in output.moved:
            self._follow(session, moved)
        if session.welcomed and session.is_idle and session in self._beside:
            self._drop(session)

    def _become_main(self, session: ClientSession) -> None:
        old, self.main = self.main, session
        session.replace_main(old)
        self._beside.remove(session)
        self._wires.close(old)

    def _drop(self, session: ClientSession) -> None:
        self._beside.remove(session)
        if session is self._next:
            self._next = None
        self._wires.close(session)


def _is_for_person(event: Happening, session: ClientSession) -> bool:
    """Whether an event of a further session reaches the person by the main one as well."""
    if isinstance(event, Noted):
        return event.room is None and not session.is_waiting
    return isinstance(event, Welcomed)
