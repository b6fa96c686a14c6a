"""The members of a room: their connections, what they see, who is present.

Presence is not state: it is never journaled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bluebear.protocol import Codec, Note, Presence, RoomNumber
from bluebear.rules.core.visibility import SPECTATOR, Eyes
from bluebear.server.limits import DISCONNECTED_SECONDS, LET_IN_MAX
from bluebear.server.room.hosting import is_barred
from bluebear.server.room.state import Room, voting_seats
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.views import Audience, audience


@dataclass(slots=True)
class Member:
    """One connection in a room: its number for the room and what it sees."""

    client: Connection
    audience: Audience
    knows_keys: bool = False
    """Whether it has been sent the table of its short keys."""
    shown_at: int = 0
    """The room's version when it was last sent a snapshot, maybe of an older one."""


def left_note(room: RoomNumber | None, text: str) -> Note:
    """Tells a client that it is not in a room any more, by the number that the room had."""
    return Note(room=room, code="left", text=text)


def eyes_of(client: Connection, room: Room) -> Eyes:
    """The seats whose secrets a connection may see."""
    if client.house_seat is not None:
        chair = room.seats.get(client.house_seat)
        plays = chair is not None and chair.bot is not None
        return frozenset((client.house_seat,)) if plays else SPECTATOR
    seat = room.seat_of(client.person)
    return SPECTATOR if seat is None else frozenset((seat,))


def audience_of(client: Connection, codec: Codec, number: RoomNumber, eyes: Eyes) -> Audience:
    """What a connection's frames are made for."""
    wants_text = "text" in client.wants
    return audience(
        codec,
        number,
        eyes,
        client.lang if wants_text else None,
        events="events" in client.wants,
    )


class Members:
    """The members of one room; owned by its live room."""

    def __init__(self) -> None:
        self.members: dict[Connection, Member] = {}
        self.here: dict[str, str] = {}
        self.absent_since: dict[str, float] = {}
        self._lost: dict[str, tuple[str, float]] = {}
        """By person: the name, and when the connection was lost; the earliest first."""

    def put(self, client: Connection, codec: Codec, number: RoomNumber, room: Room) -> Member:
        """A connection comes in; `codec` is that of its views."""
        member = Member(client, audience_of(client, codec, number, eyes_of(client, room)))
        self.members[client] = member
        if not client.is_house:
            self.here[client.person] = client.name
            self.absent_since.pop(client.person, None)
            self._lost.pop(client.person, None)
        return member

    def drop(self, client: Connection, now: float) -> None:
        """A connection goes; the person is gone with the last one."""
        member = self.members.pop(client, None)
        if member is None or client.is_house:
            return
        if not any(other.person == client.person for other in self.members):
            name = self.here.pop(client.person, client.name)
            self.absent_since[client.person] = now
            if client.is_disconnected:
                self._lost[client.person] = (name, now)
                if len(self._lost) > LET_IN_MAX:
                    del self._lost[next(iter(self._lost))]

    def lately(self, now: float) -> Mapping[str, str]:
        """Who lost the connection so recently that they may come back: names by id."""
        if not self._lost:
            return {}
        for person, (_, since) in list(self._lost.items()):
            if now - since < DISCONNECTED_SECONDS:
                break
            del self._lost[person]
        return {person: name for person, (name, _) in self._lost.items()}

    def sent_out(self, person: str) -> None:
        """A person is not expected back any more."""
        self._lost.pop(person, None)

    def expelled(self, room: Room, person: str) -> list[Connection]:
        """The connections that have to leave a room with a person who is sent out of it."""
        return [
            client
            for client in self.members
            if (client.person == person and not client.is_house)
            or is_barred(room, client.person, client.speaker.owner)
        ]

    def rename(self, person: str, name: str) -> None:
        """A person who is here has another name."""
        if person in self.here:
            self.here[person] = name

    def presence(self, number: RoomNumber, room: Room) -> Presence:
        """Who is here and which seated people are not."""
        owners: Mapping[str, str] = {
            chair.person: chair.name for chair in room.seats.values() if chair.person is not None
        }
        away = [name for person, name in owners.items() if person not in self.here]
        return Presence(
            room=number, here=tuple(sorted(self.here.values())), away=tuple(sorted(away))
        )

    def voters(self, room: Room) -> list[int]:
        """The seats of the humans who are here: who votes."""
        return voting_seats(room, self.here)

    @property
    def awake(self) -> bool:
        """Whether any person is connected, house bots aside."""
        return bool(self.here)
