"""What is kept of somebody beside his name: what lets him in, and his password.

This is the body of a person's row (`PersonRow.body`). Fields have defaults and unknown ones are
passed over, so that a server reads what an older or a newer one has written.
"""

from __future__ import annotations

import hmac
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bluebear.server.journal import PersonRow
from bluebear.server.limits import GRANTS_PER_PERSON, TOKEN_DAYS, VOID_TOKENS_KNOWN
from bluebear.server.people.lists import Lists
from bluebear.server.people.own import Own

TOKEN_MS: Final = TOKEN_DAYS * 24 * 3600 * 1000
_GRANT_SIGNS: Final = 12


class Scope(StrEnum):
    """What a bot's token lets it do: look on, talk, play, and what hosts do."""

    READ = "read"
    CHAT = "chat"
    PLAY = "play"
    HOST = "host"


class Grant(Struct, frozen=True, omit_defaults=True):
    """What lets somebody in from one place: a browser, a terminal, a program. All in hashes.

    `token` is good, and so is `before`, of which it was made with `salt`, as long as `token` itself
    has not been used: whoever has lost the answer that told it comes in by the one before, and is
    told the same again. `void` are older ones, which let nobody in. `used` is in milliseconds.
    """

    id: str
    token: str
    used: int
    before: str = ""
    salt: str = ""
    void: tuple[str, ...] = ()

    @property
    def hashes(self) -> tuple[str, ...]:
        """All hashes by which it is found."""
        return tuple(each for each in (self.token, self.before, *self.void) if each)


class Bot(Struct, frozen=True):
    """A bot of somebody: a person of its own, who comes in with a token that stays the same.

    `made` is in milliseconds.
    """

    person: str
    name: str
    scopes: tuple[Scope, ...]
    made: int


class Account(Struct, frozen=True, omit_defaults=True):
    """All that is true of a person beside what he is found by.

    `password` is its argon2 hash, "" for a guest. `bots` are his; a bot has an `owner`, and its
    `scopes` say what it may do. `own` is what he has set for himself. `homes` are marks of the
    networks he has come in from since he has a password, the one noted last at the end.
    """

    grants: tuple[Grant, ...] = ()
    password: str = ""
    bots: tuple[Bot, ...] = ()
    owner: str = ""
    scopes: tuple[Scope, ...] = ()
    own: Own = Own()
    lists: Lists = Lists()
    homes: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """All hashes by which somebody is found."""
        return tuple(each for grant in self.grants for each in grant.hashes)

    @property
    def used(self) -> int:
        """When somebody last came in."""
        return max((grant.used for grant in self.grants), default=0)


_DECODER: Final = msgspec.msgpack.Decoder(Account)
_ENCODER: Final = msgspec.msgpack.Encoder()


def account_of(row: PersonRow) -> Account:
    """What a row says."""
    return _DECODER.decode(row.body)


def packed(account: Account) -> bytes:
    """An account as a row keeps it."""
    return _ENCODER.encode(account)


def new_grant(hashed: str, now: int) -> Grant:
    """The grant of a new token."""
    return Grant(hashed[:_GRANT_SIGNS], hashed, now)


def with_grant(account: Account, grant: Grant) -> Account:
    """With one grant more or in place of the same; of too many, the one idle for longest goes."""
    others = [each for each in account.grants if each.id != grant.id]
    others.sort(key=lambda each: each.used)
    kept = others[-(GRANTS_PER_PERSON - 1) :]
    return replace(account, grants=(*kept, grant))


def rotated(grant: Grant, hashed: str, salt: str, now: int) -> Grant:
    """With a new token, made of the present one with a salt."""
    void = tuple(each for each in (grant.before, *grant.void) if each)
    return replace(
        grant,
        token=hashed,
        before=grant.token,
        salt=salt,
        void=void[:VOID_TOKENS_KNOWN],
        used=now,
    )


def grant_by(account: Account, hashed: str, now: int) -> Grant | None:
    """The grant that a token belongs to, good or void; None where it is too old."""
    for grant in account.grants:
        known = any(hmac.compare_digest(hashed, each) for each in grant.hashes)
        if known and (account.owner or grant.used + TOKEN_MS >= now):
            return grant
    return None
