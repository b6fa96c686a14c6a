"""What commands say of rooms and people outside of their room, and what candidates rest on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bluebear.server.runtime import token_hash
from bluebear.server.store import StreamId

_NUMBER: Final = re.compile(r"#?(\d{1,9})")


@dataclass(frozen=True, slots=True)
class RoomLine:
    """One room as the lobby knows it, without loading it. `awake`: somebody is in it.

    `deadlines`: played by days, when the time of each of `names` is up; 0 for who is not to move.
    `options` are those that are not as usual, with their canonical values, the clock apart.
    `made` is when the room was made, in ms. `watchers` are the people who are in it without a seat.
    """

    id: StreamId
    game: str
    phase: str
    listed: bool
    private: bool
    locked: bool
    names: tuple[str, ...]
    persons: tuple[str, ...]
    turn: tuple[str, ...]
    free: int
    host_person: str
    admitted: frozenset[str]
    banned: frozenset[str]
    invites: frozenset[str]
    watch: str
    at: int
    awake: bool = False
    deadlines: tuple[int, ...] = ()
    clock: str = ""
    options: tuple[tuple[str, str], ...] = ()
    made: int = 0
    watchers: int = 0

    def is_turn_of(self, person: str) -> bool:
        """Whether somebody is to move here."""
        return any(
            who == person and name in self.turn
            for who, name in zip(self.persons, self.names, strict=True)
        )

    def of(self, person: str) -> bool:
        """Whether somebody has a seat here or is the host."""
        return person in self.persons or person == self.host_person

    def bars(self, person: str, owner: str) -> bool:
        """Whether somebody may not come in; a bot goes with its owner, unless it sits here."""
        return person in self.banned or (owner in self.banned and person not in self.persons)

    def is_known_to(self, person: str) -> bool:
        """Whether somebody may know by its number that this room exists; "": who has no name yet.

        A number that is not in the list opens a room, but nobody counts the tries of the nameless.
        """
        if not person:
            return self.listed
        if person in self.banned:
            return False
        return not self.private or person in self.admitted or person in self.persons


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody who is connected: since when (ms), away with which words (None: he is not), where.

    `rooms` has all rooms that he is in, the latest first; who asks may not know of some of them.
    """

    person: str
    name: str
    since: int
    away: str | None
    rooms: tuple[RoomLine, ...] = ()

    def rooms_shown_to(self, person: str, here: str) -> list[RoomLine]:
        """The rooms in which a person, who is in a room `here`, may see this one."""
        return [
            room
            for room in self.rooms
            if room.is_known_to(person)
            and (room.listed or room.of(person) or person in room.admitted or room.id == here)
        ]


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the rooms that everybody may know of: of one game, with free seats, running."""

    game: str = ""
    free: bool = False
    running: bool = False
    page: int = 0


class Source(StrEnum):
    """What candidates of arguments may be read from, beside the room."""

    ONLINE = "online"
    MY_ROOMS = "my_rooms"
    LISTED = "listed"


Sources = frozenset[Source]
ONLINE: Final[Sources] = frozenset((Source.ONLINE,))
ROOMS: Final[Sources] = frozenset((Source.MY_ROOMS, Source.LISTED))
ALWAYS_OFFERED: Final[Sources] = frozenset((Source.MY_ROOMS, Source.ONLINE))
"""What a catalogue's candidates rest on. It is asked for after every move, so the list of rooms,
which is dear, is looked at only where a line that names a room is completed.
"""


@dataclass(frozen=True, slots=True)
class Offers:
    """What was read from the sources. People are id and exact name."""

    online: tuple[tuple[str, str], ...] = ()
    mine: tuple[RoomLine, ...] = ()
    rooms: tuple[RoomLine, ...] = ()


NOTHING: Final = Offers()


def number_or_invite(given: str) -> tuple[str, str]:
    """The number, or the hash of the invite token or link, that names a room; the other is ""."""
    number = _NUMBER.fullmatch(given)
    if number is not None:
        return number[1], ""
    return "", token_hash(given.rstrip("/").rsplit("/", 1)[-1])
