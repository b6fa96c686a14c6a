"""The sentences that a client prints itself, without a server."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import cast

from bluebear.clients.command_line import Arguments, UsageError
from bluebear.protocol import Lang


class Texts:
    """Phrases from the `phrases.toml` of several packages, rendered in one language."""

    def __init__(self, lang: Lang, *packages: str) -> None:
        self.lang = lang
        self._phrases: dict[str, Mapping[str, str]] = {}
        for package in ("bluebear.clients", *packages):
            text = resources.files(package).joinpath("phrases.toml").read_text(encoding="utf-8")
            self._phrases.update(tomllib.loads(text))

    def turn_to(self, lang: str | None) -> None:
        """Switch to a language, if the phrases have it."""
        if lang in ("en", "ja"):
            self.lang = cast(Lang, lang)

    def say(self, key: str, **params: object) -> str:
        """Render a phrase with its parameters; KeyError for an unknown key."""
        return self._phrases[key][self.lang].format(**params)


def preferred_lang(environment: Mapping[str, str]) -> Lang:
    """The language of an environment: Japanese if its locale is, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name, "")
        if value:
            return "ja" if value.startswith("ja") else "en"
    return "en"


def chosen_lang(arguments: Arguments, otherwise: Lang) -> Lang:
    """The language that `--lang` names. Raises UsageError for an unknown one."""
    chosen = arguments.values.get("lang", otherwise)
    if chosen not in ("en", "ja"):
        raise UsageError("bad_lang", chosen)
    return cast(Lang, chosen)
