"""The beginning of a finished game, as a record that another game goes on from."""

from __future__ import annotations

from dataclasses import replace

from bluebear.rules.core.record.error import RecordError
from bluebear.rules.core.record.model import (
    Digested,
    Fork,
    ForkSection,
    Hinted,
    Peeked,
    Record,
    Resigned,
    Seated,
)


def beginning(record: Record, lines: int, move: int) -> Record:
    """A finished game up to after so many lines, which a replay counts as move `move`.

    It has no end, keeps the head of that game, and names in `fork` what its draws hang on, so it
    plays by itself. Who played, gave up, looked into a seat or had a hint is left out. Raises
    RecordError (unsealed) if the record does not say its seed.
    """
    if record.end is None or record.end.secret is None:
        raise RecordError(record.end_number, "unsealed")
    head = record.head
    if isinstance(next(iter(record.lines[lines:]), None), Digested):
        lines += 1
    aside = Seated | Resigned | Peeked | Hinted
    kept = tuple(line for line in record.lines[:lines] if not isinstance(line, aside))
    before = () if head.fork is None else head.fork.parts
    parts = tuple(part for part in before if part.lines < lines)
    # The lines before a fork have none of those that are left out, so they have kept their numbers.
    last = next((part for part in before if part.lines >= lines), None)
    if last is None:
        last = ForkSection(head.id, len(kept), head.order, record.end.secret, head.seeds)
    fork = Fork(head.id, move, (*parts, replace(last, lines=len(kept))))
    return Record(replace(head, fork=fork), kept)
