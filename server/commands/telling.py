"""Commands for everybody, anywhere: rules, languages, who is there."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands import answers
from bluebear.server.commands.acts import SetLang
from bluebear.server.commands.command import Argument, Arguments, Command, anywhere
from bluebear.server.commands.scene import Scene

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
)
