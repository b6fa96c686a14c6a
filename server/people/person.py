"""People: names and tokens, a second fold in the same journal, stream `people`.

A guest has a name as long as the token that came with it. Tokens are kept as hashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgpack

from rules.core.refusal import NotAllowed
from server.journal import Entry, Json
from server.limits import TOKEN_DAYS
from server.people.names import clean_name, name_key
from server.room.state import PersonId
from server.tokens import token_from, token_hash

_TOKEN_MS: Final = TOKEN_DAYS * 24 * 3600 * 1000
REFRESH_MS: Final = 24 * 3600 * 1000
"""A token's last use is noted once a day, not at each resume."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody the server knows. `used` is when the token was last used, in ms."""

    id: PersonId
    name: str
    human: bool
    token: str
    used: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry of the stream `people` before it has a number; `token` is told once."""

    line: str
    facts: Mapping[str, Json]
    person: PersonId
    token: str = ""


class People:
    """All people, folded from the stream's entries; owned by the app.

    Names whose entry is on its way are reserved, so that two guests never get one name.
    """

    def __init__(self) -> None:
        self._by_id: dict[PersonId, Person] = {}
        self._by_name: dict[str, PersonId] = {}
        self._by_token: dict[str, PersonId] = {}
        self._reserved: dict[str, PersonId] = {}

    def fold(self, entry: Entry) -> Person:
        """Apply an entry and return the person that it is about."""
        facts: Mapping[str, Any] = entry.facts  # Any: facts are checked where they are made
        person = PersonId(facts["person"])
        head, _, name = entry.lines[0].partition(" ")
        if head == "@guest":
            known = Person(person, name, bool(facts["human"]), str(facts["token"]), entry.at)
        elif head == "@nick":
            known = replace(self._by_id[person], name=name)
        else:
            known = replace(self._by_id[person], used=entry.at)
        self._put(known)
        return known

    def _put(self, person: Person) -> None:
        before = self._by_id.get(person.id)
        if before is not None:
            self._by_name.pop(name_key(before.name), None)
        key = name_key(person.name)
        holder = self._by_name.get(key)
        if holder is not None and holder != person.id:
            self._forget(self._by_id[holder])
        self._by_id[person.id] = person
        self._by_name[key] = person.id
        self._by_token[person.token] = person.id
        self._reserved.pop(key, None)

    def _forget(self, person: Person) -> None:
        del self._by_id[person.id]
        self._by_token.pop(person.token, None)
        self._by_name.pop(name_key(person.name), None)

    def get(self, person: str) -> Person | None:
        """Somebody by id."""
        return self._by_id.get(PersonId(person))

    def by_token(self, token: str, now: int) -> Person | None:
        """Who holds a token that is still good."""
        person = self._by_id.get(self._by_token.get(token_hash(token), PersonId("")))
        return None if person is None or person.used + _TOKEN_MS < now else person

    def by_name(self, name: str, now: int) -> Person | None:
        """Who has a name, or one that looks like it."""
        holder = self._by_name.get(name_key(name))
        person = None if holder is None else self._by_id[holder]
        return None if person is None or person.used + _TOKEN_MS < now else person

    def new_guest(self, name: str, *, human: bool, fresh: bytes, now: int) -> Draft:
        """The entry for a new guest; NotAllowed (name_bad, name_taken). The name is reserved."""
        cleaned = clean_name(name)
        person = PersonId("p" + token_from("person", fresh)[:15])
        self._reserve(cleaned, person, now)
        token = token_from("resume", fresh)
        facts: dict[str, Json] = {"person": person, "human": human, "token": token_hash(token)}
        return Draft(f"@guest {cleaned}", facts, person, token)

    def new_name(self, person: PersonId, name: str, now: int) -> Draft:
        """The entry for another name; NotAllowed (name_bad, name_taken)."""
        cleaned = clean_name(name)
        self._reserve(cleaned, person, now)
        return Draft(f"@nick {cleaned}", {"person": person}, person)

    def seen(self, person: Person, now: int) -> Draft | None:
        """The entry that keeps a token alive; None if its last use was noted lately."""
        if now - person.used < REFRESH_MS:
            return None
        return Draft("@seen", {"person": person.id}, person.id)

    def _reserve(self, name: str, person: PersonId, now: int) -> None:
        key = name_key(name)
        holder = self.by_name(name, now)
        taken = holder is not None and holder.id != person
        if taken or self._reserved.get(key, person) != person:
            raise NotAllowed("name_taken", given=name)
        self._reserved[key] = person

    def release(self, draft: Draft) -> None:
        """The entry of a draft was not saved: its name is free again."""
        _, _, name = draft.line.partition(" ")
        self._reserved.pop(name_key(name), None)

    def dump(self) -> bytes:
        """Everybody, for a snapshot."""
        rows = [(p.id, p.name, p.human, p.token, p.used) for p in self._by_id.values()]
        packed: bytes = msgpack.packb(rows)
        return packed

    def load(self, body: bytes) -> None:
        """Everybody of a snapshot."""
        for row in msgpack.unpackb(body):
            self._put(Person(PersonId(row[0]), row[1], row[2], row[3], row[4]))

    def __iter__(self) -> Iterator[Person]:
        return iter(self._by_id.values())
