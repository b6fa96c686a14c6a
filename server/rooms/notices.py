"""Whom to tell of a game by days, wherever he is: that it is his turn, that the game is over.

Pure. What is made here goes into the outbox with the entry that makes it true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from bluebear.rules.core.visibility import Seat
from bluebear.server.journal import Outgoing
from bluebear.server.room.options import by_days
from bluebear.server.room.state import Phase, Room


class Notice(Struct, frozen=True, omit_defaults=True):
    """One notice on its way to one person; `tries` counts those that failed. Times are in ms."""

    kind: Literal["turn", "over"]
    person: str
    room: str
    game: str
    game_id: str
    seat: int
    version: int
    at: int
    deadline: int = 0
    tries: int = 0


_DECODER: Final = msgspec.msgpack.Decoder(Notice)
_ENCODER: Final = msgspec.msgpack.Encoder()


def notices_of(old: Room | None, new: Room, here: Mapping[str, str]) -> tuple[Outgoing, ...]:
    """What an entry makes true for players who are not in the room, in a game by days."""
    if not by_days(new.table):
        return ()
    return tuple(
        Outgoing(f"{each.game_id}-{each.version}-{each.seat}", new.at, packed(each))
        for each in _notices(old, new)
        if each.person not in here
    )


def _notices(old: Room | None, new: Room) -> Iterator[Notice]:
    table, before = new.table, None if old is None else old.table
    was = None if before is None else before.phase
    for seat, chair in table.seats.items():
        if chair.person is None:
            continue
        if table.phase is Phase.OVER and was in (Phase.PLAYING, Phase.PAUSED):
            yield _notice("over", new, seat, chair.person)
        elif table.phase is Phase.PLAYING and chair.bot is None and int(seat) in table.turn:
            waited = was is Phase.PLAYING and before is not None and int(seat) in before.turn
            if not waited:
                yield _notice("turn", new, seat, chair.person)


def _notice(kind: Literal["turn", "over"], room: Room, seat: Seat, person: str) -> Notice:
    table = room.table
    deadline = table.seats[seat].deadline or 0
    return Notice(
        *(kind, person, table.id, table.game, table.game_id),
        *(int(seat), room.version, room.at, deadline),
    )


def packed(notice: Notice) -> bytes:
    """A notice as the outbox keeps it."""
    return _ENCODER.encode(notice)


def notice_of(outgoing: Outgoing) -> Notice:
    """The notice of the outbox's row. Raises msgspec.DecodeError for what is none."""
    return _DECODER.decode(outgoing.body)
