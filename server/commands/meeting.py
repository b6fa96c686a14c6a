"""Finding each other: who is online, where somebody is, going there.

A room that the speaker may not know of is nowhere in the answers: whoever is in one looks like
whoever is in the lobby.
"""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import Act, Enter, Tell
from bluebear.server.commands.answers import room_text
from bluebear.server.commands.command import NAME, Arguments, Command, anywhere
from bluebear.server.commands.going import may_know
from bluebear.server.commands.needs import Companion, RoomLine, Wanted
from bluebear.server.commands.scene import Scene
from bluebear.server.sentences import away_text, say

_MINUTE_MS: Final = 60_000


def _places(scene: Scene, companion: Companion) -> list[RoomLine]:
    """The rooms in which the speaker may see somebody."""
    person = scene.speaker.person
    return [
        room
        for room in companion.rooms
        if may_know(scene, room)
        and (room.listed or room.of(person) or person in room.admitted or _inside(scene, room))
    ]


def _inside(scene: Scene, room: RoomLine) -> bool:
    return scene.room is not None and scene.room.table.id == room.id


def _somebody(scene: Scene, given: Arguments) -> Companion:
    for companion in scene.known.company:
        return companion
    raise NotAllowed("no_such_person", given=given["name"], candidates=scene.known.near)


def _whereis(scene: Scene, given: Arguments) -> Tell:
    companion = _somebody(scene, given)
    lines = [_line(scene, companion)]
    lines += [room_text(scene, room) for room in _places(scene, companion)]
    return Tell("whereis", "\n".join(lines))


def _hook(scene: Scene, given: Arguments) -> Act:
    """Go to the latest room in which somebody is."""
    companion = _somebody(scene, given)
    for room in _places(scene, companion):
        if not _inside(scene, room):
            return Enter(room.id)
    raise NotAllowed("nowhere_to_go", given=companion.name)


def _everybody(scene: Scene) -> Tell:
    lines = [
        " ".join([_line(scene, each), *(room.id for room in _places(scene, each))])
        for each in scene.known.company
    ]
    more = scene.known.present - len(lines)
    if more > 0:
        lines.append(say("answer.and_more", scene.speaker.lang, count=more))
    return Tell("wwho", "\n".join(lines), lambda: _figures(scene))


def _figures(scene: Scene) -> Shaped:
    """The same as data: `people` with their minutes here, and how many `more` there are."""
    people = [
        {
            "name": each.name,
            "minutes": max(0, scene.now - each.since) // _MINUTE_MS,
            "rooms": [{"id": room.id, "game": room.game} for room in _places(scene, each)],
            **({} if each.away is None else {"away": each.away}),
        }
        for each in scene.known.company
    ]
    return {"people": people, "more": max(0, scene.known.present - len(people))}


def _line(scene: Scene, companion: Companion) -> str:
    """Somebody with the time that he has been here, and why he does not answer."""
    lang, name = scene.speaker.lang, companion.name
    minutes = max(0, scene.now - companion.since) // _MINUTE_MS
    line = say("answer.online_since", lang, name=name, minutes=minutes)
    return line if companion.away is None else f"{line} {away_text(lang, name, companion.away)}"


_BY_NAME: Final = (NAME,)

COMMANDS: Final = (
    Command(
        "wwho",
        anywhere(),
        lambda scene, given: _everybody(scene),
        names=("全員",),
        needs=lambda scene, given: Wanted(company=True),
    ),
    Command(
        "whereis",
        anywhere(),
        _whereis,
        _BY_NAME,
        ("どこ",),
        needs=lambda scene, given: Wanted(connected=given["name"], company=True),
        offers=Wanted(online=True),
    ),
    Command(
        "hook",
        anywhere(),
        _hook,
        _BY_NAME,
        ("合流",),
        needs=lambda scene, given: Wanted(connected=given["name"], company=True),
        offers=Wanted(online=True),
    ),
)
