"""Decides what each entry of a batch gets; pure, and the same for every journal.

The rules are two: a client id is stored once per actor for ever, and entry n of a stream is
followed by entry n + 1 only. Whoever stores the entries says what is known; nothing here reads
a file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from server.journal.base import Answer, Duplicate, Fenced, NotSaved, Written
from server.journal.entry import Append, Place, StreamId, pack


@dataclass(frozen=True, slots=True)
class Judged:
    """What a batch gets if its commit succeeds, and what to store for it, packed, in order."""

    answers: list[Answer]
    fresh: list[tuple[Append, bytes]]


def judge(
    batch: Sequence[Append],
    head: Callable[[StreamId], int],
    said: Callable[[str, str], Place | None],
) -> Judged:
    """Judge the batch, given the newest number of a stream (0: none) and where an id was used."""
    heads: dict[StreamId, int] = {}
    ids: dict[tuple[str, str], Place] = {}
    answers: list[Answer] = []
    fresh: list[tuple[Append, bytes]] = []
    for append in batch:
        entry = append.entry
        stream, seq, actor, client_id = entry.stream, entry.seq, entry.actor, entry.client_id
        if client_id:
            place = ids.get((actor, client_id)) or said(actor, client_id)
            if place is not None:
                answers.append(Duplicate(*place))
                continue
        newest = heads.get(stream)
        if newest is None:
            newest = head(stream)
        if seq != newest + 1:
            answers.append(Fenced(newest))
            continue
        try:
            body = pack(entry)
        except (TypeError, ValueError, OverflowError) as error:
            # A bug in the entry's maker, and its maker's alone: the batch goes on without it.
            answers.append(NotSaved(f"{stream} {seq} cannot be packed: {error}"))
            continue
        heads[stream] = seq
        if client_id:
            ids[actor, client_id] = (stream, seq)
        fresh.append((append, body))
        answers.append(Written(seq))
    return Judged(answers, fresh)


def settle(
    batch: Sequence[Append],
    judged: Judged,
    head: Callable[[StreamId], int],
    reason: str,
) -> list[Answer]:
    """What the batch gets after its commit has failed, given the heads that are in the file.

    An answer that rests on an entry of the same batch falls with that entry.
    """
    return [
        _settle_one(append, answer, head, reason)
        for append, answer in zip(batch, judged.answers, strict=True)
    ]


def _settle_one(
    append: Append, answer: Answer, head: Callable[[StreamId], int], reason: str
) -> Answer:
    match answer:
        case Written(seq):
            return answer if seq <= head(append.entry.stream) else NotSaved(reason)
        case Duplicate(stream, seq):
            return answer if seq <= head(stream) else NotSaved(reason)
        case Fenced():
            newest = head(append.entry.stream)
            return NotSaved(reason) if append.entry.seq == newest + 1 else Fenced(newest)
        case NotSaved():
            return answer
