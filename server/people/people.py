"""The service for people: guests, names, tokens, bots, lists, preferences.

Each person is a stream of entries. The store decides whether a name is free, so that two nodes over
one store cannot give it to two people.
"""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.people.account import (
    REFRESH_MS,
    TOKEN_MS,
    Account,
    Act,
    Grant,
    Kind,
    LessonProgress,
    Other,
    Preferences,
    Scope,
    account_of,
    entry_of,
    folded,
    grant_by,
    home_mark,
    log_in,
    new_bot,
    new_guest,
    next_token,
    register,
    rotate,
    with_lesson,
)
from bluebear.server.people.names import clean_name, name_key, usable_name
from bluebear.server.runtime import Clock, FreshBytes, log, token_from, token_hash
from bluebear.server.store import (
    Append,
    Fenced,
    GroupWriter,
    JournalError,
    PersonRow,
    Store,
    Taken,
    Written,
    people,
)

_FRESH_BYTES: Final = 64
_OF_NAMES: Final = frozenset(("name_bad", "name_taken"))
_TRIES: Final = 5
"""Attempts of a write that competes with other connections of the same person."""


@contextmanager
def needs_store(level: int, what: str, **fields: object) -> Iterator[None]:
    """Where the store fails, log it and refuse what needs it. Raises NotAllowed: not_saved."""
    try:
        yield
    except JournalError as problem:
        log(level, what, **fields, why=str(problem))
        raise NotAllowed("not_saved") from problem


class AuthenticatedPerson(Struct, frozen=True):
    """A person with the grant of their login, and the token for the next one.

    `token` is "" if the token that was sent is no longer valid: the login is refused.
    """

    row: PersonRow
    grant: Grant
    token: str

    @property
    def account(self) -> Account:
        """The account in the row."""
        return account_of(self.row)


class People:
    """The service for people. Owned by the app.

    All methods raise NotAllowed (not_saved) if the store cannot be read or written.
    """

    def __init__(self, store: Store, writer: GroupWriter, clock: Clock, fresh: FreshBytes) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._fresh = fresh
        self._coming = asyncio.Semaphore(limits.NEWCOMERS_A_COMMIT)

    async def guest(self, name: str, *, human: bool) -> AuthenticatedPerson:
        """Create a guest. Raises NotAllowed: name_bad, name_taken."""
        async with self._proposing(name):
            guest = new_guest(clean_name(name), human=human, fresh=self._fresh(_FRESH_BYTES))
            async with self._coming:
                row = await self._write(guest.id, None, guest.act, name)
        return AuthenticatedPerson(row, account_of(row).grants[0], guest.token)

    async def rename(self, person: str, name: str) -> PersonRow:
        """Rename a person. Raises NotAllowed: name_bad, name_taken, unauthorized."""
        async with self._proposing(name):
            act = Act(f"@nick {clean_name(name)}")
            return await self._change(person, lambda row: act, given=name)

    @asynccontextmanager
    async def _proposing(self, given: str) -> AsyncIterator[None]:
        """Add a free name as candidate to a refusal of the name `given`, if there is one."""
        try:
            yield
        except NotAllowed as refusal:
            if refusal.code not in _OF_NAMES:
                raise
            stale_before = self._clock.now() - TOKEN_MS
            try:
                free = await free_name(self._store, given, self._fresh, stale_before=stale_before)
            except JournalError:
                raise refusal from None
            refusal.candidates = () if free is None else (free,)
            refusal.params = {"given": given, **refusal.params}
            raise

    async def resume(
        self, token: str, network: str = "", *, rotates: bool = True
    ) -> AuthenticatedPerson | None:
        """Authenticate a person by token and rotate it; None if it is unknown or expired.

        For a person with a password, `network` becomes a home. The reply with the new token may get
        lost: the used token stays valid until the new one is used, and yields the same new one.
        """
        hashed = token_hash(token)
        for _ in range(_TRIES):
            row = await self._look_up(self._store.read(people.of_token, hashed))
            grant = None if row is None else grant_by(account_of(row), hashed, self._clock.now())
            if row is None or grant is None:
                return None
            if hashed == grant.before:
                return AuthenticatedPerson(row, grant, next_token(token, grant.salt))
            if hashed != grant.token:
                return AuthenticatedPerson(row, grant, "")
            if account_of(row).owner or not rotates:
                return AuthenticatedPerson(row, grant, token)
            try:
                return await self._rotated(row, grant, token, network)
            except _OutrunError:
                continue
            except NotAllowed as refusal:
                # If nothing can be written, the present token stays valid.
                log(logging.WARNING, "token not replaced", why=refusal.code)
                return AuthenticatedPerson(row, grant, token)
        raise NotAllowed("not_saved")

    async def _rotated(
        self, row: PersonRow, grant: Grant, token: str, network: str
    ) -> AuthenticatedPerson:
        home = _new_home(row, network) if account_of(row).password else ""
        act = rotate(grant, token, self._fresh(_FRESH_BYTES), home)
        async with self._coming:
            after = await self._write(row.id, row, act, row.name)
        [now] = (each for each in account_of(after).grants if each.id == grant.id)
        return AuthenticatedPerson(after, now, next_token(token, now.salt))

    async def note_use(self, current: AuthenticatedPerson) -> None:
        """Extend a token that does not rotate, at most once a day; a failure is only logged."""
        if self._clock.now() - current.grant.used < REFRESH_MS:
            return
        try:
            await self._change(
                current.row.id, lambda row: Act("@seen", {"grant": current.grant.id})
            )
        except NotAllowed as refusal:
            log(logging.WARNING, "use of a token not noted", why=refusal.code)

    async def log_out(self, person: str, grant: str) -> None:
        """Revoke the grant of a person with this id, or all their grants ("all")."""
        await self._change(person, lambda row: Act("@logout", {"grant": grant}))

    async def register(
        self, person: str, grant: str, hashed: str, network: str = "", *, anew: bool
    ) -> bool:
        """Set a person's password; returns whether they had one. `network` becomes a home.

        Raises NotAllowed: login_first if they have a password, unless `anew` replaces it.
        """
        had = False

        def choose(row: PersonRow) -> Act:
            nonlocal had
            had = bool(account_of(row).password)
            if had and not anew:
                raise NotAllowed("login_first", name=row.name)
            return register(hashed, grant, _new_home(row, network))

        await self._change(person, choose)
        return had

    async def log_in(self, person: str, network: str = "") -> AuthenticatedPerson:
        """Create a grant for a person who gave the right password; `network` becomes a home."""
        token = token_from("login", self._fresh(_FRESH_BYTES))
        row = await self._change(person, lambda row: log_in(token, _new_home(row, network)))
        hashed = token_hash(token)
        [grant] = (each for each in account_of(row).grants if each.token == hashed)
        return AuthenticatedPerson(row, grant, token)

    async def make_bot(self, owner: str, name: str, scopes: Sequence[Scope]) -> tuple[str, str]:
        """Create a person's bot; returns its name and token.

        The bot is stored before its owner's entry, so a failure between leaves a bot whose token no
        client has. Raises NotAllowed: name_bad, name_taken, too_many_bots.
        """
        async with self._proposing(name):
            bot = new_bot(clean_name(name), owner, scopes, self._fresh(_FRESH_BYTES))
            row = await self._write(bot.id, None, bot.act, name)

        def take(now: PersonRow) -> Act:
            if len(account_of(now).bots) >= limits.BOTS_PER_PERSON:
                raise NotAllowed("too_many_bots", most=limits.BOTS_PER_PERSON)
            facts = {"bot": bot.id, "scopes": [str(scope) for scope in scopes]}
            return Act(f"@bot_made {row.name}", facts)

        try:
            await self._change(owner, take)
        except NotAllowed:
            await self._change(bot.id, lambda now: Act("@revoke"))
            raise
        return row.name, bot.token

    async def revoke(self, owner: str, bot: str) -> None:
        """Revoke a bot's token, and remove the bot from its owner."""
        await self._change(bot, lambda row: Act("@revoke"))
        await self._change(owner, lambda row: Act("@bot_gone", {"bot": bot}))

    async def find_by_name(self, name: str) -> PersonRow | None:
        """The person with a name that equals or looks like `name`; None if there is none."""
        return await self._look_up(self._store.read(people.named, name_key(name)))

    async def find(self, name: str, *, registered: bool = False) -> PersonRow | None:
        """Like `find_by_name`, without people who have expired; `registered` keeps accounts."""
        row = await self.find_by_name(name)
        is_old = row is not None and row.used + TOKEN_MS < self._clock.now()
        return None if row is None or (is_old and not (registered and row.kept)) else row

    async def preferences(self, person: str) -> Preferences:
        """A person's preferences; the defaults if the store does not have the person."""
        row = await self.person(person)
        return Preferences() if row is None else account_of(row).preferences

    async def update_preferences(
        self, person: str, change: Callable[[Preferences], Preferences]
    ) -> Preferences:
        """Change a person's preferences. Raises what `change` raises, NotAllowed: unauthorized."""

        def changed(row: PersonRow) -> Act:
            return Act("@own", {"own": msgspec.to_builtins(change(account_of(row).preferences))})

        return account_of(await self._change(person, changed)).preferences

    async def save_lesson(self, person: str, at: LessonProgress) -> None:
        """Save progress in a lesson; if that fails, the learner repeats the step later."""
        with suppress(Refusal):
            await self.update_preferences(person, partial(with_lesson, at=at))

    async def edit_list(self, person: str, kind: Kind, other: Other, *, on: bool) -> PersonRow:
        """Add `other` to a person's list, or remove them; returns the person's new row."""
        act = Act(
            f"@list {'add' if on else 'delete'} {kind}", {"whom": other.id, "name": other.name}
        )
        return await self._change(person, lambda row: act)

    async def person(self, person: str) -> PersonRow | None:
        """The row of an id; None if the store does not have it."""
        return await self._look_up(self._store.read(people.person, person))

    async def _look_up(self, query: Coroutine[Any, Any, PersonRow | None]) -> PersonRow | None:
        with needs_store(logging.ERROR, "person not looked up"):
            return await query

    async def _change(
        self, person: str, act: Callable[[PersonRow], Act], *, given: str = ""
    ) -> PersonRow:
        """Write the act for a person's present row; returns the row after it.

        Raises NotAllowed: unauthorized for an unknown person, name_taken; and what `act` raises.
        """
        for _ in range(_TRIES):
            before = await self.person(person)
            if before is None:
                raise NotAllowed("unauthorized")
            try:
                return await self._write(person, before, act(before), given)
            except _OutrunError:
                continue
        raise NotAllowed("not_saved")

    async def _write(
        self, person: str, before: PersonRow | None, act: Act, given: str
    ) -> PersonRow:
        """Write an act's entry; returns the new row. Raises NotAllowed: name_taken, not_saved."""
        now = self._clock.now()
        entry = entry_of(person, before, act, now)
        row = folded(before, entry)
        # A name whose person has not logged in since `stale_before` is free again.
        append = Append(entry, person=row, stale_before=now - TOKEN_MS)
        answer = await self._writer.store(append)
        if isinstance(answer, Taken):
            raise NotAllowed("name_taken", given=given)
        if isinstance(answer, Fenced):
            raise _OutrunError
        if not isinstance(answer, Written):
            raise NotAllowed("not_saved")
        return row


def _new_home(row: PersonRow, network: str) -> str:
    """The mark of a network, for a new home; "" if it is a home of the person already."""
    mark = home_mark(row.id, network)
    return "" if mark in account_of(row).homes else mark


class _OutrunError(Exception):
    """Another connection has changed the same person's row: read it again."""


_DIGITS: Final = (1, 2, 4)
"""The lengths of the numbers that are tried after a name, in order; each needs a store query."""
_FALLBACK: Final = "Guest"
_FALLBACK_DIGITS: Final = 4


async def free_name(
    store: Store, given: str, fresh: FreshBytes, *, stale_before: int
) -> str | None:
    """A free name similar to `given`; None if none of a few candidates is free.

    `stale_before`: as in `Append`. Raises what the store raises.
    """
    for name in _names_like(given, fresh):
        try:
            clean = clean_name(name)
        except NotAllowed:
            continue
        holder = await store.read(people.named, name_key(clean))
        if holder is None or holder.is_stale(stale_before):
            return clean
    return None


def _names_like(given: str, fresh: FreshBytes) -> Iterator[str]:
    """Candidates: the name without forbidden characters, then with numbers appended."""
    name = usable_name(given)
    if name is not None:
        if name != unicodedata.normalize("NFKC", given).strip():
            yield name
        yield _numbered(name, "2")
        for digits in _DIGITS:
            yield _numbered(name, _number(digits, fresh))
    yield _numbered(_FALLBACK, _number(_FALLBACK_DIGITS, fresh))


def _numbered(name: str, number: str) -> str:
    return name[: limits.NAME_MAX_CHARS - len(number)] + number


def _number(digits: int, fresh: FreshBytes) -> str:
    """A random number; its digits, 2 to 9, look like no letters."""
    return "".join(str(2 + byte % 8) for byte in fresh(digits))
