"""How the whole server is doing: this process alone, or all nodes that live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.phrases import Lang
from bluebear.server.cluster.attendance import OnlinePeople
from bluebear.server.cluster.peers import Peers
from bluebear.server.cluster.room_leases import LATE_SECONDS
from bluebear.server.sentences import say
from bluebear.server.store.leases import Living

REPORT_SECONDS: Final = 5.0
"""Between two times that a node reports its statistics to the others."""


class NodeStats(Struct, array_like=True, frozen=True):
    """As the process counts it; `hours` is how long it has run, `troubles` are those of its health.

    `connections` count those of house bots; `rooms` are in memory, and in `games` of them people
    play; `entries` were written since its start.
    """

    version: str
    hours: int
    connections: int
    rooms: int
    games: int
    entries: int
    troubles: list[str]


class ServerStatus:
    """Owned by the app; `stats` returns what this process has."""

    def __init__(self, people: OnlinePeople, peers: Peers, stats: Callable[[], NodeStats]) -> None:
        self._people = people
        self._peers = peers
        self._stats = stats

    async def text(self, lang: Lang) -> str:
        """Numbers in a sentence, those of other nodes as last reported; and which are late."""
        peers = self._peers
        shares: list[tuple[str, NodeStats | None]]
        shares = [(peers.node.rpartition(".")[0], self._stats())]
        shares += [(each.name, _reported(each)) for each in peers.living]
        replies = [share for _, share in shares if share is not None]
        troubled = ((f"{n}: " if n else "", s.troubles) for n, s in shares if s and s.troubles)
        text = say(
            "answer.server" if peers.nodes is None else "answer.server_whole",
            lang,
            version=" / ".join(sorted({each.version for each in replies})),
            nodes=len(shares),
            hours=max(each.hours for each in replies),
            people=await self._people.count(),
            connections=sum(each.connections for each in replies),
            rooms=sum(each.rooms for each in replies),
            games=sum(each.games for each in replies),
            entries=sum(each.entries for each in replies),
            troubles="; ".join(node + ", ".join(each) for node, each in troubled) or "-",
        )
        silent = ", ".join(name for name, share in shares if share is None)
        return f"{text}\n{say('answer.server_silent', lang, names=silent)}" if silent else text


def _reported(node: Living) -> NodeStats | None:
    """What a node has reported; None where it is late, or of a version with other statistics."""
    if node.stats is None or node.beat_seconds is None or node.beat_seconds > LATE_SECONDS:
        return None
    try:
        return msgspec.json.decode(node.stats, type=NodeStats)
    except msgspec.DecodeError:
        return None
