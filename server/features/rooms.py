"""The way into rooms and out of them: `/lobby`, `/room`, `/newroom`; `/help`, `/rules`, `/lang`."""

from __future__ import annotations

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands import answers
from bluebear.server.commands.acts import Act, FindRoom, GoLobby, NewRoom, SetLang, Tell
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere, check_password
from bluebear.server.commands.help import help_text
from bluebear.server.commands.scene import ROOMS, Scene
from bluebear.server.features.feature import Feature
from bluebear.server.people.account import Scope
from bluebear.server.sentences import say


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


def _lang(scene: Scene, arguments: Arguments) -> SetLang:
    for lang in LANGS:
        if arguments["lang"] == lang:
            return SetLang(lang)
    raise NotUnderstood("bad_word", argument="lang", given=arguments["lang"], candidates=LANGS)


class Rooms(Feature):
    """The way into rooms and out of them; help, rules and language, anywhere."""

    name = "rooms"
    topic = Topic.ROOMS
    is_basic = True
    commands = (
        Command(
            "help command?",
            anywhere(),
            lambda scene, given: help_text(scene, given.get("command", "")),
            ("ヘルプ", "助け"),
            ("?",),
        ),
        Command(
            "rules paragraph?",
            anywhere(),
            lambda scene, given: answers.rules(scene, given.get("paragraph", "")),
            ("ルール", "規則"),
        ),
        Command(
            "lang lang",
            anywhere(),
            _lang,
            ("言語",),
            choices={
                "lang": (Choice("en", ("english", "英語")), Choice("ja", ("japanese", "日本語")))
            },
        ),
        Command("lobby", anywhere(), _go_lobby, names=("ロビー",), short=("manager",)),
        Command(
            "room room password?", anywhere(), _find_room, ("部屋",), secret=True, offers=ROOMS
        ),
        Command(
            "newroom game privacy? password?",
            anywhere(),
            _new_room,
            ("新部屋", "部屋作成"),
            secret=True,
            given_scope=Scope.HOST,
            choices={
                "privacy": (
                    Choice("public", ("公開",)),
                    Choice("unlisted", ("限定公開",)),
                    Choice("private", ("非公開", "招待制")),
                )
            },
        ),
    )
