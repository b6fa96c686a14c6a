"""The way into rooms and out of them: `/lobby`, `/room`, `/newroom`."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import Choice
from bluebear.server.commands.acts import Act, Enter, FindRoom, GoLobby, NewRoom, Tell
from bluebear.server.commands.command import (
    PASSWORD,
    Argument,
    Arguments,
    Command,
    anywhere,
    check_password,
)
from bluebear.server.commands.needs import ROOMS, RoomLine, number_or_invite
from bluebear.server.commands.scene import Scene, Speaker
from bluebear.server.people.account import Scope
from bluebear.server.sentences import say

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


def _find_room(scene: Scene, given: Arguments) -> FindRoom:
    return FindRoom(given["room"], given.get("password", ""))


def _new_room(scene: Scene, given: Arguments) -> Act:
    password = given.get("password", "")
    if password:
        check_password(password)
    if not scene.pins.offers(given["game"]):
        raise NotAllowed("not_offered", given=given["game"], candidates=scene.pins.offered)
    return NewRoom(given["game"], given.get("privacy", "public"), password)


def _go_lobby(scene: Scene, given: Arguments) -> Act:
    """Leave the room; in the lobby, say where one is."""
    if scene.room is None:
        return Tell("lobby", say("answer.in_lobby", scene.speaker.lang))
    return GoLobby()


COMMANDS: Final = (
    Command(
        "lobby",
        anywhere(),
        _go_lobby,
        names=("ロビー",),
        short=("manager",),
    ),
    Command(
        "room",
        anywhere(),
        _find_room,
        (Argument("room", "room"), PASSWORD),
        ("部屋",),
        secret=True,
        offers=ROOMS,
    ),
    Command(
        "newroom",
        anywhere(),
        _new_room,
        (Argument("game", "game"), _PRIVACY, PASSWORD),
        ("新部屋", "部屋作成"),
        secret=True,
        given_scope=Scope.HOST,
    ),
)
