"""The declaration of a command: form, permission and handler; and all commands.

Features declare the commands, and register them here. Help, completion, the catalogue, the docs
and the permission tests are all made from these declarations. Sentences are in
`server/phrases.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from typing import Any, Final, TypeVar

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.suggest import nearest
from bluebear.server.commands.acts import NO_FACTS, Act, Write
from bluebear.server.commands.scene import INSIDE, Role, Scene, Sources
from bluebear.server.limits import PASSWORD_MAX_CHARS
from bluebear.server.people.account import Scope
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import People
from bluebear.server.room.fold_context import AnyGame, RoomAct
from bluebear.server.room.options import is_on
from bluebear.server.room.state import Phase, Room
from bluebear.server.store import Json

Arguments = dict[str, Any]  # Any: values of each kind of argument
"""The values of a command's arguments by name, without those that were left out."""

Handler = Callable[[Scene, Arguments], Act | Arguments]
"""Returns the act of a command in a scene, or what its method is called with (see `Command`).

Raises Refusal; changes nothing.
"""


Prepare = Callable[[People, Hashing, str, Arguments], Coroutine[Any, Any, Arguments]]
"""Adds awaited values to the arguments of a room command, whose sender has this id.

Raises Refusal.
"""

Rash = Callable[[Scene, Arguments], str]
"""Returns the key of the question before a destructive command; "" if it needs none."""

Allowed = frozenset[tuple[Role, Phase | None]]
"""Pairs of role and phase of the room; phase None is the lobby."""

PHASES: Final = frozenset(Phase)


def anywhere() -> Allowed:
    """All people, in the lobby and in all rooms."""
    return in_room() | {(Role.STRANGER, None)}


def in_room(*phases: Phase) -> Allowed:
    """All people in the room, in some phases (none given: all)."""
    return frozenset((role, phase) for role in INSIDE for phase in phases or PHASES)


def seated(*phases: Phase) -> Allowed:
    """People with a seat, in some phases (none given: all)."""
    return frozenset((Role.SEATED, phase) for phase in phases or PHASES)


def host(*phases: Phase) -> Allowed:
    """The host, seated or not, in some phases (none given: all)."""
    return frozenset((Role.HOST, phase) for phase in phases or PHASES)


def operators() -> Allowed:
    """Operators of the server, in the lobby and in every room."""
    return frozenset((Role.OPERATOR, phase) for phase in (*PHASES, None))


OPEN, PLAYING, PAUSED, OVER, FROZEN = Phase


@dataclass(frozen=True, slots=True)
class Argument:
    """One typed argument. `kind` decides its parser, `name` its label in help.

    Kinds: seat, vote, page, seed (only as `seed=HEX`), hex, game, choice (one of `choices`), wish
    (a game, or yes or no), players (`2-4`), days, number, address, strategy, command, option,
    name, room, game_id, token, scopes (a list of `choices`); and those that take the rest of the
    line: text, password, area, paragraph (a number or words of the rules).
    """

    name: str
    kind: str
    optional: bool = False
    choices: tuple[Choice, ...] = ()

    @property
    def phrase(self) -> str:
        """The key of its label."""
        return f"argument.{self.name}"

    @property
    def greedy(self) -> bool:
        """Whether it takes the rest of the line."""
        return self.kind in ("text", "password", "area", "paragraph")


def _argument(form: str, choices: Mapping[str, tuple[Choice, ...]]) -> Argument:
    name, _, kind = form.removesuffix("?").partition(":")
    usual = "choice" if name in choices else name
    return Argument(name, kind or usual, form.endswith("?"), choices.get(name, ()))


class Topic(StrEnum):
    """The topic of a command in `/help`."""

    TABLE = "table"
    ROOMS = "rooms"
    PEOPLE = "people"
    HOST = "host"
    OPERATOR = "operator"


_Method = TypeVar("_Method")


@dataclass(eq=False)  # declared once, and a key of what is cached
class Command:
    """The only declaration of a command.

    Its `form` has its name and its arguments, such as `"silence name minutes:number? text?"`: each
    with its kind where that is not its name, and "?" where it may be left out. One with `choices`
    is one of them.

    A room command has a `handler`, and `prepare` for what must be awaited before it. A server
    command is the decorator of an async method of a feature, which gets a context, and the
    arguments by their names; a `handler` makes others of them, or an act instead, by the room. The
    method returns the reply, or a further act; None for an empty reply, ANSWERED if it has replied
    itself. `is_query`: whether clients may send it as a query, which changes nothing.

    `allowed`: who may use it in which phase. `host_rule`: with the option `host`, players may not
    use it; unless it `confirms` and the option `confirm` is on, where it marks them as ready.
    `needs_full_name`: it is destructive, so prefixes are refused. `rash`: why it needs a `!`.
    `secret`: its arguments are never echoed or stored. It is offered only if the game has the area
    `needs_area` ("": any area) and `of_use` is true. `offers`: the sources of its candidates.
    `topic`: by default that of its feature. `not_for_bots`: no bot's token permits it; otherwise
    the token needs the `scope`, by default one that follows from `allowed`.
    """

    form: str
    allowed: Allowed
    handler: Handler | None = None
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    host_rule: bool = False
    confirms: bool = False
    needs_full_name: bool = False
    rash: Rash | None = None
    secret: bool = False
    needs_area: str | None = None
    of_use: Callable[[Scene], bool] | None = None
    prepare: Prepare | None = None
    offers: Sources | None = None
    topic: Topic | None = None
    not_for_bots: bool = False
    given_scope: Scope | None = None
    is_query: bool = False
    choices: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    run: Any = None  # Any: a method of whatever feature
    name: str = field(init=False)
    arguments: tuple[Argument, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Read the form."""
        self.name, *arguments = self.form.split()
        self.arguments = tuple(_argument(each, self.choices) for each in arguments)

    def __call__(self, method: _Method) -> _Method:
        """Declare that this method runs the command."""
        self.run = method
        method.__dict__.setdefault("commands", []).insert(0, self)
        return method

    @cached_property
    def scope(self) -> Scope | None:
        """The scope that a bot's token needs; None: no token permits the command."""
        if self.not_for_bots:
            return None
        roles = {role for role, _ in self.allowed}
        fitting = Scope.PLAY if roles <= {Role.SEATED, Role.HOST} else Scope.READ
        return self.given_scope or (Scope.HOST if roles == {Role.HOST} else fitting)

    @property
    def phrase(self) -> str:
        """The key of its help."""
        return f"command.{self.name}"

    @cached_property
    def greedy(self) -> bool:
        """Whether the last argument takes the rest of the line."""
        return any(argument.greedy for argument in self.arguments)


COMMANDS: Final[dict[str, Command]] = {}
"""All commands, in the order in which help and the docs name them: those of `server/features`."""


@cache
def heads() -> Lexicon:
    """The names of all commands; to be called once they are registered."""
    return Lexicon([Choice(each.name, each.names, each.short) for each in COMMANDS.values()])


_IN_LESSONS: Final = frozenset({"board", "hand", "info", "look", "moves", "recap"})
"""The room commands of a learner besides the moves: those that show the game."""


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

    An operator is named only if no other role may.
    """
    roles = tuple(
        role for role in INSIDE if phases_of(command, frozenset((role,)), host_only=host_only)
    )
    return roles or (Role.OPERATOR,)


def is_for_host(scene: Scene, command: Command) -> bool:
    """Whether the room's options reserve a command with `host_rule` for the host."""
    if scene.room is None or not scene.host_only:
        return False
    return not (command.confirms and is_on(scene.room.table, "confirm"))


def may_use(scene: Scene, command: Command) -> bool:
    """Whether the speaker may use a command in a scene."""
    if scene.room is not None and scene.room.table.lesson and not is_for_lessons(command):
        return False
    scopes = scene.speaker.scopes
    if scopes is not None and command.scope not in scopes:
        return False
    host_only = command.host_rule and is_for_host(scene, command)
    return permits(command, scene.roles, scene.phase, host_only=host_only)


def is_for_lessons(command: Command) -> bool:
    """Whether a learner may use a command in a lesson: it shows the game, or needs no room."""
    return command.name in _IN_LESSONS or (Role.STRANGER, None) in command.allowed


def usable(scene: Scene) -> list[Command]:
    """The commands that are offered to the speaker in a scene."""
    return [command for command in COMMANDS.values() if is_offered(scene, command)]


def is_offered(scene: Scene, command: Command) -> bool:
    """Whether a command is permitted, of use, and the room's game has its area."""
    if command.of_use is not None and not command.of_use(scene):
        return False
    if command.needs_area is None:
        return may_use(scene, command)
    areas = [] if scene.game is None else [area.value for area in scene.game.texts.areas]
    has = command.needs_area in areas if command.needs_area else bool(areas)
    return has and may_use(scene, command)


# Shared by commands that write an entry.


def check_password(password: str) -> None:
    """Raise NotUnderstood (bad_password) if a password is empty or too long."""
    if not 1 <= len(password) <= PASSWORD_MAX_CHARS:
        raise NotUnderstood("bad_password", most=PASSWORD_MAX_CHARS)


def room_here(scene: Scene) -> Room:
    """The room of a scene. Raises NotAllowed (not_in_room) in the lobby."""
    if scene.room is None:
        raise NotAllowed("not_in_room")
    return scene.room


def game_here(scene: Scene) -> AnyGame:
    """The game of a scene's room. Raises NotAllowed: not_in_room, version_gap (its rules)."""
    room = room_here(scene)
    if scene.game is None:
        raise NotAllowed("version_gap", given=room.table.game)
    return scene.game


def entry(
    scene: Scene, act: RoomAct, facts: Mapping[str, Json] = NO_FACTS, *, note: str = ""
) -> Write:
    """The entry of an act, with the speaker's name and kind among the facts."""
    speaker: dict[str, Json] = {
        "name": scene.speaker.name,
        "kind": "human" if scene.speaker.human else "bot",
    }
    return Write((act.line,), {**speaker, **facts}, note, act)


def ends_game(reason: str) -> Rash:
    """Require confirmation in a running game, with the sentence of this key."""
    return lambda scene, arguments: reason if scene.phase in (PLAYING, PAUSED) else ""


def does(act: RoomAct) -> Handler:
    """A handler that always returns the entry of this act."""
    return lambda scene, arguments: entry(scene, act)


def near_names(given: str, names: Iterable[str]) -> list[str]:
    """The names that are most similar to `given`."""
    folded = {fold(name): name for name in names}
    return [folded[each] for each in nearest(fold(given), folded)]
