"""Who somebody is, changed by himself: keeping a name, coming in as another, going; his bots."""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Protocol, assert_never

from bluebear.protocol import Code
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.suggest import nearest
from bluebear.server.commands.acts import (
    AccountAct,
    ListBots,
    LogIn,
    LogOut,
    MakeBot,
    Register,
    RevokeBot,
)
from bluebear.server.commands.needs import Found, Wanted
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.handshake import Handshake
from bluebear.server.edge.oneself import EVERYWHERE, Oneself
from bluebear.server.journal import PersonRow
from bluebear.server.limits import HEARD_SECONDS
from bluebear.server.net.rate_limits import Cost
from bluebear.server.observe import log
from bluebear.server.people.account import Bot, account_of
from bluebear.server.people.audit import Audit
from bluebear.server.people.homes import home_mark
from bluebear.server.people.names import name_key
from bluebear.server.people.passwords import Guesses, Hashing
from bluebear.server.people.people import People
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say

_OF_ONE: Final = Wanted(mine=True)
_RUNNING: Final = (Phase.PLAYING, Phase.PAUSED)
_NAMES_TRIED: Final = 10


class Done(Protocol):
    """Answers an act; with words, if there are any."""

    def __call__(self, code: str = "", text: str = "") -> None: ...


class Accounts:
    """Owned by the app."""

    def __init__(
        self,
        people: People,
        oneself: Oneself,
        fetch: Callable[[Wanted, str], Coroutine[Any, Any, Found]],
        hashing: Hashing,
        greeting: Handshake,
        audit: Audit,
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._people = people
        self._oneself = oneself
        self._fetch = fetch
        self._hashing = hashing
        self._greeting = greeting
        self._audit = audit
        self._start = start
        self._guesses = Guesses()

    async def perform(self, connection: Connection, act: AccountAct, done: Done) -> None:
        """Carry out an act, and answer it. Raises Refusal."""
        match act:
            case Register():
                await self._register(connection, act.password)
                done("registered", say("note.registered", connection.lang, name=connection.name))
            case LogIn():
                await self._log_in(connection, act, done)
            case LogOut():
                grant = EVERYWHERE if act.everywhere else connection.grant
                await self._leave(connection, grant)
                done()
                self._oneself.hang_up(connection.person, grant)
            case MakeBot():
                name, token = await self._make_bot(connection, act)
                lang = connection.lang
                text = say("note.bot_token", lang, name=name, scopes=act.scopes, token=token)
                done("bot_token", text)
            case ListBots():
                done("bot_tokens", _listed(await self._bots(connection), connection))
            case RevokeBot():
                bot = await self._bot_named(connection, act.name)
                await self._people.revoke(connection.person, bot.person)
                self._oneself.hang_up(bot.person, EVERYWHERE)
                done("revoked", say("note.revoked", connection.lang, name=bot.name))
            case _:
                assert_never(act)

    # Names that are kept.

    async def _register(self, connection: Connection, password: str) -> None:
        anew = connection.proven or self._audit.has_forgotten(connection.person)
        if connection.account and not anew:
            await self._say_again(connection, password)
        else:
            await self._choose(connection, password, anew=anew)
        connection.proven = True

    async def _say_again(self, connection: Connection, password: str) -> None:
        """A password that somebody has already, perhaps from a line whose answer was lost.

        Raises login_first for any other: who has found a token must not take the account with it.
        """
        try:
            await self._with_password(connection, LogIn(connection.name, password))
        except NotAllowed as refusal:
            if refusal.code == "wrong_login":
                raise NotAllowed("login_first", name=connection.name) from None
            raise

    async def _choose(self, connection: Connection, password: str, *, anew: bool) -> None:
        connection.spend(Cost.ACCOUNT)
        try:
            hashed = await self._hashing.hash(password, connection.person)
            person, grant = connection.person, connection.grant
            network = connection.network
            had = await self._people.register(person, grant, hashed, network, anew=anew)
        except Refusal:
            connection.refund(Cost.ACCOUNT)
            raise
        self._oneself.note_account(connection.person)
        if had:
            # Whoever changes the password may have a reason: he alone stays, and his bots.
            self._oneself.hang_up(connection.person, EVERYWHERE, but=connection.grant)

    async def _log_in(self, connection: Connection, act: LogIn, done: Done) -> None:
        await self._check_may_go(connection)
        row = await self._with_password(connection, act)
        person, grant = connection.person, connection.grant
        coming = await self._people.log_in(row.id, connection.network)
        # Looked at last: nobody slips in while he is being sent away.
        self._audit.check_may_enter(row.id)
        done("logged_in", say("note.logged_in", connection.lang, name=coming.row.name))
        self._greeting.switch_person(connection, coming)
        connection.proven = True
        self._oneself.hang_up(person, grant)
        later = partial(self._leave_for_good, connection, person, grant)
        asyncio.get_running_loop().call_later(HEARD_SECONDS, later)

    def _leave_for_good(self, connection: Connection, person: str, grant: str) -> None:
        """The old token is void once the new one must have arrived; else he comes back by the old.

        That it is good for a month then harms nobody.
        """
        if not connection.gone:
            self._start(self._void(person, grant))

    async def _void(self, person: str, grant: str) -> None:
        try:
            await self._people.log_out(person, grant)
        except NotAllowed as refusal:
            log(logging.WARNING, "old token not made void", why=refusal.code)

    async def _with_password(self, connection: Connection, act: LogIn) -> PersonRow:
        """Whose name and password these are. Raises wrong_login, password_wait, too_much, busy.

        A try counts as wrong before it is looked up, and costs the name one before it is compared.
        Who is nobody, or a guest, is refused like one whose password is another, and as slowly.
        """
        now = asyncio.get_running_loop().time()
        network, key = connection.network, name_key(act.name)
        guessed = ((network, key), network)
        wait = max(self._guesses.wait(each, now) for each in guessed)
        if wait > 0:
            seconds = int(wait) + 1
            raise NotAllowed("password_wait", seconds=seconds, retry_ms=seconds * 1000)
        connection.spend(Cost.WRONG)
        for each in guessed:
            self._guesses.wrong(each, now)
        paid = ""
        try:
            row = await self._people.named(act.name)
            payer = _payer(row, key, network)
            connection.spend(Cost.LOGIN, person=payer)
            paid = payer
            password = "" if row is None else account_of(row).password
            fits = await self._hashing.compare(password, act.password, connection.person)
        except Refusal:
            # Nothing was compared: it was no try.
            for each in guessed:
                self._guesses.forgive(each)
            connection.refund(Cost.WRONG)
            if paid:
                connection.refund(Cost.LOGIN, person=paid)
            raise
        if row is None or not fits:
            raise NotAllowed("wrong_login")
        for each in guessed:
            self._guesses.right(each)
        connection.refund(Cost.WRONG)
        return row

    # Going.

    async def _leave(self, connection: Connection, grant: str) -> None:
        """What let him in is void; a guest without any other is nobody's, and his name free."""
        await self._check_may_go(connection)
        await self._people.log_out(connection.person, grant)

    async def _check_may_go(self, connection: Connection) -> None:
        """NotAllowed (guest_seated) for a guest whom a game waits for: nobody could come back."""
        row = await self._people.person(connection.person)
        if row is None or row.kept:
            return
        found = await self._fetch(_OF_ONE, connection.person)
        seats = [
            room.id
            for room in found.mine
            if room.phase in _RUNNING and connection.person in room.persons
        ]
        if seats:
            raise NotAllowed("guest_seated", rooms=seats)

    # Bots.

    async def _bots(self, connection: Connection) -> tuple[Bot, ...]:
        row = await self._people.person(connection.person)
        if row is None or not row.kept:
            raise NotAllowed("register_first")
        return account_of(row).bots

    async def _make_bot(self, connection: Connection, act: MakeBot) -> tuple[str, str]:
        """A bot's name and its token; without a name, the first one that is free."""
        bots = await self._bots(connection)
        connection.spend(Cost.GUEST)
        names = [act.name] if act.name else _names_for(len(bots) + 1, connection.grant)
        try:
            return await self._first_free(connection.person, names, act)
        except Refusal:
            connection.refund(Cost.GUEST)
            raise

    async def _first_free(self, owner: str, names: list[str], act: MakeBot) -> tuple[str, str]:
        *others, last = names
        for name in others:
            try:
                return await self._people.make_bot(owner, name, act.scopes)
            except NotAllowed as refusal:
                if refusal.code != Code.NAME_TAKEN:
                    raise
        return await self._people.make_bot(owner, last, act.scopes)

    async def _bot_named(self, connection: Connection, name: str) -> Bot:
        bots = {name_key(bot.name): bot for bot in await self._bots(connection)}
        found = bots.get(name_key(name))
        if found is None:
            near = [bots[key].name for key in nearest(name_key(name), bots)]
            raise NotAllowed("no_such_token", given=name, candidates=near)
        return found


def _payer(row: PersonRow | None, key: str, network: str) -> str:
    """Which tries a login uses up: those that all networks share for the name, or a home's own.

    Strangers use up a home's tries only from its own network, or from one in 65,536 that has the
    same mark. A home's tries are bounded, too, so that all guesses at a name are.
    """
    if row is not None:
        mark = home_mark(row.id, network)
        if mark in account_of(row).homes:
            return f"home {mark} {row.id}"
    return f"name {key}"


def _names_for(first: int, grant: str) -> list[str]:
    """Names for a bot: the next numbers, and one that nobody can have taken to keep him from it."""
    secret = zlib.crc32(f"{grant} {first}".encode())
    return [*(f"Bot{number}" for number in range(first, first + _NAMES_TRIED)), f"Bot{secret}"]


def _listed(bots: tuple[Bot, ...], connection: Connection) -> str:
    lang = connection.lang
    if not bots:
        return say("answer.no_bot_tokens", lang)
    return "\n".join(
        say("answer.bot_token", lang, name=bot.name, scopes=bot.scopes, day=_day(bot.made))
        for bot in bots
    )


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
