"""Who comes in: what a client may ask before there is a name, and its hello."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Final

from msgspec import to_builtins

from bluebear.protocol import Bye, Close, Error, Hello, Note, Welcome
from bluebear.protocol.limits import ENTRY_PASSWORD_MAX
from bluebear.rules.core.lessons import lessons_of
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.cluster.room_leases import Membership
from bluebear.server.config import Config
from bluebear.server.features.feature import Features, Services
from bluebear.server.lookups import GameLink, OfferedGame, ServerInfo
from bluebear.server.net.dispatch import Work
from bluebear.server.net.pages import pack_json
from bluebear.server.net.rate_limits import Cost, TickLimiter
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import AuthenticatedPerson
from bluebear.server.room.options import entry_of, option_names, options_for
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.house_bots import BotAssignment
from bluebear.server.rooms.loading import RoomLink, about_room
from bluebear.server.runtime import count, token_hash
from bluebear.server.sentences import refusal_text, retry_ms, say

PROTOCOL: Final = 1
_HOUSE_RATE: Final = 1_000_000


def plain_password(text: str) -> str:
    """The same password, whether it was typed in full or half width."""
    return unicodedata.normalize("NFKC", text).strip()


class NoEntryPasswordError(Exception):
    """The file that should have the password for newcomers cannot be read, or has none."""


async def entry_hash(config: Config) -> str:
    """The hash of the password for newcomers; the password itself is not kept."""
    if config.entry_password_file is None:
        return ""
    try:
        text = config.entry_password_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise NoEntryPasswordError from problem
    password = plain_password(text.partition("\n")[0])
    if not 1 <= len(password) <= ENTRY_PASSWORD_MAX:
        raise NoEntryPasswordError
    return await Hashing().hash(password)


_LOGIN_NOTICES: Final = {
    "elsewhere": ("note.elsewhere_near", "note.elsewhere_far"),
    "old_token": ("note.old_token_near", "note.old_token_far"),
}
"""The sentences where both have one address, and where not."""


class LoginNotice(NodeMessage, frozen=True):
    """A client connects as a person, from a network: the person is notified, it may be a thief.

    `code` is "elsewhere", "old_token" where the client was refused, or "" for one that has followed
    a room from another connection of the person: of that there is no notice. `grant` is the id of
    the login whose token was used.
    """

    person: str
    network: str
    code: str
    grant: str = ""


class PublicInfo:
    """Replies to `/about` paths; owned by the app. `tells` of rooms: no password is asked for."""

    def __init__(self, services: Services, *, tells: bool) -> None:
        self._resources = services.resources
        self._look_ups = services.look_ups
        self._tells = tells

    @property
    def public_url(self) -> str:
        """The address of this server, by now."""
        return self._resources.public_url

    async def about(self, path: str) -> bytes:
        """What is asked before there is a name: of the server, an invite, a room, an old game."""
        names = path.split("/")[2:]
        if not names:
            return self._server_info
        try:
            # Where newcomers need a password, rooms are shown only to people who have given it.
            return pack_json(await self._link(names) if self._tells else None)
        except NotAllowed:
            # null, not 404: to know nothing of a room is an answer like any other.
            return pack_json(None)

    async def _link(self, names: Sequence[str]) -> RoomLink | GameLink | None:
        match names:
            case ["invite", token]:
                line = await self._look_ups.room_of_invite(token_hash(token))
            case ["room", number]:
                # By number only what is listed: numbers can be guessed, and here no tries count.
                line = await self._look_ups.room(number, "")
            case ["game", game_id]:
                return await self._look_ups.about_finished(game_id)
            case _:
                return None
        return None if line is None else about_room(line)

    @cached_property
    def _server_info(self) -> bytes:
        """Packed when the first browser asks: most servers of tests never meet one."""
        games: list[OfferedGame] = [
            {
                **entry_of(game.info),
                "lessons": len(lessons_of(game.package)),
                "options": [option_names(option) for option in options_for(game).values()],
            }
            for game in self._resources.games.values()
        ]
        info: ServerInfo = {"server": self._resources.version, "games": games}
        return pack_json(to_builtins(info))


class Handshake:
    """Owned by the app."""

    def __init__(
        self, services: Services, entry_hash: str, turns: TickLimiter, features: Features
    ) -> None:
        self._resources = services.resources
        self._people, self._audit = services.people, services.resources.audit
        self._presence, self._peers = services.presence, services.bus
        self._rooms, self._hashing = services.rooms, services.hashing
        self._features = features
        self._entry_hash = entry_hash
        self._start = services.tasks.start
        self._turns = turns
        self.membership: Membership | None = None
        """Has the addresses of nodes for the welcome; set by the app of a node."""
        self._peers.hears(LoginNotice, self._notify)

    def hello(self, connection: Connection, hello: Hello) -> None:
        """A client says who it is, and is welcomed or refused."""
        if connection.expected:
            # A second hello while the first one is being answered would make a second guest.
            _refuse(connection, NotAllowed("bad_message"))
            return
        connection.lang = hello.langs[0]
        connection.wants = frozenset(hello.wants)
        connection.human, connection.beside = not hello.bot, hello.beside
        lowest, highest = hello.protocol
        if not lowest <= PROTOCOL <= highest:
            _refuse(connection, NotAllowed("wrong_protocol", known=PROTOCOL))
        elif self._is_house(connection, hello.token or ""):
            return
        elif connection.is_private:
            # At the port of house bots no client is counted, so no other is let in.
            _refuse(connection, NotAllowed("unauthorized"))
        elif hello.token is None:
            work = partial(self._new_guest, connection, hello.name, hello.password)
            self._expect(connection, work)
        else:
            self._expect(connection, partial(self._resume, connection, hello.token))

    def _is_house(self, connection: Connection, token: str) -> bool:
        """Whether this is a house bot or their process, which is let in then."""
        if self._rooms.house.is_control(token):
            self._take_control(connection)
            return True
        assignment = self._rooms.house.take_ticket(token)
        if assignment is None:
            return False
        self._take_seat(connection, assignment)
        return True

    def _expect(self, connection: Connection, work: Work) -> None:
        connection.expected = True
        self._start(self._answer(connection, work))

    async def _answer(self, connection: Connection, work: Work) -> None:
        try:
            await work()
        except Refusal as refusal:
            _refuse(connection, refusal)
        finally:
            connection.expected = False

    async def _new_guest(
        self, connection: Connection, name: str | None, password: str | None
    ) -> None:
        self._audit.check_open()
        await self._check_entry_password(password, connection)
        connection.spend(Cost.GUEST)
        called = name or f"Guest{1000 + int.from_bytes(self._resources.fresh(4), 'big') % 9000}"
        try:
            guest = await self._people.guest(called, human=connection.human)
        except Refusal:
            connection.refund(Cost.GUEST)
            raise
        await self._turns.wait()
        self._welcome(connection, guest)

    async def _check_entry_password(self, password: str | None, connection: Connection) -> None:
        """Raises NotAllowed: entry_password, wrong_entry_password, too_much, busy."""
        if not self._entry_hash:
            return
        if not password:
            raise NotAllowed("entry_password")
        # Spent until it is known to be right: guesses may come all at once.
        with connection.paid(Cost.ENTRY):
            right = await self._hashing.fits(self._entry_hash, plain_password(password))
        if not right:
            raise NotAllowed("wrong_entry_password")
        connection.refund(Cost.ENTRY)

    async def _resume(self, connection: Connection, token: str) -> None:
        # Spent as a wrong try until it is known to be right: guesses may come all at once.
        connection.spend(Cost.WRONG)
        network = connection.network
        coming = await self._people.resume(token, network, rotates=not connection.beside)
        if coming is None:
            raise NotAllowed("unauthorized")
        if not coming.token:
            self._peers.tell_all(LoginNotice(coming.row.id, network, "old_token"))
            raise NotAllowed("token_replaced")
        connection.refund(Cost.WRONG)
        await self._turns.wait()
        self._audit.check_may_enter(coming.row.id, coming.account.owner)
        connection.resumed = True
        count("connections.resumed")
        connection.human = coming.row.human
        account = coming.account
        if account.owner:
            connection.scopes, connection.owner = frozenset(account.scopes), account.owner
        self._welcome(connection, coming)
        await self._people.note_use(coming)

    def _welcome(self, connection: Connection, coming: AuthenticatedPerson) -> None:
        if connection.is_disconnected or connection.greeted:
            return
        self._be(connection, coming)

    def switch_person(self, connection: Connection, coming: AuthenticatedPerson) -> None:
        """Another person is connected from now on, and gets another welcome."""
        if connection.is_disconnected:
            return
        for room in list(connection.rooms.values()):
            self._rooms.leave(connection, room)
        self._presence.disconnected(connection)
        self._be(connection, coming)

    def _be(self, connection: Connection, coming: AuthenticatedPerson) -> None:
        row = coming.row
        connection.since = self._resources.clock.now()
        connection.set_lists(coming.account.lists)
        connection.account = bool(coming.account.password)
        connection.proven = False
        # The name may have changed on another connection while the row was read.
        peers = self._presence.of(row.id)
        name = peers[0].name if peers else row.name
        connection.is_now(row.id, name, coming.grant.id)
        self._greet(connection)
        code = "" if connection.beside else "elsewhere"
        self._peers.tell_all(LoginNotice(row.id, connection.network, code, coming.grant.id))
        self._presence.connected(connection)
        staying = self._staying(row.id)
        for oldest in staying[: max(0, len(staying) - limits.CONNECTIONS_PER_PERSON)]:
            oldest.send(Bye(why="replaced", text=say("bye.replaced", oldest.lang)))
            oldest.close(Close.REPLACED, "replaced")
        if self._peers.ids:
            self._start(self._read_away(row.id))
        self._send_welcome(connection, row.id, connection.name, coming.token)
        self._features.entered_lobby(connection)

    def _staying(self, person: str) -> list[Connection]:
        return [each for each in self._presence.of(person) if not each.closing]

    def _notify(self, notice: LoginNotice) -> None:
        """Notify a person who is here that a client connects as them; it may be a thief.

        Another tab of a browser, and one that returns, has its login and its address: no notice.
        """
        for each in self._staying(notice.person) if notice.code else ():
            near, far = _LOGIN_NOTICES[notice.code]
            is_near = each.network == notice.network
            if is_near and notice.code == "elsewhere" and each.grant == notice.grant:
                continue
            key = near if is_near else far
            each.send(Note(code=notice.code, text=say(key, each.lang)))

    async def _read_away(self, person: str) -> None:
        """A person who is away at another node is away here."""
        for _, _, row in await self._peers.attendants([person]):
            if row.away is not None:
                self._presence.set_away(person, row.away)

    def _send_welcome(self, connection: Connection, person: str, name: str, token: str) -> None:
        connection.send(
            Welcome(
                protocol=PROTOCOL,
                person=person,
                name=name,
                token=token,
                lang=connection.lang,
                server=self._resources.version,
                now=self._resources.clock.now(),
                nodes=self.membership.addresses() if self.membership else (),
            )
        )

    def _greet(self, connection: Connection) -> None:
        connection.cancel_hello_timeout()
        # Any client can claim to be a bot: without the token of one it has the limits of a person.
        burst, rate = limits.LINE_BURST, limits.LINES_PER_SECOND
        if connection.scopes is not None:
            burst, rate = limits.BOT_LINE_BURST, limits.BOT_LINES_PER_SECOND
        if connection.is_house or not (connection.human or self._resources.config.bounded):
            burst = rate = _HOUSE_RATE
        now = asyncio.get_running_loop().time()
        connection.greet(now, burst=burst, per_second=rate)

    def _take_control(self, connection: Connection) -> None:
        connection.is_control = connection.is_house = True
        connection.human = False
        self._greet(connection)
        self._send_welcome(connection, "house", "@house", "")
        self._rooms.house.control(connection)

    def _take_seat(self, connection: Connection, assignment: BotAssignment) -> None:
        connection.house_seat, connection.is_house = assignment.seat, True
        connection.human = False
        name = self._rooms.take_assignment(connection, assignment)
        if name is None:
            connection.close(Close.BYE, "not wanted any more")
            return
        self._greet(connection)
        self._send_welcome(connection, "house", name, "")
        self._rooms.attach(connection, assignment.room)


def _refuse(connection: Connection, refusal: Refusal) -> None:
    count(f"refused.{refusal.code}")
    text = refusal_text(refusal, connection.lang)
    connection.send(
        Error(
            code=refusal.code, text=text, candidates=refusal.candidates, retry_ms=retry_ms(refusal)
        )
    )
