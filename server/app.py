"""The server put together: the only place where all parts meet.

Connections come as links, frames as bytes, so the same app runs behind `net.http` and in a
simulation with fake ones.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bluebear.rules.core.game import Game
from bluebear.server.cluster.news import NodeStats, RoomNews, SharedRateLimits
from bluebear.server.cluster.peers import Bus, Peers
from bluebear.server.cluster.presence import Presence
from bluebear.server.cluster.room_leases import Membership
from bluebear.server.config import Config, program_version
from bluebear.server.features import make_features
from bluebear.server.features.feature import Services
from bluebear.server.handshake import Handshake, PublicInfo
from bluebear.server.limits import NEWCOMERS_A_TURN
from bluebear.server.lookups import LookUps, RoomMaker
from bluebear.server.net.budget import Budgets
from bluebear.server.net.dispatch import Dispatcher
from bluebear.server.net.http import HealthReporter, Listener, RequestPolicy, url_host
from bluebear.server.net.http_client import SendRequest, send_request
from bluebear.server.net.pages import StaticPages
from bluebear.server.net.rate_limits import BOUNDS, NO_BOUNDS, TickLimiter
from bluebear.server.ops.health import BEAT_SECONDS, Health, Upkeep
from bluebear.server.people.audit import Audit
from bluebear.server.people.people import People
from bluebear.server.requests import Requests
from bluebear.server.room.creation import NO_PINS, Pins
from bluebear.server.room.state import Phase
from bluebear.server.rooms.active_room import Resources
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.rooms.views import board_files
from bluebear.server.runtime import Clock, CpuMeter, FreshBytes, Tasks
from bluebear.server.store import GroupWriter, Store

_RETRY_MS: Final = 3_000


@dataclass(frozen=True, slots=True)
class Outside:
    """What a server takes of the process around it, where that is not time or chance.

    `meter` counts the seconds that this thread has worked, which is charged to who caused it;
    `free` is the free share of the journal's disk; `call` makes the calls of notices; `beat` are
    the seconds between two looks at how the server is. `entry_hash` is the argon2 hash of the
    password that newcomers are asked for, "" for none.
    """

    meter: Callable[[], float] = float
    free: Callable[[], float] = lambda: 1.0
    call: SendRequest = send_request
    beat: float = BEAT_SECONDS
    entry_hash: str = ""


NOTHING_OUTSIDE: Final = Outside()


class App:
    """One server, alone or a node `among` several over one store.

    `open` it before connections come, `close` it at the end.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
        clock: Clock,
        fresh: FreshBytes = os.urandom,
        *,
        pins: Pins = NO_PINS,
        outside: Outside = NOTHING_OUTSIDE,
        among: Membership | None = None,
    ) -> None:
        self.config, self.store, self.games, self.clock = config, store, games, clock
        self.version = f"bluebear {program_version()}"
        self.watch = CpuMeter(outside.meter)
        self.tasks, self.writer = Tasks(self.watch), GroupWriter(store, self.watch)
        self.health = Health(self.writer, self._is_full, outside.free, outside.beat, among)
        self.audit = Audit(store, self.writer, clock, self.health)
        self.resources = resources = Resources(
            config=config,
            store=store,
            writer=self.writer,
            games=games,
            clock=clock,
            fresh=fresh,
            pins=pins,
            audit=self.audit,
            meter=self.watch,
            tasks=self.tasks,
            version=self.version,
            public_url=config.public_url or f"http://{url_host(config.host, config.port)}",
        )
        self.membership = among
        self.peers = peers = among.peers if among else Peers(Bus(), self.tasks)
        self.presence = Presence(peers, self.tasks)
        self.people = people = People(store, self.writer, clock, fresh)
        bounds = BOUNDS if config.bounded else NO_BOUNDS
        self.budgets = Budgets(bounds, self.watch, self.writer)
        self.news = RoomNews(peers, self.tasks)
        self.engine = RoomRegistry(resources, people, self.news, among)
        self.look_ups = LookUps(store, clock, self.presence, peers, people, self.engine)
        self._make_features(outside.call)
        self._make_dispatcher(outside.entry_hash)
        self.upkeep = Upkeep(self.engine, self.features, self.tasks, peers=among is not None)
        if among is not None:
            peers.bus.missed(self.engine.hooks.tell_changed)
            peers.bus.missed(self.upkeep.look_now)
            self.handshake.membership = among
        self._opened = 0
        self._listener: Listener | None = None

    def _make_features(self, send: SendRequest) -> None:
        """The features, and what they use."""
        peers, tasks, look_ups = self.peers, self.tasks, self.look_ups
        self.services = Services(
            resources=self.resources,
            store=self.store,
            clock=self.clock,
            games=self.games,
            look_ups=look_ups,
            presence=self.presence,
            rooms=self.engine,
            making=RoomMaker(self.engine, look_ups, self.audit, peers),
            bus=peers,
            tasks=tasks,
            people=self.people,
            budgets=self.budgets,
            stats=self.share,
            send_request=send,
            hashing=self.engine.hashing,
        )
        self.features = make_features(self.services, self.engine.hooks)
        self.news.show(self.engine.hooks)

    def _make_dispatcher(self, entry_hash: str) -> None:
        """What belongs to connections."""
        self.shared_limits = SharedRateLimits(self.budgets, self.peers, self.tasks)
        self._turns = TickLimiter(NEWCOMERS_A_TURN)
        self.handshake = Handshake(self.services, entry_hash, self._turns, self.features)
        self.requests = Requests(self.services, self.features, self.handshake)
        limits = self.config, self.budgets, self.tasks
        self.dispatcher = Dispatcher[Connection](*limits, self.requests)
        self.public = PublicInfo(self.services, tells=not entry_hash)

    def listener(self, health: HealthReporter) -> Listener:
        """What listens for this server; `health` makes the reply of `/healthz`."""
        policy = RequestPolicy(self.config, self.resources.public_url)
        pages = StaticPages(self.config.node_origins, board_files(*self.games.values()))
        listener = Listener(
            self.dispatcher, pages, policy, self.public, health, self._turns, self.tasks
        )
        self._listener = listener
        return listener

    def share(self) -> NodeStats:
        """What this process has of the server."""
        rooms = self.engine.live.values()
        return NodeStats(
            self.version,
            (self.clock.now() - self._opened) // 3_600_000,
            len(self.dispatcher.connections),
            len(rooms),
            sum(live.exists and live.room.table.phase is Phase.PLAYING for live in rooms),
            self.writer.entries,
            self.health.all_troubles(),
        )

    def _is_full(self) -> bool:
        """Whether strangers have used up what the whole server has for newcomers."""
        if self._listener is not None and self._listener.is_crowded():
            return True
        return self.dispatcher.is_full or self.budgets.is_used_up(asyncio.get_running_loop().time())

    async def open(self) -> None:
        """Read what is kept of operators' acts, and begin to serve. Raises NotRead."""
        await self.audit.open()
        self._opened = self.clock.now()
        self.upkeep.start()
        self.presence.open()
        self.health.start()

    async def drain(self, seconds: float, at_once: asyncio.Event) -> None:
        """Make no more rooms, notify all when the server stops, and wait until then.

        Ends sooner when no client is connected, or `at_once` is set. Lines are judged to the end.
        """
        self.engine.back_ms = int(seconds * 1000) + _RETRY_MS
        await self.dispatcher.drain(seconds, at_once)

    async def close(self) -> None:
        """Say goodbye, finish what is being written, and let go of everything."""
        self.dispatcher.send_bye(_RETRY_MS)
        self.health.stop()
        self.upkeep.stop()
        self.engine.stop()
        self.features.close()
        await self.tasks.close()
        self.upkeep.stop()
        await self.writer.drain()
        await self.engine.close()
        await self.writer.close()
        await self.store.close()
