"""Talk that is no entry of a room: `/tell`, `/shout`, `/gameyell`, `/nudge`, `/away`.

Talk in the lobby is a shout, and `;name` in a room a `/tell` to its connections in that room. The
limits on how often a person is rung for, and a room praised, are kept where they are connected.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from bluebear.protocol import Note
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.cluster.presence import Announcement, broadcast, heeding
from bluebear.server.commands.acts import RunCommand, Tell
from bluebear.server.commands.arguments import Form, Typed
from bluebear.server.commands.command import (
    OPEN,
    PLAYING,
    Arguments,
    Command,
    Topic,
    anywhere,
    host,
    near_names,
    room_here,
    seated,
)
from bluebear.server.commands.scene import ONLINE, Scene, check_may_talk
from bluebear.server.features.feature import Context, Feature, Services
from bluebear.server.limits import TALK_REPORTED
from bluebear.server.net.budget import TokenBuckets, check_wait
from bluebear.server.net.rate_limits import NUDGES, YELLS, Cost
from bluebear.server.people.account import Scope
from bluebear.server.people.names import name_key
from bluebear.server.room.options import seats_of
from bluebear.server.room.state import Privacy
from bluebear.server.rooms.connection import Connection
from bluebear.server.sentences import away_text, say


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
    act = _announcement(scene, "lobby_talk", "note.lobby_talk", typed.text)
    return RunCommand("shout", {"act": act})


def _person_here(scene: Scene, typed: Typed) -> RunCommand:
    """Raises NotAllowed (`nobody_here`), NotUnderstood (empty_line)."""
    for person, name in scene.here.items():
        if fold(name) == fold(typed.head):
            if not typed.text:
                raise NotUnderstood("empty_line")
            return RunCommand("tell", {"name": name, "text": typed.text, "person": person})
    candidates = near_names(typed.head, scene.here.values())
    raise NotAllowed("nobody_here", given=typed.head, candidates=candidates)


def _shout(scene: Scene, given: Arguments) -> Arguments:
    return {"act": _announcement(scene, "shout", "note.shout", given["text"])}


def _yell(scene: Scene, given: Arguments) -> Arguments:
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
            room=table.id,
            taken=len(table.seats),
            most=seats_of(table, game.info)[1],
            text=text,
        )
        for lang in LANGS
    }
    return {"act": Announcement("gameyell", texts, table.id, text)}


def _nudge(scene: Scene, given: Arguments) -> Arguments:
    """The people whose turn it is, names by id: all of them, or one by name.

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
    return {"names": here}


def _away(scene: Scene, given: Arguments) -> Arguments:
    """A reason is read by others: a person who may not talk gives none."""
    if given.get("text"):
        check_may_talk(scene)
    return given


class Chat(Feature):
    """The talk of the people of this node; its listeners may be at any node."""

    name = "chat"
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._yells, self._nudges = TokenBuckets(YELLS), TokenBuckets(NUDGES)
        self.bus.hears(Whispered, self._whisper)
        self.bus.hears(Shouted, self._shouted)
        self.bus.hears(
            AwayChanged, lambda message: self.presence.set_away(message.person, message.text)
        )

    # To one person.

    @Command(
        "tell name text",
        anywhere(),
        names=("伝言",),
        offers=ONLINE,
        given_scope=Scope.CHAT,
        topic=Topic.ROOMS,
    )
    async def tell(self, ctx: Context, name: str, text: str, person: str = "") -> Tell:
        """`/tell`. Raises NotAllowed: not_wanted, no_such_person.

        `person` is the id of one in the same room: then only their connections there get it.
        """
        sender, room = ctx.connection, ctx.room if person else ""
        if not person:
            person, name = await self.services.look_ups.find_connected(name)
        companions = await self.services.look_ups.company([person], with_rooms=False)
        if await self.services.look_ups.keeps_off(person, sender.person):
            raise NotAllowed("not_wanted", given=name)
        if not companions:
            raise NotAllowed("no_such_person", given=name)
        self.bus.tell_all(Whispered(sender.person, sender.name, person, text, room))
        reply = say("note.told", ctx.lang, name=name, text=text)
        if companions[0].away is not None:
            reply = f"{reply}\n{away_text(ctx.lang, name, companions[0].away)}"
        return Tell("told", reply)

    def _whisper(self, message: Whispered) -> None:
        """A person who mutes the sender hears nothing, and the sender does not learn it."""
        for other in heeding(self.presence.of(message.person), message.by):
            number = other.number_of(message.room)
            if not message.room or number is not None:
                name, text = message.name, message.text
                sentence = say("note.whisper", other.lang, name=name, text=text)
                other.send(Note(room=number, code="whisper", text=sentence, name=name, said=text))
                newest = message.by, f"{name}: {text}"
                other.whispers = (*other.whispers[1 - TALK_REPORTED :], newest)

    # Being away.

    @Command("away text?", anywhere(), _away, ("離席",))
    async def away(self, ctx: Context, text: str = "") -> Tell:
        """`/away`, with the reason."""
        self.bus.tell_all(AwayChanged(ctx.connection.person, text))
        return Tell("away", say("note.away", ctx.lang))

    async def returned(self, connection: Connection) -> None:
        """Hook: a person who was away has sent a line; unless that was another `/away`."""
        if connection.person not in self.presence.away_texts:
            self.bus.tell(AwayChanged(connection.person, None))
            connection.send(Note(code="back", text=say("note.back", connection.lang)))

    # To the lobby.

    @Command("shout text", anywhere(), _shout, ("叫ぶ",), given_scope=Scope.CHAT)
    @Command(
        "gameyell text?",
        seated(OPEN, PLAYING) | host(OPEN, PLAYING),
        _yell,
        ("募集",),
        host_rule=True,
        given_scope=Scope.CHAT,
    )
    async def shout(self, ctx: Context, act: Announcement) -> None:
        """Tell all people in the lobby, and the sender. Raises NotAllowed (too_much).

        Calls about a room come from its node alone, which counts them.
        """
        sender, now = ctx.connection, asyncio.get_running_loop().time()
        if act.room:
            check_wait(self._yells.wait(Cost.CALL, act.room, now))
        sender.spend(Cost.CALL)
        if act.room:
            self._yells.charge(Cost.CALL, act.room, now)
        message = Shouted(sender.person, sender.name, act)
        self._spread(message, sender)
        self.bus.tell(message)

    def _shouted(self, message: Shouted) -> None:
        self.services.budgets.add_remote_cost(Cost.CALL, asyncio.get_running_loop().time())
        self._spread(message)

    def _spread(self, message: Shouted, sender: Connection | None = None) -> None:
        first = () if sender is None else (sender,)
        lobby = (each for each in self.presence.in_lobby() if each is not sender)
        listeners = [*first, *heeding(lobby, message.by)]
        self.services.tasks.start(broadcast(listeners, message.act, message.name))

    # To the people whose turn it is.

    @Command("nudge name?", seated(PLAYING), _nudge, ("催促",), given_scope=Scope.CHAT)
    async def nudge(self, ctx: Context, names: dict[str, str]) -> Tell:
        """`/nudge`: all who are in the room are at this node. Raises NotAllowed: nudged_gone,
        too_much.
        """
        people = [person for person in names if self.presence.of(person)]
        with ctx.connection.paid(Cost.CALL):
            if not people:
                raise NotAllowed("nudged_gone", given=", ".join(names.values()))
            check_wait(min([self._nudge(ctx, person) for person in people]))
        return Tell("nudged", say("note.nudged", ctx.lang, names=tuple(names.values())))

    def _nudge(self, ctx: Context, person: str) -> float:
        """Nudge a person, unless they were just now: the seconds to wait."""
        now = asyncio.get_running_loop().time()
        wait = self._nudges.consume(Cost.CALL, ctx.room + person, now)
        if wait <= 0:
            self.presence.notify_in_room(person, ctx.connection, ctx.room, "nudge", "note.nudge")
        return wait

    forms: ClassVar = {Form.TALK: _talk, Form.WHISPER: _person_here}
