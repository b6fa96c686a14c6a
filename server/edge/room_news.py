"""What rooms of this process report, passed on: to the lobby, to other processes, to guests."""

from __future__ import annotations

from typing import Protocol

from bluebear.protocol import Note
from bluebear.server.edge.presence import Presence
from bluebear.server.journal import Summary
from bluebear.server.room.state import Phase
from bluebear.server.rooms.access import RoomListener
from bluebear.server.rooms.outbox_worker import Notifier
from bluebear.server.sentences import say


class RoomWatcher(Protocol):
    """Shows lists of rooms."""

    def rooms_changed(self) -> None: ...


class RoomNews:
    """The `RoomListener` of this process; owned by the app."""

    def __init__(self, presence: Presence, notifier: Notifier) -> None:
        self._presence = presence
        self._notifier = notifier
        self.features: RoomWatcher | None = None
        """What shows lists of rooms, once it is made."""
        self.edges: RoomListener | None = None
        """The edges that are linked to this process, where it is one of several engines."""

    def changed(self, row: Summary) -> None:
        """See `RoomListener`."""
        if self.features is not None:
            self.features.rooms_changed()
        if self.edges is not None:
            self.edges.changed(row)
        if row.deadline is not None or row.phase == Phase.OVER:
            self._notifier.look()

    def attended(self) -> None:
        """See `RoomListener`."""
        if self.features is not None:
            self.features.rooms_changed()
        if self.edges is not None:
            self.edges.attended()

    def invited(self, guest: str, host: str, room: str) -> None:
        """See `RoomListener`: the guest is notified wherever they are."""
        if self.edges is not None:
            self.edges.invited(guest, host, room)
        for connection in self._presence.of(guest):
            line = f"/room {room}"
            text = say("note.invited", connection.lang, name=host, line=line)
            connection.send(Note(code="invited", text=text, said=line))
