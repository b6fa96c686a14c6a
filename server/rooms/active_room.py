"""A room in memory: its committed state, its members, and what each of them sees of it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bluebear.protocol import Codec, Done, Note, RoomNumber, Version
from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import SPECTATOR, Eyes
from bluebear.server.commands.acts import RecordSection, Write
from bluebear.server.config import Config
from bluebear.server.limits import ALARM_RETRY_SECONDS, PRESENCE_SECONDS, RECORD_SECONDS
from bluebear.server.people.audit import Audit
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import People
from bluebear.server.room.creation import Pins
from bluebear.server.room.fold_context import Folded, shown_by
from bluebear.server.room.reducer import takes_plain_moves
from bluebear.server.room.spectators import Delay
from bluebear.server.room.stand_ins import owner_may_return
from bluebear.server.room.state import Privacy, Room, by_days, versions_for
from bluebear.server.rooms.broadcast import Broadcaster
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.house_bots import BotDispatcher
from bluebear.server.rooms.timers import RoomTimer, calm
from bluebear.server.rooms.views import Member, Members, audience_of, eyes_of
from bluebear.server.runtime import Clock, CpuMeter, FreshBytes, Tasks, count
from bluebear.server.store import Entry, GroupWriter, Outgoing, Store, Summary


class RoomListener(Protocol):
    """Tells other nodes what happens in the rooms of this one; owned by the app."""

    def changed(self) -> None:
        """The row of a room has changed, or a person has come into a room, or gone."""

    def invited(self, guest: str, host: str, room: str) -> None:
        """A person (by id) was invited by another one (by name) into a room."""


class RoomFeature:
    """The hooks of a feature that rooms call, where it has them."""

    def is_on(self, room: str) -> bool:
        """Hook: whether plain moves of a room concern this feature."""
        return False

    def entry_committed(self, live: ActiveRoom, entry: Entry, folded: Folded) -> None:
        """Hook: an entry is committed, that has changed a game or its table.

        Not called for plain moves; see `is_on`.
        """

    def outgoing(
        self, old: Room | None, new: Room, here: Mapping[str, str]
    ) -> tuple[Outgoing, ...]:
        """Hook: what goes into the outbox with an entry; `here` are the people in the room."""
        return ()

    async def record_section(self, room: Room, at: int) -> RecordSection | None:
        """Hook: a game is over, and its record is about to be stored at `at` (ms).

        Is called again where another record was stored meanwhile. Raises NotRead.
        """

    def rooms_changed(self) -> None:
        """Hook: rows of rooms have changed, or the people in them."""

    def row_changed(self, row: Summary) -> None:
        """Hook: the row of a room of this process has changed."""

    def invited(self, guest: str, host: str, room: str) -> None:
        """Hook: a person (by id) is invited by another one (by name) into a room."""


@dataclass(slots=True)
class RoomHooks:
    """The features that have each hook; none before the features are made."""

    is_on: list[RoomFeature] = field(default_factory=list)
    entry_committed: list[RoomFeature] = field(default_factory=list)
    outgoing: list[RoomFeature] = field(default_factory=list)
    record_section: list[RoomFeature] = field(default_factory=list)
    rooms_changed: list[RoomFeature] = field(default_factory=list)
    row_changed: list[RoomFeature] = field(default_factory=list)
    invited: list[RoomFeature] = field(default_factory=list)

    def tell_changed(self, row: Summary | None = None) -> None:
        """The row of a room of this node has changed; None: others, or the people in rooms."""
        for each in self.rooms_changed:
            each.rooms_changed()
        if row is not None:
            for each in self.row_changed:
                each.row_changed(row)

    def tell_invited(self, guest: str, host: str, room: str) -> None:
        """A person (by id) was invited by another one (by name) into a room."""
        for each in self.invited:
            each.invited(guest, host, room)


class RoomOwner(Protocol):
    """What an actor reports to the registry that has it."""

    def committed(self, room: Room, entry: Entry, summary: Summary | None) -> None:
        """An entry has made this room; its row, if that has changed."""

    def lost(self, room: str) -> None:
        """Whether an entry is stored is unknown: the room must be loaded again."""

    def changed(self, row: Summary | None = None) -> None:
        """The row of a room has changed; None: a person has come into a room, or gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomServices:
    """What room actors work with; the same for all of one registry, which makes it."""

    resources: Resources
    people: People
    hashing: Hashing
    tasks: Tasks
    house: BotDispatcher
    owner: RoomOwner
    hooks: RoomHooks
    snapshot_every: int


class ActiveRoom(ABC):
    """What a room shows, and when it is woken; its actor alone changes it."""

    def __init__(
        self,
        room_id: str,
        room: Room | None,
        services: RoomServices,
        suspended: str = "",
        delay: Delay | None = None,
    ) -> None:
        self.id = room_id
        self.services = services
        self.present = Members()
        self.suspended = suspended
        """Why the game does not go on by the rules of this server; empty where it does."""
        self.delay = delay or Delay(room)
        self.game = None if room is None else shown_by(services.resources.games, room)
        """The rules by which the room is shown, if this server has them."""
        self.delivery = Broadcaster(self.present)
        asleep_since = None if room is None else room.at
        self.timer = RoomTimer(services.resources.clock, self.present, asleep_since)
        self.fast_game: Game[Any] | None = None  # Any: each game has a state class of its own
        """The rules by which plain moves are played the short way; None: the general way judges."""
        self.closed = self.is_findable = False
        """`is_findable`: whether it has its first entry, and is not private."""
        self.recorded = ""
        """The finished game whose record is stored, or will be by `recording`."""
        self.recording: asyncio.Task[object] | None = None
        self._room = room
        self._presence_timer: asyncio.TimerHandle | None = None
        self._is_calm = False
        """Whether moves set no timer and want no bot, until another kind of entry is written."""
        self._wants_bots = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at: float | None = None
        """When to ring (loop time); `_alarm` may come earlier, as most entries put it off."""
        self.settle_fast_path()

    @property
    def is_recording(self) -> bool:
        """Whether the record of the finished game is being stored."""
        return self.recording is not None and not self.recording.done()

    async def until_recorded(self) -> None:
        """Wait for that: a room that is loaded knows its last game only. Raises NotAllowed."""
        if self.recording is not None:
            await asyncio.wait([self.recording], timeout=RECORD_SECONDS)
        if self.is_recording:
            raise NotAllowed("not_saved")

    @property
    def room(self) -> Room:
        """The committed room; there is one as soon as its first entry is written."""
        if self._room is None:
            raise NotAllowed("room_unknown")
        return self._room

    @property
    def exists(self) -> bool:
        """Whether the first entry is written."""
        return self._room is not None

    def room_for(self, client: Connection) -> Room:
        """The room as a member sees it: spectators may see the game some moves late."""
        late = self.delay.room
        return self.room if late is None or eyes_of(client, self.room) else late

    def version_for(self, client: Connection, version: int | None = None) -> Version:
        """A version of the room (None: the newest) as a client counts."""
        room, shown = self.room, self.room_for(client)
        eyes = eyes_of(client, room)
        # Who sees the room as it is may have made an entry that is stored, and not yet known here.
        if version is None or (shown is not room and version >= shown.version):
            return Version(shown.version_for(eyes))
        return Version(versions_for(shown, eyes)(version))

    @property
    def is_over(self) -> bool:
        """Whether its game is over, and the board not cleared yet."""
        return self.room.table.ending is not None

    def settle_fast_path(self) -> None:
        """Note by which rules plain moves are played, unless a feature is on that concerns them.

        To be called after all that can turn a feature on or off: loading, each entry that came the
        general way, members that come or go, closing. A plain move turns none on or off.
        """
        room = self._room
        self.is_findable = room is not None and room.table.privacy is not Privacy.PRIVATE
        is_plain = (
            room is not None
            and takes_plain_moves(room.table)
            and not (self.closed or self.suspended or self.delay.is_on)
            and not (by_days(room.table) or owner_may_return(room.table))
            and not any(each.is_on(self.id) for each in self.services.hooks.is_on)
        )
        self.fast_game = self.game if is_plain else None

    def conclude(
        self, client: Connection, say_id: str, act: Write, room: Room, *, answered: bool
    ) -> None:
        """Reply to the sender of an entry; `answered`: their update carries that already."""
        member, number = self.present.members.get(client), None
        if member is not None and self.delay.room is None:
            number = member.audience.number
            version = Version(room.version_for(member.audience.eyes))
        else:
            number, version = client.number_of(self.id), self.version_for(client)
        if act.note:
            client.send(Note(room=number, code="note", text=act.note))
        if say_id:
            reply = client.remember if answered else client.answer
            reply(Done(id=say_id, room=number, version=version))

    def eyes_of(self, client: Connection) -> Eyes:
        """What a client sees with: a member's seat."""
        member = self.present.members.get(client)
        return SPECTATOR if member is None else member.audience.eyes

    def sync(self, client: Connection) -> None:
        """Send a member a new snapshot."""
        member = self.present.members.get(client)
        if member is not None:
            self._show(member)

    def _show(self, member: Member) -> None:
        self.delivery.snapshot(member, self.room_for(member.client), self.room, self.game)

    def relabel(self, client: Connection) -> None:
        """A member speaks another language from now on."""
        member = self.present.members.get(client)
        if member is not None:
            audience = member.audience
            member.audience = audience_of(client, audience.codec, audience.number, audience.eyes)

    def announce(self) -> None:
        """Show all members soon who is here; what changes until then goes into the same frame."""
        if self._presence_timer is None and not self.closed:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_SECONDS, self._send_presence)

    def _send_presence(self) -> None:
        self._presence_timer = None
        # To a crowd all its members are listed: made once for all who get the same.
        made: dict[tuple[Codec, RoomNumber, Version], bytes] = {}
        for client, member in self.present.members.items():
            shown, number = self.room_for(client), member.audience.number
            key = client.codec, number, Version(shown.version)
            if key not in made:
                made[key] = client.codec.encode(self.present.presence(number, shown))
                count("publish.packed")
            client.push(made[key])
        count("publish.frames", len(self.present.members))
        self.services.owner.changed()

    def tend(self) -> None:
        """Set the next timer, and report which seats house bots should play."""
        room, services = self._room, self.services
        if room is None or self.closed:
            return
        self._alarm_at = None
        self._is_calm = not self._wants_bots and calm(room, self.present.here)
        if self._is_calm:
            return
        seats = self.timer.bots_wanted(room)
        services.house.want(self.id, seats)
        self._wants_bots = bool(seats)
        if self.present.awake or seats:
            when = self.timer.next_alarm(room, asyncio.get_running_loop().time())
            if when is not None:
                self._ring_at(when)

    def _tend_later(self) -> None:
        """What was due is not any more, or could not be saved; look again, but not at once."""
        if not self.closed:
            self._ring_at(asyncio.get_running_loop().time() + ALARM_RETRY_SECONDS)

    def _ring_at(self, when: float) -> None:
        self._alarm_at, alarm = when, self._alarm
        if alarm is None or when < alarm.when():
            if alarm is not None:
                alarm.cancel()
            self._alarm = asyncio.get_running_loop().call_at(when, self._on_alarm)

    def _on_alarm(self) -> None:
        self._alarm, when = None, self._alarm_at
        if when is not None and when > asyncio.get_running_loop().time():
            self._ring_at(when)
        elif when is not None:
            self.ring()

    @abstractmethod
    def ring(self) -> None:
        """Do what is due; then set the next timer."""

    def stop_timers(self) -> None:
        """Ring no more, and show the members no more who is here."""
        for timer in (self._alarm, self._presence_timer):
            if timer is not None:
                timer.cancel()


@dataclass(slots=True, kw_only=True)
class Resources:
    """Owned by the app, which closes them.

    `public_url` changes once, when the port is bound; `meter` charges the time of this thread.
    """

    config: Config
    store: Store
    writer: GroupWriter
    games: Mapping[str, Game[Any]]  # Any: each game has a state class of its own
    clock: Clock
    fresh: FreshBytes
    pins: Pins
    audit: Audit
    meter: CpuMeter
    tasks: Tasks
    version: str
    public_url: str


def guests_of(entry: Entry) -> Iterable[str]:
    """The people who are notified that they may come in, since an entry says so."""
    guest, guests = entry.facts.get("guest"), entry.facts.get("guests")
    return [guest] if isinstance(guest, str) else guests if isinstance(guests, Mapping) else ()


def wants_snapshot(room: Room, every: int) -> bool:
    """Whether a room has come so far that a snapshot shortens its loading.

    Reading the first entry of a fork plays half a game.
    """
    return room.version % every == 0 or (room.version == 1 and room.origin is not None)
