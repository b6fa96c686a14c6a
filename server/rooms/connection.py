"""One connection with the person behind it, from the first byte to the last."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from bluebear.protocol import Bye, Codec, Error, Moved, RoomNumber
from bluebear.protocol import Close as CloseCode
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Act
from bluebear.server.net.budget import Budgets
from bluebear.server.net.session import ClientTransport, Session
from bluebear.server.people.account import Lists, Scope
from bluebear.server.people.people import AuthenticatedPerson
from bluebear.server.room.state import Actor
from bluebear.server.sentences import say


class RequestHandler(Protocol):
    """Carries out what is no entry of a room: `Requests`."""

    def perform(self, connection: Connection, room: str, act: Act | None, say_id: str) -> None:
        """Carry out an act, or only reply; `room` is that of the line, "" the lobby."""

    def refuse(self, connection: Connection, say_id: str, refusal: Refusal) -> None:
        """Reply to a line with its refusal."""

    def look_up(
        self, connection: Connection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        """Reply to a line that would be refused, or whose fate is unknown: it may be stored.

        `go_in` says that it led into its room (it made the room, or spent an invite): if its answer
        got lost, its sender is not in the room yet, and enters.
        """

    def repeat(
        self, connection: Connection, say_id: str, stream: str, seq: int, *, go_in: bool
    ) -> None:
        """Reply to a line that is entry `seq` of a stream already."""

    def rooms_changed(self, connection: Connection) -> None:
        """It has entered a room, or left one."""

    def switch_person(self, connection: Connection, coming: AuthenticatedPerson) -> None:
        """Another person is connected from now on."""


class Connection(Session):
    """A session with the person behind it, and the rooms it is in.

    Owned by the dispatcher; rooms hold it as a member meanwhile.
    """

    # Not set by most: an object of CPython with over thirty attributes has its own table of names.
    since = 0
    """When the hello was accepted, in ms."""
    house_seat: Seat | None = None
    is_control = False
    resumed = False
    scopes: frozenset[Scope] | None = None
    """What the token of a bot lets it do; None: all that a person may."""
    owner = ""
    """The person whose bot this is, or ""."""
    offered_until = 0
    """Until when (ms) a game is offered to the person."""
    replaying = ("", 0)
    """The game that is stepped through, by its id, and the move that is shown."""
    whispers: tuple[tuple[str, str], ...] = ()
    """What was whispered to it of late: by which person, and the text with their name."""
    moved: tuple[RoomNumber, ...] = ()
    """Numbers of rooms that have moved to other nodes: what is sent there is sent again."""

    def __init__(
        self,
        transport: ClientTransport,
        codec: Codec,
        budgets: Budgets,
        now: float,
        handler: RequestHandler,
    ) -> None:
        super().__init__(transport, codec, budgets, now)
        self.handler = handler
        self.name = ""
        self.set_lists(Lists())
        self.human = True
        self.wants: frozenset[str] = frozenset()
        self.beside = False
        """Whether it was opened beside another connection of the client, to follow a room."""
        self.expected = False
        """Whether the answer to a hello is on its way."""
        self.account = self.proven = False
        """Whether the person has an account, has given its password here."""
        self.grant = ""
        """The grant of its token: tabs of one browser share it, another machine has another."""
        self.snapshots_at: dict[RoomNumber, float | None] = {}
        """When (loop time) a snapshot of a room may be sent again; None: it will be."""
        self.rooms: dict[RoomNumber, str] = {}
        """The rooms that it is in, by their numbers in its frames."""
        self._next_number = 1

    @cached_property
    def actor(self) -> Actor:
        """As the journal names who speaks; settled when the hello is accepted, so made once."""
        seat = self.house_seat
        return Actor.of_person(self.person) if seat is None else Actor.of_house(seat)

    def set_lists(self, lists: Lists) -> None:
        """The person keeps these lists of other people from now on."""
        self.lists = lists
        self.unheard, self.unheard_names = lists.unheard, lists.unheard_names
        """The people whose words do not reach this connection, by id and by name."""

    def is_now(self, person: str, name: str, grant: str) -> None:
        """It is a person's from now on, and in no room then."""
        self.charge_to(person)
        self.name, self.grant = name, grant
        self.__dict__.pop("actor", None)

    def entered(self, room: str) -> RoomNumber:
        """It is in a room from now on; the number that its frames have for that."""
        number = RoomNumber(self._next_number)
        self._next_number += 1
        self.rooms[number] = room
        self.handler.rooms_changed(self)
        return number

    def left(self, number: RoomNumber) -> None:
        """It is in a room no longer."""
        self.rooms.pop(number, None)
        self.snapshots_at.pop(number, None)
        self.handler.rooms_changed(self)

    def redirect(
        self, room: str, url: str, say_id: str = "", number: RoomNumber | None = None
    ) -> None:
        """A room is at another node: its own under `number`, or where a line of its led to.

        A client that does not follow comes back into its rooms by itself after a `bye`.
        """
        if number is not None:
            if self.rooms.get(number) != room:
                return
            self.left(number)
            self.moved += (number,)
        # What it says when it comes back may be written there.
        self.resumed = True
        if "moved" in self.wants:
            self.send(Moved(name=room, url=url, id=say_id or None, room=number))
        elif number is None:
            self.refuse(say_id, NotAllowed("moved", url=url))
        else:
            self.send(Bye(why="restart", text=say("bye.restart", self.lang), retry_ms=0))
            self.close(CloseCode.BYE, "restart")

    def number_of(self, room: str) -> RoomNumber | None:
        """The number of a room that it is in."""
        return next((number for number, each in self.rooms.items() if each == room), None)

    def refuse(self, say_id: str, refusal: Refusal) -> None:
        """Reply to a line with its refusal."""
        self.handler.refuse(self, say_id, refusal)
