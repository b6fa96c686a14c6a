"""How the whole server is doing: this process alone, or all nodes that live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar, Final

from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.edge.crowd import Crowd
from bluebear.server.rooms.access import NodeStats
from bluebear.server.sentences import say

ANSWER_SECONDS: Final = 2.0
"""So long a process has to say what it has; whoever asks is told which ones have not."""


class ShareAsked(NodeMessage, frozen=True):
    """Requests the share that a node has of the server."""

    answer: ClassVar[object] = NodeStats


class Whole:
    """Owned by the app. `own` is what this process has."""

    def __init__(self, crowd: Crowd, peers: Peers, own: Callable[[], NodeStats]) -> None:
        self._crowd = crowd
        self._peers = peers
        self._own = own
        peers.hears(ShareAsked, lambda message: own())

    async def told(self, lang: Lang) -> str:
        """Numbers in a sentence, and which processes have not answered."""
        peers = self._peers
        if peers.nodes is None:
            return _alone(self._own(), await self._crowd.count(), lang)
        asked = [(peers.name_of(node), self._of_node(node)) for node in peers.ids]
        people, answers = await asyncio.gather(
            self._crowd.count(), asyncio.gather(*(_in_time(each) for _, each in asked))
        )
        names = [peers.name_of(peers.node), *(name for name, _ in asked)]
        shares = list(zip(names, (self._own(), *answers), strict=True))
        return _together(shares, people, lang)

    async def _of_node(self, node: str) -> NodeStats:
        """What another node has. Raises NotAllowed where it is not reached."""
        found: list[NodeStats] = await self._peers.ask([node], ShareAsked())
        if not found:
            raise NotAllowed("not_saved")
        return found[0]


async def _in_time(asked: Coroutine[Any, Any, NodeStats]) -> NodeStats | None:
    """What a process answers, if it does."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await asked
    except (Refusal, TimeoutError):
        return None


def _alone(own: NodeStats, people: int, lang: Lang) -> str:
    return say(
        "answer.server",
        lang,
        version=own.version,
        hours=own.hours,
        people=people,
        connections=own.connections,
        rooms=own.rooms,
        games=own.games,
        entries=own.entries,
        troubles=", ".join(own.troubles) or "-",
    )


def _together(
    shares: Sequence[tuple[str, NodeStats | None]],
    people: int,
    lang: Lang,
) -> str:
    """By the names of the processes; None: that one has not answered."""
    found = [share for _, share in shares if share is not None]
    troubles = (f"{n}: {', '.join(s.troubles)}" for n, s in shares if s is not None and s.troubles)
    text = say(
        "answer.server_whole",
        lang,
        version=" / ".join(sorted({each.version for each in found})),
        nodes=len(shares),
        hours=max(each.hours for each in found),
        people=people,
        connections=sum(each.connections for each in found),
        rooms=sum(each.rooms for each in found),
        games=sum(each.games for each in found),
        entries=sum(each.entries for each in found),
        troubles="; ".join(troubles) or "-",
    )
    silent = ", ".join(name for name, share in shares if share is None)
    return f"{text}\n{say('answer.server_silent', lang, names=silent)}" if silent else text
