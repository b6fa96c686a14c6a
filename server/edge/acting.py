"""Lines said in the lobby, and the acts that are no entry of a room."""

from __future__ import annotations

import asyncio
from typing import assert_never

from bluebear.protocol import Answer, Code, Done, Note, RoomNumber
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import (
    ANSWERED,
    Act,
    Enter,
    FindRoom,
    GoLobby,
    NewRoom,
    RunCommand,
    SetLang,
    Tell,
    Unprepared,
    Write,
)
from bluebear.server.commands.asked import told_as_data
from bluebear.server.commands.native import error_of
from bluebear.server.commands.needs import RoomLine, number_or_invite
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Speaker
from bluebear.server.edge.connection import Connection, ServerFeatures
from bluebear.server.edge.making import Making
from bluebear.server.edge.scenes import LobbyScenes
from bluebear.server.limits import ROOM_TRIES_PER_MINUTE, ROOMS_PER_CONNECTION
from bluebear.server.lookups import LookUps
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import Cost
from bluebear.server.observe import count
from bluebear.server.people.passwords import Guesses
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.sentences import say
from bluebear.server.tasks import Tasks


class Acting:
    """Owned by the app."""

    def __init__(
        self,
        scenes: LobbyScenes,
        look_ups: LookUps,
        tasks: Tasks,
        engine: RoomAccess,
        budgets: Budgets,
        making: Making,
        features: ServerFeatures,
    ) -> None:
        self._scenes = scenes
        self._look_ups = look_ups
        self._tasks = tasks
        self._engine = engine
        self._budgets = budgets
        self._making = making
        self._features = features
        self._numbers = Guesses(ROOM_TRIES_PER_MINUTE)

    # Lines in the lobby.

    def say(self, connection: Connection, say_id: str, text: str) -> None:
        """A line said in the lobby."""
        try:
            meant = resolve(self._scenes.scene(connection), text)
        except Refusal as refusal:
            self.refuse(connection, say_id, refusal)
            return
        if isinstance(meant, Unprepared):
            self.refuse(connection, say_id, NotAllowed("not_in_room"))
        else:
            self.perform(connection, "", meant, say_id)

    def refuse(self, connection: Connection, say_id: str, refusal: Refusal) -> None:
        """Answer a line with what is wrong with it."""
        if refusal.code == Code.ROOM_UNKNOWN:
            refusal = self._missed(connection) or refusal
        elif refusal.code == Code.WRONG_PASSWORD:
            self._charge_wrong(connection)
        count(f"refused.{refusal.code}")
        error = error_of(refusal, say_id, connection.lang)
        if connection.resumed and say_id:
            go_in = refusal.code != Code.NOT_IN_ROOM
            self._engine.look_up(connection, say_id, error, go_in=go_in)
        else:
            connection.answer(error)

    def _missed(self, connection: Connection) -> Refusal | None:
        """Somebody has tried a room that he may not know of: whether he has to wait now."""
        now = asyncio.get_running_loop().time()
        wait = self._numbers.wait(connection.person, now)
        if wait <= 0:
            self._numbers.wrong(connection.person, now)
            wait = self._charge_wrong(connection)
        if wait <= 0:
            return None
        seconds = int(wait) + 1
        return NotAllowed("guessed_too_often", seconds=seconds, retry_ms=seconds * 1000)

    def _charge_wrong(self, connection: Connection) -> float:
        """Somebody has tried something that was wrong; the seconds that his address has to wait."""
        now = asyncio.get_running_loop().time()
        address = connection.address
        return self._budgets.consume(Cost.WRONG, now, address=address) / 1000

    def welcome_back(self, connection: Connection) -> None:
        """A person who was away has sent a line; tasks run in order, so that came first."""
        self._tasks.start(self._features.returned(connection))

    # Acts.

    def perform(self, connection: Connection, room: str, act: Act, say_id: str) -> None:
        """Carry out an act; `room` is the room that the line was said in, "" the lobby."""
        number = connection.number_of(room) if room else None
        if isinstance(act, RunCommand):
            self._tasks.start(self.run(connection, room, act, say_id))
            return
        match act:
            case Tell():
                connection.send(Note(room=number, code=act.code, text=act.text))
                self._done(connection, say_id, number)
            case SetLang():
                self._set_language(connection, act.lang)
                text = say("note.lang", act.lang)
                connection.send(Note(room=number, code="lang", text=text, said=act.lang))
                self._done(connection, say_id, number)
            case GoLobby():
                if room:
                    self._engine.leave(connection, room)
                text = act.text or say("note.left", connection.lang)
                connection.send(Note(room=number, code="left", text=text))
                if act.to:
                    self._go(connection, Enter(act.to), say_id)
                    return
                self._features.entered_lobby(connection)
                self._done(connection, say_id, None)
            case FindRoom():
                self._tasks.start(self._find_room(connection, act, say_id))
            case NewRoom() | Enter():
                self._go(connection, act, say_id)
            case Write():
                self.refuse(connection, say_id, NotAllowed("not_in_room"))
            case _:
                assert_never(act)

    def _set_language(self, connection: Connection, lang: Lang) -> None:
        connection.lang = lang
        for each in connection.rooms.values():
            self._engine.relabel(connection, each)

    async def run(
        self, connection: Connection, room: str, act: RunCommand, say_id: str = ""
    ) -> None:
        """Run a server command, and reply to the line or the query that it came with."""
        try:
            reply = await self._features.run(connection, room, act, say_id)
        except Refusal as refusal:
            if act.ask:
                connection.send(error_of(refusal, act.ask, connection.lang))
            else:
                self.refuse(connection, say_id, refusal)
            return
        if reply is ANSWERED:
            return
        if act.ask:
            body = told_as_data(reply) if isinstance(reply, Tell) else {}
            connection.send(Answer(id=act.ask, what="query", body=body))
            return
        if reply is None:
            self._done(connection, say_id, connection.number_of(room) if room else None)
        else:
            self.perform(connection, room, reply, say_id)

    def _done(self, connection: Connection, say_id: str, number: RoomNumber | None) -> None:
        room = None if number is None else connection.rooms.get(number)
        version = None if room is None else self._engine.version(connection, room)
        connection.answer(Done(id=say_id, room=number, version=version))

    async def _find_room(self, connection: Connection, act: FindRoom, say_id: str) -> None:
        number, invite = number_or_invite(act.given)
        try:
            if number:
                room = await self._look_ups.room(number, connection.person)
            else:
                room = await self._look_ups.room_of_invite(invite)
            entered = enter(connection.speaker, act, room)
        except Refusal as refusal:
            self.refuse(connection, say_id, refusal)
            return
        self._go(connection, entered, say_id)

    def _go(self, connection: Connection, act: NewRoom | Enter, say_id: str) -> None:
        now, address = asyncio.get_running_loop().time(), connection.address
        wait = self._numbers.wait(connection.person, now)
        wait = max(wait, self._budgets.retry_after_ms(Cost.WRONG, now, address=address) / 1000)
        if len(connection.rooms) >= ROOMS_PER_CONNECTION:
            self.refuse(connection, say_id, NotAllowed("too_many_rooms_at_once"))
        elif isinstance(act, NewRoom):
            self._tasks.start(self._make(connection, act, say_id))
        elif wait > 0:
            # Whoever has guessed too often learns nothing from a number that exists.
            self.refuse(connection, say_id, NotAllowed("room_unknown"))
        else:
            self._engine.enter(connection, act, say_id)

    async def _make(self, connection: Connection, act: NewRoom, say_id: str) -> None:
        await self._making.make(connection, act, say_id)


def enter(speaker: Speaker, act: FindRoom, room: RoomLine | None) -> Enter:
    """Go into the room that was found.

    A room that the sender may not know of is refused like one that does not exist.
    """
    _, invite = number_or_invite(act.given)
    if room is None or room.bars(speaker.person, speaker.owner):
        raise NotAllowed("room_unknown")
    if not invite and not room.is_known_to(speaker.person):
        raise NotAllowed("room_unknown")
    return Enter(room.id, invite=invite, password=act.password)
