"""Forks: rooms in which a finished game goes on from one of its positions.

The entry that makes such a room holds the beginning of that game as a record, and the fold plays it
again. Draws up to there are those of that game; those that follow are the new game's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.game_info import GameInfo
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import Record, RecordError, format_line, parse_record, replaying
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import but
from bluebear.server.journal import Entry
from bluebear.server.room.state import ForkOf, Origin, Recorded, Room, Table
from bluebear.server.room.versions import Games, version_of

FACT: Final = "fork"
"""The fact of a room's first entry that has the beginning of the other game."""


def is_fork(entry: Entry) -> bool:
    """Whether an entry makes a room that goes on from another game."""
    return FACT in entry.facts


def forked(room: Room, entry: Entry, games: Games, played: Origin | None) -> Room:
    """The new room of an entry, as one that goes on from another game.

    `played` is what its fact comes to, for who has it already. Raises NotAllowed (version_gap) if
    the server does not have the rules of that game, or others under their number.
    """
    if played is None:
        *_, played = origins(games, parse_record(str(entry.facts[FACT])))
    head = played.record.head
    if head.fork is None:
        raise NotAllowed("version_gap", given=head.game)
    options = {**room.table.options, **dict(head.options)}
    names = tuple(head.joined[joined - 1] for joined in head.order)
    table = but(
        room.table,
        options=Keyed(options),
        rated=False,
        fork=ForkOf(head.fork.id, head.fork.move, names),
    )
    return but(room, table=table, origin=played)


def origins(games: Games, record: Record) -> Iterator[Origin]:
    """Play the beginning of a game, with a stop after each line; the last one counts.

    Raises NotAllowed (version_gap): the server has no such game, or other rules for it.
    """
    head = record.head
    game = version_of(games, head.game, head.rules)
    if game is None:
        raise NotAllowed("version_gap", given=head.game)
    try:
        for moment in replaying(game, record):
            yield Origin(record, moment.state, moment.counter, moment.entries)
    except RecordError as problem:
        raise NotAllowed("version_gap", given=head.game) from problem


def lines_before(origin: Origin, version: int) -> Recorded | None:
    """The lines of the beginning as those of a room's record, in which an entry begins the game."""
    chain: Recorded | None = None
    for line in origin.record.lines:
        chain = Recorded(chain, format_line(line), version)
    return chain


def seats_of(table: Table, info: GameInfo) -> tuple[int, int]:
    """How few and how many may sit: in a fork exactly those who sat in the other game."""
    if table.fork is None:
        return info.min_seats, info.max_seats
    count = len(table.fork.names)
    return count, count


def is_fixed(table: Table, option: str, info: GameInfo) -> bool:
    """Whether an option is no choice any more, since the game has begun by it."""
    return table.fork is not None and (option in info.options or option == "drawseat")
