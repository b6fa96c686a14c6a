"""The way into rooms and out of them: `/lobby`, `/room`, `/newroom`; `/help`, `/rules`, `/lang`."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands import answers
from bluebear.server.commands.acts import Act, FindRoom, GoLobby, NewRoom, SetLang, Tell
from bluebear.server.commands.command import (
    PASSWORD,
    Argument,
    Arguments,
    Command,
    Topic,
    anywhere,
    check_password,
)
from bluebear.server.commands.help import help_text
from bluebear.server.commands.needs import ROOMS
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Feature
from bluebear.server.people.account import Scope
from bluebear.server.sentences import say

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


def _find_room(scene: Scene, given: Arguments) -> FindRoom:
    return FindRoom(given["room"], given.get("password", ""))


def _new_room(scene: Scene, given: Arguments) -> Act:
    password = given.get("password", "")
    if password:
        check_password(password)
    if not scene.pins.offers(given["game"]):
        raise NotAllowed("not_offered", given=given["game"], candidates=scene.pins.offered)
    return NewRoom(given["game"], given.get("privacy", "public"), password)


def _go_lobby(scene: Scene, given: Arguments) -> Act:
    """Leave the room; in the lobby, say where one is."""
    if scene.room is None:
        return Tell("lobby", say("answer.in_lobby", scene.speaker.lang))
    return GoLobby()


_LANG: Final = Argument(
    "lang",
    "choice",
    choices=(Choice("en", ("english", "英語")), Choice("ja", ("japanese", "日本語"))),
)


def _lang(scene: Scene, arguments: Arguments) -> SetLang:
    for lang in LANGS:
        if arguments["lang"] == lang:
            return SetLang(lang)
    raise NotUnderstood("bad_word", argument="lang", given=arguments["lang"], candidates=LANGS)


class Rooms(Feature):
    """The way into rooms and out of them; help, rules and language, anywhere."""

    name = "rooms"
    is_basic = True
    commands = (
        Command(
            "help",
            anywhere(),
            lambda scene, given: help_text(scene, given.get("command", "")),
            (Argument("command", "command", optional=True),),
            ("ヘルプ", "助け"),
            ("?",),
            topic=Topic.ROOMS,
        ),
        Command(
            "rules",
            anywhere(),
            lambda scene, given: answers.rules(scene, given.get("paragraph", "")),
            (Argument("paragraph", "paragraph", optional=True),),
            ("ルール", "規則"),
            topic=Topic.ROOMS,
        ),
        Command("lang", anywhere(), _lang, (_LANG,), ("言語",), topic=Topic.ROOMS),
        Command(
            "lobby",
            anywhere(),
            _go_lobby,
            names=("ロビー",),
            short=("manager",),
            topic=Topic.ROOMS,
        ),
        Command(
            "room",
            anywhere(),
            _find_room,
            (Argument("room", "room"), PASSWORD),
            ("部屋",),
            secret=True,
            offers=ROOMS,
            topic=Topic.ROOMS,
        ),
        Command(
            "newroom",
            anywhere(),
            _new_room,
            (Argument("game", "game"), _PRIVACY, PASSWORD),
            ("新部屋", "部屋作成"),
            secret=True,
            given_scope=Scope.HOST,
            topic=Topic.ROOMS,
        ),
    )
