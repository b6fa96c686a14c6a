"""Decides what each entry of a batch gets; pure, and the same for every journal.

The rules are four: a client id is stored once per actor for ever, entry n of a stream is
followed by entry n + 1 only, so is change n of a rating, and a name belongs to one person. Whoever
stores the entries says what is known; nothing here reads a file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bluebear.server.store.types import (
    Answer,
    Append,
    Duplicate,
    Fenced,
    NotSaved,
    Outrun,
    PersonRow,
    Place,
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
class Known:
    """What is stored of all that a batch speaks of, looked up before it is judged."""

    heads: dict[StreamId, int] = field(default_factory=dict)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    by_key: dict[str, PersonRow] = field(default_factory=dict)
    by_token: dict[str, PersonRow] = field(default_factory=dict)
    ratings: dict[RatingKey, int] = field(default_factory=dict)
    """How often each rating has changed."""

    def head(self, stream: StreamId) -> int:
        """The newest number of a stream; 0: it has no entry."""
        return self.heads.get(stream, 0)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a batch gets if its commit succeeds, and what to store for it, packed, in order.

    `rooms`, `people` and `ratings` are the rows that change, as the whole batch leaves them, people
    by id; None: the row goes.
    """

    answers: list[Answer]
    fresh: list[tuple[Append, bytes]]
    rooms: Mapping[StreamId, Summary]
    people: Mapping[str, PersonRow | None]
    ratings: Mapping[RatingKey, RatingRow]


def judge(batch: Sequence[Append], known: Known) -> Judged:
    """Judge the batch, given what is stored."""
    heads: dict[StreamId, int] = {}
    ids: dict[tuple[str, str], Place] = {}
    rows: _Rows | None = None
    answers: list[Answer] = []
    fresh: list[tuple[Append, bytes]] = []
    for append in batch:
        entry = append.entry
        stream, seq, actor, client_id = entry.stream, entry.seq, entry.actor, entry.client_id
        if client_id:
            place = ids.get((actor, client_id)) or known.places.get((actor, client_id))
            if place is not None:
                answers.append(Duplicate(*place))
                continue
        newest = heads.get(stream)
        if newest is None:
            newest = known.head(stream)
        if seq != newest + 1:
            answers.append(Fenced(newest))
            continue
        body = packed(append)
        if isinstance(body, NotSaved):
            answers.append(body)
            continue
        # Asked here, not there: most entries are moves, which come without any.
        if append.summary is not None or append.person is not None or append.ratings:
            rows = rows or _Rows(known)
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
    """The rows that change by what the batch has stored so far; owned by one judgement."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.rooms: dict[StreamId, Summary] = {}
        self.ratings: dict[RatingKey, RatingRow] = {}
        self.claims: _Claims | None = None

    def refused(self, append: Append) -> Answer | None:
        """Why an entry's rows cannot be; None: from now on they are."""
        refused: Answer | None = _outrun(append, self._known, self.ratings)
        if refused is None and append.person is not None:
            self.claims = self.claims or _Claims(self._known)
            refused = self.claims.refused(append.person, append.stale_before)
        if refused is not None:
            return refused
        if append.summary is not None:
            self.rooms[append.entry.stream] = append.summary
        self.ratings.update((row.key, row) for row in append.ratings)
        return None


def _outrun(append: Append, known: Known, changed: Mapping[RatingKey, RatingRow]) -> Outrun | None:
    """Whose rating is not the next one, given what the batch has changed so far."""
    for row in append.ratings:
        before = changed.get(row.key)
        if row.seq != 1 + (known.ratings.get(row.key, 0) if before is None else before.seq):
            return Outrun(row.person)
    return None


def packed(append: Append) -> bytes | NotSaved:
    """The entry's bytes; why it cannot be stored, when it or a row of it cannot be written down.

    That is a bug in the entry's maker, and its maker's alone: the batch goes on without it.
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
    """Whose a name is after what the batch has claimed so far; owned by one judgement."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.rows: dict[str, PersonRow | None] = {}
        self._keys: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    def refused(self, claim: PersonRow, stale_before: int) -> Taken | NotSaved | None:
        """Why this row cannot be; None: from now on it is."""
        holder = self._holder_of_key(claim.key) if claim.key else None
        if holder is not None and holder.id != claim.id and not holder.is_stale(stale_before):
            return Taken(holder.id)
        for token in claim.tokens:
            bearer = self._holder_of_token(token)
            if bearer is not None and bearer.id != claim.id:
                # Tokens are made of fresh bits: a bug, by which nobody must come in as another.
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
        return self._unless_changed(self._known.by_key.get(key))

    def _holder_of_token(self, token: str) -> PersonRow | None:
        row = self.rows.get(self._tokens.get(token, ""))
        if row is not None and token in row.tokens:
            return row
        return self._unless_changed(self._known.by_token.get(token))

    def _unless_changed(self, row: PersonRow | None) -> PersonRow | None:
        """The stored row, if the batch has left it as it was."""
        return None if row is None or row.id in self.rows else row


def settle(
    batch: Sequence[Append], judged: Judged, stored: Sequence[bool], known: Known, reason: str
) -> list[Answer]:
    """What the batch gets after its commit has failed, given what is stored now.

    `stored`: whether the very entry is there. An answer that rests on an entry of the same batch
    falls with that entry.
    """
    return [
        _settle_one(append, answer, known, reason, is_stored=is_stored)
        for append, answer, is_stored in zip(batch, judged.answers, stored, strict=True)
    ]


def _settle_one(
    append: Append, answer: Answer, known: Known, reason: str, *, is_stored: bool
) -> Answer:
    match answer:
        case Written():
            return answer if is_stored else NotSaved(reason)
        case Duplicate():
            place = known.places.get((append.entry.actor, append.entry.client_id))
            return NotSaved(reason) if place is None else Duplicate(*place)
        case Fenced():
            newest = known.head(append.entry.stream)
            return NotSaved(reason) if append.entry.seq == newest + 1 else Fenced(newest)
        case Taken():
            return _still_taken(append, known) or NotSaved(reason)
        case Outrun():
            return _outrun(append, known, {}) or NotSaved(reason)
        case NotSaved():
            return answer


def _still_taken(append: Append, known: Known) -> Taken | None:
    claim = append.person
    holder = None if claim is None else known.by_key.get(claim.key)
    if claim is None or holder is None or holder.id == claim.id:
        return None
    return None if holder.is_stale(append.stale_before) else Taken(holder.id)
