"""Matchmaking: `/wish`, `/wishes`, `/unwish`.

The people of this node have requests here, which meet in the matchmaker of one node. They are
stored here, too, and sent again where another node has the matchmaker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from msgspec import Struct

from bluebear.protocol import Note
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.cluster.attendance import PresenceChanged
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.arguments import ANSWER_CHOICES, ANSWERS
from bluebear.server.commands.command import Argument, Arguments, Command, Topic, anywhere
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Context, Feature, Services
from bluebear.server.features.matchmaking.matchmaker import Matchmaker, MatchRequest, Offer
from bluebear.server.limits import MATCH_REQUESTS_MAX, OFFER_SECONDS
from bluebear.server.people.account import Scope
from bluebear.server.rooms.connection import Connection
from bluebear.server.sentences import SERVER, say

ARRIVAL_SECONDS: Final = 10.0
"""Within this time a person of another node comes into the room of a match, or gets no seat."""
ARRIVAL_LOOK_SECONDS: Final = 0.05
RETRY_SECONDS: Final = 1.0
"""Between two tries to send requests to another matchmaker."""

_CLOSES: Final = ("note.wish_dropped", "note.wish_waits")
"""Sentences after which a game that was offered is offered no more."""


@dataclass(frozen=True, slots=True)
class NewRequest:
    """A game with `least` to `most` people, and with programs if `bots`; or the `answer` to an
    offer, yes or no.
    """

    game: str = ""
    least: int = 0
    most: int = 0
    bots: bool = True
    answer: str = ""


# What nodes send each other. To the matchmaker; the reply is the code of a refusal, or "".


class MatchRequested(NodeMessage, frozen=True):
    """A person of a node, with this name, requests a match; `again`: another node had it before."""

    request: MatchRequest
    name: str
    node: str
    again: bool
    answer: ClassVar[object] = str


class MatchCancelled(NodeMessage, frozen=True):
    """A person cancels a request, or all ("")."""

    person: str
    game: str
    answer: ClassVar[object] = str


class MatchAnswered(NodeMessage, frozen=True):
    """A person accepts what is offered, or does not."""

    person: str
    yes: bool
    answer: ClassVar[object] = str


class MatchList(Struct, array_like=True, frozen=True):
    """Some requests: names, games, numbers of people; and how many there are."""

    rows: list[tuple[str, str, int, int]]
    total: int


class MatchListQuery(NodeMessage, frozen=True):
    """Asks for the requests that wait."""

    answer: ClassVar[object] = MatchList


# From the matchmaker.


class MatchNotice(NodeMessage, frozen=True):
    """A sentence for a person about their request, by its key."""

    person: str
    key: str
    game: str
    params: dict[str, int]


class MatchRequestsRestored(NodeMessage, frozen=True):
    """The requests of a person who has connected to a node."""

    person: str
    requests: list[MatchRequest]


class CreateMatchRoom(NodeMessage, frozen=True):
    """A person of a node is to make a room where these take seats; the reply is its id, or ""."""

    person: str
    game: str
    people: list[str]
    answer: ClassVar[object] = str


class SitDown(NodeMessage, frozen=True):
    """A person of a node is to come into a room, where a seat is taken for them."""

    person: str
    room: str


def _new_request(scene: Scene, given: Arguments) -> Arguments:
    """Raises NotAllowed (no_such_table)."""
    game = given["wish"]
    if game in ANSWERS:
        return {"request": NewRequest(answer=game)}
    info = scene.games[game].info
    least, most = given.get("players", (info.min_seats, info.max_seats))
    most = min(most, info.max_seats)
    if not max(2, info.min_seats) <= max(2, least) <= most:
        raise NotAllowed("no_such_table", least=max(2, info.min_seats), most=info.max_seats)
    bots = given.get("bots", "yes") == "yes"
    return {"request": NewRequest(game, max(2, least), most, bots=bots)}


class Matchmaking(Feature):
    """Requests of the people of this node, and the matchmaker where this node has it."""

    name = "matchmaking"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._presence = services.presence
        self._bus = bus = services.bus
        self._matchmaker = Matchmaker(self, services.tasks)
        self._matchmaker_at = bus.leader
        self._requests: dict[str, dict[str, MatchRequest]] = {}
        """Of the people of this node, by person and game."""
        self._accepted: dict[str, Connection] = {}
        """The connection on which a person has accepted."""
        self._presence.heed(self._connected, self._disconnected)
        maker = self._matchmaker
        bus.hears(
            MatchRequested,
            lambda m: self._if_here(maker.add, m.request, m.name, m.node, again=m.again),
        )
        bus.hears(MatchCancelled, lambda m: self._if_here(maker.cancel, m.person, m.game))
        bus.hears(MatchAnswered, lambda m: self._if_here(maker.answer, m.person, yes=m.yes))
        bus.hears(MatchListQuery, lambda message: MatchList(*maker.list_requests()))
        bus.hears(MatchNotice, self._notify_here)
        bus.hears(MatchRequestsRestored, self._restore)
        bus.hears(CreateMatchRoom, self._create_room)
        bus.hears(SitDown, self._sit_down)
        bus.hears(PresenceChanged, self._presence_changed)
        bus.on_loss.append(self._node_lost)
        bus.on_change.append(self._nodes_changed)

    @Command(
        "wish",
        anywhere(),
        _new_request,
        (
            Argument("wish", "wish"),
            Argument("players", "players", optional=True),
            Argument("bots", "choice", optional=True, choices=ANSWER_CHOICES),
        ),
        ("希望",),
        given_scope=Scope.PLAY,
        topic=Topic.PEOPLE,
    )
    async def request_match(self, ctx: Context, request: NewRequest) -> None:
        """`/wish`: request a match, or answer an offer."""
        if request.answer:
            await self.offer_answered(ctx, yes=request.answer == "yes")
            return
        connection, game = ctx.connection, request.game
        made = MatchRequest(
            connection.person, game, request.least, request.most, connection.human, request.bots
        )
        _check(await self._ask_matchmaker(self._message(made, connection.name)))
        if self._presence.of(made.person):
            self._requests.setdefault(made.person, {})[game] = made

    @Command("wishes", anywhere(), names=("希望一覧",), topic=Topic.PEOPLE)
    async def list_requests(self, ctx: Context) -> None:
        """`/wishes`: the requests that wait."""
        lang = ctx.lang
        result = await self._ask_matchmaker(MatchListQuery())
        lines = []
        for name, key, least, most in result.rows:
            game = self.services.games[key].info.name(lang)
            lines.append(say("answer.wish", lang, name=name, game=game, least=least, most=most))
        if result.total > len(result.rows):
            lines.append(say("answer.and_more", lang, count=result.total - len(result.rows)))
        _notify(ctx, "wishes", "\n".join(lines) or say("answer.no_wishes", lang))

    @Command(
        "unwish",
        anywhere(),
        arguments=(Argument("game", "game", optional=True),),
        names=("希望取消",),
        given_scope=Scope.PLAY,
        topic=Topic.PEOPLE,
    )
    async def cancel(self, ctx: Context, game: str = "") -> None:
        """`/unwish`: cancel a request, or all ("")."""
        person = ctx.connection.person
        _check(await self._ask_matchmaker(MatchCancelled(person, game)))
        self._forget(person, game)
        _notify(ctx, "wish_gone", say("note.wish_gone", ctx.lang))

    async def offer_answered(self, ctx: Context, *, yes: bool) -> bool:
        """Hook: `/yes` or `/no` while a game is offered."""
        person = ctx.connection.person
        if yes:
            self._accepted[person] = ctx.connection
        _check(await self._ask_matchmaker(MatchAnswered(person, yes)))
        if yes:
            self._end_offer(person)
            _notify(ctx, "wish_accepted", say("note.wish_accepted", ctx.lang))
        return True

    async def _ask_matchmaker(self, message: NodeMessage) -> Any:  # Any: `message.answer`
        """The matchmaker's reply, wherever it is. Raises NotAllowed (busy)."""
        node = self._bus.leader
        if node == self._bus.node:
            return self._bus.do_here(message)
        replies = await self._bus.ask([node], message)
        if not replies:
            raise NotAllowed("busy")
        return replies[0]

    def _message(self, request: MatchRequest, name: str, *, again: bool = False) -> MatchRequested:
        return MatchRequested(request, name, self._bus.node, again)

    def notify(self, person: str, key: str, game: str, params: Mapping[str, int]) -> None:
        """See `MatchHost`: at all nodes."""
        message = MatchNotice(person, key, game, dict(params))
        self._notify_here(message)
        # Where the request was made it comes at once; other nodes have to be looked up.
        home = self._matchmaker.node_of(person) or self._bus.node
        self._bus.tell_at(home, message)
        self._bus.tell_of(person, message, but=home)

    def _notify_here(self, message: MatchNotice) -> None:
        asks = message.key == "note.wish_found"
        seconds = message.params.get("seconds", int(OFFER_SECONDS))
        until = self.services.clock.now() + 1000 * seconds if asks else 0
        for each in self._presence.of(message.person):
            if asks or message.key in _CLOSES:
                each.is_offered(until)
            name = self.services.games[message.game].info.name(each.lang)
            params = {"game": name, "seconds": seconds, **message.params}
            text = SERVER.say(message.key, each.lang, params)
            each.send(Note(code=message.key.removeprefix("note."), text=text))
        if message.key == "note.wish_dropped":
            self._forget(message.person, message.game)

    def _end_offer(self, person: str) -> None:
        for each in self._presence.of(person):
            each.is_offered(0)

    async def begin(self, offer: Offer) -> bool:
        """See `MatchHost`: the game starts once all have a seat."""
        game, people, room = offer.group[0].game, list(offer.accepted), ""
        for person in people:
            room = await self._ask_node_of(person, CreateMatchRoom(person, game, people)) or ""
            if room:
                break
        if not room:
            return False
        for person in offer.accepted:
            await self._ask_node_of(person, SitDown(person, room))
        return True

    async def _ask_node_of(self, person: str, message: NodeMessage) -> Any:  # Any: `message.answer`
        node = self._matchmaker.node_of(person)
        if node == self._bus.node:
            reply = self._bus.do_here(message)
            return await reply if asyncio.iscoroutine(reply) else reply
        replies = [] if node is None else await self._bus.ask([node], message)
        return replies[0] if replies else None

    async def _create_room(self, message: CreateMatchRoom) -> str:
        maker = self._connection_of(message.person)
        room = NewRoom(message.game, "public", "")
        if maker is None or not await self.services.making.make(maker, room, ""):
            return ""
        room_id = list(maker.rooms.values())[-1]
        self.services.rooms.line(maker, room_id, "", f"/option start {len(message.people)}", None)
        self.services.tasks.start(self._seat(message.people, room_id))
        return room_id

    async def _seat(self, people: Sequence[str], room: str) -> None:
        """Take a seat for each of these people as soon as they are in a room of this node."""
        loop = asyncio.get_running_loop()
        until = loop.time() + ARRIVAL_SECONDS
        for person in people:
            while loop.time() < until:
                here = (each for each in self._presence.of(person) if each.number_of(room))
                connection = next(here, None)
                if connection is not None:
                    self.services.rooms.line(connection, room, "", "/join", None)
                    break
                await asyncio.sleep(ARRIVAL_LOOK_SECONDS)

    def _sit_down(self, message: SitDown) -> None:
        person, room = message.person, message.room
        connection = self._connection_of(person)
        self._accepted.pop(person, None)
        self._requests.pop(person, None)
        self._end_offer(person)
        if connection is not None and connection.number_of(room) is None:
            self.services.rooms.attach(connection, room)

    def _connection_of(self, person: str) -> Connection | None:
        """The connection on which a person plays: that of their yes, or the newest."""
        result = self._accepted.get(person)
        connections = self._presence.of(person)
        return result if result in connections else next(reversed(connections), None)

    def _forget(self, person: str, game: str) -> None:
        requests = self._requests.get(person, {})
        for each in [each for each in requests if game in ("", each)]:
            del requests[each]
        if not requests:
            self._requests.pop(person, None)

    def _if_here(self, act: Callable[..., str], *given: Any, **more: Any) -> str:
        """Do it in this matchmaker; "busy" where another node has it."""
        return act(*given, **more) if self._bus.leader == self._bus.node else "busy"

    def _connected(self, connection: Connection) -> None:
        connections = self._presence.of(connection.person)
        connection.is_offered(max((each.offered_until for each in connections), default=0))
        self._matchmaker.person_online(connection.person, self._bus.node)

    def _disconnected(self, connection: Connection) -> None:
        person = connection.person
        if not self._presence.of(person):
            self._accepted.pop(person, None)
            self._requests.pop(person, None)
            self._offline(person, self._bus.node)

    def _presence_changed(self, message: PresenceChanged) -> None:
        for person in message.come:
            if self._matchmaker.requests_of(person) and not self._presence.of(person):
                self._online(person, message.node)
        for person in message.left:
            self._offline(person, message.node)

    def _node_lost(self, node: str) -> None:
        for person in self._matchmaker.people_at(node):
            self._offline(person, node)

    def _online(self, person: str, node: str) -> None:
        self._matchmaker.person_online(person, node)
        requests = self._matchmaker.requests_of(person)
        self._bus.tell_at(node, MatchRequestsRestored(person, requests))

    def _offline(self, person: str, node: str) -> None:
        """A person has left a node; where they are connected to another one they stay."""
        if self._matchmaker.node_of(person) != node:
            return
        if self._presence.of(person):
            self._matchmaker.person_online(person, self._bus.node)
            return
        self._matchmaker.person_offline(person)
        if self._bus.nodes is not None:
            self.services.tasks.start(self._find_node(person, node))

    async def _find_node(self, person: str, left: str) -> None:
        for node in (await self._bus.where([person])).get(person, ()):
            if node != left and self._matchmaker.node_of(person) is None:
                self._online(person, node)

    def _restore(self, message: MatchRequestsRestored) -> None:
        if self._presence.of(message.person):
            self._requests[message.person] = {each.game: each for each in message.requests}

    def _nodes_changed(self) -> None:
        if self._bus.leader != self._matchmaker_at:
            self._matchmaker_at = self._bus.leader
            if self._matchmaker_at != self._bus.node:
                self._matchmaker.clear()
            self.services.tasks.start(self._send_again(self._matchmaker_at))

    async def _send_again(self, node: str) -> None:
        for person in list(self._requests):
            for request in list(self._requests.get(person, {}).values()):
                while (
                    self._bus.leader == node and request in self._requests.get(person, {}).values()
                ):
                    with suppress(NotAllowed):
                        connections = self._presence.of(person)
                        name = connections[0].name if connections else ""
                        message = self._message(request, name, again=True)
                        if await self._ask_matchmaker(message) != "busy":
                            break
                    await asyncio.sleep(RETRY_SECONDS)

    def close(self) -> None:
        """Hook: the server stops."""
        self._matchmaker.clear()


def _notify(ctx: Context, code: str, text: str) -> None:
    """These notes belong to no room, wherever the line was sent."""
    ctx.connection.send(Note(code=code, text=text))


def _check(code: str) -> None:
    """Raise what a code of the matchmaker means, unless it is ""."""
    if code == "too_many_wishes":
        raise NotAllowed("too_many_wishes", most=MATCH_REQUESTS_MAX)
    if code == "no_wish":
        raise NotAllowed("no_wish")
    if code == "no_offer":
        raise NotAllowed("no_offer")
    if code:
        raise NotAllowed("busy")
