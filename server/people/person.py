"""Who somebody is: a stream of entries for each person, and the row that they make true.

A guest has a name as long as the token that came with it. Tokens are kept as hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgpack

from server.journal import Append, Entry, Json, PersonRow, person_stream
from server.limits import TOKEN_DAYS
from server.people.names import name_key
from server.tokens import token_from, token_hash

TOKEN_MS: Final = TOKEN_DAYS * 24 * 3600 * 1000
REFRESH_MS: Final = 24 * 3600 * 1000
"""A token's last use is noted once a day, not at each resume."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A new person, before the entry is written; `token` is told once."""

    row: PersonRow
    token: str


def new_guest(name: str, *, human: bool, fresh: bytes, now: int) -> Guest:
    """Somebody new with a clean name."""
    token = token_from("resume", fresh)
    row = PersonRow(
        id="p" + token_from("person", fresh)[:15],
        seq=1,
        name=name,
        key=name_key(name),
        human=human,
        token=token_hash(token),
        used=now,
    )
    return Guest(row, token)


def renamed(row: PersonRow, name: str) -> PersonRow:
    """The same person under another clean name."""
    return replace(row, seq=row.seq + 1, name=name, key=name_key(name))


def seen(row: PersonRow, now: int) -> PersonRow | None:
    """The same person, whose token is alive since now; None if its use was noted lately."""
    return None if now - row.used < REFRESH_MS else replace(row, seq=row.seq + 1, used=now)


def is_good(row: PersonRow, now: int) -> bool:
    """Whether somebody's token, and with it the name, is still his."""
    return row.used + TOKEN_MS >= now


def append_of(row: PersonRow, before: PersonRow | None, now: int) -> Append:
    """The entry that makes a row true after the one before; a name kept too long goes to it."""
    facts: dict[str, Json] = {"person": row.id}
    if before is None:
        line = f"@guest {row.name}"
        facts |= {"human": row.human, "token": row.token}
    elif before.name != row.name:
        line = f"@nick {row.name}"
    else:
        line = "@seen"
    entry = Entry(
        stream=person_stream(row.id),
        seq=row.seq,
        actor="server",
        client_id="",
        lines=(line,),
        facts=facts,
        at=now,
    )
    return Append(entry, person=row, stale_before=now - TOKEN_MS)


# Everybody of a server that kept one stream for all.


def people_of(snapshot: bytes | None, entries: Iterable[Entry]) -> list[PersonRow]:
    """The rows of everybody in the stream `people`, from its snapshot and the entries after it.

    Who lost a name to a newcomer is not among them. `seq` is 0: nobody has a stream yet.
    """
    rows: dict[str, PersonRow] = {}
    names: dict[str, str] = {}
    for person, name, human, token, used in msgpack.unpackb(snapshot) if snapshot else ():
        _put(rows, names, PersonRow(person, 0, name, name_key(name), human, token, used))
    for entry in entries:
        facts: Mapping[str, Any] = entry.facts  # Any: facts are checked where they are made
        person = str(facts["person"])
        head, _, name = entry.lines[0].partition(" ")
        if head == "@guest":
            human, token = bool(facts["human"]), str(facts["token"])
            row = PersonRow(person, 0, name, name_key(name), human, token, entry.at)
        elif head == "@nick":
            row = replace(rows[person], name=name, key=name_key(name))
        else:
            row = replace(rows[person], used=entry.at)
        _put(rows, names, row)
    return list(rows.values())


def _put(rows: dict[str, PersonRow], names: dict[str, str], row: PersonRow) -> None:
    before = rows.get(row.id)
    if before is not None:
        names.pop(before.key, None)
    holder = names.get(row.key)
    if holder is not None:
        del rows[holder]
    rows[row.id] = row
    names[row.key] = row.id
