"""One connection with the person behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from protocol import Code, Codec, Done, Error, Message, RoomNumber
from rules.core.phrases import Lang
from rules.core.vision import Seat
from server.commands.scene import Speaker
from server.edge.session import Session
from server.limits import ANSWERS_REMEMBERED
from server.room.actor import Actor

if TYPE_CHECKING:
    from server.engine.live import LiveRoom


_PASSING: Final = frozenset((Code.BUSY, Code.NOT_SAVED))
"""Refusals that say nothing about the line: said again with its id, it is judged again."""


class Link(Protocol):
    """The way to one client; the transport's side of a connection."""

    address: str

    def push(self, frame: bytes) -> None:
        """Send a frame soon, or cut the connection if too much is waiting already."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""


class Caller:
    """A connection: its session, who speaks, what he wants, the rooms he is in.

    Owned by the reception from connecting to the end; rooms hold it as a member meanwhile.
    """

    def __init__(self, link: Link, session: Session) -> None:
        self.link = link
        self.session = session
        self.person = ""
        self.name = ""
        self.human = True
        self.lang: Lang = "en"
        self.wants: frozenset[str] = frozenset()
        self.house_seat: Seat | None = None
        self.house_desk = False
        self.expected = False
        self.resumed = False
        self.gone = False
        self._actor: Actor | None = None
        self.rooms: dict[RoomNumber, LiveRoom] = {}
        self._next_number = 1
        self._answers: dict[str, Done | Error] = {}

    @property
    def codec(self) -> Codec:
        """How this client's frames are written."""
        return self.session.codec

    @property
    def actor(self) -> Actor:
        """As the journal names who speaks; settled when the hello is accepted, so made once."""
        if self._actor is None:
            self._actor = self.speaker.actor
        return self._actor

    @property
    def speaker(self) -> Speaker:
        """Who speaks, for the judging of lines."""
        return Speaker(self.person, self.name, self.human, self.lang, self.house_seat)

    @property
    def is_house(self) -> bool:
        """Whether this is one of the house's own bots."""
        return self.house_seat is not None or self.house_desk

    def send(self, message: Message) -> None:
        """Send one message."""
        if not self.gone:
            self.link.push(self.codec.encode(message))

    def push(self, frame: bytes) -> None:
        """Send a frame that is encoded already."""
        if not self.gone:
            self.link.push(frame)

    def answer(self, answer: Done | Error) -> None:
        """Answer a line, and remember the answer in case it gets lost."""
        if not (isinstance(answer, Error) and answer.code in _PASSING):
            self.remember(answer)
        self.send(answer)

    def remember(self, answer: Done | Error) -> None:
        """Keep an answer, the oldest being forgotten."""
        if answer.id:
            self._answers[answer.id] = answer
            if len(self._answers) > ANSWERS_REMEMBERED:
                del self._answers[next(iter(self._answers))]

    def answered(self, say: str) -> Done | Error | None:
        """What a line was answered, if that is remembered."""
        return self._answers.get(say)

    def new_number(self) -> RoomNumber:
        """A number for a room that this connection enters."""
        number = RoomNumber(self._next_number)
        self._next_number += 1
        return number
