"""Hello: who somebody is, as a new guest, by a token, or as one of the house's bots."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct

from bluebear.protocol import Bye, Close, Error, Hello, Note, Welcome
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.edge.connection import Connection, ServerFeatures
from bluebear.server.edge.presence import Presence
from bluebear.server.limits import CONNECTIONS_PER_PERSON, LINE_BURST, LINES_PER_SECOND
from bluebear.server.net.budget import network_of
from bluebear.server.net.cpu_meter import TickLimiter
from bluebear.server.net.dispatch import Work
from bluebear.server.net.rate_limits import Cost
from bluebear.server.observe import count
from bluebear.server.people.audit import Audit
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import Coming, People
from bluebear.server.resources import Resources
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.rooms.house_bots import BotAssignment
from bluebear.server.sentences import refusal_text, retry_ms, say
from bluebear.server.tasks import Tasks

_COMES: Final = {
    "elsewhere": ("note.elsewhere_near", "note.elsewhere_far"),
    "old_token": ("note.old_token_near", "note.old_token_far"),
}
"""The sentences where both have one address, and where not."""


class Known(Struct, array_like=True, frozen=True):
    """When a person's connections to a node have started (ms), and their text if away."""

    came: list[int]
    away: str | None


class ComesToo(NodeMessage, frozen=True):
    """A client connects as a person, from a network: the person is notified, it may be a thief.

    `code` is "elsewhere", "old_token" where the client was refused, or "" for one that has followed
    a room from another connection of the person: of that there is no notice.
    """

    person: str
    network: str
    code: str
    answer: ClassVar[object] = Known


class Replaced(NodeMessage, frozen=True):
    """A person has too many connections: so many, the oldest, end."""

    person: str
    count: int


class Oneself:
    """Owned by the app."""

    def __init__(self, presence: Presence, peers: Peers, tasks: Tasks) -> None:
        self.presence = presence
        self._peers = peers
        self._start = tasks.start
        peers.hears(Replaced, lambda message: self._replace(message.person, message.count))
        peers.hears(ComesToo, self._comes_elsewhere)

    def tried(self, connection: Connection, person: str) -> None:
        """A client was refused as a person, by a token that was replaced."""
        login = ComesToo(person, network_of(connection.address), "old_token")
        self._tell(login)
        self._peers.tell_of(person, login)

    def comes(self, connection: Connection) -> None:
        """A connection is about to be a person's: their others are notified."""
        self._tell(self._login_of(connection))

    def _login_of(self, connection: Connection) -> ComesToo:
        code = "" if connection.beside else "elsewhere"
        return ComesToo(connection.person, network_of(connection.address), code)

    def has_come(self, connection: Connection) -> None:
        """It is theirs: of too many the oldest end."""
        person = connection.person
        self._replace(person, len(self._staying(person)) - CONNECTIONS_PER_PERSON)
        if self._peers.ids:
            self._start(self._comes_too(connection))

    async def _comes_too(self, connection: Connection) -> None:
        """The same for the person's connections at other nodes."""
        person = connection.person
        nodes = (await self._peers.where([person])).get(person, ())
        login = self._login_of(connection)
        replies = await asyncio.gather(*(self._peers.ask([node], login) for node in nodes))
        known: dict[str, Known] = {
            n: each[0] for n, each in zip(nodes, replies, strict=True) if each
        }
        if not known or connection.gone:
            return
        for each in known.values():
            if each.away is not None:
                self.presence.goes_away(person, each.away)
        ages = [(each.came_at, "") for each in self._staying(person)]
        ages += [(at, node) for node, each in known.items() for at in each.came]
        for node in {node for _, node in ages}:
            surplus = sorted(ages)[:-CONNECTIONS_PER_PERSON]
            count = sum(each == node for _, each in surplus)
            if count and node:
                await self._peers.ask([node], Replaced(person, count))
            else:
                self._replace(person, count)

    def _staying(self, person: str) -> list[Connection]:
        return [each for each in self.presence.of(person) if not each.closing]

    def _replace(self, person: str, count: int) -> None:
        for oldest in self._staying(person)[: max(0, count)]:
            oldest.send(Bye(why="replaced", text=say("bye.replaced", oldest.lang)))
            oldest.close(Close.REPLACED, "replaced")

    def _comes_elsewhere(self, login: ComesToo) -> Known:
        self._tell(login)
        came = [each.came_at for each in self._staying(login.person)]
        return Known(came, self.presence.away(login.person))

    def _tell(self, login: ComesToo) -> None:
        """Notify a person who is here that a client connects as them; it may be a thief."""
        for each in self._staying(login.person) if login.code else ():
            near, far = _COMES[login.code]
            key = near if network_of(each.address) == login.network else far
            each.send(Note(code=login.code, text=say(key, each.lang)))


PROTOCOL: Final = 1
_HOUSE_RATE: Final = 1_000_000


def plain_password(text: str) -> str:
    """The same password, in whatever width it was typed."""
    return unicodedata.normalize("NFKC", text).strip()


class EntryPassword:
    """The password that a server asks newcomers for; `hashed` by argon2, "" where there is none."""

    def __init__(self, hashed: str, hashing: Hashing) -> None:
        self._hashed = hashed
        self._hashing = hashing

    @property
    def is_open(self) -> bool:
        """Whether newcomers need no password."""
        return not self._hashed

    async def check(self, password: str | None, connection: Connection) -> None:
        """Raises NotAllowed: entry_password, wrong_entry_password, too_much, busy."""
        if not self._hashed:
            return
        if not password:
            raise NotAllowed("entry_password")
        # Spent until it is known to be right: guesses may come all at once.
        connection.spend(Cost.ENTRY)
        try:
            right = await self._hashing.fits(self._hashed, plain_password(password))
        except NotAllowed:
            connection.refund(Cost.ENTRY)
            raise
        if not right:
            raise NotAllowed("wrong_entry_password")
        connection.refund(Cost.ENTRY)


class Handshake:
    """Owned by the app."""

    def __init__(
        self,
        resources: Resources,
        people: People,
        oneself: Oneself,
        engine: RoomAccess,
        audit: Audit,
        entry: EntryPassword,
        turns: TickLimiter,
    ) -> None:
        self._resources = resources
        self._people = people
        self._presence = oneself.presence
        self._oneself = oneself
        self._engine = engine
        self._audit = audit
        self._entry = entry
        self._start = resources.tasks.start
        self._turns = turns
        self.nodes: Callable[[], tuple[str, ...]] = tuple
        """Addresses of nodes for the welcome, that of this one first; set by a node."""
        self.features: ServerFeatures
        """Notified once a connection is welcome; set by the app."""

    def hello(self, connection: Connection, hello: Hello) -> None:
        """Somebody says who he is; he is welcomed, or told what is wrong."""
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
            # Nobody is counted where the house comes in, so nobody else is let in there.
            _refuse(connection, NotAllowed("unauthorized"))
        elif hello.token is None:
            work = partial(self._new_guest, connection, hello.name, hello.password)
            self._expect(connection, work)
        else:
            self._expect(connection, partial(self._resume, connection, hello.token))

    def _is_house(self, connection: Connection, token: str) -> bool:
        """Whether this is one of the house's own, who is let in then."""
        if self._engine.house.is_control(token):
            self._take_control(connection)
            return True
        post = self._engine.house.take_ticket(token)
        if post is None:
            return False
        self._take_post(connection, post)
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
        await self._entry.check(password, connection)
        connection.spend(Cost.GUEST)
        called = name or f"Guest{1000 + int.from_bytes(self._resources.fresh(4), 'big') % 9000}"
        try:
            guest = await self._people.guest(called, human=connection.human)
        except Refusal:
            connection.refund(Cost.GUEST)
            raise
        await self._turns.wait()
        self._welcome(connection, guest)

    async def _resume(self, connection: Connection, token: str) -> None:
        # Spent as a wrong try until it is known to be right: guesses may come all at once.
        connection.spend(Cost.WRONG)
        network = connection.network
        coming = await self._people.come_in(token, network, rotates=not connection.beside)
        if coming is None:
            raise NotAllowed("unauthorized")
        if not coming.token:
            self._oneself.tried(connection, coming.row.id)
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

    def _welcome(self, connection: Connection, coming: Coming) -> None:
        if connection.gone or connection.greeted:
            return
        self._be(connection, coming)

    def switch_person(self, connection: Connection, coming: Coming) -> None:
        """Another person is connected from now on, and gets another welcome."""
        if connection.gone:
            return
        for room in list(connection.rooms.values()):
            self._engine.leave(connection, room)
        self._presence.went(connection)
        self._be(connection, coming)

    def _be(self, connection: Connection, coming: Coming) -> None:
        row = coming.row
        connection.came_at = self._resources.clock.now()
        connection.lists = coming.account.lists
        connection.account = bool(coming.account.password)
        connection.proven = False
        # On another connection of his the name may have changed while this one was asked for.
        others = self._presence.of(row.id)
        name = others[0].name if others else row.name
        connection.is_now(row.id, name, coming.grant.id)
        self._greet(connection)
        self._oneself.comes(connection)
        self._presence.came(connection)
        self._oneself.has_come(connection)
        self._send_welcome(connection, row.id, connection.name, coming.token)
        self.features.entered_lobby(connection)

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
                nodes=self.nodes(),
            )
        )

    def _greet(self, connection: Connection) -> None:
        connection.cancel_hello_timeout()
        config = self._resources.config
        # Anybody can say that he is a bot: without a token of one he has the limits of a person.
        free = not (connection.human or config.bounded)
        fast = free or connection.scopes is not None
        burst: float = config.bot_line_burst if fast else LINE_BURST
        rate = config.bot_lines_per_second if fast else LINES_PER_SECOND
        if connection.is_house:
            burst = rate = _HOUSE_RATE
        now = asyncio.get_running_loop().time()
        connection.greet(now, burst=burst, per_second=rate)

    def _take_control(self, connection: Connection) -> None:
        connection.house_desk = connection.is_house = True
        connection.human = False
        self._greet(connection)
        self._send_welcome(connection, "house", "@house", "")
        self._engine.house.control(connection)

    def _take_post(self, connection: Connection, post: BotAssignment) -> None:
        connection.house_seat, connection.is_house = post.seat, True
        connection.human = False
        name = self._engine.take_post(connection, post)
        if name is None:
            connection.close(Close.BYE, "not wanted any more")
            return
        self._greet(connection)
        self._send_welcome(connection, "house", name, "")
        self._engine.attach(connection, post.room)


def _refuse(connection: Connection, refusal: Refusal) -> None:
    count(f"refused.{refusal.code}")
    text = refusal_text(refusal, connection.lang)
    connection.send(
        Error(
            code=refusal.code,
            text=text,
            candidates=refusal.candidates,
            retry_ms=retry_ms(refusal),
        )
    )
