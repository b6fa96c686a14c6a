"""One connection with the person behind it, from the first byte to the last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from bluebear.protocol import Code, Codec, Done, Error, Message, RoomNumber
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Act
from bluebear.server.commands.scene import Speaker
from bluebear.server.edge.session import Session
from bluebear.server.limits import ANSWERS_REMEMBERED
from bluebear.server.net.budget import Budgets, ConnectionCosts
from bluebear.server.people.account import Scope
from bluebear.server.people.lists import Lists
from bluebear.server.room.actor import Actor

_PASSING: Final = frozenset((Code.BUSY, Code.NOT_SAVED))
"""Refusals that say nothing about the line: said again with its id, it is judged again. So do all
that say when to come again.
"""


class Link(Protocol):
    """The way to one client; the transport's side of a connection."""

    address: str

    def push(self, frame: bytes) -> None:
        """Send a frame soon, or cut the connection if too much is waiting already."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""


Perform = Callable[["Connection", str, Act, str], None]
"""Carries out an act that is no entry: who said it, in which room ("": the lobby), which line."""

Refuse = Callable[["Connection", str, Refusal], None]
"""Answers a line of somebody with what is wrong with it."""


class Connection(ConnectionCosts):
    """Its session, who speaks, what he wants, the rooms he is in; a `Client` to the engine.

    Owned by the reception; rooms hold it as a member meanwhile.
    """

    closing = False
    """Whether it was told to end; until the other side has heard that it is not gone."""
    gone = False
    for_house = False
    """Whether only the house's own bots may come in by it."""

    came_at = 0
    """When he said who he is, in ms."""

    @property
    def lost(self) -> bool:
        """See `Client`."""
        return self.gone

    def __init__(
        self, link: Link, session: Session, perform: Perform, refuse: Refuse, *, budgets: Budgets
    ) -> None:
        super().__init__(budgets, link.address)
        self.link = link
        self.session = session
        self._perform = perform
        self._refuse = refuse
        self.name = ""
        self.renewed: Callable[[], None] = _nobody_asks
        """Called when what is known of him has changed; his rooms elsewhere want to know."""
        self.lists = Lists()
        self.human = True
        self.lang: Lang = "en"
        self.wants: frozenset[str] = frozenset()
        self.house_seat: Seat | None = None
        self.house_desk = False
        self.deadline: asyncio.TimerHandle | None = None
        """Until when he has to say hello."""
        self.expected = False
        """Whether the answer to a hello is on its way."""
        self.resumed = False
        self.scopes: frozenset[Scope] | None = None
        """What the token of somebody's bot lets it do; None: whatever a person may."""
        self.owner = ""
        """Whose bot this is."""
        self.operator = self.account = self.proven = False
        """Whether he runs the server, is kept, has said his password here: a token changes none."""
        self.silent_until = self.offered_until = 0
        """Until when (ms) an operator keeps him from talking, and he is asked about a game."""
        self.grant = ""
        """What let him in: tabs of one browser share it, another machine has another."""
        self.snapshots_at: dict[RoomNumber, float | None] = {}
        """When (loop time) a room may be shown again to who asks for it; None: it will be."""
        self.replaying = ("", 0)
        """The game that he steps through, by its id, and the move at which he is."""
        self._actor: Actor | None = None
        self.rooms: dict[RoomNumber, str] = {}
        """The rooms that he is in, by their numbers in his frames."""
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
    def lists(self) -> Lists:
        """The lists that he keeps of others."""
        return self._lists

    @lists.setter
    def lists(self, lists: Lists) -> None:
        self._lists = lists
        self.unheard = lists.unheard
        """The people whose words do not reach him."""
        self.renewed()

    @property
    def speaker(self) -> Speaker:
        """Who speaks, for the judging of lines."""
        return Speaker(
            *(self.person, self.name, self.human, self.lang, self.house_seat),
            *(self.scopes, self.operator, self.silent_until, self.account, self.owner),
            self.offered_until,
        )

    def is_offered(self, until: int) -> None:
        """He is asked about a game until then (ms); 0: he is asked no more."""
        if self.offered_until != until:
            self.offered_until = until
            self.renewed()

    def is_now(self, person: str, name: str, grant: str) -> None:
        """He is somebody from now on, or somebody else; he is in no room then."""
        self.person, self.name, self.grant = person, name, grant
        self._actor = None

    def in_time(self) -> None:
        """He need not say hello any more: he has, or is gone."""
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

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

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""
        self.closing = True
        self.link.close(code, reason)

    def answer(self, answer: Done | Error) -> None:
        """Answer a line, and remember the answer in case it gets lost.

        What was done stays done: a copy of it that is refused is answered as it was.
        """
        before = self.answered(answer.id) if answer.id else None
        if isinstance(answer, Error) and isinstance(before, Done):
            answer = before
        passing = isinstance(answer, Error) and (
            answer.code in _PASSING or answer.retry_ms is not None
        )
        if not passing:
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

    def entered(self, room: str) -> RoomNumber:
        """He is in a room from now on; the number that its frames have for him."""
        number = self.reserve()
        self.enters(number, room)
        return number

    def reserve(self) -> RoomNumber:
        """A number for a room that he may be in soon."""
        number = RoomNumber(self._next_number)
        self._next_number += 1
        return number

    def enters(self, number: RoomNumber, room: str) -> None:
        """He is in a room from now on, under a number that was reserved for it."""
        self.rooms[number] = room

    def left(self, number: RoomNumber) -> None:
        """He is in a room no longer."""
        self.rooms.pop(number, None)
        self.snapshots_at.pop(number, None)

    def number_of(self, room: str) -> RoomNumber | None:
        """The number of a room that he is in."""
        return next((number for number, each in self.rooms.items() if each == room), None)

    def perform(self, room: str, act: Act, say_id: str) -> None:
        """Carry out an act that is no entry of the room in which it was said."""
        self._perform(self, room, act, say_id)

    def refuse(self, say_id: str, refusal: Refusal) -> None:
        """Answer a line with what is wrong with it."""
        self._refuse(self, say_id, refusal)


def _nobody_asks() -> None:
    """His rooms are in this process, and look at him themselves."""
