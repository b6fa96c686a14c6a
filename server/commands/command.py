"""What a command is: names, arguments, who may use it when, and what it amounts to.

The commands themselves are declared beside what they do, in `features`. Help, completion, the
catalogue, the docs and the permission tests are all made from these declarations (`table`).
Sentences are in `server/phrases.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice, fold
from bluebear.rules.core.suggest import nearest
from bluebear.server.commands.acts import NO_FACTS, Act, Write
from bluebear.server.commands.needs import Sources
from bluebear.server.commands.scene import INSIDE, Role, Scene
from bluebear.server.limits import PASSWORD_MAX_CHARS
from bluebear.server.people.account import Scope
from bluebear.server.room.act import RoomAct
from bluebear.server.room.state import Phase, Room
from bluebear.server.store import Json

Arguments = Mapping[str, Any]  # Any: values of each kind of argument
"""The values of a command's arguments by name, those left out being absent."""

Handler = Callable[[Scene, Arguments], Act]
"""What a command amounts to in a scene. Raises Refusal; changes nothing."""

Run = Callable[[Any, Any, Any], Coroutine[Any, Any, Any]]
"""A method of a feature (Any: each has a class of its own, and of its request): context, request.

It returns the reply, or an act that is left to do; None for a reply without words, ANSWERED where
the line has its answer from elsewhere. Raises Refusal.
"""


class NamedPerson(NamedTuple):
    """A person found by name; `unwanted`: they keep the sender off."""

    id: str
    name: str
    unwanted: bool


class Queries(Protocol):
    """What a room command may await before it is judged, for its sender. Raises NotAllowed."""

    async def find_person(self, name: str) -> NamedPerson | None:
        """The person who has a name."""

    async def hash(self, password: str) -> str:
        """The argon2 hash of a password."""


Prepare = Callable[[Queries, Arguments], Coroutine[Any, Any, Arguments]]
"""Adds what must be awaited to the arguments of a room command. Raises Refusal."""

Rash = Callable[[Scene, Arguments], str]
"""The key of the sentence that says what a command would end; "" where it may be said lightly."""

Allowed = frozenset[tuple[Role, Phase | None]]
"""Pairs of role and phase of the room; phase None is the lobby."""

PHASES: Final = frozenset(Phase)


def anywhere() -> Allowed:
    """Everybody, in the lobby and in every room."""
    return in_room() | {(Role.STRANGER, None)}


def in_room(*phases: Phase) -> Allowed:
    """Everybody who is in the room, in some phases (none given: all)."""
    return frozenset((role, phase) for role in INSIDE for phase in phases or PHASES)


def seated(*phases: Phase) -> Allowed:
    """Whoever has a seat, in some phases (none given: all)."""
    return frozenset((Role.SEATED, phase) for phase in phases or PHASES)


def host(*phases: Phase) -> Allowed:
    """The host, seated or not, in some phases (none given: all)."""
    return frozenset((Role.HOST, phase) for phase in phases or PHASES)


def operators() -> Allowed:
    """Operators of the server, in the lobby and in every room."""
    return frozenset((Role.OPERATOR, phase) for phase in (*PHASES, None))


OPEN, PLAYING, PAUSED, OVER, FROZEN = (
    Phase.OPEN,
    Phase.PLAYING,
    Phase.PAUSED,
    Phase.OVER,
    Phase.FROZEN,
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One typed argument. `kind` says how it is read, `name` what help calls it.

    Kinds: seat, vote, page, seed (only as `seed=HEX`), hex, game, choice (one of `choices`), wish
    (a game, or yes or no), players (`2-4`), days, number, address, strategy, command, option, area,
    name, room, game_id, token, scopes (a list of `choices`); and those that take the rest of the
    line: text, password, paragraph (a number or words of the rules).
    """

    name: str
    kind: str
    optional: bool = False
    choices: tuple[Choice, ...] = ()

    @property
    def phrase(self) -> str:
        """The key of what help calls it."""
        return f"argument.{self.name}"

    @property
    def greedy(self) -> bool:
        """Whether it takes the rest of the line."""
        return self.kind in ("text", "password", "paragraph")


class Topic(StrEnum):
    """What a command is about: where `/help` has it."""

    TABLE = "table"
    ROOMS = "rooms"
    PEOPLE = "people"
    HOST = "host"
    OPERATOR = "operator"


@dataclass(frozen=True, eq=False)  # declared once, and a key of what is cached
class Command:
    """One command, and all that is said of it: this is its only declaration.

    `handler` says what a room command amounts to. A server command has an async method instead,
    `run`, which gets its arguments as a `request` of that class; `read` makes one where the
    room that the line was sent in matters; `is_query`: whether a request changes nothing, so
    that programs may ask for the reply as data. `allowed` says who may use it when.
    `host_rule`: with the room's option `host` on, seated people may not use it, unless it
    `confirms` and the option `confirm` is on, too: there it only tells that they are ready.
    `whole`: it ends or takes something, so no prefix will do. `rash` says why it wants a `!`
    here and now. `secret`: what follows is never echoed or kept. `needs_area`: it is offered
    only where the game has this area to look at ("": any), and where it is `of_use`. `prepare`
    awaits what a room command must, `offers` what the candidates of its arguments rest on. `own`:
    no token of a bot permits it; else the token needs the `scope`, which follows from `allowed` if
    not given. `topic` is given where all commands are put together.
    """

    name: str
    allowed: Allowed
    handler: Handler | None = None
    arguments: tuple[Argument, ...] = ()
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    host_rule: bool = False
    confirms: bool = False
    whole: bool = False
    rash: Rash | None = None
    secret: bool = False
    needs_area: str | None = None
    of_use: Callable[[Scene], bool] | None = None
    prepare: Prepare | None = None
    offers: Sources | None = None
    topic: Topic = Topic.TABLE
    own: bool = False
    given_scope: Scope | None = None
    run: Run | None = None
    request: type | None = None
    read: Callable[[Scene, Arguments], object] | None = None
    is_query: Callable[[Any], bool] | None = None

    @cached_property
    def scope(self) -> Scope | None:
        """What a bot's token must allow; None: nothing that it allows will do."""
        if self.own:
            return None
        roles = {role for role, _ in self.allowed}
        fitting = Scope.PLAY if roles <= {Role.SEATED, Role.HOST} else Scope.READ
        return self.given_scope or (Scope.HOST if roles == {Role.HOST} else fitting)

    @property
    def phrase(self) -> str:
        """The key of its help."""
        return f"command.{self.name}"

    def request_of(self, scene: Scene, given: Arguments) -> object:
        """The arguments of a server command, typed. Raises Refusal; changes nothing."""
        if self.read is not None:
            return self.read(scene, given)
        return None if self.request is None else self.request(**given)

    @cached_property
    def greedy(self) -> bool:
        """Whether the last argument takes the rest of the line."""
        return any(argument.greedy for argument in self.arguments)


_IN_LESSONS: Final = frozenset({"board", "hand", "info", "look", "moves", "recap"})
"""What a learner may use of a room beside the moves: the commands that show the game."""
SEAT: Final = Argument("seat", "seat", optional=True)
NAME: Final = Argument("name", "name")
PASSWORD: Final = Argument("password", "password", optional=True)
"""Arguments that several commands have."""


def permits(
    command: Command, roles: frozenset[Role], phase: Phase | None, *, host_only: bool
) -> bool:
    """Whether these roles may use a command in this phase of the room.

    An operator in the room acts as a host.
    """
    if Role.OPERATOR in roles and not roles.isdisjoint(INSIDE):
        roles |= {Role.HOST}
    if command.host_rule and host_only and Role.HOST not in roles:
        return False
    return not command.allowed.isdisjoint({(role, phase) for role in roles})


def phases_of(command: Command, roles: frozenset[Role], *, host_only: bool) -> tuple[Phase, ...]:
    """The phases of a room in which these roles may use a command, in order; empty: in none."""
    return tuple(phase for phase in Phase if permits(command, roles, phase, host_only=host_only))


def roles_for(command: Command, *, host_only: bool) -> tuple[Role, ...]:
    """The roles that may use a command in some phase of the room, in order.

    An operator is named only where nobody else may.
    """
    found = tuple(
        role for role in INSIDE if phases_of(command, frozenset((role,)), host_only=host_only)
    )
    return found or (Role.OPERATOR,)


def is_for_host(scene: Scene, command: Command) -> bool:
    """Whether the options of the room leave a command that knows the host's rule to the host."""
    return scene.host_only and not (command.confirms and scene.all_confirm)


def may_with_token(scene: Scene, command: Command) -> bool:
    """Whether the token of a bot lets it use a command; anything is allowed without one."""
    scopes = scene.speaker.scopes
    return scopes is None or command.scope in scopes


def may_use(scene: Scene, command: Command) -> bool:
    """Whether the table lets the speaker use a command here and now."""
    if scene.room is not None and scene.room.table.lesson and not is_for_lessons(command):
        return False
    if not may_with_token(scene, command):
        return False
    host_only = command.host_rule and is_for_host(scene, command)
    return permits(command, scene.roles, scene.phase, host_only=host_only)


def is_for_lessons(command: Command) -> bool:
    """Whether a learner may use it in the room of a lesson: it only looks, or needs no room."""
    return command.name in _IN_LESSONS or (Role.STRANGER, None) in command.allowed


def is_offered(scene: Scene, command: Command) -> bool:
    """Whether a command is permitted, of use, and the room's game has what it shows."""
    if command.of_use is not None and not command.of_use(scene):
        return False
    if command.needs_area is None:
        return may_use(scene, command)
    areas = [] if scene.game is None else [area.value for area in scene.game.texts.areas]
    has = command.needs_area in areas if command.needs_area else bool(areas)
    return has and may_use(scene, command)


# What commands have in common that write an entry.


def check_password(password: str) -> None:
    """NotUnderstood (bad_password) if a password is too long."""
    if not 1 <= len(password) <= PASSWORD_MAX_CHARS:
        raise NotUnderstood("bad_password", most=PASSWORD_MAX_CHARS)


def room_here(scene: Scene) -> Room:
    """The room that a line is said in; NotAllowed (not_in_room) if it is the lobby."""
    if scene.room is None:
        raise NotAllowed("not_in_room")
    return scene.room


def entry(
    scene: Scene,
    act: RoomAct,
    facts: Mapping[str, Json] = NO_FACTS,
    *,
    note: str = "",
) -> Write:
    """An act of the speaker, with facts of it and of him."""
    speaker: dict[str, Json] = {
        "name": scene.speaker.name,
        "kind": "human" if scene.speaker.human else "bot",
    }
    return Write.of(act, {**speaker, **facts}, note=note)


def ends_game(reason: str) -> Rash:
    """Asks back where a game is running, with the sentence of this key."""
    return lambda scene, arguments: reason if scene.phase in (PLAYING, PAUSED) else ""


def does(act: RoomAct) -> Handler:
    """Does always the same."""
    return lambda scene, arguments: entry(scene, act)


def asks(act: RoomAct) -> Handler:
    """Does always the same, about which those who are here may vote."""
    return lambda scene, arguments: entry(scene, act, {"voters": scene.voters()})


def near_names(given: str, names: Iterable[str]) -> list[str]:
    """The names most like the one that was given."""
    folded = {fold(name): name for name in names}
    return [folded[each] for each in nearest(fold(given), folded)]


async def find_named(queries: Queries, given: Arguments) -> Arguments:
    """Prepares a command with the person who has the name that is given, if one is."""
    if "name" not in given:
        return given
    return {**given, "person": await queries.find_person(given["name"])}
