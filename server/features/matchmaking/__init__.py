"""Matchmaking: `/wish`, `/wishes`, `/unwish`.

Wishes are rows. A node changes them for its own people, tells the others that they have changed,
and shows its people what has become of theirs since it last read them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

from bluebear.protocol import Note
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.arguments import ANSWER_CHOICES
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Context, Feature, Services
from bluebear.server.features.matchmaking import match_requests
from bluebear.server.features.matchmaking.match_requests import (
    ARRIVAL_SECONDS,
    Act,
    MatchRequest,
    RequestKey,
    T,
)
from bluebear.server.limits import MATCH_REQUESTS_SHOWN
from bluebear.server.people.account import Scope
from bluebear.server.people.people import needs_store
from bluebear.server.room.options import seat_numbers
from bluebear.server.rooms.connection import Connection
from bluebear.server.sentences import SERVER, say
from bluebear.server.store import JournalError

ARRIVAL_LOOK_SECONDS: Final = 0.05
RETRY_SECONDS: Final = 1.0
"""Before something that is due is tried again."""


class MatchRequestsChanged(NodeMessage, frozen=True):
    """A node has changed rows of wishes."""


def _new_request(scene: Scene, given: Arguments) -> Arguments:
    """Raises NotAllowed (no_such_table)."""
    game = given["wish"]
    if game in ("yes", "no"):
        return {"answer": game}
    info = scene.games[game].info
    least, most = given.get("players", (info.seats.min, info.seats.max))
    most = min(most, info.seats.max)
    if not max(2, info.seats.min) <= max(2, least) <= most:
        raise NotAllowed(
            "no_such_table", numbers=seat_numbers(max(2, info.seats.min), info.seats.max)
        )
    bots = given.get("bots", "yes") == "yes"
    return {"game": game, "least": max(2, least), "most": most, "bots": bots}


class Matchmaking(Feature):
    """The wishes of the people of this node."""

    name = "matchmaking"
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._node = services.bus.node or uuid4().hex
        """Where the people of this process are; never again after its end."""
        self._requests: Mapping[RequestKey, MatchRequest] = {}
        """As last read."""
        self._accepted: dict[str, Connection] = {}
        """The connection on which a person has accepted."""
        self._timer: asyncio.TimerHandle | None = None
        self._look: asyncio.Task[object] | None = None
        self._is_stale = False
        self.presence.heed(self._connected, self._disconnected)
        self.bus.hears(MatchRequestsChanged, lambda message: self._look_soon())
        self.bus.on_loss.append(lambda node: self._settle_soon())

    @Command(
        "wish wish players? bots?",
        anywhere(),
        _new_request,
        ("希望",),
        given_scope=Scope.PLAY,
        choices={"bots": ANSWER_CHOICES},
    )
    async def request_match(
        self, ctx: Context, answer: str = "", **terms: Any
    ) -> None:  # Any: the terms of a `MatchRequest`
        """`/wish`: request a match, or answer an offer. Raises NotAllowed, also not_saved."""
        if answer:
            await self.offer_answered(ctx, yes=answer == "yes")
            return
        connection = ctx.connection
        made = MatchRequest(connection.person, human=connection.human, node=self._node, **terms)
        await self._change(lambda rows: rows.add(made))

    @Command("wishes", anywhere(), names=("希望一覧",))
    async def list_requests(self, ctx: Context) -> None:
        """`/wishes`: the requests that wait."""
        lang = ctx.lang
        rows = await self.services.store.read(match_requests.listed)
        lines = []
        for name, key, least, most in rows[:MATCH_REQUESTS_SHOWN]:
            game, numbers = self.services.games[key].info.name(lang), seat_numbers(least, most)
            lines.append(say("answer.wish", lang, name=name, game=game, numbers=numbers))
        if len(rows) > MATCH_REQUESTS_SHOWN:
            lines.append(say("answer.and_more", lang, count=len(rows) - MATCH_REQUESTS_SHOWN))
        _notify(ctx, "wishes", "\n".join(lines) or say("answer.no_wishes", lang))

    @Command("unwish game?", anywhere(), names=("希望取消",), given_scope=Scope.PLAY)
    async def cancel(self, ctx: Context, game: str = "") -> None:
        """`/unwish`: cancel a request, or all ("")."""
        person = ctx.connection.person
        await self._change(lambda rows: rows.cancel(person, game))
        _notify(ctx, "wish_gone", say("note.wish_gone", ctx.lang))

    async def offer_answered(self, ctx: Context, *, yes: bool) -> bool:
        """Hook: `/yes` or `/no` while a game is offered."""
        person = ctx.connection.person
        if yes:
            self._accepted[person] = ctx.connection
        group = await self._change(lambda rows: rows.answer(person, self._node, yes=yes))
        if yes:
            _notify(ctx, "wish_accepted", say("note.wish_accepted", ctx.lang))
        if group:
            self.services.tasks.start(self._begin(group))
        return True

    # The rows.

    async def _change(self, act: Act[T]) -> T:
        """Change the rows; all nodes show it. Raises NotAllowed: what `act` raises, not_saved."""
        now = self.services.clock.now()
        with needs_store(logging.WARNING, "wishes not changed"):
            change = await self.services.store.write(match_requests.change, now, self._node, act)
        result, rows = change
        if rows != self._requests:
            self.bus.tell(MatchRequestsChanged())
        self._show(rows)
        return result

    async def _settle(self, act: Act[None] = lambda rows: None) -> None:
        """Do what is due, and this, where the store allows it."""
        with suppress(NotAllowed):
            await self._change(act)

    def _settle_soon(self) -> None:
        self.services.tasks.start(self._settle())
        self._set_timer()

    def _look_soon(self) -> None:
        self._is_stale = True
        if self._look is None or self._look.done():
            self._look = self.services.tasks.start(self._read())

    async def _read(self) -> None:
        while self._is_stale:
            self._is_stale = False
            with suppress(JournalError):  # it is read again soon
                self._show(await self.services.store.read(match_requests.read))

    async def refresh(self) -> None:
        """Hook: a message of another node may have been lost."""
        self._look_soon()

    def every_minute(self) -> None:
        """Hook: a process that was alone may have left wishes to the next one."""
        self._look_soon()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        ends = [each.ends for each in self._requests.values() if each.ends is not None]
        if ends:
            seconds = (min(ends) - self.services.clock.now() + 1) / 1000
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(RETRY_SECONDS, seconds), self._settle_soon)

    # What people of this node learn.

    def _show(self, rows: Mapping[RequestKey, MatchRequest]) -> None:
        before, self._requests = self._requests, rows
        changed = [key for key in {**before, **rows} if before.get(key) != rows.get(key)]
        for key in changed:
            self._show_one(before.get(key), rows.get(key))
        self._set_timer()
        for person in dict.fromkeys(person for person, _ in rows):
            self._follow(person)

    def _show_one(self, old: MatchRequest | None, new: MatchRequest | None) -> None:
        """What has become of a wish; None: it was not there, it is not there any more."""
        changed = new or old
        assert changed is not None
        connections = self.presence.of(changed.person)
        for each in connections:
            each.offered_until = self._offered_until(changed.person)
        game, now = self.services.games[changed.game].info, self.services.clock.now()
        for key in _news(old, new) if connections else ():
            count = sum(each.offer == changed.offer for each in self._requests.values())
            seconds = max(1, -(-((changed.until or now) - now) // 1000))
            numbers = seat_numbers(changed.least, changed.most)
            counts = {"numbers": numbers, "count": count, "seconds": seconds}
            for each in connections:
                text = SERVER.say(key, each.lang, {"game": game.name(each.lang), **counts})
                each.send(Note(code=key.removeprefix("note."), text=text))
        if new is not None and new.room is not None and new.node == self._node:
            if old is None or (old.room, old.node) != (new.room, new.node):
                self._enter(new.person, new.room)

    def _offered_until(self, person: str) -> int:
        """Until when (ms) a person may reply to an offer; 0: there is none."""
        requests = (each for each in self._requests.values() if each.person == person)
        return max((each.until or 0 for each in requests if each.is_open), default=0)

    def _connected(self, connection: Connection) -> None:
        connection.offered_until = self._offered_until(connection.person)
        self._follow(connection.person)

    def _disconnected(self, connection: Connection) -> None:
        if not self.presence.of(connection.person):
            self._accepted.pop(connection.person, None)
            self._follow(connection.person)

    def _follow(self, person: str) -> None:
        """Store where a person with wishes is, if that is not what the rows have."""
        nodes = {each.node for each in self._requests.values() if each.person == person}
        is_here = bool(self.presence.of(person))
        if is_here and None in nodes:
            self.services.tasks.start(self._settle(lambda rows: rows.arrive(person, self._node)))
        elif not is_here and self._node in nodes:
            self.services.tasks.start(self._settle(lambda rows: rows.leave(person, self._node)))

    # A group has accepted.

    async def _begin(self, group: Sequence[MatchRequest]) -> None:
        """Make a room for a group; its game starts once all have a seat."""
        offer, people = str(group[0].offer), [each.person for each in group]
        room = await self._make_room(group[0].game, people)
        with suppress(NotAllowed):
            if not room:
                await self._change(lambda rows: rows.end(offer))
            elif await self._change(lambda rows: rows.begin(offer, room)):
                await self._seat(people, room)

    async def _make_room(self, game: str, people: Sequence[str]) -> str:
        """The id of a room that one of these people has made at this node; "": none could."""
        for person in people:
            maker = self._accepted.get(person)
            if maker is not None and await self.services.making.make(
                maker, NewRoom(game, "public", ""), ""
            ):
                room = list(maker.rooms.values())[-1]
                self.services.rooms.line(maker, room, "", f"/option start {len(people)}", None)
                return room
        return ""

    async def _seat(self, people: Sequence[str], room: str) -> None:
        """Take a seat for each of these people as soon as they are in a room of this node."""
        loop = asyncio.get_running_loop()
        until = loop.time() + ARRIVAL_SECONDS
        for person in people:
            while loop.time() < until:
                here = (each for each in self.presence.of(person) if each.number_of(room))
                connection = next(here, None)
                if connection is not None:
                    self.services.rooms.line(connection, room, "", "/join", None)
                    break
                await asyncio.sleep(ARRIVAL_LOOK_SECONDS)

    def _enter(self, person: str, room: str) -> None:
        """A person comes into the room of their match: by the connection of their yes."""
        connections = self.presence.of(person)
        accepted = self._accepted.pop(person, None)
        newest = next(reversed(connections), None)
        connection = accepted if accepted in connections else newest
        if connection is not None and connection.number_of(room) is None:
            self.services.rooms.attach(connection, room)

    def close(self) -> None:
        """Hook: the server stops."""
        if self._timer is not None:
            self._timer.cancel()


def _news(old: MatchRequest | None, new: MatchRequest | None) -> Iterator[str]:
    """The sentences on what has become of a wish."""
    if new is None:
        if old is not None and old.offer is not None and old.room is None:
            yield "note.wish_dropped"
        return
    if old is None or old.since != new.since:
        yield "note.wish_made"
    if new.is_open and new.node is not None:
        if old is None or old.offer != new.offer or old.node is None:
            yield "note.wish_found"
    elif old is not None and old.offer is not None and new.offer is None:
        yield "note.wish_waits"


def _notify(ctx: Context, code: str, text: str) -> None:
    """These notes belong to no room, wherever the line was sent."""
    ctx.connection.send(Note(code=code, text=text))
