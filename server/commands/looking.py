"""Commands that only look: rules and language anywhere; in a room its state, the table, votes."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands import answers
from bluebear.server.commands.acts import SetLang
from bluebear.server.commands.command import (
    Argument,
    Arguments,
    Command,
    anywhere,
    in_room,
)
from bluebear.server.commands.scene import Scene

COMMANDS: Final = (
    Command(
        "info",
        in_room(),
        lambda scene, given: answers.info(scene),
        names=("情報",),
        short=("spielinfo",),
    ),
    Command(
        "board",
        in_room(),
        lambda scene, given: answers.board(scene, short="form" in given),
        (Argument("form", "choice", optional=True, choices=(Choice("short", ("要点",)),)),),
        ("盤", "盤面"),
    ),
    Command(
        "look",
        in_room(),
        lambda scene, given: answers.look(scene, given.get("area", "")),
        (Argument("area", "area", optional=True),),
        ("眺める",),
        needs_area="",
    ),
    Command("recap", in_room(), lambda scene, given: answers.recap(scene), names=("振り返り",)),
    Command("votes", in_room(), lambda scene, given: answers.votes(scene), names=("投票一覧",)),
)


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


ANYWHERE: Final = (
    Command(
        "rules",
        anywhere(),
        lambda scene, given: answers.rules(scene, given.get("paragraph", "")),
        (Argument("paragraph", "paragraph", optional=True),),
        ("ルール", "規則"),
    ),
    Command("lang", anywhere(), _lang, (_LANG,), ("言語",)),
)
