"""What commands read of other rooms and people, and the sources of candidates."""

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
    """The summary of a room in the lobby, without loading it. `awake`: it has members.

    `deadlines`: in a correspondence game, when the time of each of `names` is up (ms); 0 for a
    player who is not to move. `options` have other values than the default (canonical, without the
    clock). `at` and `made` are the times (ms) of the newest and the first entry. `watchers` counts
    the spectators.
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
        """Whether a person is to move in this room."""
        return any(
            who == person and name in self.turn
            for who, name in zip(self.persons, self.names, strict=True)
        )

    def of(self, person: str) -> bool:
        """Whether a person has a seat in this room or is its host."""
        return person in self.persons or person == self.host_person

    def bars(self, person: str, owner: str) -> bool:
        """Whether a person is barred, or their owner is and they are a bot without a seat here."""
        return person in self.banned or (owner in self.banned and person not in self.persons)

    def is_visible_to(self, person: str) -> bool:
        """Whether a person may learn by its number that this room exists.

        A connection without a name ("") sees listed rooms only, since its guesses are not limited.
        """
        if not person:
            return self.listed
        if person in self.banned:
            return False
        return not self.private or person in self.admitted or person in self.persons


@dataclass(frozen=True, slots=True)
class Companion:
    """A connected person: since when (ms), their away text (None: not away), their rooms.

    `rooms` has all rooms that they are in, the latest first, also those hidden from the caller.
    """

    person: str
    name: str
    since: int
    away: str | None
    rooms: tuple[RoomLine, ...] = ()

    def rooms_shown_to(self, person: str, here: str) -> list[RoomLine]:
        """The rooms in which `person`, who is in the room `here`, may see this person."""
        return [
            room
            for room in self.rooms
            if room.is_visible_to(person)
            and (room.listed or room.of(person) or person in room.admitted or room.id == here)
        ]


@dataclass(frozen=True, slots=True)
class Listing:
    """The request for a page of the listed rooms: of one game, with free seats, running."""

    game: str = ""
    free: bool = False
    running: bool = False
    page: int = 0


class Source(StrEnum):
    """The sources of candidates for arguments, besides the room."""

    ONLINE = "online"
    MY_ROOMS = "my_rooms"
    LISTED = "listed"


Sources = frozenset[Source]
ONLINE: Final[Sources] = frozenset((Source.ONLINE,))
ROOMS: Final[Sources] = frozenset((Source.MY_ROOMS, Source.LISTED))
ALWAYS_OFFERED: Final[Sources] = frozenset((Source.MY_ROOMS, Source.ONLINE))
"""The sources of a catalogue. Clients request it after each move, so it does not read the list of
rooms, which is expensive; completion does.
"""


@dataclass(frozen=True, slots=True)
class Offers:
    """What was read from the sources. People are ids and exact names."""

    online: tuple[tuple[str, str], ...] = ()
    my_rooms: tuple[RoomLine, ...] = ()
    rooms: tuple[RoomLine, ...] = ()


NOTHING: Final = Offers()


def number_or_invite(given: str) -> tuple[str, str]:
    """The number of a room, or the hash of an invite token or link; the other one is ""."""
    number = _NUMBER.fullmatch(given)
    if number is not None:
        return number[1], ""
    return "", token_hash(given.rstrip("/").rsplit("/", 1)[-1])
