"""Going somewhere: rooms, invites, the lobby; and talking to somebody elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rules.core.refusal import NotAllowed, NotUnderstood
from rules.core.slots import Choice, fold, nearest
from server.commands.acts import Act, Enter, GoLobby, NewRoom, Tell, Whisper
from server.commands.answers import my_rooms
from server.commands.command import NAME, PASSWORD, Argument, Command, anywhere
from server.commands.scene import RoomLine, Scene
from server.limits import (
    PASSWORD_MAX_CHARS,
    ROOMS_OPEN_PER_PERSON,
    ROOMS_UNFINISHED_PER_PERSON,
)
from server.room.state import Phase
from server.sentences import say
from server.tokens import token_hash

_NUMBER: Final = re.compile(r"#?(\d{1,9})")


def check_password(password: str) -> None:
    """NotUnderstood (bad_password) if a password is too long."""
    if not 1 <= len(password) <= PASSWORD_MAX_CHARS:
        raise NotUnderstood("bad_password", most=PASSWORD_MAX_CHARS)


def go_lobby(scene: Scene) -> Act:
    """Leave the room; in the lobby, say where one is."""
    if scene.room is None:
        return Tell("lobby", say("answer.in_lobby", scene.speaker.lang))
    return GoLobby()


def enter(scene: Scene, arguments: Mapping[str, str]) -> Act:
    """Go into a room by its number, an invite token, or an invite link.

    Whoever may not know of a room gets the same answer as for a room that does not exist.
    """
    given, password = arguments["room"], arguments.get("password", "")
    number = _NUMBER.fullmatch(given)
    if number is not None:
        room = scene.world.room(number[1])
        if room is None or not may_know(scene, room):
            raise NotAllowed("room_unknown")
        return Enter(room.id, password=password)
    hashed = token_hash(given.rstrip("/").rsplit("/", 1)[-1])
    room = scene.world.room_of_invite(hashed)
    if room is None or scene.speaker.person in room.banned:
        raise NotAllowed("room_unknown")
    return Enter(room.id, invite=hashed, password=password)


def may_know(scene: Scene, room: RoomLine) -> bool:
    """Whether the speaker may know that a room exists."""
    person = scene.speaker.person
    if person in room.banned:
        return False
    return not room.private or person in room.admitted or person in room.persons


def new_room(scene: Scene, arguments: Mapping[str, str]) -> Act:
    """Make a room; NotAllowed if somebody has too many."""
    person = scene.speaker.person
    mine = [room for room in scene.world.rooms() if room.host_person == person]
    fresh = sum(room.phase == Phase.OPEN for room in mine)
    if fresh >= ROOMS_OPEN_PER_PERSON:
        raise NotAllowed("too_many_rooms", most=ROOMS_OPEN_PER_PERSON)
    running = sum(
        person in room.persons and room.phase in (Phase.PLAYING, Phase.PAUSED)
        for room in scene.world.rooms()
    )
    if running >= ROOMS_UNFINISHED_PER_PERSON:
        raise NotAllowed("too_many_games", most=ROOMS_UNFINISHED_PER_PERSON)
    password = arguments.get("password", "")
    if password:
        check_password(password)
    return NewRoom(arguments["game"], arguments.get("privacy", "public"), password)


def tell(scene: Scene, arguments: Mapping[str, str]) -> Act:
    """Private talk to somebody who is connected, wherever he is."""
    folded = fold(arguments["name"])
    online = scene.world.online()
    for person, name in online.items():
        if fold(name) == folded:
            return Whisper(person, name, arguments["text"], here=False)
    names = {fold(name): name for name in online.values()}
    near = [names[each] for each in nearest(folded, names)]
    raise NotAllowed("no_such_person", given=arguments["name"], candidates=near)


_PRIVACY: Final = Argument(
    "privacy",
    "choice",
    optional=True,
    choices=(
        Choice("public", ("公開",)),
        Choice("unlisted", ("限定公開",)),
        Choice("private", ("非公開", "招待制")),
    ),
)

COMMANDS: Final = (
    Command(
        "lobby",
        anywhere(),
        lambda scene, given: go_lobby(scene),
        names=("ロビー",),
        short=("manager",),
    ),
    Command(
        "room",
        anywhere(),
        enter,
        (Argument("room", "room"), PASSWORD),
        ("部屋",),
        secret=True,
    ),
    Command(
        "newroom",
        anywhere(),
        new_room,
        (Argument("game", "game"), _PRIVACY, PASSWORD),
        ("新部屋", "部屋作成"),
        secret=True,
    ),
    Command("myrooms", anywhere(), lambda scene, given: my_rooms(scene), names=("自分の部屋",)),
    Command("tell", anywhere(), tell, (NAME, Argument("text", "text")), ("伝言",)),
)
