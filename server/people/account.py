"""The body of a person's row (`PersonRow.body`), and the acts of the person's stream, its fold.

It has grants, password, lists, preferences, homes. Fields have defaults and unknown fields are
ignored, so that a server reads rows of older and newer versions. A guest has a name as long as a
valid token. Tokens and passwords are stored as hashes.

A home is a 16-bit mark of a network from which the person has logged in. It recognizes the network
without revealing its address, which no store or backup contains. The mark depends on the person's
id, so marks of two people cannot be compared. One network in 65,536 has the same mark by chance, so
each mark has its own limits (`bluebear.server.features.accounts`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server import limits
from bluebear.server.people.names import name_key
from bluebear.server.runtime import token_from, token_hash
from bluebear.server.store import Entry, Json, PersonRow, person_stream


class Kind(StrEnum):
    """The kinds of lists of people."""

    MUTE = "mute"
    FRIENDS = "friends"
    WATCH = "watch"
    BLOCK = "block"


class Other(Struct, frozen=True):
    """A person on a list, with the name that they had when they were added."""

    id: str
    name: str


NO_ONE: Final = frozenset[str]()
"""Shared, since Python makes another empty set each time: nearly all connections have it twice."""


class Lists(Struct, frozen=True, omit_defaults=True):
    """All lists of one person, each in the order of adding.

    A blocked person is also muted, and may not whisper, invite or follow.
    """

    mute: tuple[Other, ...] = ()
    friends: tuple[Other, ...] = ()
    watch: tuple[Other, ...] = ()
    block: tuple[Other, ...] = ()

    def of(self, kind: Kind) -> tuple[Other, ...]:
        """The list of a kind."""
        listed: tuple[Other, ...] = getattr(self, kind)
        return listed

    def has(self, kind: Kind, person: str) -> bool:
        """Whether a person is on the list of a kind."""
        return any(each.id == person for each in self.of(kind))

    @property
    def unheard(self) -> frozenset[str]:
        """Ids of the people whose messages are not delivered to the owner of the lists."""
        return frozenset(each.id for each in (*self.mute, *self.block)) or NO_ONE

    @property
    def unheard_names(self) -> frozenset[str]:
        """The names of the people in `unheard`, as they are on the lists."""
        return frozenset(each.name for each in (*self.mute, *self.block)) or NO_ONE


def with_other(lists: Lists, kind: Kind, other: Other, *, on: bool) -> Lists:
    """The lists with a person at the end of one, under their present name; not `on`: without."""
    rest = tuple(each for each in lists.of(kind) if each.id != other.id)
    return replace(lists, **{kind: (*rest, other) if on else rest})


class Hook(Struct, frozen=True, omit_defaults=True):
    """A person's webhook: its URL, the secret that signs requests, the language of their text."""

    url: str
    secret: str
    lang: str = "en"


class Days(Struct, frozen=True):
    """One vacation, from `begin` until a time (ms)."""

    begin: int
    until: int


class LessonProgress(Struct, frozen=True):
    """A person's progress in a lesson at a time (ms): the lines typed for its completed steps."""

    game: str
    lesson: str
    typed: tuple[str, ...]
    at: int


class Preferences(Struct, frozen=True, omit_defaults=True):
    """A person's preferences. `vacations` are those of this year and the last, oldest first.

    `learnt` are the finished lessons and the situations that the coach has explained, `GAME/NAME`;
    `lesson` is the unfinished one.
    """

    hook: Hook | None = None
    vacations: tuple[Days, ...] = ()
    learnt: tuple[str, ...] = ()
    lesson: LessonProgress | None = None

    def away_until(self, now: int) -> int:
        """When the present vacation ends (ms); 0 without a vacation."""
        return max((each.until for each in self.vacations if each.until > now), default=0)

    def days_left(self, now: int) -> int:
        """The vacation days left in this year (UTC); a started day counts as a day."""
        year = _year(now)
        taken = (each for each in self.vacations if _year(each.begin) == year)
        return limits.VACATION_DAYS_A_YEAR - sum(
            -(-(each.until - each.begin) // limits.DAY_MS) for each in taken
        )


def with_lesson(current: Preferences, at: LessonProgress) -> Preferences:
    """The preferences with this progress, unless theirs is newer: saves may arrive out of order."""
    was = current.lesson
    return current if was is not None and was.at > at.at else replace(current, lesson=at)


def with_learnt(current: Preferences, lesson: str) -> Preferences:
    """The preferences after a lesson is finished, or the coach has explained a situation."""
    learnt = current.learnt if lesson in current.learnt else (*current.learnt, lesson)
    at = current.lesson
    begun = None if at is None or f"{at.game}/{at.lesson}" == lesson else at
    return replace(current, learnt=learnt, lesson=begun)


def _year(at: int) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year


def with_vacation(current: Preferences, days: int, now: int) -> Preferences:
    """Start a vacation at `now` (ms). Raises NotAllowed: on_vacation, too_many_days."""
    if current.away_until(now):
        raise NotAllowed("on_vacation")
    left = current.days_left(now)
    if not 1 <= days <= left:
        raise NotAllowed("too_many_days", given=days, left=left)
    recent = (each for each in current.vacations if _year(each.begin) >= _year(now) - 1)
    return replace(current, vacations=(*recent, Days(now, now + days * limits.DAY_MS)))


def ended_vacation(current: Preferences, now: int) -> Preferences:
    """End the present vacation at `now` (ms). Raises NotAllowed (not_on_vacation)."""
    if not current.away_until(now):
        raise NotAllowed("not_on_vacation")
    # A vacation of no time at all would cost no day.
    ended = (replace(e, until=max(min(e.until, now), e.begin + 1)) for e in current.vacations)
    return replace(current, vacations=tuple(ended))


_SIGNS: Final = 4
"""Hexadecimal digits of a home's mark: 16 bits."""


def home_mark(person: str, network: str) -> str:
    """The mark of a network for one person; "" for no network (clients of the server itself)."""
    if not network:
        return ""
    return hashlib.sha256(f"home\0{person}\0{network}".encode()).hexdigest()[:_SIGNS]


def with_home(homes: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The homes with a mark ("" is none) at the end; drops the oldest of too many."""
    if not mark or mark in homes:
        return homes
    return (*homes, mark)[-limits.HOMES_PER_PERSON :]


TOKEN_MS: Final = limits.TOKEN_DAYS * 24 * 3600 * 1000
_GRANT_SIGNS: Final = 12


class Scope(StrEnum):
    """What a bot's token allows: to watch, chat, play, and run rooms."""

    READ = "read"
    CHAT = "chat"
    PLAY = "play"
    HOST = "host"


class Grant(Struct, frozen=True, omit_defaults=True):
    """The login of a person on one client (browser, terminal, program), with hashes of its tokens.

    `token` is valid. `before`, from which it was derived with `salt`, stays valid until `token` is
    first used: a client that lost the reply with its new token sends the previous one and gets the
    same new one. `void` are older tokens, which are no longer valid. `used` is in ms.
    """

    id: str
    token: str
    used: int
    before: str = ""
    salt: str = ""
    void: tuple[str, ...] = ()

    @property
    def hashes(self) -> tuple[str, ...]:
        """All hashes by which the grant can be looked up."""
        return tuple(each for each in (self.token, self.before, *self.void) if each)


class Bot(Struct, frozen=True):
    """A person's bot: a person too (`person` is its id), whose token never rotates.

    `made` is when it was created (ms).
    """

    person: str
    name: str
    scopes: tuple[Scope, ...]
    made: int


class Account(Struct, frozen=True, omit_defaults=True):
    """A person's stored data besides the columns by which their row is looked up.

    `password` is an argon2 hash, "" for a guest. `bots` belong to the person; a bot has an `owner`
    (id) and `scopes`. `homes` are marks of the networks of logins since there is a password, the
    newest last.
    """

    grants: tuple[Grant, ...] = ()
    password: str = ""
    bots: tuple[Bot, ...] = ()
    owner: str = ""
    scopes: tuple[Scope, ...] = ()
    preferences: Preferences = field(default=Preferences(), name="own")
    lists: Lists = Lists()
    homes: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """All token hashes by which the person can be looked up."""
        return tuple(each for grant in self.grants for each in grant.hashes)

    @property
    def used(self) -> int:
        """When a token of the person was last used (ms)."""
        return max((grant.used for grant in self.grants), default=0)


_DECODER: Final = msgspec.msgpack.Decoder(Account)
_ENCODER: Final = msgspec.msgpack.Encoder()


def account_of(row: PersonRow) -> Account:
    """Decode the body of a row."""
    return _DECODER.decode(row.body)


def packed(account: Account) -> bytes:
    """Encode an account as the body of a row."""
    return _ENCODER.encode(account)


def new_grant(hashed: str, now: int) -> Grant:
    """The grant of a new token."""
    return Grant(hashed[:_GRANT_SIGNS], hashed, now)


def with_grant(account: Account, grant: Grant) -> Account:
    """The account with a grant added or replaced; drops the least recently used of too many."""
    rest = [each for each in account.grants if each.id != grant.id]
    rest.sort(key=lambda each: each.used)
    return replace(account, grants=(*rest[-(limits.GRANTS_PER_PERSON - 1) :], grant))


def rotated(grant: Grant, hashed: str, salt: str, now: int) -> Grant:
    """The grant with the hash of a new token, which was derived from the present one and `salt`."""
    void = tuple(each for each in (grant.before, *grant.void) if each)
    return replace(
        grant,
        token=hashed,
        before=grant.token,
        salt=salt,
        void=void[: limits.VOID_TOKENS_STORED],
        used=now,
    )


def grant_by(account: Account, hashed: str, now: int) -> Grant | None:
    """The grant of a token, valid or void; None if there is none or it has expired."""
    for grant in account.grants:
        matches = any(hmac.compare_digest(hashed, each) for each in grant.hashes)
        if matches and (account.owner or grant.used + TOKEN_MS >= now):
            return grant
    return None


# Acts, and their fold.

REFRESH_MS: Final = 24 * 3600 * 1000
"""The use of a token that does not rotate is stored once a day."""


class Act(Struct, frozen=True):
    """A change of a person: the line and the facts of its entry."""

    line: str
    facts: Mapping[str, Json] = field(default_factory=dict)


class Guest(Struct, frozen=True):
    """A new person before the entry is written; `token` is sent once and never stored."""

    id: str
    token: str
    act: Act


def new_guest(name: str, *, human: bool, fresh: bytes) -> Guest:
    """A new guest; `name` is clean, `fresh` are random bytes."""
    token = token_from("resume", fresh)
    act = Act(f"@guest {name}", {"human": human, "token": token_hash(token)})
    return Guest("p" + token_from("person", fresh)[:15], token, act)


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


def entry_of(person: str, before: PersonRow | None, act: Act, now: int) -> Entry:
    """The next entry of a person's stream, with an act."""
    seq = 1 if before is None else before.seq + 1
    facts = {"person": person, **act.facts}
    return Entry(person_stream(person), seq, "server", "", (act.line,), facts, now)


Facts = Mapping[str, Any]  # Any: facts are checked where they are made


def folded(before: PersonRow | None, entry: Entry) -> PersonRow:
    """The row after an entry of a person's stream. Raises KeyError for an unknown head."""
    head, _, rest = entry.lines[0].partition(" ")
    if before is None:
        row, account = _first(head, rest, entry.facts, entry.at)
    else:
        row, account = _later(before, head, rest, entry.facts, entry.at)
    used, tokens = account.used or entry.at, account.tokens
    return dataclasses.replace(row, seq=entry.seq, tokens=tokens, used=used, body=packed(account))


def _first(head: str, name: str, facts: Facts, at: int) -> tuple[PersonRow, Account]:
    """A new person, who may be a bot."""
    account, is_bot = Account((new_grant(str(facts["token"]), at),)), head == "@bot"
    if is_bot:
        account = replace(account, owner=str(facts["owner"]), scopes=_scopes(facts))
    elif head != "@guest":
        raise KeyError(head)
    row = PersonRow(
        id=str(facts["person"]),
        seq=0,
        name=name,
        key=name_key(name),
        human=bool(facts["human"]),
        tokens=(),
        used=at,
        kept=is_bot,
    )
    return row, account


def _later(
    row: PersonRow, head: str, rest: str, facts: Facts, at: int
) -> tuple[PersonRow, Account]:
    account = account_of(row)
    match head:
        case "@nick":
            row = dataclasses.replace(row, name=rest, key=name_key(rest))
        case "@bot_made":
            bot = Bot(str(facts["bot"]), rest, _scopes(facts), at)
            account = replace(account, bots=(*account.bots, bot))
        case "@bot_gone":
            bots = tuple(each for each in account.bots if each.person != facts["bot"])
            account = replace(account, bots=bots)
        case "@own":
            account = replace(account, preferences=msgspec.convert(facts["own"], Preferences))
        case "@list":
            what, _, kind = rest.partition(" ")
            other = Other(str(facts["whom"]), str(facts["name"]))
            lists = with_other(account.lists, Kind(kind), other, on=what == "add")
            account = replace(account, lists=lists)
        case _:
            row, account = _with_logins(row, account, head, facts, at)
    return row, account


def _with_logins(
    row: PersonRow, account: Account, head: str, facts: Facts, at: int
) -> tuple[PersonRow, Account]:
    """The row and the account after an act that concerns grants, with the home that it names."""
    grants, named = account.grants, facts.get("grant")
    match head:
        case "@seen":
            for grant in (each for each in grants if each.id == named):
                account = with_grant(account, replace(grant, used=at))
        case "@token":
            [grant] = (each for each in grants if each.id == named)
            newer = rotated(grant, str(facts["token"]), str(facts["salt"]), at)
            account = with_grant(account, newer)
        case "@login":
            account = with_grant(account, new_grant(str(facts["token"]), at))
        case "@logout":
            grants = tuple(each for each in grants if named not in ("all", each.id))
            account = replace(account, grants=grants)
            if not (grants or row.kept):
                row = dataclasses.replace(row, key="")
        case "@register":
            row = dataclasses.replace(row, kept=True)
            if account.password:
                grants = tuple(each for each in grants if each.id == named)
            account = replace(account, grants=grants, password=str(facts["hash"]))
        case "@revoke":
            row = dataclasses.replace(row, key="", kept=False)
            account = replace(account, grants=())
        case _:
            raise KeyError(head)
    return row, replace(account, homes=with_home(account.homes, str(facts.get("home", ""))))


def _scopes(facts: Facts) -> tuple[Scope, ...]:
    return tuple(map(Scope, facts["scopes"]))
