"""Rows as PostgreSQL gives and takes them, and the statements that look for them."""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bluebear.server.store.types import (
    RESTING,
    Append,
    PersonRow,
    Place,
    RatingKey,
    StreamId,
    Summary,
    Window,
    person_stream,
)

Row = Mapping[str, Any]  # Any: a row as asyncpg gives it

ROOM: Final = "stream, seq, body, deadline, listed, game, phase, free, at, people, invites"
PERSON: Final = "id, seq, name, key, human, tokens, used, kept, body"

HEADS: Final = (
    "SELECT each AS stream, (SELECT max(seq) FROM entry WHERE stream = each) AS head"
    " FROM unnest($1::text[]) AS each"
)
PLACES: Final = (
    "SELECT actor, client_id, stream, seq FROM entry"
    " JOIN unnest($1::text[], $2::text[]) AS said(who, called)"
    " ON actor = who AND client_id = called WHERE client_id <> ''"
)
HOLDERS: Final = (
    f"SELECT {PERSON} FROM person WHERE (key <> '' AND key = ANY ($1::text[]))"
    " OR id IN (SELECT person FROM token WHERE hash = ANY ($2::text[]))"
)
ROOMS_OF: Final = (
    f"SELECT {', '.join(f'room.{name}' for name in ROOM.split(', '))} FROM ("
    "SELECT at, room FROM seat WHERE person = $1 AND (NOT resting OR at >= $2)"
    " ORDER BY at DESC, room LIMIT $3) AS own JOIN room ON room.stream = own.room"
    " ORDER BY room.at DESC, room.stream"
)
ROOM_OR_NEXT: Final = (
    f"SELECT {ROOM} FROM room WHERE stream = coalesce("
    "(SELECT min(stream) FROM room WHERE stream >= $1), (SELECT min(stream) FROM room))"
)
ROOM_OF_INVITE: Final = (
    f"SELECT {ROOM} FROM room WHERE stream ="
    " (SELECT room FROM invite WHERE hash = $1 ORDER BY room LIMIT 1)"
)
DUE: Final = "SELECT stream FROM room WHERE deadline <= $1 ORDER BY deadline, stream LIMIT $2"


@dataclass(slots=True)
class Stored:
    """What is stored of all that a batch speaks of; a `Known` for the judge."""

    heads: dict[str, int] = field(default_factory=dict)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    by_key: dict[str, PersonRow] = field(default_factory=dict)
    by_token: dict[str, PersonRow] = field(default_factory=dict)
    ratings: dict[RatingKey, int] = field(default_factory=dict)

    def head(self, stream: StreamId) -> int:
        """See `Known.head`."""
        return self.heads.get(stream, 0)

    def place(self, actor: str, client_id: str) -> Place | None:
        """See `Known.place`."""
        return self.places.get((actor, client_id))

    def holder_of_key(self, key: str) -> PersonRow | None:
        """See `Known.holder_of_key`."""
        return self.by_key.get(key)

    def holder_of_token(self, token: str) -> PersonRow | None:
        """See `Known.holder_of_token`."""
        return self.by_token.get(token)

    def rating_seq(self, key: RatingKey) -> int:
        """See `Known.rating_seq`."""
        return self.ratings.get(key, 0)


def claims_of(batch: Sequence[Append]) -> tuple[list[str], list[str]]:
    """The keys and tokens that a batch lays claim to."""
    people = [append.person for append in batch if append.person is not None]
    keys = [each.key for each in people if each.key]
    return keys, [token for each in people for token in each.tokens]


def summary(found: Row) -> Summary:
    """A room's row."""
    return Summary(
        StreamId(found["stream"]),
        *(found["seq"], bytes(found["body"]), found["deadline"], found["listed"]),
        *(found["game"], found["phase"], found["free"], found["at"]),
        people=tuple(found["people"]),
        invites=tuple(found["invites"]),
    )


def person(found: Row) -> PersonRow:
    """A person's row."""
    return PersonRow(
        *(found["id"], found["seq"], found["name"], found["key"], found["human"]),
        tokens=tuple(found["tokens"]),
        used=found["used"],
        kept=found["kept"],
        body=bytes(found["body"]),
    )


def packed_rooms(rooms: Iterable[Summary]) -> str:
    """Rows of rooms as `pg_writes.ENTRIES_AND_ROWS` takes them."""
    return json.dumps(
        [
            {
                "stream": row.stream,
                "seq": row.seq,
                "body": f"\\x{row.body.hex()}",
                "deadline": row.deadline,
                "listed": row.listed,
                "game": row.game,
                "phase": row.phase,
                "free": row.free,
                "at": row.at,
                "people": row.people,
                "invites": row.invites,
                "resting": row.phase in RESTING,
            }
            for row in rooms
        ]
    )


def packed_people(people: Iterable[PersonRow]) -> str:
    """Rows of people as `pg_writes.ENTRIES_AND_ROWS` takes them."""
    return json.dumps(
        [
            {
                "stream": person_stream(row.id),
                "id": row.id,
                "seq": row.seq,
                "name": row.name,
                "key": row.key,
                "human": row.human,
                "tokens": row.tokens,
                "used": row.used,
                "kept": row.kept,
                "body": f"\\x{row.body.hex()}",
            }
            for row in people
        ]
    )


def window_statements(window: Window) -> tuple[str, str, list[object]]:
    """The count of a window's rooms, its page, and what both are given; the page has two more."""
    given: list[object] = [window.since]
    conditions = "listed AND (NOT resting OR at >= $1)"
    if window.game:
        given.append(window.game)
        conditions += f" AND game = ${len(given)}"
    if window.phases:
        given.append(list(window.phases))
        conditions += f" AND phase = ANY (${len(given)}::text[])"
    if window.free:
        conditions += " AND free > 0"
    count = f"SELECT count(*) FROM room WHERE {conditions}"
    page = (
        f"SELECT {ROOM} FROM room WHERE {conditions} ORDER BY at DESC, stream"
        f" LIMIT ${len(given) + 1} OFFSET ${len(given) + 2}"
    )
    return count, page, given
