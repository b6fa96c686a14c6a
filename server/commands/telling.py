"""Commands for everybody, anywhere: rules, languages, names, who is there, which rooms."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands import answers
from bluebear.server.commands.acts import SetLang, SetName, Tell
from bluebear.server.commands.command import NAME, Argument, Arguments, Command, anywhere
from bluebear.server.commands.needs import Listing, Wanted
from bluebear.server.commands.scene import Scene

_PAGE: Final = Argument("page", "page", optional=True)
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


def _listing(given: Arguments, *, free: bool) -> Wanted:
    page = given.get("page", 1) - 1
    return Wanted(rooms=Listing(given.get("game", ""), free=free, page=page))


def _rooms(scene: Scene, given: Arguments) -> Tell:
    return answers.room_list(scene, given.get("page", 1))


COMMANDS: Final = (
    Command(
        "rules",
        anywhere(),
        lambda scene, given: answers.rules(scene, given.get("paragraph", "")),
        (Argument("paragraph", "paragraph", optional=True),),
        ("ルール", "規則"),
    ),
    Command("lang", anywhere(), _lang, (_LANG,), ("言語",)),
    Command(
        "nick",
        anywhere(),
        lambda scene, given: SetName(given["name"]),
        (NAME,),
        ("名前",),
        own=True,
    ),
    Command(
        "who",
        anywhere(),
        lambda scene, given: answers.who(scene),
        names=("誰", "メンバー"),
        needs=lambda scene, given: Wanted(online=True) if scene.room is None else None,
    ),
    Command(
        "listroom",
        anywhere(),
        _rooms,
        (Argument("game", "game", optional=True), _PAGE),
        ("部屋一覧",),
        needs=lambda scene, given: _listing(given, free=False),
    ),
    Command(
        "listfree",
        anywhere(),
        _rooms,
        (Argument("game", "game"), _PAGE),
        ("空席一覧",),
        needs=lambda scene, given: _listing(given, free=True),
    ),
)
