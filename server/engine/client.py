"""A connection as the engine sees it: who is there, and the way to him.

The edge's connections are clients; so is whatever stands for one at the other end of a link.
"""

from __future__ import annotations

from typing import Protocol

from bluebear.protocol import Codec, Done, Error, Message, RoomNumber
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Act
from bluebear.server.commands.scene import Speaker
from bluebear.server.people.account import Scope
from bluebear.server.people.lists import Lists
from bluebear.server.room.actor import Actor


class Client(Protocol):
    """One connection. Rooms know it by itself, and tell it the numbers of its rooms."""

    @property
    def person(self) -> str:
        """Who is there; empty for the house's own bots."""

    @property
    def name(self) -> str:
        """What he is called."""

    @property
    def human(self) -> bool:
        """Whether this is a person, who is asked about a slip, and no program."""

    @property
    def lang(self) -> Lang:
        """The language of all sentences to him."""

    @property
    def wants(self) -> frozenset[str]:
        """What he wants to hear beside the patches."""

    @property
    def codec(self) -> Codec:
        """How his frames are written."""

    @property
    def speaker(self) -> Speaker:
        """Who speaks, for the judging of lines."""

    @property
    def actor(self) -> Actor:
        """As the journal names who speaks."""

    @property
    def scopes(self) -> frozenset[Scope] | None:
        """What the token of somebody's bot lets it do; None: whatever a person may."""

    @property
    def house_seat(self) -> Seat | None:
        """The seat that he plays as a house bot."""

    @property
    def is_house(self) -> bool:
        """Whether this is one of the house's own bots."""

    @property
    def resumed(self) -> bool:
        """Whether a line of his may repeat one that was answered on another connection."""

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""

    @property
    def lost(self) -> bool:
        """Whether the connection has ended without his having gone anywhere."""

    @property
    def lists(self) -> Lists:
        """The lists that he keeps of others."""

    @property
    def unheard(self) -> frozenset[str]:
        """The people whose words do not reach him."""

    unpaid: float
    """Seconds of the loop that were worked for him and are not charged yet."""

    def pay(self, size: int) -> None:
        """Take what an entry of so many bytes costs him. Raises NotAllowed (too_much)."""

    def push(self, frame: bytes) -> None:
        """Send a frame that is encoded already."""

    def send(self, message: Message) -> None:
        """Send one message."""

    def answer(self, answer: Done | Error) -> None:
        """Answer a line, and remember the answer in case it gets lost."""

    def remember(self, answer: Done | Error) -> None:
        """Keep an answer that went out with something else."""

    def entered(self, room: str) -> RoomNumber:
        """He is in a room from now on; the number that its frames have for him."""

    def left(self, number: RoomNumber) -> None:
        """He is in a room no longer."""

    def perform(self, room: str, act: Act, say_id: str) -> None:
        """Carry out an act that is no entry of the room in which it was said."""

    def refuse(self, say_id: str, refusal: Refusal) -> None:
        """Answer a line that is about no room that he may know of."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""
