"""Who one is: keeping a name, coming in as somebody known, going out for good; one's bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bluebear.protocol import Lang
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands.acts import ListBots, LogIn, LogOut, MakeBot, Register, RevokeBot
from bluebear.server.commands.command import NAME, PASSWORD, Argument, Arguments, Command, anywhere
from bluebear.server.commands.scene import Scene
from bluebear.server.commands.writing import check_password
from bluebear.server.limits import PASSWORD_LEAST_CHARS
from bluebear.server.people.account import Scope

SCOPES: Final = (
    Choice(Scope.READ, ("閲覧",)),
    Choice(Scope.CHAT, ("会話",)),
    Choice(Scope.PLAY, ("対局",)),
    Choice(Scope.HOST, ("ホスト",)),
)
_USUAL: Final = (Scope.READ, Scope.CHAT, Scope.PLAY)

_EVERYWHERE: Final = Argument(
    "everywhere", "choice", optional=True, choices=(Choice("all", ("全部",)),)
)


def _register(scene: Scene, given: Arguments) -> Register:
    return Register(_password(scene, given, {"en": "/register", "ja": "/登録"}))


def _log_in(scene: Scene, given: Arguments) -> LogIn:
    name = given["name"]
    line: Mapping[Lang, str] = {"en": f"/login {name}", "ja": f"/ログイン {name}"}
    return LogIn(name, _password(scene, given, line))


def _password(scene: Scene, given: Arguments, line: Mapping[Lang, str]) -> str:
    """The password of an account; NotUnderstood: account_password, bad_password, short_password.

    `line` is what stands before it. Clients that can ask for it do so when it is missing, so that
    nobody has to type it openly.
    """
    password: str = given.get("password", "")
    if not password:
        raise NotUnderstood("account_password", line=line[scene.speaker.lang])
    check_password(password)
    if len(password) < PASSWORD_LEAST_CHARS:
        raise NotUnderstood("short_password", least=PASSWORD_LEAST_CHARS)
    return password


def _make_bot(scene: Scene, given: Arguments) -> MakeBot:
    """Whatever a token allows, it allows to look on."""
    wished = given.get("scopes", _USUAL)
    scopes = tuple(scope for scope in Scope if scope in (Scope.READ, *wished))
    return MakeBot(given.get("name", ""), scopes)


COMMANDS: Final = (
    Command(
        "register", anywhere(), _register, (PASSWORD,), ("登録",), secret=True, whole=True, own=True
    ),
    Command("login", anywhere(), _log_in, (NAME, PASSWORD), ("ログイン",), secret=True, own=True),
    Command(
        "logout",
        anywhere(),
        lambda scene, given: LogOut(everywhere="everywhere" in given),
        (_EVERYWHERE,),
        ("ログアウト",),
        whole=True,
        own=True,
    ),
    Command(
        "token",
        anywhere(),
        _make_bot,
        (
            Argument("name", "name", optional=True),
            Argument("scopes", "scopes", optional=True, choices=SCOPES),
        ),
        ("トークン",),
        own=True,
    ),
    Command(
        "tokens",
        anywhere(),
        lambda scene, given: ListBots(),
        names=("トークン一覧",),
        own=True,
    ),
    Command(
        "revoke",
        anywhere(),
        lambda scene, given: RevokeBot(given["name"]),
        (NAME,),
        ("トークン取消",),
        whole=True,
        own=True,
    ),
)
