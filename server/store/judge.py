"""Decides the answer to each entry of a batch; pure, and the same for all databases.

There are four rules. A client id is stored once per actor, permanently. Entry n + 1 follows entry n
of a stream. Change n + 1 follows change n of a rating. A name belongs to one person. The caller
looks up what is stored: this module does no I/O.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class AppendState:
    """What is stored of the streams, client ids, people and ratings of a batch."""

    heads: dict[StreamId, int] = field(default_factory=dict)
    by_client_id: dict[tuple[str, str], EntryKey] = field(default_factory=dict)
    by_key: dict[str, PersonRow] = field(default_factory=dict)
    by_token: dict[str, PersonRow] = field(default_factory=dict)
    ratings: dict[RatingKey, int] = field(default_factory=dict)
    """The number of changes of each rating."""

    def head(self, stream: StreamId) -> int:
        """The number of a stream's newest entry; 0 if it has none."""
        return self.heads.get(stream, 0)


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers to a batch if its commit succeeds, and the packed entries to store, in order.

    `rooms`, `people` (by id) and `ratings` are the changed rows after the entire batch; None: the
    row is deleted.
    """

    answers: list[Answer]
    fresh: list[tuple[Append, bytes]]
    rooms: Mapping[StreamId, Summary]
    people: Mapping[str, PersonRow | None]
    ratings: Mapping[RatingKey, RatingRow]


def judge(batch: Sequence[Append], state: AppendState) -> Judged:
    """Plan the append of a batch, given what is stored."""
    heads: dict[StreamId, int] = {}
    ids: dict[tuple[str, str], EntryKey] = {}
    rows: _Rows | None = None
    answers: list[Answer] = []
    fresh: list[tuple[Append, bytes]] = []
    for append in batch:
        entry = append.entry
        stream, seq, actor, client_id = entry.stream, entry.seq, entry.actor, entry.client_id
        if client_id:
            key = ids.get((actor, client_id)) or state.by_client_id.get((actor, client_id))
            if key is not None:
                answers.append(Duplicate(*key))
                continue
        newest = heads.get(stream)
        if newest is None:
            newest = state.head(stream)
        if seq != newest + 1:
            answers.append(Fenced(newest))
            continue
        body = packed(append)
        if isinstance(body, NotSaved):
            answers.append(body)
            continue
        # Tested before the call: most entries are moves, which have no rows.
        if append.summary is not None or append.person is not None or append.ratings:
            rows = rows or _Rows(state)
            refused = rows.refused(append)
            if refused is not None:
                answers.append(refused)
                continue
        heads[stream] = seq
        if client_id:
            ids[actor, client_id] = (stream, seq)
        fresh.append((append, body))
        answers.append(Written(seq))
    if rows is None:
        return Judged(answers, fresh, {}, {}, {})
    people = {} if rows.claims is None else rows.claims.rows
    return Judged(answers, fresh, rows.rooms, people, rows.ratings)


class _Rows:
    """The rows that the batch has changed so far; owned by one call of `judge`."""

    def __init__(self, state: AppendState) -> None:
        self._state = state
        self.rooms: dict[StreamId, Summary] = {}
        self.ratings: dict[RatingKey, RatingRow] = {}
        self.claims: _Claims | None = None

    def refused(self, append: Append) -> Answer | None:
        """Why an entry's rows are refused; None: they are accepted and remembered."""
        refused: Answer | None = _outrun(append, self._state, self.ratings)
        if refused is None and append.person is not None:
            self.claims = self.claims or _Claims(self._state)
            refused = self.claims.refused(append.person, append.stale_before)
        if refused is not None:
            return refused
        if append.summary is not None:
            self.rooms[append.entry.stream] = append.summary
        self.ratings.update((row.key, row) for row in append.ratings)
        return None


def _outrun(
    append: Append, state: AppendState, changed: Mapping[RatingKey, RatingRow]
) -> Outrun | None:
    """The person with a rating that is not the next change, after the changes of this batch."""
    for row in append.ratings:
        before = changed.get(row.key)
        if row.seq != 1 + (state.ratings.get(row.key, 0) if before is None else before.seq):
            return Outrun(row.person)
    return None


def packed(append: Append) -> bytes | NotSaved:
    """Encode an entry. Returns NotSaved if the entry or one of its rows cannot be encoded.

    That is a bug in the code that made the entry; the rest of the batch is stored.
    """
    entry = append.entry
    try:
        body = pack(entry)
        if append.summary is not None or append.person is not None or append.ratings:
            check_rows(append)
    except (TypeError, ValueError, OverflowError) as error:
        return NotSaved(f"{entry.stream} {entry.seq} cannot be packed: {error}")
    return body


class _Claims:
    """The names and tokens that the batch has claimed so far; owned by one call of `judge`."""

    def __init__(self, state: AppendState) -> None:
        self._state = state
        self.rows: dict[str, PersonRow | None] = {}
        self._keys: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    def refused(self, claim: PersonRow, stale_before: int) -> Taken | NotSaved | None:
        """Why a person's row is refused; None: it is accepted and remembered."""
        holder = self._holder_of_key(claim.key) if claim.key else None
        if holder is not None and holder.id != claim.id and not holder.is_stale(stale_before):
            return Taken(holder.id)
        for token in claim.tokens:
            bearer = self._holder_of_token(token)
            if bearer is not None and bearer.id != claim.id:
                # Tokens are random: equal ones are a bug, which must not let in another person.
                return NotSaved(f"a token of {claim.id} is that of {bearer.id}")
        if holder is not None and holder.id != claim.id:
            self.rows[holder.id] = None
        self.rows[claim.id] = claim
        self._keys[claim.key] = claim.id
        self._tokens.update(dict.fromkeys(claim.tokens, claim.id))
        return None

    def _holder_of_key(self, key: str) -> PersonRow | None:
        row = self.rows.get(self._keys.get(key, ""))
        if row is not None and row.key == key:
            return row
        return self._unless_changed(self._state.by_key.get(key))

    def _holder_of_token(self, token: str) -> PersonRow | None:
        row = self.rows.get(self._tokens.get(token, ""))
        if row is not None and token in row.tokens:
            return row
        return self._unless_changed(self._state.by_token.get(token))

    def _unless_changed(self, row: PersonRow | None) -> PersonRow | None:
        """The stored row, if the batch has not changed it."""
        return None if row is None or row.id in self.rows else row


def settle(
    batch: Sequence[Append], judged: Judged, stored: Sequence[bool], state: AppendState, reason: str
) -> list[Answer]:
    """The answers to a batch after an uncertain commit, given what is stored now.

    `stored`: whether each entry is stored. An answer that depends on an entry of the same batch is
    withdrawn with that entry.
    """
    return [
        _settle_one(append, answer, state, reason, is_stored=is_stored)
        for append, answer, is_stored in zip(batch, judged.answers, stored, strict=True)
    ]


def _settle_one(
    append: Append, answer: Answer, state: AppendState, reason: str, *, is_stored: bool
) -> Answer:
    match answer:
        case Written():
            return answer if is_stored else NotSaved(reason)
        case Duplicate():
            key = state.by_client_id.get((append.entry.actor, append.entry.client_id))
            return NotSaved(reason) if key is None else Duplicate(*key)
        case Fenced():
            newest = state.head(append.entry.stream)
            return NotSaved(reason) if append.entry.seq == newest + 1 else Fenced(newest)
        case Taken():
            return _still_taken(append, state) or NotSaved(reason)
        case Outrun():
            return _outrun(append, state, {}) or NotSaved(reason)
        case NotSaved():
            return answer


def _still_taken(append: Append, state: AppendState) -> Taken | None:
    claim = append.person
    holder = None if claim is None else state.by_key.get(claim.key)
    if claim is None or holder is None or holder.id == claim.id:
        return None
    return None if holder.is_stale(append.stale_before) else Taken(holder.id)
