"""What a command must know beyond its room: declared, fetched before it is judged, handed in.

A command's `needs` says what is `Wanted` for it; whoever judges the line fetches that
(`server/lookups.py`) and judges it again with what was `Found`. So commands stay pure, and nobody
keeps everything in memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bluebear.server.journal import StreamId
from bluebear.server.tokens import token_hash

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


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the rooms that everybody may know of: of one game, with free seats, running."""

    game: str = ""
    free: bool = False
    running: bool = False
    page: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a line needs: everything that is not empty.

    `room` is a number, `invite` the hash of an invite, `rooms` a page of the list.
    """

    room: str = ""
    invite: str = ""
    rooms: Listing | None = None
    mine: bool = False
    online: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of what was wanted. People are id and exact name.

    `present` counts all who are connected.
    """

    room: RoomLine | None = None
    rooms: tuple[RoomLine, ...] = ()
    mine: tuple[RoomLine, ...] = ()
    online: tuple[tuple[str, str], ...] = ()
    present: int = 0


NOTHING: Final = Found()


def room_of(given: str) -> Wanted:
    """The room that a number, an invite token or an invite link names."""
    number = _NUMBER.fullmatch(given)
    if number is not None:
        return Wanted(room=number[1])
    return Wanted(invite=token_hash(given.rstrip("/").rsplit("/", 1)[-1]))


ALWAYS_OFFERED: Final = Wanted(mine=True, online=True)
"""What a catalogue's candidates rest on. It is asked for after every move, so the list of rooms,
which is dear, is looked at only where a line that names a room is completed.
"""
