"""Quiet entries: moves of which nobody but the mover learns anything, not even that they were made.

They are no version for anybody else (`Room.version_for`) and no line of his record. Only moves that
are hidden whole can be quiet, so no other entry is looked at.
"""

from __future__ import annotations

from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.visibility import Event, Seat, but
from bluebear.server.room.changes import RoomChanges
from bluebear.server.room.state import Quiet, Recorded, Room, versions_for


def marked(
    before: Room, room: Room, changes: RoomChanges, seat: Seat, events: tuple[Event, ...]
) -> Room:
    """The room after an entry, its record saying that the entry was quiet, if it was."""
    if changes.table.public is not None or changes.table.private or not _is_quiet(changes, seat):
        return room
    others = frozenset(room.seats) - {seat}
    if any(event_view(event, others) is not None for event in events):
        return room
    return but(room, recorded=_counted(room.recorded, before.recorded, seat, len(room.seats)))


def _is_quiet(changes: RoomChanges, seat: Seat) -> bool:
    game = changes.game
    return game.public is None and game.private.keys() <= {seat}


def _counted(
    recorded: Recorded | None, until: Recorded | None, seat: Seat, seats: int
) -> Recorded | None:
    """The chain with the lines of this entry counted for a seat: the move, maybe a digest."""
    if recorded is None or recorded is until:
        return recorded
    quiet = _one_more(recorded.quiet or (0,) * seats, seat)
    return but(recorded, before=_counted(recorded.before, until, seat, seats), quiet=quiet)


def _one_more(quiet: Quiet, seat: Seat) -> Quiet:
    return tuple(count + (each == seat) for each, count in enumerate(quiet, 1))


def quiet_seat(old: Room, new: Room) -> Seat | None:
    """Who alone knows of the entry that made the new room of the old one; None: others do, too."""
    if not new.quiet or new.recorded is old.recorded:
        return None
    before = old.quiet or (0,) * len(new.quiet)
    pairs = enumerate(zip(before, new.quiet, strict=True), 1)
    return next((Seat(seat) for seat, (was, now) in pairs if was != now), None)


def since_for(room: Room, seat: Seat | None) -> int:
    """The version, as a seat counts, before which lines of it are stale; 0 for who has no seat."""
    if seat is None or seat > len(room.since):
        return 0
    return versions_for(room, frozenset((seat,)))(room.since[seat - 1])
