"""Commands of the host: passing it on, password, sending people out."""

from __future__ import annotations

from bluebear.protocol import Note
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import require
from bluebear.server.commands.acts import Write
from bluebear.server.commands.command import (
    Arguments,
    Command,
    Handler,
    Topic,
    check_password,
    entry,
    host,
    near_names,
    room_here,
)
from bluebear.server.commands.scene import ONLINE, Scene
from bluebear.server.features.feature import Feature
from bluebear.server.limits import DAY_MS, INVITE_DAYS, INVITE_USES, LET_IN_MAX
from bluebear.server.people.account import Kind, account_of
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import People
from bluebear.server.room.hosting import (
    Ban,
    HandOver,
    InviteGuest,
    Kick,
    SetPassword,
    Unban,
    Uninvite,
)
from bluebear.server.room.state import Phase
from bluebear.server.runtime import token_from, token_hash
from bluebear.server.sentences import say
from bluebear.server.store import Json, PersonRow


def _person(scene: Scene, arguments: Arguments) -> tuple[str, str]:
    """Id and name of a person of the room; NotAllowed with the nearest names.

    Who was looked up by that name comes before those who had it when they were last here.
    """
    room, given = room_here(scene), arguments["name"]
    named: PersonRow | None = arguments.get("person")
    inside = {c.person: c.name for c in room.seats.values() if c.person is not None} | {
        **scene.here
    }
    people = {**require(room.table.banned), **require(room.table.admitted), **inside}
    for names in (inside, {named.id: named.name} if named else {}, people):
        for person, name in names.items():
            if fold(name) == fold(given):
                return person, name
    raise NotAllowed("no_such_person", given=given, candidates=near_names(given, people.values()))


def _on_person(act: type[Kick | Unban]) -> Handler:
    def handle(scene: Scene, given: Arguments) -> Write:
        person, name = _person(scene, given)
        return entry(scene, act(name), {"whom": person, "voters": scene.voters()})

    return handle


def _takes_a_game(scene: Scene, given: Arguments) -> str:
    """Whether a player of the running game would be out of it at once."""
    room = room_here(scene)
    guests = (chair for chair in room.seats.values() if chair.person != room.table.host_person)
    playing = [fold(chair.name) for chair in guests if chair.person is not None]
    running = room.table.phase in (Phase.PLAYING, Phase.PAUSED)
    at_once = running and scene.seat is not None and fold(given["name"]) in playing
    return "rash.kick" if at_once else ""


def _host(scene: Scene, given: Arguments) -> Write:
    person, name = _person(scene, given)
    if person not in scene.here:
        raise NotAllowed("not_here", given=name)
    return entry(scene, HandOver(name), {"whom": person})


def _password(scene: Scene, given: Arguments) -> Write:
    if "hash" not in given:
        return entry(scene, SetPassword("none"))
    facts: dict[str, Json] = {"inside": _inside(scene), "hash": given["hash"]}
    return entry(scene, SetPassword("set"), facts)


async def _find(people: People, hashing: Hashing, by: str, given: Arguments) -> Arguments:
    return {**given, "person": await people.find(given["name"])} if "name" in given else given


async def _hash(people: People, hashing: Hashing, by: str, given: Arguments) -> Arguments:
    password = given["password"]
    if fold(password) in ("none", "なし"):
        return given
    check_password(password)
    return {**given, "hash": await hashing.hash(password, by)}


def _inside(scene: Scene) -> dict[str, Json]:
    """Who was let in and stays it; those who have lost their connection are on their way back."""
    admitted = require(room_here(scene).table.admitted)
    inside = {**scene.here, **scene.lately}
    new = [person for person in inside if person not in admitted]
    return {person: inside[person] for person in new[:LET_IN_MAX]}


def _invite(scene: Scene, given: Arguments) -> Write:
    """A person by name, who is notified; else a link.

    Raises NotAllowed: no_such_person, not_wanted.
    """
    if "name" in given:
        guest: PersonRow | None = given["person"]
        if guest is None:
            raise NotAllowed("no_such_person", given=given["name"])
        if account_of(guest).lists.has(Kind.BLOCK, scene.speaker.person):
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
    if fold(token) in ("all", "全部"):
        return entry(scene, Uninvite("all"), {"invite": "all"})
    hashed = token_hash(token.rsplit("/", 1)[-1])
    return entry(scene, Uninvite("one"), {"invite": hashed})


class Hosting(Feature):
    """Who comes in and who goes: invites, the password, sending out; passing the role on."""

    name = "hosting"
    topic = Topic.HOST
    is_basic = True

    def invited(self, guest: str, host: str, room: str) -> None:
        """Hook: a person (by id) is invited by another one (by name) into a room."""
        for connection in self.presence.of(guest):
            line = f"/room {room}"
            text = say("note.invited", connection.lang, name=host, line=line)
            connection.send(Note(code="invited", text=text, said=line))

    commands = (
        Command("invite name?", host(), _invite, ("招待",), prepare=_find, offers=ONLINE),
        Command("uninvite token", host(), _uninvite, ("招待取消",), secret=True),
        Command("host name", host(), _host, ("ホスト",)),
        Command(
            "password password",
            host(),
            _password,
            ("合言葉", "パスワード"),
            secret=True,
            prepare=_hash,
        ),
        Command(
            "kick name",
            host(),
            _on_person(Kick),
            ("退室させる",),
            needs_full_name=True,
            rash=_takes_a_game,
        ),
        Command(
            "ban name",
            host(),
            _on_person(Ban),
            ("立入禁止",),
            needs_full_name=True,
            rash=_takes_a_game,
            prepare=_find,
        ),
        Command("unban name", host(), _on_person(Unban), ("立入許可",)),
    )
