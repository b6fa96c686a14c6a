"""Accounts: a name that is kept by a password, `/nick`, logins and logouts, and bots' tokens."""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from bluebear.protocol import Bye, Close, Code, Lang, Note
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood, Refusal
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.suggest import nearest
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.commands.acts import ANSWERED, Tell
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere, check_password
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import ROW_BYTES, Context, Feature, Services
from bluebear.server.limits import DELIVERED_SECONDS, PASSWORD_LEAST_CHARS
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.account import Bot, Scope, account_of, home_mark
from bluebear.server.people.names import name_key
from bluebear.server.people.passwords import Guesses
from bluebear.server.room.options import day_of
from bluebear.server.room.state import Phase
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import log
from bluebear.server.sentences import say
from bluebear.server.store import PersonRow

_RUNNING: Final = (Phase.PLAYING, Phase.PAUSED)
_NAME_ATTEMPTS: Final = 10
_ALL: Final = "all"
"""Instead of one grant: all grants of a person."""
_SCOPES: Final = (
    Choice(Scope.READ, ("閲覧",)),
    Choice(Scope.CHAT, ("会話",)),
    Choice(Scope.PLAY, ("対局",)),
    Choice(Scope.HOST, ("ホスト",)),
)
_USUAL: Final = (Scope.READ, Scope.CHAT, Scope.PLAY)


class Renamed(NodeMessage, frozen=True):
    """A person has another name; these rooms have it already."""

    person: str
    name: str
    rooms: list[str]


class Registered(NodeMessage, frozen=True):
    """A person has an account from now on."""

    person: str


class GrantRevoked(NodeMessage, frozen=True):
    """A grant by which a person is connected is void, but for the grant `but`."""

    person: str
    grant: str
    but: str = ""


def _with_password(lines: Mapping[Lang, str], scene: Scene, given: Arguments) -> Arguments:
    """The arguments, once they have the password of an account.

    NotUnderstood: account_password, bad_password, short_password. `lines` is what stands before it,
    without the name. Clients that can prompt for it do so when it is missing, so that it need not
    be typed openly.
    """
    password: str = given.get("password", "")
    if not password:
        line = f"{lines[scene.speaker.lang]} {given.get('name', '')}".rstrip()
        raise NotUnderstood("account_password", line=line)
    check_password(password)
    if len(password) < PASSWORD_LEAST_CHARS:
        raise NotUnderstood("short_password", least=PASSWORD_LEAST_CHARS)
    return given


_personal: Final = partial(Command, allowed=anywhere(), not_for_bots=True)
"""A command that a person gives for themselves: no bot may."""


class Accounts(Feature):
    """Changes what the people of this node are called and how they are let in."""

    name = "accounts"
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._people, self._audit = services.people, services.resources.audit
        self._guesses = Guesses()
        self.bus.hears(Renamed, self._apply_name)
        self.bus.hears(Registered, self._apply_account)
        self.bus.hears(GrantRevoked, self._close)

    # Names.

    @_personal("nick name", names=("名前",), topic=Topic.ROOMS)
    async def rename(self, ctx: Context, name: str) -> None:
        """`/nick`. Raises NotAllowed: name_bad, name_taken, with lines as candidates."""
        person = ctx.connection.person
        ctx.connection.pay(ROW_BYTES)
        try:
            row = await self._people.rename(person, name)
        except Refusal as refusal:
            refusal.candidates = tuple(f"/nick {each}" for each in refusal.candidates)
            raise
        connections = self.presence.of(person)
        rooms = {room for each in connections for room in each.rooms.values()}
        self._apply_name(Renamed(person, row.name, []))
        self.bus.tell(Renamed(person, row.name, list(rooms)))

    def _apply_name(self, message: Renamed) -> None:
        """Rooms of this node are notified, but for those that have the name already."""
        person, name, connections = message.person, message.name, self.presence.of(message.person)
        if not connections:
            return
        self.presence.renamed(person, connections[0].name, name)
        rooms: set[str] = set()
        for each in connections:
            each.name = name
            each.send(Note(code="nick", text=say("note.nick", each.lang, name=name)))
            rooms.update(each.rooms.values())
        self.services.rooms.rename(person, name, rooms.difference(message.rooms))

    # Passwords.

    @_personal(
        "register password?",
        handler=partial(_with_password, {"en": "/register", "ja": "/登録"}),
        names=("登録",),
        secret=True,
        needs_full_name=True,
    )
    async def register(self, ctx: Context, password: str) -> Tell:
        """`/register`."""
        connection = ctx.connection
        connection.pay(ROW_BYTES)
        anew = connection.proven or self._audit.has_forgotten(connection.person)
        if connection.account and not anew:
            await self._repeat_password(connection, password)
        else:
            await self._choose_password(connection, password, anew=anew)
        connection.proven = True
        return Tell("registered", say("note.registered", ctx.lang, name=connection.name))

    async def _repeat_password(self, connection: Connection, password: str) -> None:
        """A password that the person has already, perhaps from a line whose reply was lost.

        Raises login_first for any other: a thief of a token must not take the account with it.
        """
        try:
            await self._check_login(connection, connection.name, password)
        except NotAllowed as refusal:
            if refusal.code == "wrong_login":
                raise NotAllowed("login_first", name=connection.name) from None
            raise

    async def _choose_password(self, connection: Connection, password: str, *, anew: bool) -> None:
        person, grant = connection.person, connection.grant
        with connection.paid(Cost.ACCOUNT):
            hashed = await self.services.hashing.hash(password, person)
            had = await self._people.register(person, grant, hashed, connection.network, anew=anew)
        self.bus.tell_all(Registered(connection.person))
        if had:
            # There may be a reason to change it: only this connection stays, and the bots.
            self.bus.tell_all(GrantRevoked(connection.person, _ALL, connection.grant))

    def _apply_account(self, message: Registered) -> None:
        rooms: set[str] = set()
        for each in self.presence.of(message.person):
            each.account = True
            rooms.update(each.rooms.values())
        self.services.rooms.note_account(message.person, rooms)

    @_personal(
        "login name password?",
        handler=partial(_with_password, {"en": "/login", "ja": "/ログイン"}),
        names=("ログイン",),
        secret=True,
    )
    async def log_in(self, ctx: Context, name: str, password: str) -> Tell:
        """`/login`."""
        connection = ctx.connection
        connection.pay(ROW_BYTES)
        await self._check_may_go(connection)
        row = await self._check_login(connection, name, password)
        person, grant = connection.person, connection.grant
        resumed = await self._people.log_in(row.id, connection.network)
        # Checked last: a person who is banned meanwhile is not let in.
        self._audit.check_may_enter(row.id)
        text = say("note.logged_in", connection.lang, name=resumed.row.name)
        ctx.reply(Tell("logged_in", text))
        connection.handler.switch_person(connection, resumed)
        connection.proven = True
        self.bus.tell_all(GrantRevoked(person, grant))
        later = partial(self._void_later, connection, person, grant)
        asyncio.get_running_loop().call_later(DELIVERED_SECONDS, later)
        return ANSWERED

    def _void_later(self, connection: Connection, person: str, grant: str) -> None:
        """The old token is void once the new one must have arrived; else the old one is used again.

        That it is good for a month then harms no one.
        """
        if not connection.is_disconnected:
            self.services.tasks.start(self._void(person, grant))

    async def _void(self, person: str, grant: str) -> None:
        try:
            await self._people.log_out(person, grant)
        except NotAllowed as refusal:
            log(logging.WARNING, "old token not made void", why=refusal.code)

    # The end.

    @_personal(
        "logout everywhere?",
        names=("ログアウト",),
        needs_full_name=True,
        choices={"everywhere": (Choice("all", ("全部",)),)},
    )
    async def log_out(self, ctx: Context, everywhere: str = "") -> Tell:
        """`/logout`; the name of a guest without another grant is free then."""
        connection = ctx.connection
        grant = _ALL if everywhere else connection.grant
        connection.pay(ROW_BYTES)
        await self._check_may_go(connection)
        await self._people.log_out(connection.person, grant)
        ctx.reply()
        self.bus.tell_all(GrantRevoked(connection.person, grant))
        return ANSWERED

    async def _check_login(self, connection: Connection, name: str, password: str) -> PersonRow:
        """The person with this name and password.

        Raises NotAllowed: wrong_login, password_wait, too_much, busy.
        A try counts as wrong before it is looked up, and costs the name one before it is compared.
        The name of a guest, or of no person, is refused like a wrong password, and as slowly.
        """
        network, key = connection.network, name_key(name)
        guessed = ((network, key), network)
        self._guesses.check(*guessed)
        with connection.paid(Cost.WRONG), self._guesses.attempt(*guessed):
            row = await self._people.find_by_name(name)
            hashed = "" if row is None else account_of(row).password
            with connection.paid(Cost.LOGIN, person=_payer(row, key, network)):
                hashing = self.services.hashing
                fits = await hashing.compare(hashed, password, connection.person)
        if row is None or not fits:
            raise NotAllowed("wrong_login")
        for each in guessed:
            self._guesses.right(each)
        connection.refund(Cost.WRONG)
        return row

    async def _check_may_go(self, connection: Connection) -> None:
        """NotAllowed (guest_seated) for a guest with a seat in a running game.

        They could not come back to it.
        """
        row = await self._people.person(connection.person)
        if row is None or row.kept:
            return
        seats = [
            room.id
            for room in await self.services.look_ups.my_rooms(connection.person)
            if room.phase in _RUNNING and connection.person in room.persons
        ]
        if seats:
            raise NotAllowed("guest_seated", rooms=seats)

    def _close(self, message: GrantRevoked) -> None:
        """Close the connections that a grant has let in, but for those of another one."""
        for each in list(self.presence.of(message.person)):
            if message.grant in (_ALL, each.grant) and each.grant != message.but:
                each.send(Bye(why="logged_out", text=say("bye.logged_out", each.lang)))
                each.close(Close.BYE, "logged out")

    # Bots.

    @_personal("token name? scopes:scopes?", names=("トークン",), choices={"scopes": _SCOPES})
    async def make_bot(self, ctx: Context, name: str = "", scopes: Sequence[str] = _USUAL) -> Tell:
        """`/token`: without a name, the first one that is free.

        Each token lets its bot look on, whatever else it allows.
        """
        connection = ctx.connection
        connection.pay(ROW_BYTES)
        bots = await self._bots(connection)
        names = [name] if name else _names_for(len(bots) + 1, connection.grant)
        allowed = tuple(each for each in Scope if each in (Scope.READ, *scopes))
        with connection.paid(Cost.GUEST):
            name, token = await self._first_free(connection.person, names, allowed)
        text = say("note.bot_token", ctx.lang, name=name, scopes=allowed, token=token)
        return Tell("bot_token", text)

    async def _first_free(
        self, owner: str, names: list[str], scopes: tuple[Scope, ...]
    ) -> tuple[str, str]:
        *first, last = names
        for name in first:
            try:
                return await self._people.make_bot(owner, name, scopes)
            except NotAllowed as refusal:
                if refusal.code != Code.NAME_TAKEN:
                    raise
        return await self._people.make_bot(owner, last, scopes)

    @_personal("tokens", names=("トークン一覧",), is_query=True)
    async def list_bots(self, ctx: Context) -> Tell:
        """`/tokens`."""
        ctx.connection.pay(ROW_BYTES)
        lines = [
            say(
                "answer.bot_token", ctx.lang, name=bot.name, scopes=bot.scopes, day=day_of(bot.made)
            )
            for bot in await self._bots(ctx.connection)
        ]
        return Tell("bot_tokens", "\n".join(lines) or say("answer.no_bot_tokens", ctx.lang))

    @_personal("revoke name", names=("トークン取消",), needs_full_name=True)
    async def revoke_bot(self, ctx: Context, name: str) -> Tell:
        """`/revoke`. Raises NotAllowed: register_first, no_such_token."""
        ctx.connection.pay(ROW_BYTES)
        bots = {name_key(bot.name): bot for bot in await self._bots(ctx.connection)}
        bot = bots.get(name_key(name))
        if bot is None:
            near = [bots[key].name for key in nearest(name_key(name), bots)]
            raise NotAllowed("no_such_token", given=name, candidates=near)
        await self._people.revoke(ctx.connection.person, bot.person)
        self.bus.tell_all(GrantRevoked(bot.person, _ALL))
        return Tell("revoked", say("note.revoked", ctx.lang, name=bot.name))

    async def _bots(self, connection: Connection) -> tuple[Bot, ...]:
        row = await self._people.person(connection.person)
        if row is None or not row.kept:
            raise NotAllowed("register_first")
        return account_of(row).bots


def _payer(row: PersonRow | None, key: str, network: str) -> str:
    """Which tries a login uses up: those that all networks share for the name, or a home's.

    Strangers use up a home's tries only from its own network, or from one in 65,536 that has the
    same mark. A home's tries are bounded, too, so that all guesses at a name are.
    """
    if row is not None:
        mark = home_mark(row.id, network)
        if mark in account_of(row).homes:
            return f"home {mark} {row.id}"
    return f"name {key}"


def _names_for(first: int, grant: str) -> list[str]:
    """Names for a bot: the next numbers, and one that no other person can have taken on purpose."""
    secret = zlib.crc32(f"{grant} {first}".encode())
    return [*(f"Bot{number}" for number in range(first, first + _NAME_ATTEMPTS)), f"Bot{secret}"]
