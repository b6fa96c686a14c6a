"""The acts of a person's stream, and their fold to the person's row.

An `Act` is the line and the facts of an entry; the function in `FOLDS` for the head of the line
folds it into the row. A guest has a name as long as a valid token. Tokens and passwords are stored
as hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec
from msgspec.structs import replace as but

from bluebear.server.people.account import (
    Account,
    Bot,
    Grant,
    Kind,
    Other,
    Preferences,
    Scope,
    account_of,
    new_grant,
    packed,
    rotated,
    with_grant,
    with_home,
    with_other,
    without_other,
)
from bluebear.server.people.names import name_key
from bluebear.server.runtime import token_from, token_hash
from bluebear.server.store import Entry, Json, PersonRow, person_stream

REFRESH_MS: Final = 24 * 3600 * 1000
"""The use of a token that does not rotate is stored once a day."""


@dataclass(frozen=True, slots=True)
class Act:
    """A change of a person: the line and the facts of its entry."""

    line: str
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guest:
    """A new person before the entry is written; `token` is sent once and never stored."""

    id: str
    token: str
    act: Act


def new_guest(name: str, *, human: bool, fresh: bytes) -> Guest:
    """A new guest; `name` is clean, `fresh` are random bytes."""
    token = token_from("resume", fresh)
    act = Act(f"@guest {name}", {"human": human, "token": token_hash(token)})
    return Guest("p" + token_from("person", fresh)[:15], token, act)


def rename(name: str) -> Act:
    """Change the name to a clean one."""
    return Act(f"@nick {name}")


def note_use(grant: Grant) -> Act:
    """Note that a grant's token was used."""
    return Act("@seen", {"grant": grant.id})


def next_token(token: str, salt: str) -> str:
    """The successor of a token, derived from it and a salt, so that it can be computed again."""
    return token_from("next", (token + salt).encode())


def rotate(grant: Grant, token: str, fresh: bytes, home: str = "") -> Act:
    """Replace a grant's token by its successor; `home` is a new home's mark or ""."""
    salt = token_from("salt", fresh)
    hashed = token_hash(next_token(token, salt))
    return Act("@token", {"grant": grant.id, "token": hashed, "salt": salt, **_noted(home)})


def register(hashed: str, grant: str, home: str = "") -> Act:
    """Set a password. If there was one before, all grants but this one are revoked."""
    return Act("@register", {"hash": hashed, "grant": grant, **_noted(home)})


def log_in(token: str, home: str = "") -> Act:
    """Add a grant, after a login with a password."""
    return Act("@login", {"token": token_hash(token), **_noted(home)})


def _noted(home: str) -> Mapping[str, Json]:
    """The fact of a new home; none if the network is a home already."""
    return {"home": home} if home else {}


def new_bot(name: str, owner: str, scopes: Sequence[Scope], fresh: bytes) -> Guest:
    """A new bot of the person `owner`; `name` is clean, `fresh` are random bytes."""
    token = token_from("bot", fresh)
    facts: dict[str, Json] = {
        "human": False,
        "token": token_hash(token),
        "owner": owner,
        "scopes": [str(scope) for scope in scopes],
    }
    return Guest("p" + token_from("person", fresh)[:15], token, Act(f"@bot {name}", facts))


def log_out(grant: str) -> Act:
    """Revoke a grant, by its id, or all grants ("all")."""
    return Act("@logout", {"grant": grant})


def entry_of(person: str, before: PersonRow | None, act: Act, now: int) -> Entry:
    """The next entry of a person's stream, with an act."""
    return Entry(
        stream=person_stream(person),
        seq=1 if before is None else before.seq + 1,
        actor="server",
        client_id="",
        lines=(act.line,),
        facts={"person": person, **act.facts},
        at=now,
    )


@dataclass(frozen=True, slots=True)
class StreamEntry:
    """An entry without the head of its line: the rest of the line, the facts, the time (ms)."""

    rest: str
    facts: Mapping[str, Any]  # Any: facts are checked where they are made
    at: int

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of a bot."""
        return tuple(map(Scope, self.facts["scopes"]))

    def at_home(self, account: Account) -> Account:
        """The account, with the home that the facts may contain."""
        return but(account, homes=with_home(account.homes, str(self.facts.get("home", ""))))


Person = tuple[PersonRow, Account]
Fold = Callable[[PersonRow, Account, StreamEntry], Person]


def folded(before: PersonRow | None, entry: Entry) -> PersonRow:
    """The row after an entry of a person's stream. Raises KeyError for an unknown head."""
    head, _, rest = entry.lines[0].partition(" ")
    parsed = StreamEntry(rest, entry.facts, entry.at)
    if before is None:
        row, account = FIRST[head](parsed)
    else:
        row, account = FOLDS[head](before, account_of(before), parsed)
    used = account.used or entry.at
    return replace(row, seq=entry.seq, tokens=account.tokens, used=used, body=packed(account))


# First entries of a stream.


def _guest(entry: StreamEntry) -> Person:
    facts = entry.facts
    row = PersonRow(
        id=str(facts["person"]),
        seq=0,
        name=entry.rest,
        key=name_key(entry.rest),
        human=bool(facts["human"]),
        tokens=(),
        used=entry.at,
    )
    return row, Account((new_grant(str(facts["token"]), entry.at),))


def _bot(entry: StreamEntry) -> Person:
    row, account = _guest(entry)
    account = but(account, owner=str(entry.facts["owner"]), scopes=entry.scopes)
    return replace(row, kept=True), account


FIRST: Final[Mapping[str, Callable[[StreamEntry], Person]]] = {"@guest": _guest, "@bot": _bot}


# Later entries.


def _nick(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    return replace(row, name=entry.rest, key=name_key(entry.rest)), account


def _seen(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    for grant in account.grants:
        if grant.id == entry.facts["grant"]:
            account = with_grant(account, but(grant, used=entry.at))
    return row, account


def _token(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    facts = entry.facts
    [grant] = (each for each in account.grants if each.id == facts["grant"])
    newer = rotated(grant, str(facts["token"]), str(facts["salt"]), entry.at)
    return row, entry.at_home(with_grant(account, newer))


def _login(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    account = with_grant(account, new_grant(str(entry.facts["token"]), entry.at))
    return row, entry.at_home(account)


def _logout(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    revoked = entry.facts["grant"]
    grants = tuple(each for each in account.grants if revoked not in ("all", each.id))
    frees_name = not grants and not row.kept
    return (replace(row, key="") if frees_name else row), but(account, grants=grants)


def _register(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    if account.password:
        grants = tuple(each for each in account.grants if each.id == entry.facts["grant"])
        account = but(account, grants=grants)
    return replace(row, kept=True), entry.at_home(but(account, password=str(entry.facts["hash"])))


def _bot_made(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    bot = Bot(str(entry.facts["bot"]), entry.rest, entry.scopes, entry.at)
    return row, but(account, bots=(*account.bots, bot))


def _bot_lost(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    bots = tuple(each for each in account.bots if each.person != entry.facts["bot"])
    return row, but(account, bots=bots)


def _set_preferences(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    return row, but(account, preferences=msgspec.convert(entry.facts["own"], Preferences))


def _list(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    what, _, kind = entry.rest.partition(" ")
    other = Other(str(entry.facts["whom"]), str(entry.facts["name"]))
    if what == "add":
        lists = with_other(account.lists, Kind(kind), other)
    else:
        lists = without_other(account.lists, Kind(kind), other.id)
    return row, but(account, lists=lists)


def _revoke(row: PersonRow, account: Account, entry: StreamEntry) -> Person:
    return replace(row, key="", kept=False), but(account, grants=())


FOLDS: Final[Mapping[str, Fold]] = {
    "@nick": _nick,
    "@seen": _seen,
    "@token": _token,
    "@login": _login,
    "@logout": _logout,
    "@register": _register,
    "@bot_made": _bot_made,
    "@bot_gone": _bot_lost,
    "@own": _set_preferences,
    "@revoke": _revoke,
    "@list": _list,
}
