"""What nodes learn of each other: changed rooms, invited guests, wrong tries, statistics."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.phrases import Lang
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.cluster.room_leases import LATE_SECONDS
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import Cost
from bluebear.server.rooms.active_room import RoomHooks
from bluebear.server.runtime import Tasks
from bluebear.server.sentences import say
from bluebear.server.store.leases import Living

GATHER_SECONDS: Final = 0.5
"""At least so long (seconds) between two notifications of changed rows."""


class RoomsChanged(NodeMessage, frozen=True):
    """Rows of rooms have changed, or the people in them."""


class Invited(NodeMessage, frozen=True):
    """A person (by id) is invited by another one (by name) into a room."""

    guest: str
    host: str
    room: str


class RoomNews:
    """The `RoomListener` of this process; owned by the app."""

    def __init__(self, peers: Peers, tasks: Tasks) -> None:
        self._peers = peers
        self._start = tasks.start
        self._is_due = False

    def show(self, hooks: RoomHooks) -> None:
        """Pass what other nodes tell to the features of this one."""
        self._peers.hears(RoomsChanged, lambda message: hooks.tell_changed())
        self._peers.hears(Invited, lambda m: hooks.tell_invited(m.guest, m.host, m.room))

    def invited(self, guest: str, host: str, room: str) -> None:
        """See `RoomListener`: the guest is notified wherever they are."""
        self._peers.tell(Invited(guest, host, room))

    def changed(self) -> None:
        if self._peers.ids and not self._is_due:
            self._is_due = True
            self._start(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._is_due = False
        self._peers.tell(RoomsChanged())


TELL_SECONDS: Final = 0.1
"""Costs are sent after so long; what a right token gives back meanwhile is not."""

_COSTS: Final = frozenset(map(str, Cost))


class Spent(NodeMessage, frozen=True):
    """The costs of recent wrong tries: which bound, the network, the person, how much."""

    spent: list[tuple[str, str, str, float]]


class SharedRateLimits:
    """Owned by the app; shares the costs of the budgets of this node with the others."""

    def __init__(self, budgets: Budgets, peers: Peers, tasks: Tasks) -> None:
        self._budgets = budgets
        self._peers = peers
        self._start = tasks.start
        self._spent: dict[tuple[Cost, str, str], float] = {}
        budgets.sharer = self
        peers.hears(Spent, self._spent_at_peer)

    def spent(self, cost: Cost, network: str, person: str, amount: float) -> None:
        if not self._peers.ids:
            return
        if not self._spent:
            self._start(self._tell())
        key = cost, network, person
        self._spent[key] = self._spent.get(key, 0.0) + amount

    async def _tell(self) -> None:
        await asyncio.sleep(TELL_SECONDS)
        spent = [
            (str(cost), network, person, amount)
            for (cost, network, person), amount in self._spent.items()
            if amount
        ]
        self._spent.clear()
        if spent:
            self._peers.tell(Spent(spent))

    def _spent_at_peer(self, message: Spent) -> None:
        now = asyncio.get_running_loop().time()
        for cost, network, person, amount in message.spent:
            # A node of a later version may count what this one does not know.
            if cost in _COSTS:
                self._budgets.add_remote_cost(Cost(cost), now, network, person, amount)


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


def status_text(peers: Peers, stats: NodeStats, lang: Lang, people: int) -> str:
    """Numbers in a sentence, those of other nodes as last reported; and which are late.

    `people` are connected at all nodes together.
    """
    shares: list[tuple[str, NodeStats | None]]
    shares = [(peers.node.rpartition(".")[0], stats)]
    shares += [(each.name, _reported(each)) for each in peers.living]
    replies = [share for _, share in shares if share is not None]
    troubled = ((f"{n}: " if n else "", s.troubles) for n, s in shares if s and s.troubles)
    text = say(
        "answer.server" if peers.nodes is None else "answer.server_whole",
        lang,
        version=" / ".join(sorted({each.version for each in replies})),
        nodes=len(shares),
        hours=max(each.hours for each in replies),
        people=people,
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
