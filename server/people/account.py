"""What is stored of a person beside their name: grants, password, lists, preferences, homes.

This is the body of a person's row (`PersonRow.body`). Fields have defaults and unknown ones are
passed over, so that a server reads what an older or a newer one has written.

A home is a mark of a network from which the person has come in. It shows again that a network is
the same; it does not tell which one. It is so short that one network in 65,536 has the same, and it
is made with the person's id, so that the marks of two people cannot be compared: the store and its
backups hold no address. A stranger's network may have the mark of a home by chance, so what a mark
allows is bounded for each mark (`bluebear.server.features.accounts`).
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import (
    DAY_MS,
    GRANTS_PER_PERSON,
    HOMES_PER_PERSON,
    TOKEN_DAYS,
    VACATION_DAYS_A_YEAR,
    VOID_TOKENS_KNOWN,
)
from bluebear.server.store import PersonRow


class Kind(StrEnum):
    """Which list."""

    MUTE = "mute"
    FRIENDS = "friends"
    WATCH = "watch"
    BLOCK = "block"


class Other(Struct, frozen=True):
    """Somebody on a list, under the name that he had when he was put there."""

    id: str
    name: str


class Lists(Struct, frozen=True, omit_defaults=True):
    """All lists of one person, each in the order in which it was made.

    Who is blocked is not heard either, and may not whisper, invite or follow.
    """

    mute: tuple[Other, ...] = ()
    friends: tuple[Other, ...] = ()
    watch: tuple[Other, ...] = ()
    block: tuple[Other, ...] = ()

    def of(self, kind: Kind) -> tuple[Other, ...]:
        """One of them."""
        found: tuple[Other, ...] = getattr(self, kind)
        return found

    def has(self, kind: Kind, person: str) -> bool:
        """Whether somebody is on one of them."""
        return any(each.id == person for each in self.of(kind))

    @property
    def unheard(self) -> frozenset[str]:
        """The people whose words do not reach him."""
        return frozenset(each.id for each in (*self.mute, *self.block))

    @property
    def unheard_names(self) -> frozenset[str]:
        """The names under which they were put on the lists."""
        return frozenset(each.name for each in (*self.mute, *self.block))


def with_other(lists: Lists, kind: Kind, other: Other) -> Lists:
    """With somebody on a list, under his present name."""
    kept = tuple(each for each in lists.of(kind) if each.id != other.id)
    return replace(lists, **{kind: (*kept, other)})


def without_other(lists: Lists, kind: Kind, person: str) -> Lists:
    """Without somebody on a list."""
    return replace(lists, **{kind: tuple(e for e in lists.of(kind) if e.id != person)})


class Hook(Struct, frozen=True, omit_defaults=True):
    """Where notices go: an address, the secret that signs them, the language of their sentence."""

    url: str
    secret: str
    lang: str = "en"


class Days(Struct, frozen=True):
    """One vacation, from and until a time in ms."""

    begin: int
    until: int


class LessonProgress(Struct, frozen=True):
    """How far a person has come in a lesson of a game: the lines of its steps so far, when (ms)."""

    game: str
    lesson: str
    typed: tuple[str, ...]
    at: int


class Own(Struct, frozen=True, omit_defaults=True):
    """All of it. `vacations` are those of this year and the last, oldest first.

    `learnt` are the finished lessons, `GAME/LESSON`; `lesson` is the one that is not finished.
    """

    hook: Hook | None = None
    vacations: tuple[Days, ...] = ()
    learnt: tuple[str, ...] = ()
    lesson: LessonProgress | None = None

    def away_until(self, now: int) -> int:
        """When the vacation of this moment ends; 0 where there is none."""
        return max((each.until for each in self.vacations if each.until > now), default=0)

    def days_left(self, now: int) -> int:
        """The days off that are left of this year (by UTC); each begun day counts."""
        year = _year(now)
        taken = (each for each in self.vacations if _year(each.begin) == year)
        return VACATION_DAYS_A_YEAR - sum(-(-(each.until - each.begin) // DAY_MS) for each in taken)


def with_lesson(own: Own, at: LessonProgress) -> Own:
    """How far a person has come in a lesson, unless that is overtaken: saves may change places."""
    was = own.lesson
    return own if was is not None and was.at > at.at else replace(own, lesson=at)


def with_learnt(own: Own, lesson: str) -> Own:
    """A lesson, `GAME/LESSON`, is finished."""
    learnt = own.learnt if lesson in own.learnt else (*own.learnt, lesson)
    return replace(own, learnt=learnt, lesson=None)


def _year(at: int) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year


def with_vacation(own: Own, days: int, now: int) -> Own:
    """A vacation from now on; NotAllowed: on_vacation, too_many_days."""
    if own.away_until(now):
        raise NotAllowed("on_vacation")
    left = own.days_left(now)
    if not 1 <= days <= left:
        raise NotAllowed("too_many_days", given=days, left=left)
    kept = (each for each in own.vacations if _year(each.begin) >= _year(now) - 1)
    return replace(own, vacations=(*kept, Days(now, now + days * DAY_MS)))


def ended_vacation(own: Own, now: int) -> Own:
    """The vacation of this moment ends now; NotAllowed (not_on_vacation) where there is none."""
    if not own.away_until(now):
        raise NotAllowed("not_on_vacation")
    return replace(own, vacations=tuple(_until(each, now) for each in own.vacations))


def _until(days: Days, now: int) -> Days:
    # A vacation of no time at all would cost no day.
    return replace(days, until=max(min(days.until, now), days.begin + 1))


_SIGNS: Final = 4
"""Hexadecimal ones: 16 bits."""


def home_mark(person: str, network: str) -> str:
    """The mark of a network for one person; "" for the house's own, which is none."""
    if not network:
        return ""
    return hashlib.sha256(f"home\0{person}\0{network}".encode()).hexdigest()[:_SIGNS]


def with_home(homes: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """With one more, if it is one; of too many, the one that was noted first goes."""
    if not mark or mark in homes:
        return homes
    return (*homes, mark)[-HOMES_PER_PERSON:]


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
