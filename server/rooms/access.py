"""What connections and features ask of the rooms of their process, which `RoomRegistry` has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from msgspec import Struct

from bluebear.protocol import Ask, Error, Version
from bluebear.server.commands.acts import Enter, NewRoom
from bluebear.server.commands.needs import RoomLine
from bluebear.server.rooms.house_bots import BotAssignment, BotDispatcher
from bluebear.server.rooms.members import MemberConnection
from bluebear.server.store import Summary


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


class RoomQuery(Struct, array_like=True, frozen=True):
    """Base of what features ask of a process with rooms; `reply` is the type of the reply."""

    reply: ClassVar[Any]

    def key(self) -> str:
        """By what one of those processes is chosen for a query that is not about a room."""
        return ""


@dataclass(frozen=True, slots=True)
class RoomStatus:
    """How far a room's game has come: its id, whether it is over, whether it has begun, and the
    number of entries of the room, as spectators count.
    """

    game_id: str
    over: bool
    begun: bool
    entries: int


class RoomListener(Protocol):
    """Is notified by the rooms of this process; owned by the app."""

    def changed(self, row: Summary) -> None:
        """The row of a room has changed."""

    def attended(self) -> None:
        """A person has come into a room, or gone."""

    def invited(self, guest: str, host: str, room: str) -> None:
        """A person (by id) was invited by another one (by name) into a room."""


class RoomAccess(Protocol):
    """Owned by the app."""

    @property
    def house(self) -> BotDispatcher:
        """Who plays the seats of house bots in the rooms of this process."""

    def line(
        self, client: MemberConnection, room: str, say_id: str, text: str, at: int | None
    ) -> None:
        """A typed line of a member."""

    def enter(self, client: MemberConnection, act: Enter, say_id: str) -> None:
        """Bring a connection into a room, loading it if need be; that is answered."""

    def attach(self, client: MemberConnection, room: str) -> None:
        """Bring in a person who need not be admitted, or tell their client where the room is."""

    def leave(self, client: MemberConnection, room: str) -> None:
        """A member goes out of a room."""

    def sync(self, client: MemberConnection, room: str) -> None:
        """Send a member a new snapshot."""

    def relabel(self, client: MemberConnection, room: str) -> None:
        """A member speaks another language from now on."""

    def rename(self, person: str, name: str, rooms: set[str]) -> None:
        """Somebody in these rooms is called otherwise."""

    def note_account(self, person: str, rooms: set[str]) -> None:
        """Somebody in these rooms has an account from now on: games with him can be rated."""

    def version(self, client: MemberConnection, room: str) -> Version | None:
        """The newest version of a member's room that is known here, as he counts."""

    def look_up(
        self, client: MemberConnection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        """Answer a line that may have been written before; `go_in`: it led into its room."""

    def take_post(self, client: MemberConnection, post: BotAssignment) -> str | None:
        """A house bot comes to its seat: what it is called; None if it is not wanted any more."""

    def check_makes_rooms(self) -> None:
        """Raises NotAllowed (restarting) if no rooms are made any more."""

    async def new_room(self, client: MemberConnection, act: NewRoom, say_id: str) -> bool:
        """Make a room and bring its maker in; ends when that is answered: whether there is one."""

    async def lines(self, rooms: Collection[str]) -> Mapping[str, RoomLine]:
        """The lines of those rooms that are in memory."""

    async def status(self, room: str) -> RoomStatus | None:
        """How far the game has come; None if the room is not in memory."""

    async def ask(self, client: MemberConnection, room: str, asked: Ask) -> None:
        """Answer a client's query about a room, or say why not. Raises NotAllowed (not_in_room)."""

    async def query(
        self, sent: RoomQuery, room: str = "", client: MemberConnection | None = None
    ) -> Any:  # Any: `sent.reply`
        """The answer to a query of a feature: in a room, of a member of it if `client` is given.

        It is answered where the room is, else in the process that has its `key`. None where no
        connection of this process is in the room. Raises Refusal: the feature's, not_in_room, and
        not_saved where the other process is not reached.
        """

    async def be_away(self, person: str, until: int) -> None:
        """Somebody is on vacation until then, or back. Raises NotAllowed (not_saved)."""

    async def save_all(self) -> int:
        """Keep a snapshot of every room in memory; how many there are. Raises JournalError."""
