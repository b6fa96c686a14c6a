"""Calling others: everybody in the lobby, players for one's room, the one whose turn it is."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import Call, Nudge
from bluebear.server.commands.command import (
    OPEN,
    PLAYING,
    Argument,
    Arguments,
    Command,
    anywhere,
    host,
    seated,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.people.account import Scope
from bluebear.server.people.names import name_key
from bluebear.server.room.forking import seats_of
from bluebear.server.room.state import Privacy
from bluebear.server.sentences import say

_TEXT: Final = Argument("text", "text")
_WORDS: Final = Argument("text", "text", optional=True)


def call(scene: Scene, code: str, key: str, text: str) -> Call:
    """Words of the speaker to everybody in the lobby, in the sentence `key`."""
    name = scene.speaker.name
    texts = {lang: say(key, lang, name=name, text=text) for lang in LANGS}
    return Call(code, texts, said=text)


def _yell(scene: Scene, given: Arguments) -> Call:
    """Praise the room in the lobby."""
    room, game = scene.room, scene.game
    if room is None or game is None:
        raise NotAllowed("not_in_room")
    table = room.table
    if table.privacy is Privacy.PRIVATE:
        raise NotAllowed("yell_private")
    words = given.get("text", "")
    texts = {
        lang: say(
            "note.gameyell_saying" if words else "note.gameyell",
            lang,
            name=scene.speaker.name,
            game=game.info.name(lang),
            line=f"/room {table.id}",
            taken=len(table.seats),
            most=seats_of(table, game.info)[1],
            text=words,
        )
        for lang in LANGS
    }
    return Call("gameyell", texts, table.id, words)


def _nudge(scene: Scene, given: Arguments) -> Nudge:
    """A sound for those whose turn it is: for all of them, or for one by name."""
    room = scene.room
    if room is None:
        raise NotAllowed("not_in_room")
    waited = {
        chair.person: chair.name
        for seat, chair in room.seats.items()
        if seat in room.table.turn and chair.person is not None and chair.bot is None
    }
    waited = {person: name for person, name in waited.items() if person != scene.speaker.person}
    wanted = given.get("name", "")
    if wanted:
        waited = {p: name for p, name in waited.items() if name_key(name) == name_key(wanted)}
    here = {person: name for person, name in waited.items() if person in scene.here}
    if not waited:
        raise NotAllowed("nobody_to_nudge", seats=room.table.turn)
    if not here:
        raise NotAllowed("nudged_gone", given=", ".join(waited.values()))
    return Nudge(tuple(here), tuple(here.values()))


COMMANDS: Final = (
    Command(
        "shout",
        anywhere(),
        lambda scene, given: call(scene, "shout", "note.shout", given["text"]),
        (_TEXT,),
        ("叫ぶ",),
        given_scope=Scope.CHAT,
    ),
    Command(
        "gameyell",
        seated(OPEN, PLAYING) | host(OPEN, PLAYING),
        _yell,
        (_WORDS,),
        ("募集",),
        host_rule=True,
        given_scope=Scope.CHAT,
    ),
    Command(
        "nudge",
        seated(PLAYING),
        _nudge,
        (Argument("name", "name", optional=True),),
        ("催促",),
        given_scope=Scope.CHAT,
    ),
)
