"""The places of one edge: who is where, what he waits for, and what engines say to him."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from bluebear.protocol import MSGPACK, Ask, Bye, Error, RoomNumber, Version
from bluebear.protocol import Close as CloseCode
from bluebear.protocol import Done as DoneMessage
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.native import error_of
from bluebear.server.edge.connection import Connection
from bluebear.server.link.finder import Finder, Unreached
from bluebear.server.link.frames import (
    Answered,
    Attach,
    Close,
    Done,
    Elsewhere,
    Enter,
    Entered,
    Known,
    Leave,
    Left,
    Line,
    Made,
    Make,
    Perform,
    Question,
    Refused,
    ToPlace,
    Who,
    Wrong,
)
from bluebear.server.link.values import act_of, refusal_of
from bluebear.server.link.wire import Link
from bluebear.server.observe import count
from bluebear.server.sentences import say
from bluebear.server.tasks import Tasks

AGAIN_SECONDS: Final = 0.1
"""Before an edge asks again whose a room is that it was sent away from."""
RETRY_MS: Final = 1_000
"""Who is sent away comes again after so long, and up to as long again: not all at once."""
_SPREAD: Final = 97
LEFT_SECONDS: Final = 2.0
"""So long a place is kept at which somebody is no more."""
OWED_SECONDS: Final = 12.0
"""So long while he waits for an answer: longer than a room takes to be another engine's."""

Repeated = Line | Enter | Make


class Place:
    """A connection in a room, or on its way into one; owned by `Outward`."""

    def __init__(self, connection: Connection, number: RoomNumber, room: str) -> None:
        self.connection = connection
        self.number = number
        self.room = room
        self.at = 0
        """Its number on the link; another one each time that it is seated."""
        self.link: Link | None = None
        self.who: Who | None = None
        self.inside = False
        self.unseated_at: float | None = None
        """Since when (loop time) it is at no engine that has its room, though it was."""
        self.again = False
        """Whether it was seated before: what it says may have been written already."""
        self.version: int | None = None
        self.left = False
        """Whether he has gone, and only hears what becomes of what he has said before."""
        self.deaf = False
        """Whether he went by himself: he is shown nothing of the room any more, only answered."""
        self.over = False
        """Whether nobody is here any more."""
        self.waiting: dict[str, Repeated] = {}
        """What is not answered, by the id of its line; what leads in is kept without one, too."""
        self.questions: dict[str, Question] = {}
        self.unsent: list[Line] = []
        """What has no id, and waits for the place to be seated."""
        self.made: asyncio.Future[bool] | None = None

    def who_now(self) -> Who:
        """Who is there, by now."""
        each = self.connection
        return Who(
            *(each.person, each.name, each.human, each.lang, each.wants, each.codec.name),
            *(each.scopes, each.operator, each.silent_until),
            *(each.resumed or self.again, each.lists, each.account),
            *(each.owner, each.offered_until, each.network),
        )


class Places:
    """Owned by an edge's side of its links."""

    def __init__(
        self,
        finder: Finder,
        tasks: Tasks,
        look_up: Callable[[Connection, str, Error], None],
    ) -> None:
        self._finder = finder
        self._start = tasks.start
        self._look_up = look_up
        """Asks whether a line was written, and answers with the error if not."""
        self._number = 0
        self._seated: dict[int, Place] = {}
        """By their number on their link."""
        self._rooms: dict[tuple[Connection, str], Place] = {}
        self._of_room: dict[str, list[Place]] = {}
        self.stopped = False
        """Whether this edge ends, and nobody looks for his room any more."""

    def _put(self, place: Place) -> None:
        """A place is in its room, or goes there."""
        self._rooms[place.connection, place.room] = place
        self._of_room.setdefault(place.room, []).append(place)

    def _take(self, place: Place) -> None:
        """It is not any more."""
        if self._rooms.get((place.connection, place.room)) is not place:
            return
        del self._rooms[place.connection, place.room]
        others = self._of_room[place.room]
        others.remove(place)
        if not others:
            del self._of_room[place.room]

    def of(self, connection: Connection, room: str) -> Place | None:
        """The place of a connection in a room."""
        return self._rooms.get((connection, room))

    def inside(self, connection: Connection, room: str) -> Place:
        """The same. Raises NotAllowed (not_in_room)."""
        place = self.of(connection, room)
        if place is None:
            raise NotAllowed("not_in_room")
        return place

    def everywhere(self) -> list[Place]:
        """All places that are in a room, or go into one."""
        return list(self._rooms.values())

    def link_of(self, room: str) -> Link | None:
        """The way to a room that somebody here is in."""
        found = self._of_room.get(room, ())
        return next((each.link for each in found if each.link is not None), None)

    def make(self, connection: Connection, frame: Make) -> Place:
        """A place for a connection in a room that it makes; `made` says what becomes of it."""
        place = Place(connection, connection.reserve(), "")
        place.made = asyncio.get_running_loop().create_future()
        self._follow(place)
        place.waiting[frame.say] = frame
        self._start(self._seat(place))
        return place

    def go(self, connection: Connection, room: str) -> Place:
        """The place of a connection in a room, where it goes if it is not there."""
        place = self._rooms.get((connection, room))
        if place is None:
            place = Place(connection, connection.reserve(), room)
            self._put(place)
            self._follow(place)
            self._start(self._seat(place))
        return place

    def _follow(self, place: Place) -> None:
        connection = place.connection
        connection.renewed = lambda: self._renewed(connection)

    def _renewed(self, connection: Connection) -> None:
        """Who somebody is has changed, or whom he does not hear: his engines are told."""
        for room in list(connection.rooms.values()):
            place = self._rooms.get((connection, room))
            if place is not None:
                self.introduce(place)

    def introduce(self, place: Place) -> None:
        """Say who is at a place, where that is news."""
        if place.link is None:
            return
        who = place.who_now()
        if who != place.who:
            place.who = who
            place.link.send(Known(place.at, int(place.number), who))

    def ask(self, place: Place, frame: Repeated) -> None:
        """Say something that is kept until it is answered, where it can be."""
        if frame.say or not isinstance(frame, Line):
            place.waiting[frame.say] = frame
        elif place.link is None:
            place.unsent.append(frame)
        if place.link is not None:
            self.introduce(place)
            place.link.send(frame)

    def question(self, place: Place, asked: Ask) -> None:
        """Ask something of a room: the engine answers it."""
        frame = place.questions[asked.id] = Question(place.at, MSGPACK.encode(asked))
        if place.link is not None:
            place.link.send(frame)

    async def _seat(self, place: Place) -> None:
        """Bring a place where its room is, and say there what it has to say."""
        while not self._is_seated(place):
            try:
                link = await self._finder.link_of(place.room or self._wish_of(place))
            except Unreached as refusal:
                self._send_away(place, refusal)
                return
            except Refusal as refusal:
                self._give_up(place, refusal)
                if not place.inside:
                    return
            else:
                if link.is_open:
                    self._sit(place, link)

    def _send_away(self, place: Place, refusal: Refusal) -> None:
        """His room is well, and only this edge does not reach it: another one may.

        Who is not inside yet is refused; who is there comes again, at another edge perhaps.
        """
        connection = place.connection
        if not place.inside:
            self._give_up(place, refusal)
        elif not connection.closing:
            # What he waits for is not answered: he says it again where his room is reached.
            count("places.sent_away")
            retry_ms = RETRY_MS + place.at * _SPREAD % RETRY_MS
            text = say("bye.restart", connection.lang)
            connection.send(Bye(why="restart", text=text, retry_ms=retry_ms))
            connection.close(CloseCode.BYE, "restart")

    def _is_seated(self, place: Place) -> bool:
        """Whether there is nothing more to do to seat a place."""
        if place.connection.gone and place.made is None:
            self.end(place)
        return place.over or place.link is not None

    def _wish_of(self, place: Place) -> str:
        """By what an engine is chosen for a room that is to be made."""
        return f"{place.connection.person} {next(iter(place.waiting), '')}"

    def _sit(self, place: Place, link: Link) -> None:
        if self._is_seated(place):
            return
        self._number += 1
        place.at, place.link = self._number, link
        self._seated[place.at] = place
        place.who = None
        self.introduce(place)
        if place.inside:
            link.send(Attach(place.at, place.room, _away(place)))
        for key, frame in place.waiting.items():
            place.waiting[key] = moved = replace(frame, place=place.at)
            link.send(moved)
        for question in place.questions.values():
            link.send(replace(question, place=place.at))
        for each in place.unsent:
            link.send(replace(each, place=place.at))
        place.unsent.clear()

    def _unseat(self, place: Place) -> None:
        """A place is where its room is not."""
        if place.link is not None and place.link.is_open:
            place.link.send(Leave(place.at))
        self._seated.pop(place.at, None)
        place.link = None
        place.again = True
        if place.inside and place.unseated_at is None:
            place.unseated_at = asyncio.get_running_loop().time()

    def leave(self, place: Place) -> None:
        """Somebody goes out of a room: what he has said there before is still answered."""
        if place.connection.gone or place.link is None or not place.waiting:
            self.end(place)
            return
        place.link.send(Leave(place.at, went=True))
        place.deaf = True
        self._goes(place)

    def _goes(self, place: Place) -> None:
        """Nobody is at a place any more, but what its engine still says of it is for him."""
        place.left = True
        self._take(place)
        place.connection.left(place.number)
        loop = asyncio.get_running_loop()
        loop.call_later(LEFT_SECONDS, self._end_late, place, loop.time() + OWED_SECONDS)

    def _end_late(self, place: Place, until: float) -> None:
        """End a place that somebody has left, unless he still waits there for an answer."""
        loop = asyncio.get_running_loop()
        if place.waiting and not place.connection.gone and loop.time() < until:
            loop.call_later(LEFT_SECONDS, self._end_late, place, until)
        else:
            self.end(place)

    def end(self, place: Place) -> None:
        """A place is no more; what an engine has heard may be written, and is looked up."""
        if place.link is not None:
            place.link.send(Leave(place.at, went=not place.connection.gone))
        self._seated.pop(place.at, None)
        place.link = None
        place.over = True
        self._take(place)
        connection = place.connection
        connection.left(place.number)
        if place.made is not None and not place.made.done():
            place.made.set_result(False)
        waiting, place.waiting = place.waiting, {}
        for frame in waiting.values():
            if frame.say and not connection.gone:
                error = error_of(NotAllowed("not_saved"), frame.say, connection.lang)
                if place.at:
                    self._look_up(connection, frame.say, error)
                else:
                    connection.answer(error)

    def _give_up(self, place: Place, refusal: Refusal) -> None:
        """No engine has the room for long: whoever waits for an answer gets one."""
        waiting, place.waiting = place.waiting, {}
        questions, place.questions = place.questions, {}
        place.unsent.clear()
        connection = place.connection
        # What an engine has heard may be written: that is looked up before it is refused.
        connection.resumed = connection.resumed or place.again
        for ask_id in questions:
            connection.send(error_of(refusal, ask_id, connection.lang))
        for frame in waiting.values():
            connection.refuse(frame.say, refusal)
        if not place.inside:
            self.end(place)

    def push(self, link: Link, numbers: Iterable[int], frame: bytes) -> None:
        """A frame for the connections of some places; those that are no more do not get it."""
        for at in numbers:
            place = self._seated.get(at)
            if place is not None and place.link is link and not place.deaf:
                place.connection.push(frame)

    def broken(self, link: Link) -> None:
        """A link is no more: its places look where their rooms are now."""
        self.seat_again([each for each in self._seated.values() if each.link is link])

    def moved(self, link: Link, room: str) -> None:
        """A room has gone from an engine to another."""
        here = self._of_room.get(room, ())
        self.seat_again([each for each in here if each.link is link])

    def seat_again(self, places: Iterable[Place]) -> None:
        """Places look where their rooms are now."""
        if self.stopped:
            return
        for place in places:
            self._unseat(place)
            if place.made is not None and not place.waiting:
                # Answered, but for the last word on it.
                self._made(place, there=place.inside)
            if place.over:
                self.end(place)
            elif place.left:
                self._start(self._end_behind(place))
            else:
                self._start(self._seat(place))

    async def _end_behind(self, place: Place) -> None:
        """End a place when whoever had its room writes no more of what was said there."""
        if place.waiting:
            with suppress(Refusal):
                await self._finder.link_of(place.room)
        self.end(place)

    def told(self, link: Link, frame: ToPlace) -> None:
        """Something is said to a place."""
        place = self._seated.get(frame.place)
        if place is not None and place.link is link:
            self._said(place, frame)

    def _said(self, place: Place, frame: ToPlace) -> None:
        connection = place.connection
        match frame:
            case Done(say=say, version=version, inside=inside, rides=rides):
                self._done(place, say, version, inside=inside, rides=rides)
            case Perform(say=say, act=act, version=version):
                place.version = version
                place.waiting.pop(say, None)
                connection.perform(place.room, act_of(act), say)
            case Entered(room=room):
                self._entered(place, room)
            case Left():
                self._left(place)
            case Wrong(error=error):
                wrong = MSGPACK.decode_server(error)
                if isinstance(wrong, Error):
                    self._answered(place, wrong.id or "")
                    connection.answer(wrong)
            case Answered(id=ask_id):
                place.questions.pop(ask_id, None)
            case Refused(say=say, refusal=refusal):
                self._answered(place, say)
                connection.refuse(say, refusal_of(refusal))
            case Made(there=there):
                self._made(place, there=there)
            case Close(code=code, reason=reason):
                connection.close(code, reason)
            case Elsewhere(room=room):
                self._elsewhere(place, room)

    def _done(
        self, place: Place, say: str, version: int | None, *, inside: bool, rides: bool
    ) -> None:
        number = place.number if inside and not place.left else None
        seen = None if version is None else Version(version)
        done = DoneMessage(id=say, room=number, version=seen)
        if rides and not place.deaf:
            place.connection.remember(done)
        else:
            place.connection.answer(done)
        self._answered(place, say)

    def _answered(self, place: Place, say: str) -> None:
        """A line is answered; who has been let in nowhere by it is at no place any more."""
        place.waiting.pop(say, None)
        here = place.inside and not place.left
        if not (here or place.waiting or place.made is not None):
            self.end(place)

    def _entered(self, place: Place, room: str) -> None:
        connection = place.connection
        if connection.gone:
            self.end(place)
            return
        place.inside, place.unseated_at = True, None
        if not self._is_its_own(place, room):
            return
        connection.enters(place.number, room)

    def _is_its_own(self, place: Place, room: str) -> bool:
        """Whether a place is the one of its connection in a room; one that comes second ends.

        A room that was made, and whose answer got lost, is gone into by number and made again.
        """
        there = self.of(place.connection, room)
        if there is None:
            place.room = room
            self._put(place)
        elif there is not place:
            waiting, place.waiting = place.waiting, {}
            if place.made is not None and not place.made.done():
                place.made.set_result(True)
            self.end(place)
            for frame in waiting.values():
                if frame.say:
                    place.connection.answer(DoneMessage(id=frame.say, room=there.number))
            return False
        return True

    def _left(self, place: Place) -> None:
        """The engine has let somebody go: what it still says to him comes behind this."""
        self._goes(place)

    def _made(self, place: Place, *, there: bool) -> None:
        made, place.made = place.made, None
        if made is not None and not made.done():
            made.set_result(there)
        place.waiting.pop("", None)
        if not (place.inside or place.waiting):
            self.end(place)

    def _elsewhere(self, place: Place, room: str) -> None:
        """The room is another engine's: go there. One that was made already is gone into."""
        self._unseat(place)
        if place.left:
            self._start(self._end_behind(place))
            return
        if not place.room and room:
            if not self._is_its_own(place, room):
                return
            self._made(place, there=True)
            for key, frame in list(place.waiting.items()):
                if isinstance(frame, Make):
                    place.waiting[key] = Enter(0, frame.say, room, "", "")
        loop = asyncio.get_running_loop()
        loop.call_later(AGAIN_SECONDS, lambda: self._start(self._seat(place)))


def _away(place: Place) -> int | None:
    """How many ms ago a place lost the engine that had its room."""
    if place.unseated_at is None:
        return None
    return int((asyncio.get_running_loop().time() - place.unseated_at) * 1000)
