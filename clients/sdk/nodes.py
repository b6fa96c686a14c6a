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
from bluebear.clients.transport.backoff import Backoff

ROUNDS_MAX: Final = 3
"""Times that a room is followed without an entry, before the line that led there is refused."""

QUIET_ROUNDS: Final = 10
"""The same for a room that one is in, before that is said: a killed node is replaced sooner."""

FURTHER_MAX: Final = 4
"""Sessions beside the main one: a server allows five connections of a person."""

OTHER_NODE_SECONDS: Final = 0.2
"""Pause before a room of a lost node is asked for at another one."""

AGAIN: Final = Backoff(first_seconds=0.5, longest_seconds=8.0)
"""Pauses before an address is tried again that fails; they grow after the quiet rounds."""

PING_PONG_SECONDS: Final = 1.0
"""Pause of a room that two nodes say is at the other one."""


class Wires(Protocol):
    """Connects sessions; owned by the client."""

    def open(self, session: ClientSession, pause_seconds: float) -> None:
        """Connect a new session to its address after a pause, and pass on its hello."""

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
        self._failed = ""
        """The address that was lost last, until anything succeeds."""

    def __iter__(self) -> Iterator[ClientSession]:
        return iter((self.main, *self._beside))

    def session_of(self, room: RoomId | None) -> ClientSession:
        """The session of a room; the main one for any other."""
        return next((each for each in self if room in each.rooms), self.main)

    def _follow(self, source: ClientSession, moved: Transfer) -> None:
        assert moved.room is not None  # only a whole session is moved without one
        self._rounds[moved.room] += 1
        rounds = self._rounds[moved.room]
        target = next((each for each in self if each.url == moved.url), None)
        is_full = target is None and len(self._beside) >= FURTHER_MAX
        if is_full or (rounds > ROUNDS_MAX and not moved.joined):
            del self._rounds[moved.room]
            self._wires.do(source, source.refuse(moved))
            return
        if rounds == QUIET_ROUNDS + 1:
            self._wires.do(source, source.report(moved))
        if target is None:
            target = self.main.beside()
            target.url = moved.url
            self._beside.append(target)
            target.adopt(moved)
            late = max(rounds - QUIET_ROUNDS, 0 if moved.url == self._failed else -1)
            self._wires.open(target, AGAIN.seconds(late, jitter=1.0) if late >= 0 else 0.0)
        else:
            pause = PING_PONG_SECONDS if rounds > ROUNDS_MAX else 0.0
            self._wires.do(target, target.adopt(moved, pause_seconds=pause))
        if source is self.main and source.is_idle and source is not target:
            if target.welcomed:
                self._become_main(target)
            else:
                self._next = target

    def lost(self, session: ClientSession) -> bool:
        """The connection of a session is lost; whether the session is over by that."""
        self._failed = session.url
        if session in self._beside:
            self._drop(session)
            for each in session.release():
                self._wires.do(self.main, self.main.adopt(each, pause_seconds=OTHER_NODE_SECONDS))
        return session is not self.main

    def handle(self, session: ClientSession, output: SessionOutput) -> Iterator[Happening]:
        """Follow what has moved; the events that the person has not had from the main session."""
        for event in output.happened:
            if isinstance(event, Entered | Synced):
                self._rounds.pop(event.room, None)
            if isinstance(event, Entered | Synced | Welcomed):
                self._failed = ""
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
    is_note = isinstance(event, Noted) and event.room is None and not session.is_waiting
    return is_note or isinstance(event, Welcomed)
