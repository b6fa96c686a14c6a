"""Commands for everybody, anywhere: rules, languages, names, who is there, which rooms."""

from __future__ import annotations

from typing import Final

from rules.core.phrases import LANGS
from rules.core.refusal import NotUnderstood
from rules.core.slots import Choice
from server.commands import answers
from server.commands.acts import SetLang, SetName
from server.commands.command import NAME, Argument, Arguments, Command, anywhere
from server.commands.scene import Scene

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


COMMANDS: Final = (
    Command(
        "rules",
        anywhere(),
        lambda scene, given: answers.rules(scene, given.get("paragraph", "")),
        (Argument("paragraph", "paragraph", optional=True),),
        ("ルール", "規則"),
    ),
    Command("lang", anywhere(), _lang, (_LANG,), ("言語",)),
    Command("nick", anywhere(), lambda scene, given: SetName(given["name"]), (NAME,), ("名前",)),
    Command("who", anywhere(), lambda scene, given: answers.who(scene), (), ("誰", "メンバー")),
    Command(
        "listroom",
        anywhere(),
        lambda scene, given: answers.room_list(scene, given.get("game", "")),
        (Argument("game", "game", optional=True),),
        ("部屋一覧",),
    ),
    Command(
        "listfree",
        anywhere(),
        lambda scene, given: answers.room_list(scene, given["game"], free=True),
        (Argument("game", "game"),),
        ("空席一覧",),
    ),
)
