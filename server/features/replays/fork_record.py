"""The beginning of a finished game as a record, from which a fork is played on."""

from __future__ import annotations

from dataclasses import replace

from bluebear.rules.core.record import (
    Digested,
    Fork,
    ForkSection,
    Hinted,
    Peeked,
    Record,
    RecordError,
    Resigned,
    Seated,
)


def beginning(record: Record, lines: int, move: int) -> Record:
    """The first `lines` lines of a finished game; `move` is their last move in a replay.

    The result has that game's head and no end. Its `fork` has the input of the draws, so it can be
    replayed alone. Only moves, undos and digests are in it. RecordError (unsealed) without a seed.
    """
    if record.end is None or record.end.secret is None:
        raise RecordError(record.end_number, "unsealed")
    head = record.head
    if isinstance(next(iter(record.lines[lines:]), None), Digested):
        lines += 1
    left_out = Seated | Resigned | Peeked | Hinted
    played = tuple(line for line in record.lines[:lines] if not isinstance(line, left_out))
    before = () if head.fork is None else head.fork.parts
    parts = tuple(section for section in before if section.lines < lines)
    # The lines before a fork contain none that are left out, so their numbers are unchanged.
    last = next((section for section in before if section.lines >= lines), None)
    if last is None:
        last = ForkSection(head.id, len(played), head.order, record.end.secret, head.seeds)
    fork = Fork(head.id, move, (*parts, replace(last, lines=len(played))))
    return Record(replace(head, fork=fork), played)
