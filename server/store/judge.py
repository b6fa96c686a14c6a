"""Decides the answer to each entry of a batch; pure, and the same for all databases.

There are four rules. A client id is stored once per actor, permanently. Entry n + 1 follows entry n
of a stream. Change n + 1 follows change n of a rating. A name belongs to one person. The caller
looks up what is stored: this module does no I/O.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bluebear.server.store.types import (
    Answer,
    Append,
    Duplicate,
    EntryKey,
    Fenced,
    NotSaved,
    Outrun,
    PersonRow,
    RatingKey,
    RatingRow,
    StreamId,
    Summary,
    Taken,
    Written,
    check_rows,
    pack,
)

Packed: TypeAlias = tuple[Append, bytes]
"""An entry to store, and its bytes."""


@dataclass(slots=True)
class AppendState:
    """What is stored of the streams, client ids, people and ratings of a batch."""

    heads: dict[StreamId, int] = field(default_factory=dict)
    by_client_id: dict[tuple[str, str], EntryKey] = field(default_factory=dict)
    by_key: dict[str, PersonRow] = field(default_factory=dict)
    by_token: dict[str, PersonRow] = field(default_factory=dict)
    ratings: dict[RatingKey, int] = field(default_factory=dict)
    """The number of changes of each rating."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers to a batch if its commit succeeds, and the packed entries to store, in order.

    `rooms`, `people` (by id) and `ratings` are the changed rows after the entire batch; None: the
    row is deleted.
    """

    answers: list[Answer]
    fresh: list[Packed]
    rooms: Mapping[StreamId, Summary]
    people: Mapping[str, PersonRow | None]
    ratings: Mapping[RatingKey, RatingRow]


def judge(batch: Sequence[Append], state: AppendState) -> Judged:
    """Plan the append of a batch, given what is stored."""
    heads, ids, rows = dict(state.heads), dict(state.by_client_id), _Rows(state)
    answers: list[Answer] = []
    fresh: list[Packed] = []
    for append in batch:
        entry = append.entry
        given = entry.actor, entry.client_id
        head = heads.get(entry.stream, 0)
        if given in ids:
            answers.append(Duplicate(*ids[given]))
            continue
        if entry.seq != head + 1:
            answers.append(Fenced(head))
            continue
        body = packed(append)
        refused = body if isinstance(body, NotSaved) else rows.refused(append)
        answers.append(refused or Written(entry.seq))
        if isinstance(body, bytes) and refused is None:
            heads[entry.stream] = entry.seq
            if entry.client_id:
                ids[given] = entry.stream, entry.seq
            fresh.append((append, body))
    return Judged(answers, fresh, rows.rooms, rows.people, rows.ratings)


def packed(append: Append) -> bytes | NotSaved:
    """Encode an entry. Returns NotSaved if the entry or one of its rows cannot be encoded.

    That is a bug in the code that made the entry; the rest of the batch is stored.
    """
    entry = append.entry
    try:
        body = pack(entry)
        if append.has_rows:
            check_rows(append)
    except (TypeError, ValueError, OverflowError) as error:
        return NotSaved(f"{entry.stream} {entry.seq} cannot be packed: {error}")
    return body


def plain(batch: Sequence[Append]) -> list[Packed] | None:
    """The batch with its bytes, if it has no rows, and no stream and no client id twice."""
    streams: set[str] = set()
    ids: set[tuple[str, str]] = set()
    group: list[Packed] = []
    for append in batch:
        entry = append.entry
        body = None if append.has_rows else packed(append)
        if body is None or isinstance(body, NotSaved):
            return None
        streams.add(entry.stream)
        ids.add((entry.actor, entry.client_id or entry.stream))
        group.append((append, body))
    return group if len(streams) == len(ids) == len(group) else None


def columns_of(group: Sequence[Packed]) -> list[tuple[str | int | bytes | None, ...]]:
    """The columns of `entry` of each: stream, number, actor, client id, bytes."""
    return [
        (entry.stream, entry.seq, entry.actor, entry.client_id or None, body)
        for entry, body in [(append.entry, body) for append, body in group]
    ]


class _Rows:
    """The rows that the batch has changed so far; owned by one call of `judge`."""

    def __init__(self, state: AppendState) -> None:
        self._state = state
        self.rooms: dict[StreamId, Summary] = {}
        self.people: dict[str, PersonRow | None] = {}
        self.ratings: dict[RatingKey, RatingRow] = {}
        self._keys: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    def refused(self, append: Append) -> Outrun | Taken | NotSaved | None:
        """Why an entry's rows are refused; None: they are accepted and remembered."""
        for row in append.ratings:
            before = self.ratings.get(row.key)
            changes = self._state.ratings.get(row.key, 0) if before is None else before.seq
            if row.seq != changes + 1:
                return Outrun(row.person)
        if append.person is not None:
            refused = self._claim(append.person, append.stale_before)
            if refused is not None:
                return refused
        if append.summary is not None:
            self.rooms[append.entry.stream] = append.summary
        self.ratings.update((row.key, row) for row in append.ratings)
        return None

    def _claim(self, claim: PersonRow, stale_before: int) -> Taken | NotSaved | None:
        """Why a person may not have their name and tokens; None: they have them from now on."""
        holder = self._holder(claim.key, self._keys, self._state.by_key) if claim.key else None
        if holder is not None and holder.id != claim.id and not holder.is_stale(stale_before):
            return Taken(holder.id)
        for token in claim.tokens:
            bearer = self._holder(token, self._tokens, self._state.by_token)
            if bearer is not None and bearer.id != claim.id:
                # Tokens are random: equal ones are a bug, which must not let in another person.
                return NotSaved(f"a token of {claim.id} is that of {bearer.id}")
        if holder is not None and holder.id != claim.id:
            self.people[holder.id] = None
        self.people[claim.id] = claim
        self._keys[claim.key] = claim.id
        self._tokens.update(dict.fromkeys(claim.tokens, claim.id))
        return None

    def _holder(
        self, name: str, claimed: Mapping[str, str], stored: Mapping[str, PersonRow]
    ) -> PersonRow | None:
        """Who has a key or a token after the changes so far."""
        row = self.people.get(claimed.get(name, ""))
        if row is not None and name in (row.key, *row.tokens):
            return row
        row = stored.get(name)
        return None if row is None or row.id in self.people else row


def settle(
    batch: Sequence[Append],
    judged: Sequence[Answer],
    stored: Sequence[bool],
    state: AppendState,
    reason: str,
) -> list[Answer]:
    """The answers to a judged batch after an uncertain commit, given what is stored now.

    `stored`: whether each entry is stored. An answer that depends on an entry of the same batch is
    withdrawn with that entry: what was refused must be refused alone, too, for the same reason.
    """
    answers: list[Answer] = []
    for append, answer, is_stored in zip(batch, judged, stored, strict=True):
        entry = append.entry
        ids = state.by_client_id if isinstance(answer, Duplicate) else {}
        heads = state.heads if isinstance(answer, Fenced) else {entry.stream: entry.seq - 1}
        alone = judge([append], replace(state, by_client_id=ids, heads=heads)).answers[0]
        if is_stored:
            alone = Written(entry.seq)
        elif isinstance(alone, Written) or type(alone) is not type(answer):
            alone = NotSaved(reason)
        answers.append(alone)
    return answers
