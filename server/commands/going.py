"""Going somewhere: rooms, invites, the lobby."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands.acts import Act, Enter, GoLobby, NewRoom, Tell
from bluebear.server.commands.answers import room_text
from bluebear.server.commands.command import PASSWORD, Argument, Arguments, Command, anywhere
from bluebear.server.commands.needs import Listing, RoomLine, Wanted, room_of
from bluebear.server.commands.scene import Scene
from bluebear.server.limits import (
    PASSWORD_MAX_CHARS,
    ROOMS_OPEN_PER_PERSON,
    ROOMS_UNFINISHED_PER_PERSON,
)
from bluebear.server.people.account import Scope
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say, span


def check_password(password: str) -> None:
    """NotUnderstood (bad_password) if a password is too long."""
    if not 1 <= len(password) <= PASSWORD_MAX_CHARS:
        raise NotUnderstood("bad_password", most=PASSWORD_MAX_CHARS)


def go_lobby(scene: Scene) -> Act:
    """Leave the room; in the lobby, say where one is."""
    if scene.room is None:
        return Tell("lobby", say("answer.in_lobby", scene.speaker.lang))
    return GoLobby()


def enter(scene: Scene, arguments: Arguments) -> Act:
    """Go into a room by its number, an invite token, or an invite link.

    Whoever may not know of a room gets the same answer as for a room that does not exist.
    """
    given, password = arguments["room"], arguments.get("password", "")
    named = room_of(given)
    room = scene.known.room
    if room is None or room.bars(scene.speaker.person, scene.speaker.owner):
        raise NotAllowed("room_unknown")
    if not named.invite and not room.is_known_to(scene.speaker.person):
        raise NotAllowed("room_unknown")
    return Enter(room.id, invite=named.invite, password=password)


def may_know(scene: Scene, room: RoomLine) -> bool:
    """Whether the speaker may know that a room exists."""
    return room.is_known_to(scene.speaker.person)


def new_room(scene: Scene, arguments: Arguments) -> Act:
    """Make a room."""
    password = arguments.get("password", "")
    if password:
        check_password(password)
    if not scene.pins.offers(arguments["game"]):
        raise NotAllowed("not_offered", given=arguments["game"], candidates=scene.pins.offered)
    return NewRoom(arguments["game"], arguments.get("privacy", "public"), password)


def check_may_make(person: str, mine: Iterable[RoomLine]) -> None:
    """NotAllowed (too_many_rooms, too_many_games) if somebody has too many rooms for one more."""
    fresh = running = 0
    for room in mine:
        fresh += room.host_person == person and room.phase == Phase.OPEN
        running += person in room.persons and room.phase in (Phase.PLAYING, Phase.PAUSED)
    if fresh >= ROOMS_OPEN_PER_PERSON:
        raise NotAllowed("too_many_rooms", most=ROOMS_OPEN_PER_PERSON)
    if running >= ROOMS_UNFINISHED_PER_PERSON:
        raise NotAllowed("too_many_games", most=ROOMS_UNFINISHED_PER_PERSON)


def my_rooms(scene: Scene) -> Tell:
    """Rooms where the speaker has a seat or is the host, with whose turn it is.

    First those where it is his, by the time that is left; then the newest first.
    """
    lang, me = scene.speaker.lang, scene.speaker.person
    rooms = sorted(scene.known.mine, key=lambda room: _urgency(room, me))
    lines = [_my_room(scene, room, me) for room in rooms]
    return Tell("myrooms", "\n".join(lines) if lines else say("answer.no_own_rooms", lang))


def _my_room(scene: Scene, room: RoomLine, me: str) -> str:
    lang = scene.speaker.lang
    parts = [room_text(scene, room)]
    if room.private:
        parts.append(say("answer.room_number", lang, number=room.id))
    if room.is_turn_of(me):
        parts.append(say("answer.your_turn", lang))
    elif room.turn:
        parts.append(say("answer.turn_of", lang, names=room.turn))
    due = _due(room, me)
    if due:
        parts.append(f"({say('answer.time_left', lang, time=span(due - scene.now, lang))})")
    return " ".join(parts)


def _due(room: RoomLine, person: str) -> int:
    """When the time of somebody is up, or of whoever else is to move; 0: there is no such time."""
    if room.phase != Phase.PLAYING:
        return 0
    times = dict(zip(room.persons, room.deadlines, strict=False))
    return times.get(person) or min((each for each in room.deadlines if each), default=0)


def _urgency(room: RoomLine, person: str) -> tuple[bool, float]:
    mine = room.is_turn_of(person)
    return not mine, (_due(room, person) or inf) if mine else 0


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
        needs=lambda scene, given: room_of(given["room"]),
        offers=Wanted(rooms=Listing(), mine=True),
    ),
    Command(
        "newroom",
        anywhere(),
        new_room,
        (Argument("game", "game"), _PRIVACY, PASSWORD),
        ("新部屋", "部屋作成"),
        secret=True,
        given_scope=Scope.HOST,
    ),
    Command(
        "myrooms",
        anywhere(),
        lambda scene, given: my_rooms(scene),
        names=("自分の部屋",),
        needs=lambda scene, given: Wanted(mine=True),
    ),
)
