"""Who is in a room at this moment. Presence is not state: it is never journaled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from protocol import Codec, Presence, RoomNumber
from rules.core.vision import SPECTATOR, Eyes
from server.caller import Caller
from server.engine.publish import Audience, audience
from server.room.state import Room


@dataclass(slots=True)
class Member:
    """One connection in a room: its number for the room and what it sees."""

    caller: Caller
    audience: Audience
    knows_keys: bool = False
    """Whether it has been sent the table of its short keys."""


def eyes_of(caller: Caller, room: Room) -> Eyes:
    """The seats whose secrets a connection may see."""
    if caller.house_seat is not None:
        chair = room.seats.get(caller.house_seat)
        plays = chair is not None and chair.bot is not None
        return frozenset((caller.house_seat,)) if plays else SPECTATOR
    seat = room.seat_of(caller.person)
    return SPECTATOR if seat is None else frozenset((seat,))


def audience_of(caller: Caller, codec: Codec, number: RoomNumber, eyes: Eyes) -> Audience:
    """What a connection's frames are made for."""
    wants_text = "text" in caller.wants
    return audience(
        codec,
        number,
        eyes,
        caller.lang if wants_text else None,
        events="events" in caller.wants,
    )


class Attendance:
    """The members of one room; owned by its live room."""

    def __init__(self) -> None:
        self.members: dict[Caller, Member] = {}
        self.here: dict[str, str] = {}
        self.absent_since: dict[str, float] = {}

    def put(self, caller: Caller, codec: Codec, number: RoomNumber, room: Room) -> Member:
        """A connection comes in; `codec` is that of its views."""
        member = Member(caller, audience_of(caller, codec, number, eyes_of(caller, room)))
        self.members[caller] = member
        if not caller.is_house:
            self.here[caller.person] = caller.name
            self.absent_since.pop(caller.person, None)
        return member

    def drop(self, caller: Caller, now: float) -> None:
        """A connection goes; the person is gone with the last one."""
        member = self.members.pop(caller, None)
        if member is None or caller.is_house:
            return
        if not any(other.person == caller.person for other in self.members):
            self.here.pop(caller.person, None)
            self.absent_since[caller.person] = now

    def rename(self, person: str, name: str) -> None:
        """Somebody who is here is called otherwise."""
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
        return [
            int(seat)
            for seat, chair in room.seats.items()
            if chair.human and chair.bot is None and chair.person in self.here
        ]

    @property
    def awake(self) -> bool:
        """Whether anybody but house bots is connected."""
        return bool(self.here)
