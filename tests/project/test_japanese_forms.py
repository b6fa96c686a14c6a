"""Do Japanese texts say one word for one thing, and only what a Japanese reader can type?"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bluebear import rules
from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.slots import fold
from bluebear.server.features import heads
from bluebear.server.room.options import named_values, options_for
from bluebear.server.sentences import SERVER
from tests.project import tree

GAMES: Final = rules.games()
KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
JAPANESE: Final = re.compile(r"(^|/)(ja\.ts|[A-Z]+\.ja\.md)$")
VARIANTS: Final = [
    (re.compile(each["not"]), each["say"])
    for each in tomllib.loads(Path(__file__).with_name("japanese.toml").read_text("utf-8"))[
        "variant"
    ]
]
READ: Final = (".md", ".toml", ".ts", ".tsx")
NOT_SENTENCES: Final = re.compile(r"(kana|japanese|readings|map|reserved|places)\.toml$|^tests/")
"""Readings, names of stations, and what tests type."""
COMMAND: Final = re.compile(r"(?<![\w./:<〜])/([^\s\x00-\x7f、。「」()/]+)")
ROMAN: Final = re.compile(r"(?<![\w{/.=:#&`-])([a-z]+)(?![\w}/.:`(=-])")


def test_one_form_is_used_for_one_term() -> None:
    results = [
        f"{tree.name(path)}:{number}: {match[0]} -> {say}"
        for path in tree.files(*READ)
        if not NOT_SENTENCES.search(tree.name(path))
        for number, line in enumerate(tree.text(path).splitlines(), start=1)
        if KANA.search(line) or JAPANESE.search(tree.name(path)) or line.startswith("ja = ")
        for pattern, say in VARIANTS
        if (match := pattern.search(line)) is not None
    ]
    assert results == [], "\n".join(results)


@pytest.mark.parametrize(("pattern", "say"), VARIANTS, ids=[say for _, say in VARIANTS])
def test_no_wanted_form_is_forbidden_itself(pattern: re.Pattern[str], say: str) -> None:
    assert [other for other, _ in VARIANTS if other.search(say)] == [], pattern


def catalogues() -> Iterator[tuple[str, Phrases]]:
    yield "server", SERVER
    for key, game in GAMES.items():
        yield key, game.phrases


def phrases() -> Iterator[tuple[str, str, Phrase]]:
    """Every phrase of the server and the games, with whose it is and its key."""
    for owner, catalogue in catalogues():
        for key in catalogue:
            result = catalogue.find(key)
            assert result is not None
            yield owner, key, result


def test_every_japanese_line_that_is_advised_can_be_typed() -> None:
    """`/参加` in a sentence is a command, or a verb or query of the game that says it."""
    unknown = [
        f"{owner} {key}: /{head}"
        for owner, key, phrase in phrases()
        for head in COMMAND.findall(phrase.ja)
        if not heads().find(fold(head))
        and not any(
            game.grammar.heads.find(fold(head))
            for game in (GAMES.values() if owner == "server" else [GAMES[owner]])
        )
    ]
    assert unknown == []


def test_no_english_value_of_an_option_stands_in_a_japanese_sentence() -> None:
    terms = {
        value
        for game in GAMES.values()
        for option in options_for(game).values()
        for value in (*named_values(option), option.name)
        if value.isalpha()
    }
    results = [
        f"{owner} {key}: {term}"
        for owner, key, phrase in phrases()
        if KANA.search(phrase.ja) and not key.startswith(("serve.", "word."))
        for term in ROMAN.findall(phrase.ja)
        if term in terms
    ]
    assert results == []
