"""The record of a room's game: the lines that its entries left, with head and end."""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.game import Game
from bluebear.rules.core.record import (
    End,
    EndReason,
    Hex,
    Moved,
    Record,
    RecordLine,
    Undone,
    conceal,
    format_record,
    parse_line,
    sealed,
)
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Eyes
from bluebear.server.room.state import Room, lines_of, links_of, unknown_to


def record_of(room: Room, game: Game[Any], eyes: Eyes) -> str:
    """The record as text: whole and sealed when the game is over, else what these eyes may have.

    NotAllowed (no_record) if no game was begun.
    """
    if room.head is None:
        raise NotAllowed("no_record")
    ending = room.table.ending
    if ending is None:
        return format_record(conceal(game, Record(room.head, _known_to(room, eyes)), eyes))
    lines = tuple(parse_line(line) for line in lines_of(room.recorded))
    result = None if ending.how == EndReason.VOID.value else game.result(room.game)
    scores = () if result is None else tuple((e.seat, e.score) for e in result.standings)
    end = End(EndReason(ending.how), Hex(ending.seed), scores)
    return format_record(sealed(Record(room.head, lines, end)))


def _known_to(room: Room, eyes: Eyes) -> tuple[RecordLine, ...]:
    """The lines that these eyes know to be there: no moves that nobody else has learned of."""
    made: list[RecordLine] = []
    standing: list[bool] = []
    unknown = 0
    for link in links_of(room.recorded):
        line, before = parse_line(link.line), unknown
        unknown = unknown_to(eyes, link.quiet)
        if isinstance(line, Undone):
            count = sum(standing[-line.count :])
            del standing[-line.count :]
            if count:
                made.append(Undone(count))
            continue
        is_known = unknown == before
        if isinstance(line, Moved):
            standing.append(is_known)
        if is_known:
            made.append(line)
    return tuple(made)
