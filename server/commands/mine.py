"""What `/myrooms` tells: one's own rooms, those where it is one's turn first."""

from __future__ import annotations

from math import inf

from bluebear.server.commands.acts import Tell
from bluebear.server.commands.answers import room_text
from bluebear.server.commands.needs import RoomLine
from bluebear.server.commands.scene import Scene
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say, span


def my_rooms(scene: Scene) -> Tell:
    """Rooms where the speaker has a seat or is the host, with whose turn it is.

    First those where it is his, by the time that is left; then the newest first.
    """
    lang, me = scene.speaker.lang, scene.speaker.person
    rooms = sorted(scene.known.mine, key=lambda room: _urgency(room, me))
    lines = [_line(scene, room, me) for room in rooms]
    return Tell("myrooms", "\n".join(lines) if lines else say("answer.no_own_rooms", lang))


def _line(scene: Scene, room: RoomLine, me: str) -> str:
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
