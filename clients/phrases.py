"""The few sentences that a client has to say itself, because no server is there to say them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import cast

from bluebear.clients.command_line import Arguments, UsageError
from bluebear.protocol import Lang


class Texts:
    """The catalogues `phrases.toml` of some packages, read in one language."""

    def __init__(self, lang: Lang, *packages: str) -> None:
        self.lang = lang
        self._phrases: dict[str, Mapping[str, str]] = {}
        for package in ("bluebear.clients", *packages):
            text = resources.files(package).joinpath("phrases.toml").read_text(encoding="utf-8")
            self._phrases.update(tomllib.loads(text))

    def turn_to(self, lang: str | None) -> None:
        """Another language from now on, if it is one of ours."""
        if lang in ("en", "ja"):
            self.lang = cast(Lang, lang)

    def say(self, key: str, **params: object) -> str:
        """The sentence with its parameters; KeyError for a key that no catalogue has."""
        return self._phrases[key][self.lang].format(**params)


def preferred_lang(environment: Mapping[str, str]) -> Lang:
    """The language that an environment asks for: Japanese where it says so, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name, "")
        if value:
            return "ja" if value.startswith("ja") else "en"
    return "en"


def chosen_lang(arguments: Arguments, otherwise: Lang) -> Lang:
    """The language that a command line names by `--lang`. Raises UsageError for any other."""
    chosen = arguments.values.get("lang", otherwise)
    if chosen not in ("en", "ja"):
        raise UsageError("bad_lang", chosen)
    return cast(Lang, chosen)
