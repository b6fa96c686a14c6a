"""What rooms of this process report, passed on: to the lobby, to other processes, to guests."""

from __future__ import annotations

from typing import Protocol

from bluebear.server.rooms.access import RoomListener
from bluebear.server.store import Summary


class RoomWatcher(Protocol):
    """Shows rooms to people: the features of the app."""

    def rooms_changed(self) -> None: ...

    def row_changed(self, row: Summary) -> None: ...

    def invited(self, guest: str, host: str, room: str) -> None: ...


class RoomNews:
    """The `RoomListener` of this process; owned by the app."""

    def __init__(self) -> None:
        self.features: RoomWatcher | None = None
        """What shows rooms, once it is made."""
        self.edges: RoomListener | None = None
        """The edges that are linked to this process, where it is one of several engines."""

    def changed(self, row: Summary) -> None:
        """See `RoomListener`."""
        if self.features is not None:
            self.features.row_changed(row)
        if self.edges is not None:
            self.edges.changed(row)

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
        if self.features is not None:
            self.features.invited(guest, host, room)
