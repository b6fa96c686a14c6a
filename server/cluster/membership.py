"""What makes a server a node among several."""

from __future__ import annotations

from dataclasses import dataclass

from bluebear.server.cluster.peers import Peers
from bluebear.server.cluster.room_leases import ClusterLeases


@dataclass(frozen=True, slots=True)
class Membership:
    """The leases of its rooms, and the other nodes; owned by the node."""

    leases: ClusterLeases
    peers: Peers
