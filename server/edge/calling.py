"""Talk that is no entry of a room: to one person, to the lobby, a sound for whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, assert_never

from protocol import Codec, Note, RoomNumber
from rules.core.phrases import Lang
from rules.core.refusal import NotAllowed
from server.commands.acts import AskPeek, Call, GoAway, Nudge, TalkAct, Whisper
from server.edge.bounds import NUDGES, REQUESTS, YELLS, Cost
from server.edge.budgets import Budgets, Spending, too_much
from server.edge.connection import Connection
from server.edge.presence import Presence
from server.people.lists import Kind
from server.sentences import away_text, say

_AT_ONCE: Final = 200
"""So many get their frame before others have a turn of the loop."""


class Calling:
    """Owned by the app."""

    def __init__(
        self,
        presence: Presence,
        budgets: Budgets,
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._presence = presence
        self._budgets = budgets
        self._start = start
        self._yells = Spending(YELLS)
        self._nudges = Spending(NUDGES)
        self._requests = Spending(REQUESTS)

    def perform(self, connection: Connection, act: TalkAct, room: str) -> None:
        """Carry out an act; `room` is where it was said. Raises NotAllowed (too_much)."""
        match act:
            case Whisper():
                self._whisper(connection, act, room)
            case Call():
                self._call(connection, act)
            case Nudge():
                self._nudge(connection, act, room)
            case AskPeek():
                self._ask_peek(connection, act, room)
            case GoAway():
                self._presence.goes_away(connection.person, act.text)
                text = say("note.away", connection.lang)
                connection.send(Note(room=_number(connection, room), code="away", text=text))
            case _:
                assert_never(act)

    def tell_everybody(self, act: Call) -> None:
        """Words of an operator, in the lobby and in every room."""
        self._start(_spread(self._presence.everybody(), act, ""))

    def welcome_back(self, connection: Connection) -> None:
        """Somebody was away and has typed something; unless that was that he stays away."""
        if self._presence.away(connection.person) is None:
            connection.send(Note(code="back", text=say("note.back", connection.lang)))

    def _whisper(self, connection: Connection, act: Whisper, room: str) -> None:
        """Tell somebody something; within a room, on the connections that are in it.

        Raises NotAllowed (not_wanted) where he keeps the speaker off; who is only not heard does
        not learn it.
        """
        inside = room if act.here else ""
        others = self._presence.of(act.person)
        if any(each.lists.has(Kind.BLOCK, connection.person) for each in others):
            raise NotAllowed("not_wanted", given=act.name)
        for other in others:
            if connection.person in other.unheard:
                continue
            number = other.number_of(inside) if inside else None
            if not inside or number is not None:
                text = say("note.whisper", other.lang, name=connection.name, text=act.text)
                name, said = connection.name, act.text
                other.send(Note(room=number, code="whisper", text=text, name=name, said=said))
        text = say("note.told", connection.lang, name=act.name, text=act.text)
        away = self._presence.away(act.person)
        if away is not None:
            text = f"{text}\n{away_text(connection.lang, act.name, away)}"
        connection.send(Note(room=_number(connection, room), code="told", text=text))

    def _call(self, connection: Connection, act: Call) -> None:
        """Everybody in the lobby hears it, and who has said it."""
        now = asyncio.get_running_loop().time()
        wait = self._yells.wait(Cost.CALL, act.room, now) if act.room else 0.0
        if wait > 0:
            raise too_much(int(wait * 1000) + 1)
        self._take(connection, now)
        if act.room:
            self._yells.take(Cost.CALL, act.room, now)
        others = (
            each
            for each in self._presence.in_lobby()
            if each is not connection and connection.person not in each.unheard
        )
        self._start(_spread([connection, *others], act, connection.name))

    def _nudge(self, connection: Connection, act: Nudge, room: str) -> None:
        """Ring for people on their connections in the room."""
        now = asyncio.get_running_loop().time()
        waits = [self._nudges.wait(Cost.CALL, room + person, now) for person in act.people]
        if min(waits) > 0:
            raise too_much(int(min(waits) * 1000) + 1)
        self._take(connection, now)
        for person, wait in zip(act.people, waits, strict=True):
            if wait <= 0:
                self._nudges.take(Cost.CALL, room + person, now)
                self._ring(connection, person, room)
        text = say("note.nudged", connection.lang, names=act.names)
        connection.send(Note(room=connection.number_of(room), code="nudged", text=text))

    def _ask_peek(self, connection: Connection, act: AskPeek, room: str) -> None:
        """Ask somebody whether the speaker may look into his hand.

        Who keeps the speaker off is not asked, nor is who does not hear him, which is not said.
        """
        others = self._presence.of(act.person)
        if any(each.lists.has(Kind.BLOCK, connection.person) for each in others):
            raise NotAllowed("not_wanted", given=act.name)
        now = asyncio.get_running_loop().time()
        key = f"{room} {connection.person} {act.person}"
        wait = self._requests.wait(Cost.CALL, key, now)
        if wait > 0:
            raise too_much(int(wait * 1000) + 1)
        self._take(connection, now)
        self._requests.take(Cost.CALL, key, now)
        for other in others:
            number = other.number_of(room)
            if number is not None and connection.person not in other.unheard:
                text = say("note.peek", other.lang, name=connection.name)
                other.send(Note(room=number, code="peek_wanted", text=text))
        text = say("note.peek_asked", connection.lang, name=act.name)
        connection.send(Note(room=connection.number_of(room), code="peek_asked", text=text))

    def _ring(self, connection: Connection, person: str, room: str) -> None:
        for other in self._presence.of(person):
            number = other.number_of(room)
            if number is not None and connection.person not in other.unheard:
                text = say("note.nudge", other.lang, name=connection.name)
                other.send(Note(room=number, code="nudge", text=text))

    def _take(self, connection: Connection, now: float) -> None:
        address, person = connection.link.address, connection.person
        wait = self._budgets.take(Cost.CALL, now, address=address, person=person)
        if wait:
            raise too_much(wait)


def _number(connection: Connection, room: str) -> RoomNumber | None:
    return connection.number_of(room) if room else None


async def _spread(listeners: Sequence[Connection], act: Call, name: str) -> None:
    """Frames are made once for each codec and language."""
    frames: dict[tuple[Codec, Lang], bytes] = {}
    for first in range(0, len(listeners), _AT_ONCE):
        for each in listeners[first : first + _AT_ONCE]:
            form = each.codec, each.lang
            if form not in frames:
                text, said = act.texts[each.lang], act.said or None
                note = Note(code=act.code, text=text, name=name, said=said)
                frames[form] = each.codec.encode(note)
            each.push(frames[form])
        await asyncio.sleep(0)
