"""What a feature is: a class in one module that declares what it brings, and carries it out.

A feature declares commands and hooks, and gets the services of the app. `server/features` lists
all features; no other module names one. A server command is an async method below its declaration:
it awaits what it needs and returns its reply.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import Any, ClassVar, Final, TypeVar

from msgspec import Struct

from bluebear.protocol import Ask, Branch
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.texts import WIDTH
from bluebear.server.cluster.news import NodeStats
from bluebear.server.cluster.peers import Peers
from bluebear.server.cluster.presence import Presence
from bluebear.server.commands.acts import ANSWER_OFFER, Act, RunCommand, Tell
from bluebear.server.commands.arguments import Form
from bluebear.server.commands.command import Command, Topic
from bluebear.server.commands.native import error_span
from bluebear.server.lookups import LookUps, RoomMaker
from bluebear.server.net.budget import Budgets
from bluebear.server.net.http_client import SendRequest
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import People, needs_store
from bluebear.server.room.fold_context import Games
from bluebear.server.rooms.active_room import Resources, RoomFeature, RoomHooks
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.runtime import Clock, Tasks
from bluebear.server.store import Store

_Method = TypeVar("_Method")

OFF: Final = ("off", "オフ", "終わり")
"""Words that end a setting of a person."""
ROW_BYTES: Final = 256
"""What an entry of a person's stream costs."""
Control = Mapping[str, Callable[[str], Coroutine[Any, Any, dict[str, object]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What features may use of the app."""

    resources: Resources
    store: Store
    clock: Clock
    games: Games
    look_ups: LookUps
    presence: Presence
    rooms: RoomRegistry
    making: RoomMaker
    bus: Peers
    tasks: Tasks
    people: People
    budgets: Budgets
    stats: Callable[[], NodeStats]
    """What this process has of the server."""
    hashing: Hashing
    send_request: SendRequest


class Context(Struct, frozen=True, kw_only=True):
    """Who sent a command, and from where: `room` is "" in the lobby.

    `width` is the page for which the reply is made, `say_id` the id of the line, `text` the line
    itself. `is_query`: it came as a query, which changes nothing.
    """

    connection: Connection
    room: str
    width: int
    say_id: str = ""
    text: str = ""
    is_query: bool = False

    @property
    def lang(self) -> Lang:
        """The language of the reply."""
        return self.connection.lang

    def reply(self, tell: Tell | None = None) -> None:
        """Reply to the line before more is done; its command returns ANSWERED then."""
        self.connection.handler.perform(self.connection, self.room, tell, self.say_id)


class Question:
    """A query of clients: the decorator of an async method of a feature.

    It gets a context and the query, and returns the body of the reply; None where that is sent by
    other means. Raises Refusal.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, method: _Method) -> _Method:
        """Declare that this method answers the query."""
        method.__dict__["question"] = self.name
        return method


class Feature(RoomFeature):
    """Base of all features; owned by the app."""

    name: ClassVar[str]
    """What its phrases, its help and its tests are called by."""
    topic: ClassVar[Topic] = Topic.TABLE
    """Where `/help` names its commands."""
    is_basic: ClassVar[bool] = False
    """Whether no room can do without it; all others can be deleted."""
    is_idle = False
    """Whether the configuration leaves nothing to do for the hooks that rooms call."""
    marks_refusals: ClassVar[bool] = True
    """Whether a refusal says where the refused word of the line is."""
    commands: ClassVar[tuple[Command, ...]] = ()
    """Its room commands; in a subclass, when that is made, those of its methods as well."""
    answers: ClassVar[Mapping[str, Any]] = {}  # Any: types
    """By query: the type of its data, of which the page's is made."""
    forms: ClassVar[Mapping[Form, Any]] = {}  # Any: as in `FORMS`
    """What lines mean that are no command: talk in the lobby, and `;name`."""

    def __init_subclass__(cls) -> None:
        """Collect the commands in the order in which they are declared."""
        declared: list[Command] = []
        for name, each in vars(cls).items():
            declared += each if name == "commands" else getattr(each, "commands", ())
        for each in declared:
            each.topic = each.topic or cls.topic
        cls.commands = tuple(declared)

    def __init__(self, services: Services) -> None:
        self.services = services
        self.presence, self.bus = services.presence, services.bus

    def entered_lobby(self, connection: Connection) -> None:
        """Hook: a connection is in no room from now on, or has just said hello."""

    def closed(self, connection: Connection) -> None:
        """Hook: a connection has ended."""

    def every_minute(self) -> None:
        """Hook: a minute has passed."""

    async def offer_answered(self, ctx: Context, *, yes: bool) -> bool:
        """Hook: a person answers what they were offered; whether this feature did offer."""
        return False

    async def returned(self, connection: Connection) -> None:
        """Hook: a person who was away has sent a line."""

    @property
    def control(self) -> Control:
        """Hook: orders of the administrator at the machine, by their names."""
        return {}

    async def refresh(self) -> None:
        """Hook: read what other processes may have changed, every few seconds."""

    def close(self) -> None:
        """Hook: the server stops."""


class Features:
    """The features of one server, and which of them runs each command; owned by the app.

    Rooms call only those that have a hook.
    """

    def __init__(self, features: Sequence[Feature], hooks: RoomHooks) -> None:
        self.features = features
        self._questions = {
            each.question: partial(each, feature)
            for feature in features
            for each in vars(type(feature)).values()
            if hasattr(each, "question")
        }
        self.with_hook = cache(self._with_hook)
        for hook in fields(hooks):
            active = (each for each in self.with_hook(hook.name) if not each.is_idle)
            getattr(hooks, hook.name).extend(active)
        self._runs = {
            each.name: (feature, each.run)
            for feature in features
            for each in feature.commands
            if each.run is not None
        }

    def _with_hook(self, name: str) -> list[Feature]:
        """The features that have a hook of their own."""
        plain = getattr(Feature, name)
        return [each for each in self.features if getattr(type(each), name) is not plain]

    def entered_lobby(self, connection: Connection) -> None:
        for feature in self.with_hook("entered_lobby"):
            feature.entered_lobby(connection)

    async def run(
        self, connection: Connection, room: str, act: RunCommand, say_id: str
    ) -> Act | None:
        """Run a command; its reply, unless that was sent already, or an act that is left to do.

        Raises Refusal.
        """
        context = Context(
            connection=connection,
            room=room,
            width=act.width,
            say_id=say_id,
            text=act.text,
            is_query=bool(act.ask),
        )
        if act.command == ANSWER_OFFER:
            for each in self.with_hook("offer_answered"):
                if await each.offer_answered(context, **act.given):
                    return None
            raise NotAllowed("no_offer")
        feature, run = self._runs[act.command]
        try:
            with needs_store(logging.ERROR, "not looked up"):
                reply: Act | None = await run(feature, context, **act.given)
        except Refusal as refusal:
            if feature.marks_refusals:
                refusal.span = error_span(refusal, act.text)
            raise
        return reply

    async def answer(self, connection: Connection, room: str, query: Ask) -> Branch | None:
        """Answer a query of a client: the body of the reply, see `Question`. Raises Refusal."""
        answer = self._questions.get(query.what)
        if answer is None:
            raise NotAllowed("no_such_query", given=query.what)
        context = Context(connection=connection, room=room, width=WIDTH)
        body: Branch | None = await answer(context, query)
        return body

    async def returned(self, connection: Connection) -> None:
        for feature in self.with_hook("returned"):
            await feature.returned(connection)

    async def refresh(self) -> None:
        for feature in self.with_hook("refresh"):
            await feature.refresh()

    def close(self) -> None:
        """The server stops."""
        for feature in self.with_hook("close"):
            feature.close()

    @property
    def control(self) -> Control:
        """All orders of the administrator."""
        return {name: run for each in self.features for name, run in each.control.items()}
