"""The table of commands: names, arguments, and who may use which one when.

`/help`, completion, the catalogue, the docs and the permission tests are all made from this table.
Sentences are in `server/phrases.toml`: `command.NAME` the help, `argument.NAME` what an argument is
called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.core.slots import Choice, Lexicon
from server.room.state import Phase


class Role(StrEnum):
    """What a person is to a room. A host who sits has the rights of both."""

    STRANGER = "stranger"
    SPECTATOR = "spectator"
    SEATED = "seated"
    HOST = "host"


Allowed = frozenset[tuple[Role, Phase | None]]
"""Pairs of role and phase of the room; phase None is the lobby."""

PHASES: Final = frozenset(Phase)
INSIDE: Final = (Role.SPECTATOR, Role.SEATED, Role.HOST)


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

    Kinds: seat, vote, page, seed (only as `seed=HEX`), hex, game, choice (one of `choices`),
    strategy, command, paragraph, option, area, name, room, game_id, token; and those that take the
    rest of the line: text, password.
    """

    name: str
    kind: str
    optional: bool = False
    choices: tuple[Choice, ...] = ()

    @property
    def greedy(self) -> bool:
        """Whether it takes the rest of the line."""
        return self.kind in ("text", "password")


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    `host_rule`: with the room's option `host` on, seated people may not use it. `whole`: it ends or
    takes something, so no prefix will do. `secret`: what follows is never echoed or kept.
    `needs_area`: it is offered only where the game has this area to look at ("": any).
    """

    name: str
    allowed: Allowed
    arguments: tuple[Argument, ...] = ()
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    host_rule: bool = False
    whole: bool = False
    secret: bool = False
    needs_area: str | None = None

    @property
    def greedy(self) -> bool:
        """Whether the last argument takes the rest of the line."""
        return any(argument.greedy for argument in self.arguments)


_SEAT: Final = Argument("seat", "seat")
_SEAT_OPTIONAL: Final = Argument("seat", "seat", optional=True)
_NAME: Final = Argument("name", "name")
_TEXT: Final = Argument("text", "text")
_VOTE: Final = Argument("vote", "vote", optional=True)
_PAGE: Final = Argument("page", "page", optional=True)
_PASSWORD_OPTIONAL: Final = Argument("password", "password", optional=True)
_LANG: Final = Argument(
    "lang",
    "choice",
    choices=(Choice("en", ("english", "英語")), Choice("ja", ("japanese", "日本語"))),
)
_PRIVACY: Final = Argument(
    "privacy",
    "choice",
    optional=True,
    choices=(
        Choice("public", ("公開",)),
        Choice("unlisted", ("限定公開",)),
        Choice("private", ("非公開", "招待制")),
    ),
)

COMMANDS: Final[Mapping[str, Command]] = {
    command.name: command
    for command in (
        # Anyone, anywhere.
        Command(
            "help",
            anywhere(),
            (Argument("command", "command", optional=True),),
            ("ヘルプ", "助け"),
            ("?",),
        ),
        Command(
            "rules",
            anywhere(),
            (Argument("paragraph", "paragraph", optional=True),),
            ("ルール", "規則"),
        ),
        Command("lang", anywhere(), (_LANG,), ("言語",)),
        Command("nick", anywhere(), (_NAME,), ("名前",)),
        Command("who", anywhere(), (), ("誰", "メンバー")),
        Command(
            "listroom",
            anywhere(),
            (Argument("game", "game", optional=True), _PAGE),
            ("部屋一覧",),
        ),
        Command("listfree", anywhere(), (Argument("game", "game"), _PAGE), ("空席一覧",)),
        Command("lobby", anywhere(), (), ("ロビー",), ("manager",)),
        Command(
            "room",
            anywhere(),
            (Argument("room", "room"), _PASSWORD_OPTIONAL),
            ("部屋",),
            secret=True,
        ),
        Command(
            "newroom",
            anywhere(),
            (Argument("game", "game"), _PRIVACY, _PASSWORD_OPTIONAL),
            ("新部屋", "部屋作成"),
            secret=True,
        ),
        Command("myrooms", anywhere(), (), ("自分の部屋",)),
        Command("tell", anywhere(), (_NAME, _TEXT), ("伝言",)),
        # In a room.
        Command("info", in_room(), (), ("情報",), ("spielinfo",)),
        Command("board", in_room(), (), ("盤", "盤面")),
        Command(
            "look",
            in_room(),
            (Argument("area", "area", optional=True),),
            ("眺める",),
            needs_area="",
        ),
        Command("recap", in_room(), (), ("振り返り",)),
        Command("votes", in_room(), (), ("投票一覧",)),
        Command(
            "record", in_room(), (Argument("game_id", "game_id", optional=True),), ("記録", "棋譜")
        ),
        Command(
            "join",
            in_room(OPEN, PLAYING, PAUSED),
            (_SEAT_OPTIONAL, Argument("seed", "seed", optional=True)),
            ("参加",),
        ),
        # Before the game.
        Command("leave", seated(OPEN, PLAYING, PAUSED, OVER), (), ("退席",), whole=True),
        Command(
            "option",
            seated(OPEN) | host(OPEN),
            (
                Argument("option", "option", optional=True),
                Argument("value", "text", optional=True),
            ),
            ("オプション", "設定"),
            host_rule=True,
        ),
        Command("seed", seated(OPEN), (Argument("hex", "hex"),), ("種",)),
        Command(
            "start", seated(OPEN) | host(OPEN), (), ("開始", "スタート"), host_rule=True, whole=True
        ),
        Command(
            "startnosave",
            seated(OPEN) | host(OPEN),
            (),
            ("練習開始",),
            host_rule=True,
            whole=True,
        ),
        Command(
            "bot",
            seated(OPEN) | host(OPEN, PLAYING, PAUSED),
            (
                Argument("strategy", "strategy", optional=True),
                _SEAT_OPTIONAL,
            ),
            ("ボット",),
            host_rule=True,
        ),
        # During the game.
        Command("hand", seated(PLAYING, PAUSED, OVER), (), ("手札",), needs_area="hand"),
        Command("moves", seated(PLAYING), (), ("手",)),
        Command(
            "undo",
            seated(PLAYING),
            (Argument("what", "text", optional=True),),
            ("待った", "取り消し"),
        ),
        Command("resign", seated(PLAYING, PAUSED), (), ("投了",), whole=True),
        Command("masterreset", seated(PLAYING, PAUSED), (), ("全中止",), whole=True),
        Command("pause", seated(PLAYING), (), ("一時停止",)),
        Command("resume", seated(PAUSED), (), ("再開",)),
        Command("remove", seated(PLAYING, PAUSED), (_NAME,), ("代打",)),
        Command("accept", seated(PLAYING, PAUSED), (_VOTE,), ("賛成", "はい"), ("y",)),
        Command("refuse", seated(PLAYING, PAUSED), (_VOTE,), ("反対", "いいえ"), ("n",)),
        # After the game.
        Command("reset", seated(OVER) | host(OVER, FROZEN), (), ("片付け",), whole=True),
        Command("again", seated(OVER) | host(OVER), (), ("もう一度",)),
        # The host.
        Command("host", host(), (_NAME,), ("ホスト",)),
        Command(
            "password",
            host(),
            (Argument("password", "password"),),
            ("合言葉", "パスワード"),
            secret=True,
        ),
        Command("invite", host(), (Argument("name", "name", optional=True),), ("招待",)),
        Command("uninvite", host(), (Argument("token", "token"),), ("招待取消",), secret=True),
        Command("kick", host(), (_NAME,), ("退室させる",), whole=True),
        Command("ban", host(), (_NAME,), ("立入禁止",), whole=True),
        Command("unban", host(), (_NAME,), ("立入許可",)),
    )
}

HEADS: Final = Lexicon(
    [Choice(command.name, command.names, command.short) for command in COMMANDS.values()]
)


def roles_of(*, present: bool, has_seat: bool, is_host: bool) -> frozenset[Role]:
    """The roles of a person towards a room."""
    if not present:
        return frozenset((Role.STRANGER,))
    roles = {Role.SEATED if has_seat else Role.SPECTATOR}
    if is_host:
        roles.add(Role.HOST)
    return frozenset(roles)


def permits(
    command: Command, roles: frozenset[Role], phase: Phase | None, *, host_only: bool
) -> bool:
    """Whether somebody with these roles may use a command in this phase of the room."""
    return phase in _reach(command, roles, host_only=host_only)


def phases_of(command: Command, roles: frozenset[Role], *, host_only: bool) -> tuple[Phase, ...]:
    """The phases of a room in which these roles may use a command, in order; empty: in none."""
    reach = _reach(command, roles, host_only=host_only)
    return tuple(phase for phase in Phase if phase in reach)


def roles_for(command: Command, *, host_only: bool) -> tuple[Role, ...]:
    """The roles that may use a command in some phase of the room, in order."""
    return tuple(
        role for role in INSIDE if phases_of(command, frozenset((role,)), host_only=host_only)
    )


def _reach(command: Command, roles: frozenset[Role], *, host_only: bool) -> set[Phase | None]:
    if command.host_rule and host_only and Role.HOST not in roles:
        return set()
    return {phase for role, phase in command.allowed if role in roles}
