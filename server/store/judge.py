"""Decides the answer to each entry of a batch; pure, and the same for all databases.

There are four rules. A client id is stored once per actor, permanently. Entry n + 1 follows entry n
of a stream. Change n + 1 follows change n of a rating. A name belongs to one person. The caller
looks up what is stored: this module does no I/O.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

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
            newest = state.heads.get(stream, 0)
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
