"""What makes a server a node among several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bluebear.server.cluster.messenger import Messenger
from bluebear.server.cluster.room_leases import ClusterLeases


@dataclass(frozen=True, slots=True)
class Membership:
    """The leases of its rooms, and its way to the other nodes; owned by the node."""

    leases: ClusterLeases
    messenger: Messenger
    addresses: Callable[[], tuple[str, ...]]
    """Where clients reach nodes, this one first."""
