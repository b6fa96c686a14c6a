"""How the whole server is doing: this process alone, or all nodes that live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar, Final

from msgspec import Struct

from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.cluster.attendance import OnlinePeople
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.sentences import say

ANSWER_SECONDS: Final = 2.0
"""So long a process has to say what it has; whoever asks is told which ones have not."""


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


class StatsQuery(NodeMessage, frozen=True):
    """Requests the share that a node has of the server."""

    answer: ClassVar[object] = NodeStats


class ServerStatus:
    """Owned by the app. `own` is what this process has."""

    def __init__(self, people: OnlinePeople, peers: Peers, stats: Callable[[], NodeStats]) -> None:
        self._people = people
        self._peers = peers
        self._stats = stats
        peers.hears(StatsQuery, lambda message: stats())

    async def text(self, lang: Lang) -> str:
        """Numbers in a sentence, and which processes have not answered."""
        peers = self._peers
        if peers.nodes is None:
            return _alone(self._stats(), await self._people.count(), lang)
        requests = [(peers.name_of(node), self._of_node(node)) for node in peers.ids]
        people, answers = await asyncio.gather(
            self._people.count(), asyncio.gather(*(_in_time(each) for _, each in requests))
        )
        names = [peers.name_of(peers.node), *(name for name, _ in requests)]
        shares = list(zip(names, (self._stats(), *answers), strict=True))
        return _together(shares, people, lang)

    async def _of_node(self, node: str) -> NodeStats:
        """What another node has. Raises NotAllowed where it is not reached."""
        replies: list[NodeStats] = await self._peers.ask([node], StatsQuery())
        if not replies:
            raise NotAllowed("not_saved")
        return replies[0]


async def _in_time(requests: Coroutine[Any, Any, NodeStats]) -> NodeStats | None:
    """What a process answers, if it does."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await requests
    except (Refusal, TimeoutError):
        return None


def _alone(stats: NodeStats, people: int, lang: Lang) -> str:
    return say(
        "answer.server",
        lang,
        version=stats.version,
        hours=stats.hours,
        people=people,
        connections=stats.connections,
        rooms=stats.rooms,
        games=stats.games,
        entries=stats.entries,
        troubles=", ".join(stats.troubles) or "-",
    )


def _together(
    shares: Sequence[tuple[str, NodeStats | None]],
    people: int,
    lang: Lang,
) -> str:
    """By the names of the processes; None: that one has not answered."""
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
