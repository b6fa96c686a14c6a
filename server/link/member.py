"""A connection at an edge in one room, as its engine sees it: a `MemberConnection` there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bluebear.protocol import JSON, MSGPACK, Codec, Error, Message, RoomNumber
from bluebear.protocol import Done as DoneMessage
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Act
from bluebear.server.commands.scene import Speaker
from bluebear.server.link.frames import (
    Close,
    Done,
    Elsewhere,
    Entered,
    Left,
    Perform,
    Push,
    Refused,
    Who,
    Wrong,
)
from bluebear.server.link.values import pack_act, pack_refusal
from bluebear.server.link.wire import Link
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.account import Lists, Scope
from bluebear.server.room.state import Actor
from bluebear.server.rooms.leases import NotLeaseHolder

_CODECS: Final = {codec.name: codec for codec in (MSGPACK, JSON)}


class Member:
    """One place of an edge; owned by the engine's side of its link."""

    def __init__(
        self,
        link: Link,
        place: int,
        number: int,
        who: Who,
        version_of: Callable[[Member], int | None],
        budgets: Budgets,
    ) -> None:
        self.link = link
        self._budgets = budgets
        self.unpaid = 0.0
        """See `MemberConnection`; the edge charges its own work, what is done here is free."""
        self._version_of = version_of
        self.place = place
        self.number = RoomNumber(number)
        self.room = ""
        self.gone = False
        self.lost = False
        """See `MemberConnection`."""
        self.is_known(who)

    def is_known(self, who: Who) -> None:
        """Who is there, or has changed."""
        self._who = who
        self.unheard: frozenset[str] = who.lists.unheard
        self.unheard_names: frozenset[str] = who.lists.unheard_names
        """See `MemberConnection`."""
        self._speaker = Speaker(
            *(who.person, who.name, who.human, who.lang, None),
            *(who.scopes, who.operator, who.silent_until, who.account, who.owner),
            who.offered_until,
        )
        self._actor = self._speaker.actor

    @property
    def person(self) -> str:
        """See `MemberConnection`."""
        return self._who.person

    @property
    def name(self) -> str:
        """See `MemberConnection`."""
        return self._who.name

    @property
    def human(self) -> bool:
        """See `MemberConnection`."""
        return self._who.human

    @property
    def lang(self) -> Lang:
        """See `MemberConnection`."""
        return self._who.lang

    @property
    def wants(self) -> frozenset[str]:
        """See `MemberConnection`."""
        return self._who.wants

    @property
    def codec(self) -> Codec:
        """See `MemberConnection`."""
        return _CODECS[self._who.codec]

    @property
    def speaker(self) -> Speaker:
        """See `MemberConnection`."""
        return self._speaker

    @property
    def actor(self) -> Actor:
        """See `MemberConnection`."""
        return self._actor

    @property
    def scopes(self) -> frozenset[Scope] | None:
        """See `MemberConnection`."""
        return self._who.scopes

    @property
    def house_seat(self) -> Seat | None:
        """See `MemberConnection`: bots of the house come to their engine by themselves."""
        return None

    @property
    def is_house(self) -> bool:
        """See `MemberConnection`."""
        return False

    @property
    def resumed(self) -> bool:
        """See `MemberConnection`."""
        return self._who.resumed

    @property
    def lists(self) -> Lists:
        """See `MemberConnection`."""
        return self._who.lists

    def pay(self, size: int) -> None:
        """See `MemberConnection`."""
        self._budgets.spend(Cost.BYTES, self._who.network, self._who.person, float(size))

    def push(self, frame: bytes) -> None:
        """See `MemberConnection`."""
        if not self.gone:
            self.link.send(Push([self.place], frame))

    def send(self, message: Message) -> None:
        """See `MemberConnection`."""
        self.push(self.codec.encode(message))

    def answer(self, answer: DoneMessage | Error) -> None:
        """See `MemberConnection`: the edge remembers it, also after the member has left."""
        if isinstance(answer, Error):
            self.link.send(Wrong(self.place, MSGPACK.encode(answer)))
        else:
            self._done(answer, rides=False)

    def remember(self, answer: DoneMessage | Error) -> None:
        """See `MemberConnection`."""
        if isinstance(answer, DoneMessage):
            self._done(answer, rides=True)

    def _done(self, done: DoneMessage, *, rides: bool) -> None:
        inside = done.room is not None
        self.link.send(Done(self.place, done.id or "", done.version, inside, rides))

    def entered(self, room: str) -> RoomNumber:
        """See `MemberConnection`: the number came along with the place."""
        self.room = room
        self.link.send(Entered(self.place, room))
        return self.number

    def left(self, number: RoomNumber) -> None:
        """See `MemberConnection`."""
        if not self.gone:
            self.link.send(Left(self.place))

    def perform(self, room: str, act: Act, say_id: str) -> None:
        """See `MemberConnection`."""
        version = self._version_of(self)
        self.link.send(Perform(self.place, say_id, pack_act(act), version))

    def refuse(self, say_id: str, refusal: Refusal) -> None:
        """See `MemberConnection`."""
        if isinstance(refusal, NotLeaseHolder) and not self.gone:
            self.link.send(Elsewhere(self.place, refusal.room))
        else:
            self.link.send(Refused(self.place, say_id, pack_refusal(refusal)))

    def close(self, code: int, reason: str) -> None:
        """See `MemberConnection`."""
        self.link.send(Close(self.place, int(code), reason))
