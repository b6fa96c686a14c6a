"""Talk that is no entry of a room: `/tell`, `/shout`, `/gameyell`, `/nudge`, `/away`.

Talk in the lobby is a shout, and `;name` in a room a `/tell` to its connections in that room. The
limits on how often a person is rung for, and a room praised, are kept where they are connected.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from bluebear.protocol import Note
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.rules.core.suggest import nearest
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.cluster.presence import Announcement, broadcast, heeding
from bluebear.server.commands.acts import RunCommand, Tell
from bluebear.server.commands.arguments import Form, Typed
from bluebear.server.commands.command import (
    NAME,
    OPEN,
    PLAYING,
    Argument,
    Arguments,
    Command,
    Topic,
    anywhere,
    host,
    room_here,
    seated,
)
from bluebear.server.commands.needs import ONLINE
from bluebear.server.commands.scene import Scene, check_may_talk
from bluebear.server.features.feature import Context, Feature, Services
from bluebear.server.net.budget import TokenBuckets, check_wait
from bluebear.server.net.rate_limits import NUDGES, YELLS, Cost
from bluebear.server.people.account import Scope
from bluebear.server.people.names import name_key
from bluebear.server.room.creation import seats_of
from bluebear.server.room.state import Privacy
from bluebear.server.sentences import away_text, say

if TYPE_CHECKING:
    from bluebear.server.rooms.connection import Connection

_TEXT: Final = Argument("text", "text", optional=True)


@dataclass(frozen=True, slots=True)
class TellRequest:
    """A text for one person, by name; `person` is their id where they are in the same room, and
    then only their connections in that room get it.
    """

    name: str
    text: str
    person: str = ""


@dataclass(frozen=True, slots=True)
class NudgeRequest:
    """Names of people in the room, by id."""

    people: dict[str, str]


@dataclass(frozen=True, slots=True)
class AwayRequest:
    """Why the sender does not answer from now on."""

    text: str


class Whispered(NodeMessage, frozen=True):
    """A text of the person `by`, with this name, for another one; within a room, for their
    connections that are in it ("": all).
    """

    by: str
    name: str
    person: str
    text: str
    room: str


class Shouted(NodeMessage, frozen=True):
    """An announcement to the lobby."""

    by: str
    name: str
    act: Announcement


class AwayChanged(NodeMessage, frozen=True):
    """A person does not answer from now on, for this reason; None: they are back."""

    person: str
    text: str | None


# What lines mean.


def _announcement(scene: Scene, code: str, key: str, text: str) -> Announcement:
    """Words of the sender to the lobby, in the sentence `key`."""
    name = scene.speaker.name
    texts = {lang: say(key, lang, name=name, text=text) for lang in LANGS}
    return Announcement(code, texts, text=text)


def _talk(scene: Scene, typed: Typed) -> RunCommand:
    request = _announcement(scene, "lobby_talk", "note.lobby_talk", typed.text)
    return RunCommand("shout", request)


def _person_here(scene: Scene, typed: Typed) -> RunCommand:
    """Raises NotAllowed (`nobody_here`), NotUnderstood (empty_line)."""
    folded = fold(typed.head)
    for person, name in scene.here.items():
        if fold(name) == folded:
            if not typed.text:
                raise NotUnderstood("empty_line")
            return RunCommand("tell", TellRequest(name, typed.text, person))
    near = nearest(folded, (fold(name) for name in scene.here.values()))
    candidates = [name for name in scene.here.values() if fold(name) in near]
    raise NotAllowed("nobody_here", given=typed.head, candidates=candidates)


def _yell_request(scene: Scene, given: Arguments) -> Announcement:
    """Praise of the room in the lobby. Raises NotAllowed (yell_private)."""
    table, game, text = room_here(scene).table, scene.game, given.get("text", "")
    if game is None:
        raise NotAllowed("not_in_room")
    if table.privacy is Privacy.PRIVATE:
        raise NotAllowed("yell_private")
    texts = {
        lang: say(
            "note.gameyell_saying" if text else "note.gameyell",
            lang,
            name=scene.speaker.name,
            game=game.info.name(lang),
            line=f"/room {table.id}",
            taken=len(table.seats),
            most=seats_of(table, game.info)[1],
            text=text,
        )
        for lang in LANGS
    }
    return Announcement("gameyell", texts, table.id, text)


def _nudge_request(scene: Scene, given: Arguments) -> NudgeRequest:
    """The people whose turn it is: all of them, or one by name.

    Raises NotAllowed: `nobody_to_nudge`, nudged_gone.
    """
    room, wanted = room_here(scene), given.get("name", "")
    waited = {
        chair.person: chair.name
        for seat, chair in room.seats.items()
        if seat in room.table.turn and chair.person is not None and chair.bot is None
        if chair.person != scene.speaker.person
        if not wanted or name_key(chair.name) == name_key(wanted)
    }
    here = {person: name for person, name in waited.items() if person in scene.here}
    if not waited:
        raise NotAllowed("nobody_to_nudge", seats=room.table.turn)
    if not here:
        raise NotAllowed("nudged_gone", given=", ".join(waited.values()))
    return NudgeRequest(here)


def _away_request(scene: Scene, given: Arguments) -> AwayRequest:
    """A reason is read by others: a person who may not talk gives none."""
    if given.get("text"):
        check_may_talk(scene)
    return AwayRequest(given.get("text", ""))


class Chat(Feature):
    """The talk of the people of this node; its listeners may be at any node."""

    name = "chat"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._presence, self._bus = services.presence, services.bus
        self._yells, self._nudges = TokenBuckets(YELLS), TokenBuckets(NUDGES)
        self._bus.hears(Whispered, self._whisper)
        self._bus.hears(Shouted, self._shouted)
        self._bus.hears(
            AwayChanged, lambda message: self._presence.set_away(message.person, message.text)
        )

    # To one person.

    async def tell(self, ctx: Context, request: TellRequest) -> Tell:
        """`/tell`. Raises NotAllowed: not_wanted, no_such_person."""
        person, name = request.person, request.name
        if not person:
            match, near = await self.services.look_ups.find_connected(name)
            if match is None:
                raise NotAllowed("no_such_person", given=name, candidates=near)
            person, name = match
        sender, room = ctx.connection, ctx.room if request.person else ""
        companions = await self.services.look_ups.company([person], with_rooms=False)
        if await self.services.look_ups.keeps_off(person, sender.person):
            raise NotAllowed("not_wanted", given=name)
        if not companions:
            raise NotAllowed("no_such_person", given=name)
        message = Whispered(sender.person, sender.name, person, request.text, room)
        self._whisper(message)
        self._bus.tell_of(person, message)
        text = say("note.told", ctx.lang, name=name, text=request.text)
        if companions[0].away is not None:
            text = f"{text}\n{away_text(ctx.lang, name, companions[0].away)}"
        return Tell("told", text)

    def _whisper(self, message: Whispered) -> None:
        """A person who mutes the sender hears nothing, and the sender does not learn it."""
        for other in heeding(self._presence.of(message.person), message.by):
            number = other.number_of(message.room) if message.room else None
            if not message.room or number is not None:
                name, text = message.name, message.text
                sentence = say("note.whisper", other.lang, name=name, text=text)
                other.send(Note(room=number, code="whisper", text=sentence, name=name, said=text))

    async def nudge(self, ctx: Context, request: NudgeRequest) -> Tell:
        """`/nudge`: all who are in the room are at this node. Raises NotAllowed: nudged_gone,
        too_much.
        """
        people = [person for person in request.people if self._presence.of(person)]
        with ctx.connection.paid(Cost.CALL):
            if not people:
                raise NotAllowed("nudged_gone", given=", ".join(request.people.values()))
            check_wait(min([self._nudge(ctx, person) for person in people]))
        return Tell("nudged", say("note.nudged", ctx.lang, names=tuple(request.people.values())))

    def _nudge(self, ctx: Context, person: str) -> float:
        """Nudge a person, unless they were just now: the seconds to wait."""
        now = asyncio.get_running_loop().time()
        wait = self._nudges.consume(Cost.CALL, ctx.room + person, now)
        if wait <= 0:
            self._presence.notify_in_room(person, ctx.connection, ctx.room, "nudge", "note.nudge")
        return wait

    # To the lobby.

    async def shout(self, ctx: Context, request: Announcement) -> None:
        """Tell all people in the lobby, and the sender. Raises NotAllowed (too_much).

        Calls about a room come from its node alone, which counts them.
        """
        sender, now = ctx.connection, asyncio.get_running_loop().time()
        if request.room:
            check_wait(self._yells.wait(Cost.CALL, request.room, now))
        sender.spend(Cost.CALL)
        if request.room:
            self._yells.charge(Cost.CALL, request.room, now)
        message = Shouted(sender.person, sender.name, request)
        self._spread(message, sender)
        self._bus.tell(message)

    def _shouted(self, message: Shouted) -> None:
        self.services.budgets.add_remote_cost(Cost.CALL, asyncio.get_running_loop().time())
        self._spread(message)

    def _spread(self, message: Shouted, sender: Connection | None = None) -> None:
        first = () if sender is None else (sender,)
        lobby = (each for each in self._presence.in_lobby() if each is not sender)
        listeners = [*first, *heeding(lobby, message.by)]
        self.services.tasks.start(broadcast(listeners, message.act, message.name))

    # Being away.

    async def away(self, ctx: Context, request: AwayRequest) -> Tell:
        """`/away`."""
        self._presence.set_away(ctx.connection.person, request.text)
        self._bus.tell_of(ctx.connection.person, AwayChanged(ctx.connection.person, request.text))
        return Tell("away", say("note.away", ctx.lang))

    async def returned(self, connection: Connection) -> None:
        """Hook: a person who was away has sent a line; unless that was another `/away`."""
        if self._presence.away(connection.person) is None:
            self._bus.tell_of(connection.person, AwayChanged(connection.person, None))
            connection.send(Note(code="back", text=say("note.back", connection.lang)))

    forms: ClassVar = {Form.TALK: _talk, Form.WHISPER: _person_here}

    commands = (
        Command(
            "tell",
            anywhere(),
            names=("伝言",),
            arguments=(NAME, Argument("text", "text")),
            offers=ONLINE,
            given_scope=Scope.CHAT,
            topic=Topic.ROOMS,
            run=tell,
            request=TellRequest,
        ),
        Command(
            "away",
            anywhere(),
            names=("離席",),
            arguments=(_TEXT,),
            topic=Topic.PEOPLE,
            run=away,
            request=AwayRequest,
            read=_away_request,
        ),
        Command(
            "shout",
            anywhere(),
            names=("叫ぶ",),
            arguments=(Argument("text", "text"),),
            given_scope=Scope.CHAT,
            topic=Topic.PEOPLE,
            run=shout,
            request=Announcement,
            read=lambda scene, given: _announcement(scene, "shout", "note.shout", given["text"]),
        ),
        Command(
            "gameyell",
            seated(OPEN, PLAYING) | host(OPEN, PLAYING),
            names=("募集",),
            arguments=(_TEXT,),
            host_rule=True,
            given_scope=Scope.CHAT,
            topic=Topic.PEOPLE,
            run=shout,
            request=Announcement,
            read=_yell_request,
        ),
        Command(
            "nudge",
            seated(PLAYING),
            names=("催促",),
            arguments=(Argument("name", "name", optional=True),),
            given_scope=Scope.CHAT,
            topic=Topic.PEOPLE,
            run=nudge,
            request=NudgeRequest,
            read=_nudge_request,
        ),
    )
