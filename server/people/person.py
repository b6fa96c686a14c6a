"""Who somebody is: a stream of entries for each person, and the row that they make true.

What can be done to somebody is an `Act` here, the line and the facts of its entry; what it changes
is said by `folding`. A guest has a name as long as a token that came with it. Tokens
and passwords are kept as hashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from bluebear.server.journal import Entry, Json, PersonRow, person_stream
from bluebear.server.people.account import Grant, Scope
from bluebear.server.people.lists import Kind, Other
from bluebear.server.people.own import Own
from bluebear.server.tokens import token_from, token_hash

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
