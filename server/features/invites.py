"""Invites into a room: `/invite` by name or as a link, `/uninvite`, and the note to the guest."""

from __future__ import annotations

from typing import Final

from bluebear.protocol import Note
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.server.commands.acts import Write
from bluebear.server.commands.command import (
    Arguments,
    Command,
    NamedPerson,
    Topic,
    entry,
    find_named,
    host,
)
from bluebear.server.commands.needs import ONLINE
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Feature
from bluebear.server.limits import DAY_MS, INVITE_DAYS, INVITE_USES
from bluebear.server.room.hosting import InviteGuest, InviteSelection, Uninvite
from bluebear.server.runtime import token_from, token_hash
from bluebear.server.sentences import say
from bluebear.server.store import Json

_ALL: Final = ("all", "全部")


def _invite(scene: Scene, given: Arguments) -> Write:
    """A person by name, who is notified; else a link.

    Raises NotAllowed: no_such_person, not_wanted.
    """
    if "name" in given:
        guest: NamedPerson | None = given["person"]
        if guest is None:
            raise NotAllowed("no_such_person", given=given["name"])
        if guest.unwanted:
            raise NotAllowed("not_wanted", given=guest.name)
        facts: dict[str, Json] = {"guest": guest.id, "guest_name": guest.name}
        return entry(scene, InviteGuest(guest.name), facts)
    token = token_from("invite", scene.fresh)
    expires = scene.now + INVITE_DAYS * DAY_MS
    facts = {"hash": token_hash(token), "uses": INVITE_USES, "expires": expires}
    link, lang = f"{scene.public_url}/r/{token}", scene.speaker.lang
    note = say("answer.invite_link", lang, link=link, uses=INVITE_USES, days=INVITE_DAYS)
    return entry(scene, InviteGuest(), facts, note=note)


def _uninvite(scene: Scene, given: Arguments) -> Write:
    token = given["token"]
    if fold(token) in _ALL:
        return entry(scene, Uninvite(InviteSelection.ALL), {"invite": "all"})
    hashed = token_hash(token.rsplit("/", 1)[-1])
    return entry(scene, Uninvite(InviteSelection.ONE), {"invite": hashed})


class Invites(Feature):
    """Notifies guests who are connected to this node."""

    name = "invites"
    topic = Topic.HOST

    def invited(self, guest: str, host: str, room: str) -> None:
        """Hook: a person (by id) is invited by another one (by name) into a room."""
        for connection in self.services.presence.of(guest):
            line = f"/room {room}"
            text = say("note.invited", connection.lang, name=host, line=line)
            connection.send(Note(code="invited", text=text, said=line))

    commands = (
        Command("invite name?", host(), _invite, ("招待",), prepare=find_named, offers=ONLINE),
        Command("uninvite token", host(), _uninvite, ("招待取消",), secret=True),
    )
