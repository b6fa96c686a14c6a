"""What a line means in a live room, and what has to be there before it can be judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import Seat, but
from bluebear.server.clock import Clock
from bluebear.server.commands.acts import Meant, Write
from bluebear.server.commands.late import resolve_late
from bluebear.server.commands.needs import Found, Wanted
from bluebear.server.commands.resolve import canonical_move, resolve
from bluebear.server.commands.scene import Scene, as_shown
from bluebear.server.engine.client import Client
from bluebear.server.engine.job import Job, refuse_stale
from bluebear.server.engine.trouble import Troubled
from bluebear.server.people.passwords import Hashing
from bluebear.server.room.delay import Delay
from bluebear.server.room.pins import Pins
from bluebear.server.room.state import Room
from bluebear.server.room.step import Games


@dataclass(frozen=True, slots=True)
class Sources:
    """What lines are understood by beside their room; the same for all rooms of one engine."""

    games: Games
    clock: Clock
    fresh: Callable[[int], bytes]
    public_url: Callable[[], str]
    fetch: Callable[[Wanted, str], Coroutine[Any, Any, Found]]
    hashing: Hashing
    start: Callable[[Coroutine[Any, Any, None]], None]
    pins: Pins


class Understood(Troubled, Protocol):
    """A live room, as far as what is said in it hangs on it."""

    @property
    def delay(self) -> Delay: ...
    def room_for(self, client: Client) -> Room: ...
    def submit(self, job: Job) -> None: ...


def _seat_of(client: Client, room: Room) -> Seat | None:
    """The seat of a line; NotAllowed (not_seated) for a bot whose owner is back meanwhile."""
    house = client.house_seat
    if house is None:
        return room.seat_of(client.person)
    chair = room.seats.get(house)
    if chair is None or chair.bot is None:
        raise NotAllowed("not_seated")
    return house


class Meaning:
    """Understands the lines of one live room; owned by it."""

    def __init__(
        self, live: Understood, sources: Sources, refuse: Callable[[Job, Refusal], None]
    ) -> None:
        self._live = live
        self._sources = sources
        self._refuse = refuse

    def of(self, job: Job) -> Meant:
        """Hop 3: what a line means now. Raises Refusal."""
        if job.make is not None:
            return job.make()
        live, client = self._live, job.client
        room, game = live.room, live.game
        if client is None:
            raise NotAllowed("not_in_room")
        seat = _seat_of(client, room)
        if job.at is not None:
            refuse_stale(room, seat, job.at)
        limited = client.scopes is not None
        quick = None if limited else canonical_move(room, game, seat, job.text, human=client.human)
        if quick is not None:
            return quick
        scene = self._scene_now(client, job.found)
        if seat is not None or live.delay.room is None:
            return resolve(scene, job.text)
        return resolve_late(as_shown(scene, live.delay.room), scene, job.text)

    def scene(self, client: Client, found: Found | None = None) -> Scene:
        """What a member is told in, of the room that he sees."""
        scene, shown = self._scene_now(client, found), self._live.room_for(client)
        return scene if shown is scene.room else as_shown(scene, shown)

    def _scene_now(self, client: Client, found: Found | None) -> Scene:
        live, sources = self._live, self._sources
        return Scene(
            speaker=client.speaker,
            games=sources.games,
            now=sources.clock.now(),
            fresh=sources.fresh(64),
            found=found,
            public_url=sources.public_url(),
            room=live.room if live.exists else None,
            game=live.game,
            here=live.present.here,
            lately=live.present.lately(asyncio.get_running_loop().time()),
            pins=sources.pins,
            waited=live.vigil.waited() if live.exists else {},
            ascii="ascii" in client.wants,
            linear="linear" in client.wants,
        )

    def later(self, job: Job, wants: Wanted | Write) -> None:
        """Look up what a line needs, or hash its password; then it is judged again."""
        self._sources.start(self._again(job, wants))

    async def _again(self, job: Job, wants: Wanted | Write) -> None:
        try:
            if isinstance(wants, Wanted):
                ready = await self._fetched(job, wants)
            else:
                ready = await self._hashed(job, wants)
        except Refusal as refusal:
            self._refuse(job, refusal)
        else:
            self._live.submit(ready)

    async def _fetched(self, job: Job, wanted: Wanted) -> Job:
        return replace(job, found=await self._sources.fetch(wanted, job.actor.person))

    async def _hashed(self, job: Job, act: Write) -> Job:
        hashed = await self._sources.hashing.hash(act.secret, job.actor.person)
        return replace(job, make=lambda: self._with_hash(job, hashed))

    def _with_hash(self, job: Job, hashed: str) -> Write:
        act = self.of(job)
        if not isinstance(act, Write):
            raise NotAllowed("internal", reference=self._live.id)
        return but(act, facts={**act.facts, "hash": hashed}, secret="")
