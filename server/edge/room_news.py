"""What rooms of this process report, passed on: to the lobby, to other nodes, to guests."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.store import Summary

GATHER_SECONDS: Final = 0.5
"""Between two times that other nodes are told of changed rows."""


class RoomsChanged(NodeMessage, frozen=True):
    """Rows of rooms have changed, or the people in them."""


class Invited(NodeMessage, frozen=True):
    """A person (by id) is invited by another one (by name) into a room."""

    guest: str
    host: str
    room: str


class RoomWatcher(Protocol):
    """Shows rooms to people: the features of the app."""

    def rooms_changed(self) -> None: ...

    def row_changed(self, row: Summary) -> None: ...

    def invited(self, guest: str, host: str, room: str) -> None: ...


class RoomNews:
    """The `RoomListener` of this process; owned by the app."""

    def __init__(self, peers: Peers) -> None:
        self._features: RoomWatcher | None = None
        self._peers = peers
        self._timer: asyncio.TimerHandle | None = None

    def show(self, features: RoomWatcher) -> None:
        """Report to these features from now on."""
        self._features = features
        self._peers.hears(RoomsChanged, lambda message: features.rooms_changed())
        self._peers.hears(Invited, lambda m: features.invited(m.guest, m.host, m.room))

    def close(self) -> None:
        """Report to other nodes no more."""
        if self._timer is not None:
            self._timer.cancel()

    def changed(self, row: Summary) -> None:
        """See `RoomListener`."""
        if self._features is not None:
            self._features.row_changed(row)
        if self._peers.ids:
            self._tell_soon()

    def attended(self) -> None:
        """See `RoomListener`."""
        if self._features is not None:
            self._features.rooms_changed()
        if self._peers.ids:
            self._tell_soon()

    def invited(self, guest: str, host: str, room: str) -> None:
        """See `RoomListener`: the guest is notified wherever they are."""
        if self._features is not None:
            self._features.invited(guest, host, room)
        self._peers.tell_of(guest, Invited(guest, host, room))

    def _tell_soon(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(GATHER_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        self._peers.tell(RoomsChanged())
