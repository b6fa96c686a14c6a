"""A room in memory: its committed state, its members, and what each of them sees of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bluebear.protocol import Ask, Branch, RoomNumber, Version
from bluebear.protocol import Game as GameData
from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat
from bluebear.server.clock import Clock
from bluebear.server.commands.needs import Offers, Sources
from bluebear.server.net.cpu_meter import CpuMeter
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import People
from bluebear.server.resources import Resources
from bluebear.server.room.creation import Pins
from bluebear.server.room.fold_context import Games, shown_by
from bluebear.server.room.spectators import Delay
from bluebear.server.room.state import Room, versions_for
from bluebear.server.rooms.access import RoomQuery, RoomStatus
from bluebear.server.rooms.broadcast import Broadcaster
from bluebear.server.rooms.house_bots import BotSetting
from bluebear.server.rooms.lines import Deduplicator
from bluebear.server.rooms.members import Member, MemberConnection, Members, audience_of, eyes_of
from bluebear.server.rooms.timers import TimerHeap
from bluebear.server.store import Append, Entry, GroupWriter, Outgoing, Summary
from bluebear.server.tasks import Tasks
from bluebear.server.tokens import FreshBytes

Fetch: TypeAlias = Callable[[Sources, str], Coroutine[Any, Any, Offers]]
"""Reads what candidates rest on, for a person. Raises NotAllowed (not_saved)."""

AnswerQuery = Callable[[Any, Any, Any], Coroutine[Any, Any, object]]
"""Answers a query of a feature's class, in an `ActiveRoom`, of its member (each None if of none).

Any: each handler takes what its query is sent with. It may raise Refusal.
"""
AnswerAsk = Callable[["ActiveRoom", MemberConnection, Ask], Coroutine[Any, Any, Branch]]
"""Answers a query of a client who is in the room. It may raise Refusal."""


OutgoingOf = Callable[[Room | None, Room, Mapping[str, str]], tuple[Outgoing, ...]]
"""What goes into the outbox with an entry: by the rooms before and after it, and who is present."""


@dataclass(slots=True)
class RoomHooks:
    """Methods of features that rooms call; none before the features are made."""

    is_on: list[Callable[[str], bool]] = field(default_factory=list)
    """Whether plain moves of a room, by its id, concern a feature: the general way judges them."""
    committed: list[Callable[[ActiveRoom, Entry], None]] = field(default_factory=list)
    """An entry of a room is committed that came the general way."""
    outgoing: list[OutgoingOf] = field(default_factory=list)
    queries: dict[type[RoomQuery], AnswerQuery] = field(default_factory=dict)
    questions: dict[str, AnswerAsk] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomServices:
    """What room actors work with; the same for all of one registry, which makes it."""

    games: Games
    clock: Clock
    fresh: FreshBytes
    resources: Resources
    people: People
    fetch: Fetch
    hashing: Hashing
    tasks: Tasks
    pins: Pins
    writer: GroupWriter
    timers: TimerHeap
    watch: CpuMeter
    game_data: Callable[[Game[Any]], GameData | None]  # Any: each game has its own state class
    want_bots: Callable[[str, Mapping[Seat, BotSetting]], None]
    repeats: Deduplicator
    packed: Callable[[str, Entry, Room, Summary | None], Append]
    committed: Callable[[str, Entry, Summary | None], None]
    lost: Callable[[str], None]
    attended: Callable[[], None]
    hooks: RoomHooks
    snapshot_every: int


class ActiveRoom:
    """What a room shows; its actor alone changes it."""

    def __init__(
        self,
        room_id: str,
        room: Room | None,
        services: RoomServices,
        suspended: str,
        delay: Delay | None,
    ) -> None:
        self.id = room_id
        self.services = services
        self.present = Members()
        self.suspended = suspended
        """Why the game does not go on by the rules of this server; empty where it does."""
        self.delay = delay or Delay(room)
        self.game = None if room is None else shown_by(services.games, room)
        """The rules by which the room is shown, if this server has them."""
        self.delivery = Broadcaster(self.present, services.game_data, services.attended)
        self.closed = False
        self.recorded = ""
        """The finished game whose record is stored already."""
        self._room = room

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

    def room_for(self, client: MemberConnection) -> Room:
        """The room as a member sees it: spectators may see the game some moves late."""
        late = self.delay.room
        return self.room if late is None or eyes_of(client, self.room) else late

    def version_for(self, client: MemberConnection, version: int | None = None) -> Version:
        """A version of the room (None: the newest) as a client counts."""
        room, late = self.room, self.delay.room
        eyes = eyes_of(client, room)
        shown = room if late is None or eyes else late
        # Who sees the room as it is may have made an entry that is stored, and not yet known here.
        if version is None or (shown is not room and version >= shown.version):
            return Version(shown.version_for(eyes))
        return Version(versions_for(shown, eyes)(version))

    @property
    def status(self) -> RoomStatus:
        """How far its game has come."""
        room, table = self.room, self.room.table
        entries = versions_for(room, SPECTATOR)(room.version)
        return RoomStatus(table.game_id, table.ending is not None, room.game is not None, entries)

    def eyes_of(self, client: MemberConnection) -> Eyes:
        """What a client sees with: a member's seat."""
        member = self.present.members.get(client)
        return SPECTATOR if member is None else member.audience.eyes

    def number_of(self, client: MemberConnection) -> RoomNumber | None:
        """The number that this room has for a connection; None if it is no member."""
        member = self.present.members.get(client)
        return None if member is None else member.audience.number

    def sync(self, client: MemberConnection) -> None:
        """Send a member a new snapshot."""
        member = self.present.members.get(client)
        if member is not None:
            self._show(member)

    def _show(self, member: Member) -> None:
        self.delivery.snapshot(member, self.room_for(member.client), self.room, self.game)

    def relabel(self, client: MemberConnection) -> None:
        """A member speaks another language from now on."""
        member = self.present.members.get(client)
        if member is not None:
            audience = member.audience
            member.audience = audience_of(client, audience.codec, audience.number, audience.eyes)

    def announce(self) -> None:
        """Show all members soon who is here."""
        if not self.closed:
            self.delivery.announce(self.room_for)
