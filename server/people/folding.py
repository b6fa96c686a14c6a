"""What an entry of somebody's stream makes of his row: the only place where rows change.

Each kind of entry has one function in `FOLDS`, by the head of its line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec
from msgspec.structs import replace as but

from bluebear.server.journal import Entry, PersonRow
from bluebear.server.people.account import (
    Account,
    Bot,
    Scope,
    account_of,
    new_grant,
    packed,
    rotated,
    with_grant,
)
from bluebear.server.people.homes import with_home
from bluebear.server.people.lists import Kind, Other, with_other, without_other
from bluebear.server.people.names import name_key
from bluebear.server.people.own import Own


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
