"""People at the server: guests, names and tokens, each person a stream of entries.

That a name is somebody's is decided by the journal, not by memory: two servers over one store
could not both give it away.
"""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.limits import (
    BOTS_PER_PERSON,
    DISK_RETRY_SECONDS,
    NAME_MAX_CHARS,
    NEWCOMERS_A_COMMIT,
)
from bluebear.server.observe import log
from bluebear.server.people.account import (
    TOKEN_MS,
    Account,
    Grant,
    Kind,
    LessonProgress,
    Other,
    Own,
    Scope,
    account_of,
    grant_by,
    home_mark,
    with_lesson,
)
from bluebear.server.people.names import clean_name, name_key, readable_part
from bluebear.server.people.person import (
    REFRESH_MS,
    Act,
    entry_of,
    folded,
    have_bot,
    keep_on_list,
    keep_own,
    log_in,
    log_out,
    lose_bot,
    new_bot,
    new_guest,
    next_token,
    note_use,
    register,
    rename,
    revoke,
    rotate,
)
from bluebear.server.runtime import Clock, FreshBytes, token_from, token_hash
from bluebear.server.store import Answer as Answered
from bluebear.server.store import (
    Append,
    Fenced,
    GroupWriter,
    JournalError,
    NotSaved,
    PersonRow,
    Store,
    Taken,
    Written,
    people,
)

_FRESH_BYTES: Final = 64
_OF_NAMES: Final = frozenset(("name_bad", "name_taken"))
_TRIES: Final = 5
"""Connections of one person that change him at the same moment: more than that is no accident."""


@dataclass(frozen=True, slots=True)
class Coming:
    """Somebody who comes in: his row, by which grant, and the token to come back with.

    `token` is empty where the one that he has is void: he may not come in.
    """

    row: PersonRow
    grant: Grant
    token: str

    @property
    def account(self) -> Account:
        """What the row says."""
        return account_of(self.row)


class People:
    """Owned by the app. Raises NotAllowed (not_saved) where the disk cannot say or take."""

    def __init__(self, store: Store, writer: GroupWriter, clock: Clock, fresh: FreshBytes) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._fresh = fresh
        self._coming = asyncio.Semaphore(NEWCOMERS_A_COMMIT)

    async def guest(self, name: str, *, human: bool) -> Coming:
        """Somebody new. Raises NotAllowed: name_bad, name_taken."""
        async with self._proposing(name):
            guest = new_guest(clean_name(name), human=human, fresh=self._fresh(_FRESH_BYTES))
            async with self._coming:
                row = await self._write(guest.id, None, guest.act, name)
        return Coming(row, account_of(row).grants[0], guest.token)

    async def rename(self, person: str, name: str) -> PersonRow:
        """Somebody under another name. Raises NotAllowed: name_bad, name_taken, unauthorized."""
        async with self._proposing(name):
            act = rename(clean_name(name))
            return await self._change(person, lambda row: act, given=name)

    @asynccontextmanager
    async def _proposing(self, given: str) -> AsyncIterator[None]:
        """A refusal of this name leaves with another one as its candidate, if one is found."""
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

    async def come_in(
        self, token: str, network: str = "", *, rotates: bool = True
    ) -> Coming | None:
        """Who comes back with a token, and the one that takes its place; None: nobody.

        Of one with a password it is noted that the network is a home. Where it does not rotate, the
        token stays the one that it is.

        The new token is told in the answer, which may get lost; so the one that was used stays
        good until the new one is used, and gives the same new one as often as it comes.
        """
        hashed = token_hash(token)
        for _ in range(_TRIES):
            row = await self._known(self._store.read(people.of_token, hashed))
            grant = None if row is None else grant_by(account_of(row), hashed, self._clock.now())
            if row is None or grant is None:
                return None
            if hashed == grant.before:
                return Coming(row, grant, next_token(token, grant.salt))
            if hashed != grant.token:
                return Coming(row, grant, "")
            if account_of(row).owner or not rotates:
                return Coming(row, grant, token)
            try:
                return await self._rotated(row, grant, token, network)
            except _OutrunError:
                continue
            except NotAllowed as refusal:
                # Where nothing can be written the token stays what it is, and is good.
                log(logging.WARNING, "token not replaced", why=refusal.code)
                return Coming(row, grant, token)
        raise NotAllowed("not_saved")

    async def _rotated(self, row: PersonRow, grant: Grant, token: str, network: str) -> Coming:
        home = _new_home(row, network) if account_of(row).password else ""
        act = rotate(grant, token, self._fresh(_FRESH_BYTES), home)
        async with self._coming:
            after = await self._write(row.id, row, act, row.name)
        [now] = (each for each in account_of(after).grants if each.id == grant.id)
        return Coming(after, now, next_token(token, now.salt))

    async def note_use(self, coming: Coming) -> None:
        """Keep a token alive that stays the same; where that fails, the next time will do."""
        if self._clock.now() - coming.grant.used < REFRESH_MS:
            return
        try:
            await self._change(coming.row.id, lambda row: note_use(coming.grant))
        except NotAllowed as refusal:
            log(logging.WARNING, "use of a token not noted", why=refusal.code)

    async def log_out(self, person: str, grant: str) -> None:
        """What lets somebody in from one place, or from everywhere ("all"), is void from now on."""
        await self._change(person, lambda row: log_out(grant))

    async def register(
        self, person: str, grant: str, hashed: str, network: str = "", *, anew: bool
    ) -> bool:
        """Somebody has a password from now on, and keeps his name; whether he had one before.

        The network is a home from now on.
        Raises not_saved; login_first where he has one, and does not choose `anew`.
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

    async def log_in(self, person: str, network: str = "") -> Coming:
        """Let somebody in from a new place, whose password was right: a home from now on."""
        token = token_from("login", self._fresh(_FRESH_BYTES))
        row = await self._change(person, lambda row: log_in(token, _new_home(row, network)))
        hashed = token_hash(token)
        [grant] = (each for each in account_of(row).grants if each.token == hashed)
        return Coming(row, grant, token)

    async def make_bot(self, owner: str, name: str, scopes: Sequence[Scope]) -> tuple[str, str]:
        """A bot of somebody: its name and its token. Raises name_bad, name_taken, too_many_bots.

        The bot is there before its owner has it: a bot that he does not find has told its token to
        nobody.
        """
        async with self._proposing(name):
            bot = new_bot(clean_name(name), owner, scopes, self._fresh(_FRESH_BYTES))
            row = await self._write(bot.id, None, bot.act, name)

        def take(now: PersonRow) -> Act:
            if len(account_of(now).bots) >= BOTS_PER_PERSON:
                raise NotAllowed("too_many_bots", most=BOTS_PER_PERSON)
            return have_bot(bot.id, row.name, scopes)

        try:
            await self._change(owner, take)
        except NotAllowed:
            await self._change(bot.id, lambda now: revoke())
            raise
        return row.name, bot.token

    async def revoke(self, owner: str, bot: str) -> None:
        """A bot's token is void; its owner has it no longer."""
        await self._change(bot, lambda row: revoke())
        await self._change(owner, lambda row: lose_bot(bot))

    async def named(self, name: str) -> PersonRow | None:
        """Whose name this is, or looks like it."""
        return await self._known(self._store.read(people.named, name_key(name)))

    async def find(self, name: str, *, registered: bool = False) -> PersonRow | None:
        """Who has a name. One that was not used for long is free again, unless `registered`."""
        row = await self.named(name)
        is_old = row is not None and row.used + TOKEN_MS < self._clock.now()
        return None if row is None or (is_old and not (registered and row.kept)) else row

    async def own(self, person: str) -> Own:
        """What somebody has set for himself; nothing, where nobody knows him any more."""
        row = await self.person(person)
        return Own() if row is None else account_of(row).own

    async def change_own(self, person: str, change: Callable[[Own], Own]) -> Own:
        """Change it; as it is then. Raises what `change` raises, and NotAllowed: unauthorized."""
        row = await self._change(person, lambda row: keep_own(change(account_of(row).own)))
        return account_of(row).own

    async def save_lesson(self, person: str, at: LessonProgress) -> None:
        """How far a person has come in a lesson; a step that is not saved is taken again later."""
        with suppress(Refusal):
            await self.change_own(person, partial(with_lesson, at=at))

    async def keep_on_list(self, person: str, kind: Kind, other: Other, *, on: bool) -> PersonRow:
        """Put somebody else on one of his lists, or take him off; his row after it."""
        return await self._change(person, lambda row: keep_on_list(kind, other, on=on))

    async def person(self, person: str) -> PersonRow | None:
        """Somebody by his id."""
        return await self._known(self._store.read(people.person, person))

    async def _known(self, asked: Coroutine[Any, Any, PersonRow | None]) -> PersonRow | None:
        try:
            return await asked
        except JournalError as problem:
            log(logging.ERROR, "person not looked up", why=str(problem))
            raise NotAllowed("not_saved") from problem

    async def _change(
        self, person: str, act: Callable[[PersonRow], Act], *, given: str = ""
    ) -> PersonRow:
        """Do something to somebody, by what is true of him then; the row after it.

        Raises NotAllowed: unauthorized for one who is not there, name_taken, whatever `act` raises.
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
        """Write an act's entry; the row after it. NotAllowed: name_taken, not_saved."""
        now = self._clock.now()
        entry = entry_of(person, before, act, now)
        row = folded(before, entry)
        # A name that was kept too long goes to whoever wants it.
        answer = await self._append(Append(entry, person=row, stale_before=now - TOKEN_MS))
        if isinstance(answer, NotSaved) and not answer.certain:
            answer = await self._read_back(row)
        if isinstance(answer, Taken):
            raise NotAllowed("name_taken", given=given)
        if isinstance(answer, Fenced):
            raise _OutrunError
        if not isinstance(answer, Written):
            raise NotAllowed("not_saved")
        return row

    async def _append(self, append: Append) -> Answered:
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

        def answered(answer: Answered) -> None:
            if not future.done():
                future.set_result(answer)

        self._writer.submit(append, answered)
        return await future

    async def _read_back(self, row: PersonRow) -> Answered:
        """Whether a row was written, where the commit could not tell."""
        while True:
            try:
                found = await self._store.read(people.person, row.id)
            except JournalError as problem:
                log(logging.ERROR, "person not read back", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
                continue
            return Written(row.seq) if found == row else NotSaved("not written")


def _new_home(row: PersonRow, network: str) -> str:
    """The mark of a network that is no home of somebody's yet; "" where it is one."""
    mark = home_mark(row.id, network)
    return "" if mark in account_of(row).homes else mark


class _OutrunError(Exception):
    """Another connection of the same person was quicker: look again."""


_DIGITS: Final = (1, 2, 4)
"""How many digits the numbers have that are drawn behind a name, one after the other: each is a
look into the store, and of the last kind nearly all are free.
"""
_FALLBACK: Final = "Guest"
_FALLBACK_DIGITS: Final = 4


async def free_name(
    store: Store, given: str, fresh: FreshBytes, *, stale_before: int
) -> str | None:
    """A good name like the one that was given, which is free now; None where none is found soon.

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
    """What is left of the name without what may not stand in one; then with numbers behind it."""
    name = readable_part(given)
    if name is not None:
        if name != unicodedata.normalize("NFKC", given).strip():
            yield name
        yield _numbered(name, "2")
        for digits in _DIGITS:
            yield _numbered(name, _number(digits, fresh))
    yield _numbered(_FALLBACK, _number(_FALLBACK_DIGITS, fresh))


def _numbered(name: str, number: str) -> str:
    return name[: NAME_MAX_CHARS - len(number)] + number


def _number(digits: int, fresh: FreshBytes) -> str:
    """A number of so many digits, none of which looks like a letter."""
    return "".join(str(2 + byte % 8) for byte in fresh(digits))
