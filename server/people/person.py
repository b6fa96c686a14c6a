"""Who somebody is: a stream of entries for each person, and the row that they make true.

`folded` is the only place that changes a row; what can be done to somebody is an `Act` here, the
line and the facts of its entry. A guest has a name as long as a token that came with it. Tokens
and passwords are kept as hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgpack
import msgspec
from msgspec.structs import replace as but

from server.journal import Entry, Json, PersonRow, person_stream
from server.people.account import (
    Account,
    Grant,
    account_of,
    new_grant,
    packed,
    rotated,
    with_grant,
)
from server.people.lists import Kind, Lists, Other, with_other, without_other
from server.people.names import name_key
from server.people.own import Own
from server.tokens import token_from, token_hash

REFRESH_MS: Final = 24 * 3600 * 1000
"""The use of a token that stays the same is noted once a day."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is done to somebody: the line of its entry, and the facts."""

    line: str
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guest:
    """A new person, before the entry is written; `token` is told once."""

    id: str
    token: str
    act: Act


def new_guest(name: str, *, human: bool, fresh: bytes) -> Guest:
    """Somebody new with a clean name."""
    token = token_from("resume", fresh)
    act = Act(f"@guest {name}", {"human": human, "token": token_hash(token)})
    return Guest("p" + token_from("person", fresh)[:15], token, act)


def rename(name: str) -> Act:
    """Another clean name."""
    return Act(f"@nick {name}")


def note_use(grant: Grant) -> Act:
    """A token was used."""
    return Act("@seen", {"grant": grant.id})


def next_token(token: str, salt: str) -> str:
    """The token that takes the place of one; who has the old one and its salt can make it again."""
    return token_from("next", (token + salt).encode())


def rotate(grant: Grant, token: str, fresh: bytes) -> Act:
    """The present token of a grant was used: another one takes its place."""
    salt = token_from("salt", fresh)
    hashed = token_hash(next_token(token, salt))
    return Act("@token", {"grant": grant.id, "token": hashed, "salt": salt})


def keep_own(own: Own) -> Act:
    """What somebody has set for himself, as a whole."""
    return Act("@own", {"own": msgspec.to_builtins(own)})


def log_out(grant: str) -> Act:
    """What lets somebody in from one place is void, or from everywhere ("all")."""
    return Act("@logout", {"grant": grant})


def keep_on_list(kind: Kind, other: Other, *, on: bool) -> Act:
    """Somebody else stands on one of his lists, or no longer."""
    return Act(f"@list {'add' if on else 'delete'} {kind}", {"whom": other.id, "name": other.name})


def folded(before: PersonRow | None, entry: Entry) -> PersonRow:
    """The row after an entry of somebody's stream; KeyError or ValueError for what is none."""
    facts: Mapping[str, Any] = entry.facts  # Any: facts are checked where they are made
    head, _, rest = entry.lines[0].partition(" ")
    if before is None:
        return _first(head, rest, facts, entry)
    row, account, at = replace(before, seq=entry.seq), account_of(before), entry.at
    match head:
        case "@nick":
            return replace(row, name=rest, key=name_key(rest))
        case "@seen":
            wanted = facts.get("grant")
            grants = (but(each, used=at) for each in account.grants if wanted in (None, each.id))
            for grant in tuple(grants):
                account = with_grant(account, grant)
        case "@token":
            [grant] = (each for each in account.grants if each.id == facts["grant"])
            grant = rotated(grant, str(facts["token"]), str(facts["salt"]), at)
            account = with_grant(account, grant)
        case "@own":
            account = but(account, own=msgspec.convert(facts["own"], Own))
        case "@logout":
            gone = facts["grant"]
            kept = tuple(each for each in account.grants if gone not in ("all", each.id))
            account = but(account, grants=kept)
            if not kept and not row.kept:
                row = replace(row, key="")
        case "@list":
            account = but(account, lists=_listed(account.lists, rest, facts))
        case _:
            raise ValueError(head)
    return _with_account(row, account, at)


def _listed(lists: Lists, rest: str, facts: Mapping[str, Any]) -> Lists:
    what, _, kind = rest.partition(" ")
    other = Other(str(facts["whom"]), str(facts["name"]))
    if what == "add":
        return with_other(lists, Kind(kind), other)
    return without_other(lists, Kind(kind), other.id)


def _first(head: str, name: str, facts: Mapping[str, Any], entry: Entry) -> PersonRow:
    if head != "@guest":
        raise ValueError(head)
    row = PersonRow(
        id=str(facts["person"]),
        seq=entry.seq,
        name=name,
        key=name_key(name),
        human=bool(facts["human"]),
        tokens=(),
        used=entry.at,
    )
    account = Account((new_grant(str(facts["token"]), entry.at),))
    return _with_account(row, account, entry.at)


def _with_account(row: PersonRow, account: Account, at: int) -> PersonRow:
    used = account.used or at
    return replace(row, tokens=account.tokens, used=used, body=packed(account))


def entry_of(person: str, before: PersonRow | None, act: Act, now: int) -> Entry:
    """The entry of an act in somebody's stream."""
    return Entry(
        stream=person_stream(person),
        seq=1 if before is None else before.seq + 1,
        actor="server",
        client_id="",
        lines=(act.line,),
        facts={"person": person, **act.facts},
        at=now,
    )


# Everybody of a server that kept one stream for all.


def people_of(snapshot: bytes | None, entries: Iterable[Entry]) -> list[PersonRow]:
    """The rows of everybody in the stream `people`, from its snapshot and the entries after it.

    Who lost a name to a newcomer is not among them. `seq` is 0: nobody has a stream yet.
    """
    rows: dict[str, PersonRow] = {}
    names: dict[str, str] = {}
    for person, name, human, token, used in msgpack.unpackb(snapshot) if snapshot else ():
        _put(rows, names, PersonRow(person, 0, name, name_key(name), human, (token,), used))
    for entry in entries:
        facts: Mapping[str, Any] = entry.facts  # Any: facts are checked where they are made
        person = str(facts["person"])
        head, _, name = entry.lines[0].partition(" ")
        if head == "@guest":
            human, token = bool(facts["human"]), str(facts["token"])
            row = PersonRow(person, 0, name, name_key(name), human, (token,), entry.at)
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
