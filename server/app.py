"""The server put together: the only place where all parts meet.

Connections come as links, frames as bytes, so the same app runs behind `net.http` and in a
simulation with fake ones.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, Final

from bluebear.protocol import Game as GameData
from bluebear.protocol import Note
from bluebear.rules.core.game import Game
from bluebear.server.clock import Clock
from bluebear.server.commands.needs import Found, RoomLine, Wanted
from bluebear.server.config import Config
from bluebear.server.edge.about import PublicInfo
from bluebear.server.edge.accounts import Accounts
from bluebear.server.edge.acting import Acting, Doers
from bluebear.server.edge.attending import Attending
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.crowd import Crowd
from bluebear.server.edge.forking import Forking
from bluebear.server.edge.handshake import EntryPassword, Handshake
from bluebear.server.edge.making import Making
from bluebear.server.edge.oneself import Oneself
from bluebear.server.edge.others import Others
from bluebear.server.edge.past import Past
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.questions import Questions, game_data, older_data
from bluebear.server.edge.reception import Reception
from bluebear.server.edge.scenes import LobbyScenes
from bluebear.server.edge.shared_limits import SharedRateLimits
from bluebear.server.edge.whole import Whole
from bluebear.server.features import make_features
from bluebear.server.features.feature import Services
from bluebear.server.health import BEAT_SECONDS, Health
from bluebear.server.journal import GroupWriter, Store, Summary
from bluebear.server.limits import NEWCOMERS_A_TURN, SNAPSHOT_EVERY, SNAPSHOT_EVERY_AMONG_SEVERAL
from bluebear.server.link.inward import Inward
from bluebear.server.link.outward import Outward
from bluebear.server.lookback.inside import Inside, RoomsInside
from bluebear.server.lookback.lookback import LookBack
from bluebear.server.lookups import LookUps
from bluebear.server.net.budget import Budgets
from bluebear.server.net.cpu_meter import CpuMeter, TickLimiter
from bluebear.server.net.dispatch import Dispatcher
from bluebear.server.net.http import Listener, RequestPolicy, url_host
from bluebear.server.net.pages import StaticPages
from bluebear.server.net.rate_limits import BOUNDS, NO_BOUNDS
from bluebear.server.observe import count
from bluebear.server.people.audit import Audit
from bluebear.server.people.people import People
from bluebear.server.room.creation import NO_PINS, Pins
from bluebear.server.room.state import Phase
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.rooms.house_bots import BotRateLimit
from bluebear.server.rooms.leases import RoomLeases
from bluebear.server.rooms.node_stats import NodeStats
from bluebear.server.rooms.outbox_worker import Notifier, Post
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.rooms.webhooks import post
from bluebear.server.sentences import say
from bluebear.server.tasks import Tasks

_SWEEP_SECONDS: Final = 60.0
_RETRY_MS: Final = 3_000
_LOOK_SECONDS: Final = 3.0
"""So long an operator's word may take to hold at the other processes of one store."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What a server takes of the process around it, where that is not time or chance.

    `meter` counts the seconds that this thread has worked, which is charged to who caused it;
    `free` is the free share of the journal's disk; `call` makes the calls of notices; `beat` are
    the seconds between two looks at how the server is.
    """

    meter: Callable[[], float] = float
    free: Callable[[], float] = lambda: 1.0
    call: Post = post
    beat: float = BEAT_SECONDS


NOTHING_OUTSIDE: Final = Outside()


class App:
    """One server. `open` it before connections come, `close` it at the end.

    `entry_hash` is the argon2 hash of the password that newcomers are asked for, "" for none.
    `among` several processes of one store an engine has the owners of rooms, an edge the rooms
    behind its links.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
        clock: Clock,
        fresh: Callable[[int], bytes] = os.urandom,
        *,
        pins: Pins = NO_PINS,
        entry_hash: str = "",
        outside: Outside = NOTHING_OUTSIDE,
        among: RoomLeases | Outward | None = None,
    ) -> None:
        far = among if isinstance(among, Outward) else None
        owners = None if isinstance(among, Outward) else among
        self.config, self.store, self.games, self.clock = config, store, games, clock
        self.public_url = config.public_url or f"http://{url_host(config.host, config.port)}"
        self.version = f"bluebear {program_version()}"
        self.writer = GroupWriter(store, _writer_bug)
        self.watch, self.presence = CpuMeter(outside.meter), Presence()
        self.tasks = Tasks(self.watch.metered)
        self.others = Others(None if far is None else far.relay, self.tasks.start)
        self.budgets = Budgets(
            BOUNDS if config.bounded else NO_BOUNDS, self.watch, self.writer.is_committing
        )
        current, older = game_data(games), older_data(games)
        crowd = Crowd(self.presence, self.others, store)
        self.people = People(store, self.writer, clock, fresh)
        self.look_ups = LookUps(store, clock, crowd, self.people, self._in_memory)
        self.edges: Inward | None = None
        """The edges that are linked to this process, where it is one of several engines."""
        self.engine = RoomRegistry(
            store,
            self.writer,
            games,
            clock,
            fresh,
            fetch=self._fetch,
            game_data=lambda game: older.get(game.package) or current.get(game.info.key),
            public_url=lambda: self.public_url,
            changed=self._changed,
            attended=self._attended,
            invited=self._invited,
            pins=pins,
            people=self.people,
            tells=bool(config.notify_hosts),
            owners=owners,
            snapshot_every=SNAPSHOT_EVERY if owners is None else SNAPSHOT_EVERY_AMONG_SEVERAL,
            pace=BotRateLimit() if config.bounded else None,
            watch=self.watch,
        )
        self.engines: RoomAccess = self.engine if far is None else far
        """The rooms: those of this process, or behind links."""
        if far is not None:
            self._hear(far)
        self.audit = Audit(store, self.writer, clock, lambda: self.health.disk_is_low)
        self.notifier = Notifier(
            store,
            clock,
            games,
            self.people.own,
            outside.call,
            config.notify_hosts,
            self.tasks.start,
        )
        lookback = LookBack(store, games)
        self.inside: Inside = far or RoomsInside(self.engine, lookback, current, self._fetch)
        self.past = Past(store, self.inside, lookback, current, self.look_ups)
        self._make_edge(current, fresh, pins, entry_hash, crowd)
        self.health = Health(self.writer, self._is_full, outside.free, outside.beat)
        self._opened = 0
        self.wrong_beside: Callable[[], list[str]] = list
        """What is wrong with this process beside what an app knows of, among several."""
        self._is_crowded: Callable[[], bool] = lambda: False
        self._sweep_timer: asyncio.TimerHandle | None = None
        self._is_one_of_several = among is not None
        self._look_timer: asyncio.TimerHandle | None = None

    def _hear(self, far: Outward) -> None:
        """What engines, and other edges over them, say to this edge."""
        far.fetch, far.invited = self.look_ups.fetch, self._invited
        far.changed = lambda _: self.features.rooms_changed()
        far.relay.hear = self.others.heard
        far.finder.edges_changed = self.others.changed

    def _make_edge(
        self,
        current: Mapping[str, GameData],
        fresh: Callable[[int], bytes],
        pins: Pins,
        entry_hash: str,
        crowd: Crowd,
    ) -> None:
        """What belongs to connections."""
        config, store, games, clock = self.config, self.store, self.games, self.clock
        people, audit, past = self.people, self.audit, self.past
        entrance = EntryPassword(entry_hash, self.engine.hashing.fits)
        scenes = LobbyScenes(games, clock, fresh, lambda: self.public_url, pins)
        fetch, tasks = self.look_ups.fetch, self.tasks
        others = self.others
        self.attending = Attending(self.presence, others, tasks.start)
        self.shared_limits = SharedRateLimits(self.budgets, others)
        oneself = Oneself(self.presence, self.engines, others, tasks.start)
        self._turns = TickLimiter(NEWCOMERS_A_TURN)
        greeting = Handshake(
            config,
            self.version,
            clock,
            fresh,
            people,
            self.presence,
            oneself,
            self.engines,
            audit,
            entrance,
            tasks.start,
            self._turns,
        )
        making = Making(self.engines, self.look_ups, audit, others)
        services = Services(
            store=store,
            clock=clock,
            games=games,
            look_ups=self.look_ups,
            past=past,
            presence=self.presence,
            rooms=self.engines,
            making=making,
            bus=others,
            start=tasks.start,
            people=people,
            audit=audit,
            budgets=self.budgets,
            status=Whole(crowd, others, self.engines, self.share),
            config=config,
            fresh=fresh,
        )
        self.features = make_features(services, self.engine.hooks)
        self.questions = Questions(
            current, past, self.inside, self.look_ups, scenes, self.features.answer
        )
        self.engine.recorder.section_of = self.features.record_section
        greeting.entered_lobby = self.features.entered_lobby
        hashing = self.engine.hashing
        accounts = Accounts(people, oneself, fetch, hashing, greeting, audit, tasks.start)
        self.acting = Acting(
            scenes,
            fetch,
            tasks,
            self.engines,
            people,
            oneself,
            past,
            self.budgets,
            Doers(
                making=making,
                forking=Forking(past, making, people, self.look_ups, pins),
                accounts=accounts,
                run=self.features.run,
                returned=self.features.returned,
                entered_lobby=self.features.entered_lobby,
            ),
        )
        reception = Reception(
            self.engines,
            self.presence,
            self.features.closed,
            greeting,
            self.acting,
            self.questions,
            self.budgets,
        )
        self.dispatcher: Dispatcher[Connection] = Dispatcher(config, self.budgets, tasks, reception)
        self.public = PublicInfo(
            self.version,
            games,
            self.look_ups,
            past.about,
            lambda: self.public_url,
            tells=entrance.is_open,
        )

    def listener(self, health: Callable[[], dict[str, Any]]) -> Listener:
        """What listens for this server; `health` returns the reply of `/healthz`."""
        policy = RequestPolicy(self.config, self.public_url)
        listener = Listener(
            self.dispatcher, StaticPages(), policy, self.public, health, self._turns, self.tasks
        )
        self._is_crowded = listener.is_crowded
        return listener

    @property
    def healthy(self) -> bool:
        """Whether all is well: lines are saved, nobody waits long, newcomers get in."""
        return not self.health.troubles()

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
            [*(each.value for each in self.health.troubles()), *self.wrong_beside()],
        )

    def _is_full(self) -> bool:
        """Whether strangers have used up what the whole server has for newcomers."""
        now = asyncio.get_running_loop().time()
        return self.dispatcher.is_full or self.budgets.is_used_up(now) or self._is_crowded()

    async def open(self) -> None:
        """Read what is kept of operators' acts, and begin to serve. Raises NotRead."""
        await self.audit.open()
        self._opened = self.clock.now()
        self._sweep_timer = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep)
        if self._is_one_of_several:
            self._look_soon()
        self.attending.open()
        self.health.start()

    async def drain(self, seconds: float, at_once: asyncio.Event) -> None:
        """Make no more rooms, tell everybody when the server stops, and wait until then.

        Ends sooner when nobody is connected, or `at_once` is set. Lines are heard to the end.
        """
        self.engine.back_ms = int(seconds * 1000) + _RETRY_MS
        self.dispatcher.announce(max(1, round(seconds)))
        ends = (at_once.wait(), self.dispatcher.wait_until_empty())
        sooner: list[asyncio.Task[object]] = [asyncio.create_task(each) for each in ends]
        await asyncio.wait(sooner, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in sooner:
            each.cancel()
        await asyncio.gather(*sooner, return_exceptions=True)

    async def close(self) -> None:
        """Say goodbye, finish what is being written, and let go of everything."""
        self.dispatcher.send_bye(_RETRY_MS)
        self.health.stop()
        if self._sweep_timer is not None:
            self._sweep_timer.cancel()
        self.engine.stop()
        self.attending.close()
        self.shared_limits.close()
        self.features.close()
        await self.tasks.close()
        if self._look_timer is not None:
            self._look_timer.cancel()
        await self.writer.drain()
        await self.writer.close()
        await self.engine.close()
        await self.store.close()

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweep_timer = loop.call_later(_SWEEP_SECONDS, self._sweep)
        self.tasks.start(self._look_after())

    def _look_soon(self) -> None:
        self._look_timer = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self.tasks.start(self._poll_peers())

    async def _poll_peers(self) -> None:
        # What changed elsewhere comes as hints, and one may get lost with its link.
        self.features.rooms_changed()
        try:
            await self.features.refresh()
        finally:
            self._look_soon()

    async def _fetch(self, wanted: Wanted, person: str) -> Found:
        """What a line in a room needs: edges know who is connected, if they are elsewhere."""
        if self.edges is not None:
            return await self.edges.fetch(wanted, person)
        return await self.look_ups.fetch(wanted, person)

    async def _in_memory(self, rooms: Collection[str]) -> Mapping[str, RoomLine]:
        return await self.engines.lines(rooms)

    def _changed(self, row: Summary) -> None:
        self.features.rooms_changed()
        if self.edges is not None:
            self.edges.changed()
        if row.deadline is not None or row.phase == Phase.OVER:
            self.notifier.look()

    def _attended(self) -> None:
        """Somebody has come into a room, or gone."""
        self.features.rooms_changed()
        if self.edges is not None:
            self.edges.changed()

    async def _look_after(self) -> None:
        await self.engine.wake_due()
        self.notifier.look()
        await self.engine.sweep()

    def _invited(self, guest: str, host: str, room: str) -> None:
        """Tell somebody wherever he is that he was invited."""
        if self.edges is not None:
            self.edges.invited(guest, host, room)
        for connection in self.presence.of(guest):
            line = f"/room {room}"
            text = say("note.invited", connection.lang, name=host, line=line)
            connection.send(Note(code="invited", text=text, said=line))


def _writer_bug(bug: Exception) -> None:
    count("bugs")
    logging.getLogger("bluebear").error("journal writer", exc_info=bug)


@cache
def program_version() -> str:
    """The version of this program, as it was installed."""
    try:
        return metadata.version("bluebear")
    except metadata.PackageNotFoundError:
        return "0"
