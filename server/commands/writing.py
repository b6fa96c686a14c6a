"""What commands that write an entry have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.rules.core.suggest import nearest
from bluebear.server.commands.acts import NO_FACTS, Write
from bluebear.server.commands.command import Arguments, Handler, Queries, Rash
from bluebear.server.commands.scene import Scene
from bluebear.server.limits import PASSWORD_MAX_CHARS
from bluebear.server.room.act import RoomAct
from bluebear.server.room.state import Phase, Room
from bluebear.server.store import Json

_RUNNING: Final = (Phase.PLAYING, Phase.PAUSED)


def check_password(password: str) -> None:
    """NotUnderstood (bad_password) if a password is too long."""
    if not 1 <= len(password) <= PASSWORD_MAX_CHARS:
        raise NotUnderstood("bad_password", most=PASSWORD_MAX_CHARS)


def room_here(scene: Scene) -> Room:
    """The room that a line is said in; NotAllowed (not_in_room) if it is the lobby."""
    if scene.room is None:
        raise NotAllowed("not_in_room")
    return scene.room


def entry(
    scene: Scene,
    act: RoomAct,
    facts: Mapping[str, Json] = NO_FACTS,
    *,
    note: str = "",
) -> Write:
    """An act of the speaker, with facts of it and of him."""
    speaker: dict[str, Json] = {
        "name": scene.speaker.name,
        "kind": "human" if scene.speaker.human else "bot",
    }
    return Write.of(act, {**speaker, **facts}, note=note)


def ends_game(reason: str) -> Rash:
    """Asks back where a game is running, with the sentence of this key."""
    return lambda scene, arguments: reason if scene.phase in _RUNNING else ""


def does(act: RoomAct) -> Handler:
    """Does always the same."""
    return lambda scene, arguments: entry(scene, act)


def asks(act: RoomAct) -> Handler:
    """Does always the same, about which those who are here may vote."""
    return lambda scene, arguments: entry(scene, act, {"voters": scene.voters()})


def near_names(given: str, names: Iterable[str]) -> list[str]:
    """The names most like the one that was given."""
    folded = {fold(name): name for name in names}
    return [folded[each] for each in nearest(fold(given), folded)]


async def find_named(queries: Queries, given: Arguments) -> Arguments:
    """Prepares a command with the person who has the name that is given, if one is."""
    if "name" not in given:
        return given
    return {**given, "person": await queries.find_person(given["name"])}
