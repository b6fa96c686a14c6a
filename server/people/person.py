"""A person is a stream of entries, and the row that they make true.

What can be done to a person is an `Act` here, the line and the facts of its entry; what it changes
is said by the function in `FOLDS` for the head of its line, the only place where rows change. A
guest has a name as long as a token that came with it. Tokens and passwords are stored as hashes.
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
    Own,
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


def rotate(grant: Grant, token: str, fresh: bytes, home: str = "") -> Act:
    """The present token of a grant was used, at a new home or none: another takes its place."""
    salt = token_from("salt", fresh)
    hashed = token_hash(next_token(token, salt))
    return Act("@token", {"grant": grant.id, "token": hashed, "salt": salt, **_noted(home)})


def register(hashed: str, grant: str, home: str = "") -> Act:
    """A password, from the place of a grant; where there was one before, the other places go."""
    return Act("@register", {"hash": hashed, "grant": grant, **_noted(home)})


def log_in(token: str, home: str = "") -> Act:
    """Somebody has come in from a new place."""
    return Act("@login", {"token": token_hash(token), **_noted(home)})


def _noted(home: str) -> Mapping[str, Json]:
    """The fact of a new home, if there is one: most often it is known, and costs no bytes."""
    return {"home": home} if home else {}


def new_bot(name: str, owner: str, scopes: Sequence[Scope], fresh: bytes) -> Guest:
    """A bot of somebody, with a clean name."""
    token = token_from("bot", fresh)
    facts: dict[str, Json] = {
        "human": False,
        "token": token_hash(token),
        "owner": owner,
        "scopes": [str(scope) for scope in scopes],
    }
    return Guest("p" + token_from("person", fresh)[:15], token, Act(f"@bot {name}", facts))


def have_bot(bot: str, name: str, scopes: Sequence[Scope]) -> Act:
    """Somebody has a bot more."""
    return Act(f"@bot_made {name}", {"bot": bot, "scopes": [str(scope) for scope in scopes]})


def lose_bot(bot: str) -> Act:
    """Somebody has a bot less."""
    return Act("@bot_gone", {"bot": bot})


def revoke() -> Act:
    """A bot's token is void, and its name is free."""
    return Act("@revoke")


def keep_own(own: Own) -> Act:
    """What somebody has set for himself, as a whole."""
    return Act("@own", {"own": msgspec.to_builtins(own)})


def log_out(grant: str) -> Act:
    """What lets somebody in from one place is void, or from everywhere ("all")."""
    return Act("@logout", {"grant": grant})


def keep_on_list(kind: Kind, other: Other, *, on: bool) -> Act:
    """Somebody else stands on one of his lists, or no longer."""
    return Act(f"@list {'add' if on else 'delete'} {kind}", {"whom": other.id, "name": other.name})


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


@dataclass(frozen=True, slots=True)
class Said:
    """What an entry says: what follows the head of its line, its facts, and when."""

    rest: str
    facts: Mapping[str, Any]  # Any: facts are checked where they are made
    at: int

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What a bot may do."""
        return tuple(map(Scope, self.facts["scopes"]))

    def at_home(self, account: Account) -> Account:
        """The account, with the network of this act among its homes if the act notes one."""
        return but(account, homes=with_home(account.homes, str(self.facts.get("home", ""))))


Person = tuple[PersonRow, Account]
Fold = Callable[[PersonRow, Account, Said], Person]


def folded(before: PersonRow | None, entry: Entry) -> PersonRow:
    """The row after an entry of somebody's stream; KeyError for what is none."""
    head, _, rest = entry.lines[0].partition(" ")
    said = Said(rest, entry.facts, entry.at)
    if before is None:
        row, account = FIRST[head](said)
    else:
        row, account = FOLDS[head](before, account_of(before), said)
    used = account.used or entry.at
    return replace(row, seq=entry.seq, tokens=account.tokens, used=used, body=packed(account))


# How somebody comes to be.


def _guest(said: Said) -> Person:
    facts = said.facts
    row = PersonRow(
        id=str(facts["person"]),
        seq=0,
        name=said.rest,
        key=name_key(said.rest),
        human=bool(facts["human"]),
        tokens=(),
        used=said.at,
    )
    return row, Account((new_grant(str(facts["token"]), said.at),))


def _bot(said: Said) -> Person:
    row, account = _guest(said)
    account = but(account, owner=str(said.facts["owner"]), scopes=said.scopes)
    return replace(row, kept=True), account


FIRST: Final[Mapping[str, Callable[[Said], Person]]] = {"@guest": _guest, "@bot": _bot}


# What is done to somebody then.


def _nick(row: PersonRow, account: Account, said: Said) -> Person:
    return replace(row, name=said.rest, key=name_key(said.rest)), account


def _seen(row: PersonRow, account: Account, said: Said) -> Person:
    for grant in account.grants:
        if grant.id == said.facts["grant"]:
            account = with_grant(account, but(grant, used=said.at))
    return row, account


def _token(row: PersonRow, account: Account, said: Said) -> Person:
    facts = said.facts
    [grant] = (each for each in account.grants if each.id == facts["grant"])
    newer = rotated(grant, str(facts["token"]), str(facts["salt"]), said.at)
    return row, said.at_home(with_grant(account, newer))


def _login(row: PersonRow, account: Account, said: Said) -> Person:
    account = with_grant(account, new_grant(str(said.facts["token"]), said.at))
    return row, said.at_home(account)


def _logout(row: PersonRow, account: Account, said: Said) -> Person:
    gone = said.facts["grant"]
    kept = tuple(each for each in account.grants if gone not in ("all", each.id))
    nobody = not kept and not row.kept
    return (replace(row, key="") if nobody else row), but(account, grants=kept)


def _register(row: PersonRow, account: Account, said: Said) -> Person:
    if account.password:
        grants = tuple(each for each in account.grants if each.id == said.facts["grant"])
        account = but(account, grants=grants)
    return replace(row, kept=True), said.at_home(but(account, password=str(said.facts["hash"])))


def _bot_made(row: PersonRow, account: Account, said: Said) -> Person:
    bot = Bot(str(said.facts["bot"]), said.rest, said.scopes, said.at)
    return row, but(account, bots=(*account.bots, bot))


def _bot_gone(row: PersonRow, account: Account, said: Said) -> Person:
    bots = tuple(each for each in account.bots if each.person != said.facts["bot"])
    return row, but(account, bots=bots)


def _own(row: PersonRow, account: Account, said: Said) -> Person:
    return row, but(account, own=msgspec.convert(said.facts["own"], Own))


def _list(row: PersonRow, account: Account, said: Said) -> Person:
    what, _, kind = said.rest.partition(" ")
    other = Other(str(said.facts["whom"]), str(said.facts["name"]))
    if what == "add":
        lists = with_other(account.lists, Kind(kind), other)
    else:
        lists = without_other(account.lists, Kind(kind), other.id)
    return row, but(account, lists=lists)


def _revoke(row: PersonRow, account: Account, said: Said) -> Person:
    return replace(row, key="", kept=False), but(account, grants=())


FOLDS: Final[Mapping[str, Fold]] = {
    "@nick": _nick,
    "@seen": _seen,
    "@token": _token,
    "@login": _login,
    "@logout": _logout,
    "@register": _register,
    "@bot_made": _bot_made,
    "@bot_gone": _bot_gone,
    "@own": _own,
    "@revoke": _revoke,
    "@list": _list,
}
