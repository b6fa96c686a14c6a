"""Talk that is no entry of a room: to one person, to the lobby, a sound for whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from bluebear.protocol import Note, RoomNumber
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import AskPeek, Call, GoAway, Nudge, Whisper
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.reaching import Reaching
from bluebear.server.edge.words import PeekAsked, Reached, Rung, Shouted, WentAway, Whispered
from bluebear.server.net.budget import too_much
from bluebear.server.net.rate_limits import Cost
from bluebear.server.sentences import away_text, say


class Calling:
    """Owned by the app."""

    def __init__(self, presence: Presence, reaching: Reaching, others: Others) -> None:
        self._presence = presence
        self._reaching = reaching
        self._others = others

    async def ask(
        self, connection: Connection, act: Whisper | Nudge | AskPeek | Call, room: str
    ) -> None:
        """Say something to people wherever they are; `room` is where it was said.

        Raises NotAllowed.
        """
        match act:
            case Call():
                await self._praise(connection, act)
            case Whisper():
                await self._whisper(connection, act, room)
            case Nudge():
                await self._nudge(connection, act, room)
            case AskPeek():
                await self._ask_peek(connection, act, room)
            case _:
                assert_never(act)

    def tell_everybody(self, act: Call) -> None:
        """Words of an operator, in the lobby and in every room."""
        self._reaching.spread(self._presence.everybody(), act, "")

    def welcome_back(self, connection: Connection) -> None:
        """Somebody was away and has typed something; unless that was that he stays away."""
        person = connection.person
        if self._presence.away(person) is None:
            self._others.tell_of(person, WentAway(person, None))
            connection.send(Note(code="back", text=say("note.back", connection.lang)))

    def go_away(self, connection: Connection, act: GoAway, room: str) -> None:
        """Somebody will not answer for a while."""
        self._presence.goes_away(connection.person, act.text)
        self._others.tell_of(connection.person, WentAway(connection.person, act.text))
        text = say("note.away", connection.lang)
        connection.send(Note(room=_number(connection, room), code="away", text=text))

    async def _whisper(self, connection: Connection, act: Whisper, room: str) -> None:
        """Tell somebody something; within a room, on the connections that are in it.

        Raises NotAllowed: not_wanted where he keeps the speaker off, no_such_person where he
        cannot be reached.
        """
        inside = room if act.here else ""
        word = Whispered(connection.person, connection.name, act.person, act.text, inside)
        reached = _wanted(await self._reach(self._reaching.whisper(word), word), act.name)
        text = say("note.told", connection.lang, name=act.name, text=act.text)
        if reached.away is not None:
            text = f"{text}\n{away_text(connection.lang, act.name, reached.away)}"
        connection.send(Note(room=_number(connection, room), code="told", text=text))

    def call(self, connection: Connection, act: Call) -> None:
        """Everybody in the lobby hears it, and who has said it. Raises NotAllowed (too_much)."""
        self._others.tell(self._shout(connection, act))

    def _shout(self, connection: Connection, act: Call) -> Shouted:
        _check_wait(self._reaching.wait_for_yell(act.room))
        connection.spend(Cost.CALL)
        word = Shouted(connection.person, connection.name, act)
        self._reaching.shout(word, connection)
        return word

    async def _praise(self, connection: Connection, act: Call) -> None:
        """The same of a room: by one edge at a time, which goes on when the others have heard it.

        So no two edges let one through in the same minute.
        """
        async with self._others.only_here(f"yell {act.room}"):
            await self._others.ask(self._others.edges, self._shout(connection, act))

    async def _nudge(self, connection: Connection, act: Nudge, room: str) -> None:
        """Ring for people on their connections in the room."""
        with self._paid(connection):
            found = []
            for person in act.people:
                word = Rung(connection.person, connection.name, person, room)
                found.append(await self._reach(self._reaching.ring(word), word))
            there = [each.wait for each in found if each.there]
            if not there:
                raise NotAllowed("nudged_gone", given=", ".join(act.names))
            _check_wait(min(there))
        text = say("note.nudged", connection.lang, names=act.names)
        connection.send(Note(room=connection.number_of(room), code="nudged", text=text))

    async def _ask_peek(self, connection: Connection, act: AskPeek, room: str) -> None:
        """Ask somebody whether the speaker may look into his hand.

        Who keeps the speaker off is not asked, nor is who does not hear him, which is not said.
        """
        with self._paid(connection):
            word = PeekAsked(connection.person, connection.name, act.person, room)
            reached = await self._reach(self._reaching.ask_peek(word), word)
            _check_wait(_wanted(reached, act.name).wait)
        text = say("note.peek_asked", connection.lang, name=act.name)
        connection.send(Note(room=connection.number_of(room), code="peek_asked", text=text))

    async def _reach(self, here: Reached, word: Whispered | Rung | PeekAsked) -> Reached:
        """Say it at the other edges, too, where somebody is; what has become of it in all."""
        if here.blocked:
            return here
        far: list[Reached] = await self._others.ask_of(word.person, word)
        found = [each for each in (here, *far) if each.there]
        return Reached(
            there=bool(found),
            blocked=any(each.blocked for each in found),
            away=next((each.away for each in found if each.away is not None), None),
            wait=min((each.wait for each in found), default=0.0),
        )

    @contextmanager
    def _paid(self, connection: Connection) -> Iterator[None]:
        """What costs a call, unless it is refused. Raises NotAllowed (too_much)."""
        connection.spend(Cost.CALL)
        try:
            yield
        except NotAllowed:
            connection.refund(Cost.CALL)
            raise


def _wanted(reached: Reached, name: str) -> Reached:
    """What was said to somebody who wants to hear it. Raises NotAllowed: not_wanted,
    no_such_person where he is nowhere that can be reached.
    """
    if reached.blocked:
        raise NotAllowed("not_wanted", given=name)
    if not reached.there:
        raise NotAllowed("no_such_person", given=name)
    return reached


def _check_wait(seconds: float) -> None:
    if seconds > 0:
        raise too_much(int(seconds * 1000) + 1)


def _number(connection: Connection, room: str) -> RoomNumber | None:
    return connection.number_of(room) if room else None
