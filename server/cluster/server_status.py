"""How the whole server is doing: this process alone, or all nodes that live."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.phrases import Lang
from bluebear.server.cluster.attendance import OnlinePeople
from bluebear.server.cluster.life import LATE_SECONDS
from bluebear.server.cluster.peers import Peers
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
        if peers.nodes is None:
            stats = self._stats()
            return say(
                "answer.server",
                lang,
                version=stats.version,
                hours=stats.hours,
                people=await self._people.count(),
                connections=stats.connections,
                rooms=stats.rooms,
                games=stats.games,
                entries=stats.entries,
                troubles=", ".join(stats.troubles) or "-",
            )
        node_name = peers.node.rpartition(".")[0]
        shares: list[tuple[str, NodeStats | None]] = [(node_name, self._stats())]
        shares += [(each.name, _reported(each)) for each in peers.living]
        return _together(shares, await self._people.count(), lang)


def _reported(node: Living) -> NodeStats | None:
    """What a node has reported; None where it is late, or of a version with other statistics."""
    if node.stats is None or node.beat_seconds is None or node.beat_seconds > LATE_SECONDS:
        return None
    try:
        return msgspec.json.decode(node.stats, type=NodeStats)
    except msgspec.DecodeError:
        return None


def _together(
    shares: Sequence[tuple[str, NodeStats | None]],
    people: int,
    lang: Lang,
) -> str:
    """By the names of the nodes; None: that one is late."""
    replies = [share for _, share in shares if share is not None]
    troubles = (f"{n}: {', '.join(s.troubles)}" for n, s in shares if s is not None and s.troubles)
    text = say(
        "answer.server_whole",
        lang,
        version=" / ".join(sorted({each.version for each in replies})),
        nodes=len(shares),
        hours=max(each.hours for each in replies),
        people=people,
        connections=sum(each.connections for each in replies),
        rooms=sum(each.rooms for each in replies),
        games=sum(each.games for each in replies),
        entries=sum(each.entries for each in replies),
        troubles="; ".join(troubles) or "-",
    )
    silent = ", ".join(name for name, share in shares if share is None)
    return f"{text}\n{say('answer.server_silent', lang, names=silent)}" if silent else text
