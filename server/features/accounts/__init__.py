"""Accounts: a name that is kept by a password, `/nick`, logins and logouts, and bots' tokens."""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from bluebear.protocol import Bye, Close, Code, Lang, Note
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood, Refusal
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.suggest import nearest
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.commands.acts import ANSWERED, Tell
from bluebear.server.commands.command import (
    NAME,
    PASSWORD,
    Argument,
    Arguments,
    Command,
    Topic,
    anywhere,
    check_password,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.features.accounts.logins import Logins
from bluebear.server.features.feature import ROW_BYTES, Context, Feature, Services
from bluebear.server.limits import DELIVERED_SECONDS, PASSWORD_LEAST_CHARS
from bluebear.server.net.rate_limits import Cost
from bluebear.server.observe import log
from bluebear.server.people.account import Bot, Scope, account_of
from bluebear.server.people.names import name_key
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say

if TYPE_CHECKING:
    from bluebear.server.rooms.connection import Connection

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
_EVERYWHERE: Final = Argument(
    "everywhere", "choice", optional=True, choices=(Choice("all", ("全部",)),)
)


@dataclass(frozen=True, slots=True)
class NameRequest:
    """A name: a new one of the sender, or one of their bots'."""

    name: str


@dataclass(frozen=True, slots=True)
class RegisterRequest:
    """The password by which the sender keeps their name."""

    password: str


@dataclass(frozen=True, slots=True)
class LoginRequest:
    """The name and password of the person that the sender is."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class LogoutRequest:
    """Void what let the sender in: from here, or from everywhere."""

    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A bot of the sender; "" is a name of the server's choice."""

    name: str
    scopes: tuple[Scope, ...]


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
    but: str


def _register_request(scene: Scene, given: Arguments) -> RegisterRequest:
    return RegisterRequest(_password(scene, given, {"en": "/register", "ja": "/登録"}))


def _login_request(scene: Scene, given: Arguments) -> LoginRequest:
    name = given["name"]
    line: Mapping[Lang, str] = {"en": f"/login {name}", "ja": f"/ログイン {name}"}
    return LoginRequest(name, _password(scene, given, line))


def _password(scene: Scene, given: Arguments, line: Mapping[Lang, str]) -> str:
    """The password of an account; NotUnderstood: account_password, bad_password, short_password.

    `line` is what stands before it. Clients that can prompt for it do so when it is missing, so
    that it need not be typed openly.
    """
    password: str = given.get("password", "")
    if not password:
        raise NotUnderstood("account_password", line=line[scene.speaker.lang])
    check_password(password)
    if len(password) < PASSWORD_LEAST_CHARS:
        raise NotUnderstood("short_password", least=PASSWORD_LEAST_CHARS)
    return password


def _bot_request(scene: Scene, given: Arguments) -> BotRequest:
    """Each token lets its bot look on, whatever else it allows."""
    allowed = (Scope.READ, *given.get("scopes", _USUAL))
    return BotRequest(given.get("name", ""), tuple(scope for scope in Scope if scope in allowed))


class Accounts(Feature):
    """Changes what the people of this node are called and how they are let in."""

    name = "accounts"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._people, self._audit = services.people, services.audit
        self._presence, self._bus = services.presence, services.bus
        self._logins = Logins(services.people, services.hashing)
        self._bus.hears(Renamed, self._apply_name)
        self._bus.hears(Registered, self._apply_account)
        self._bus.hears(GrantRevoked, self._close)

    # Names.

    async def rename(self, ctx: Context, request: NameRequest) -> None:
        """`/nick`. Raises NotAllowed: name_bad, name_taken, with lines as candidates."""
        person = ctx.connection.person
        ctx.connection.pay(ROW_BYTES)
        try:
            row = await self._people.rename(person, request.name)
        except Refusal as refusal:
            refusal.candidates = tuple(f"/nick {each}" for each in refusal.candidates)
            raise
        connections = self._presence.of(person)
        rooms = {room for each in connections for room in each.rooms.values()}
        self._apply_name(Renamed(person, row.name, []))
        self._bus.tell_of(person, Renamed(person, row.name, list(rooms)))

    def _apply_name(self, message: Renamed) -> None:
        """Rooms of this node are notified, but for those that have the name already."""
        person, name, connections = message.person, message.name, self._presence.of(message.person)
        if not connections:
            return
        self._presence.renamed(person, connections[0].name, name)
        rooms: set[str] = set()
        for each in connections:
            each.name = name
            each.send(Note(code="nick", text=say("note.nick", each.lang, name=name)))
            rooms.update(each.rooms.values())
        self.services.rooms.rename(person, name, rooms.difference(message.rooms))

    # Passwords.

    async def register(self, ctx: Context, request: RegisterRequest) -> Tell:
        """`/register`."""
        connection = ctx.connection
        connection.pay(ROW_BYTES)
        anew = connection.proven or self._audit.has_forgotten(connection.person)
        if connection.account and not anew:
            await self._repeat_password(connection, request.password)
        else:
            await self._choose_password(connection, request.password, anew=anew)
        connection.proven = True
        return Tell("registered", say("note.registered", ctx.lang, name=connection.name))

    async def _repeat_password(self, connection: Connection, password: str) -> None:
        """A password that the person has already, perhaps from a line whose reply was lost.

        Raises login_first for any other: a thief of a token must not take the account with it.
        """
        try:
            await self._logins.check(connection, connection.name, password)
        except NotAllowed as refusal:
            if refusal.code == "wrong_login":
                raise NotAllowed("login_first", name=connection.name) from None
            raise

    async def _choose_password(self, connection: Connection, password: str, *, anew: bool) -> None:
        person, grant = connection.person, connection.grant
        with connection.paid(Cost.ACCOUNT):
            hashed = await self.services.hashing.hash(password, person)
            had = await self._people.register(person, grant, hashed, connection.network, anew=anew)
        self._apply_account(Registered(connection.person))
        self._bus.tell_of(connection.person, Registered(connection.person))
        if had:
            # There may be a reason to change it: only this connection stays, and the bots.
            self._revoke(connection.person, _ALL, but=connection.grant)

    def _apply_account(self, message: Registered) -> None:
        rooms: set[str] = set()
        for each in self._presence.of(message.person):
            each.account = True
            rooms.update(each.rooms.values())
        self.services.rooms.note_account(message.person, rooms)

    async def log_in(self, ctx: Context, request: LoginRequest) -> Tell:
        """`/login`."""
        connection = ctx.connection
        connection.pay(ROW_BYTES)
        await self._check_may_go(connection)
        row = await self._logins.check(connection, request.name, request.password)
        person, grant = connection.person, connection.grant
        resumed = await self._people.log_in(row.id, connection.network)
        # Checked last: a person who is banned meanwhile is not let in.
        self._audit.check_may_enter(row.id)
        text = say("note.logged_in", connection.lang, name=resumed.row.name)
        self.reply(ctx, Tell("logged_in", text))
        connection.switch_person(resumed)
        connection.proven = True
        self._revoke(person, grant)
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

    async def log_out(self, ctx: Context, request: LogoutRequest) -> Tell:
        """`/logout`; the name of a guest without another grant is free then."""
        connection = ctx.connection
        grant = _ALL if request.everywhere else connection.grant
        connection.pay(ROW_BYTES)
        await self._check_may_go(connection)
        await self._people.log_out(connection.person, grant)
        self.reply(ctx)
        self._revoke(connection.person, grant)
        return ANSWERED

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

    def _revoke(self, person: str, grant: str, *, but: str = "") -> None:
        """Close the connections that a grant has let in, but for those of another one."""
        message = GrantRevoked(person, grant, but)
        self._close(message)
        self._bus.tell_of(person, message)

    def _close(self, message: GrantRevoked) -> None:
        for each in list(self._presence.of(message.person)):
            if message.grant in (_ALL, each.grant) and each.grant != message.but:
                each.send(Bye(why="logged_out", text=say("bye.logged_out", each.lang)))
                each.close(Close.BYE, "logged out")

    # Bots.

    async def make_bot(self, ctx: Context, request: BotRequest) -> Tell:
        """`/token`: without a name, the first one that is free."""
        connection = ctx.connection
        connection.pay(ROW_BYTES)
        bots = await self._bots(connection)
        names = [request.name] if request.name else _names_for(len(bots) + 1, connection.grant)
        with connection.paid(Cost.GUEST):
            name, token = await self._first_free(connection.person, names, request.scopes)
        scopes = request.scopes
        text = say("note.bot_token", ctx.lang, name=name, scopes=scopes, token=token)
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

    async def list_bots(self, ctx: Context, request: None) -> Tell:
        """`/tokens`."""
        ctx.connection.pay(ROW_BYTES)
        lines = [
            say("answer.bot_token", ctx.lang, name=bot.name, scopes=bot.scopes, day=_day(bot.made))
            for bot in await self._bots(ctx.connection)
        ]
        return Tell("bot_tokens", "\n".join(lines) or say("answer.no_bot_tokens", ctx.lang))

    async def revoke_bot(self, ctx: Context, request: NameRequest) -> Tell:
        """`/revoke`. Raises NotAllowed: register_first, no_such_token."""
        ctx.connection.pay(ROW_BYTES)
        bots = {name_key(bot.name): bot for bot in await self._bots(ctx.connection)}
        bot = bots.get(name_key(request.name))
        if bot is None:
            near = [bots[key].name for key in nearest(name_key(request.name), bots)]
            raise NotAllowed("no_such_token", given=request.name, candidates=near)
        await self._people.revoke(ctx.connection.person, bot.person)
        self._revoke(bot.person, _ALL)
        return Tell("revoked", say("note.revoked", ctx.lang, name=bot.name))

    async def _bots(self, connection: Connection) -> tuple[Bot, ...]:
        row = await self._people.person(connection.person)
        if row is None or not row.kept:
            raise NotAllowed("register_first")
        return account_of(row).bots

    commands = (
        Command(
            "nick",
            anywhere(),
            names=("名前",),
            arguments=(NAME,),
            not_for_bots=True,
            topic=Topic.ROOMS,
            run=rename,
            request=NameRequest,
        ),
        Command(
            "register",
            anywhere(),
            names=("登録",),
            arguments=(PASSWORD,),
            secret=True,
            needs_full_name=True,
            not_for_bots=True,
            topic=Topic.PEOPLE,
            run=register,
            request=RegisterRequest,
            read=_register_request,
        ),
        Command(
            "login",
            anywhere(),
            names=("ログイン",),
            arguments=(NAME, PASSWORD),
            secret=True,
            not_for_bots=True,
            topic=Topic.PEOPLE,
            run=log_in,
            request=LoginRequest,
            read=_login_request,
        ),
        Command(
            "logout",
            anywhere(),
            names=("ログアウト",),
            arguments=(_EVERYWHERE,),
            needs_full_name=True,
            not_for_bots=True,
            topic=Topic.PEOPLE,
            run=log_out,
            request=LogoutRequest,
            read=lambda scene, given: LogoutRequest(everywhere="everywhere" in given),
        ),
        Command(
            "token",
            anywhere(),
            names=("トークン",),
            arguments=(
                Argument("name", "name", optional=True),
                Argument("scopes", "scopes", optional=True, choices=_SCOPES),
            ),
            not_for_bots=True,
            topic=Topic.PEOPLE,
            run=make_bot,
            request=BotRequest,
            read=_bot_request,
        ),
        Command(
            "tokens",
            anywhere(),
            names=("トークン一覧",),
            not_for_bots=True,
            topic=Topic.PEOPLE,
            run=list_bots,
        ),
        Command(
            "revoke",
            anywhere(),
            names=("トークン取消",),
            arguments=(NAME,),
            needs_full_name=True,
            not_for_bots=True,
            topic=Topic.PEOPLE,
            run=revoke_bot,
            request=NameRequest,
        ),
    )


def _names_for(first: int, grant: str) -> list[str]:
    """Names for a bot: the next numbers, and one that no other person can have taken on purpose."""
    secret = zlib.crc32(f"{grant} {first}".encode())
    return [*(f"Bot{number}" for number in range(first, first + _NAME_ATTEMPTS)), f"Bot{secret}"]


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
