"""Do banned words become fewer, and does a new package begin without any?"""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.project import ratchet, tree, vocabulary
from tests.project.vocabulary import Offence, in_file

GLOSSARY: Final = tree.text(tree.ROOT / "docs" / "glossary.md")
SHOWN: Final = 20

BAD: Final = '''"""Whoever comes is heard."""

class Troubles:
    """What somebody has said."""

    def told(self, way: int) -> None:
        self.kept = way  # nobody knows it


word_asked = 1
"""The house of words."""
'''
GOOD: Final = '''"""Replies to requests; the house bots have their own."""

class Replies:
    """What a client has sent, see `somebody`."""

    def reply(self, index: int) -> None:
        self.cached = index  # the next request needs it
'''


def kinds(file: str, text: str) -> list[tuple[str, str]]:
    """The kind and word of each offence in a sample."""
    return [(each.kind, each.term) for each in in_file(file, text, "sample")]


def test_each_kind_of_offence_is_detected() -> None:
    assert sorted(kinds("sample/waiting.py", BAD)) == sorted(
        [
            ("docstrings", "whoever"),
            ("docstrings", "somebody"),
            ("docstrings", "house"),
            ("comments", "nobody"),
            ("names", "told"),
            ("names", "way"),
            ("names", "word_asked"),
            ("names", "kept"),
            ("gerunds", "waiting"),
        ]
    )
    assert kinds("sample/phrases.toml", '[x]\nen = "He is told by whom"\nja = "his"\n') == [
        ("phrases", "He")
    ]
    assert kinds(
        "sample/desks.ts", "/* Somebody. */\nconst told = 1; // he\nlet a: { kept: b }"
    ) == [
        ("comments", "somebody"),
        ("comments", "he"),
        ("names", "told"),
        ("names", "kept"),
    ]


def test_a_clean_sample_has_none() -> None:
    assert kinds("sample/replies.py", GOOD) == []
    assert kinds("sample/view.ts", '// The reply.\nconst url = "http://x/his";') == []
    assert kinds("sample/texts.ts", "const text = `said: ${told}`;") == []
    assert kinds("sample/test_scoring.py", "def __post_init__() -> None: ...\n") == []


def test_terms_of_a_rule_book_are_right_in_its_game() -> None:
    assert kinds("rules/tokai/places.py", "place = 1") == []
    assert kinds("server/room/places.py", "place = 1") != []


@pytest.fixture(scope="module")
def offences() -> list[Offence]:
    return vocabulary.offences()


def test_no_package_has_more_than_it_had(offences: list[Offence]) -> None:
    now, stored = vocabulary.counts(offences), vocabulary.baseline()
    worse = ratchet.risen(now, stored)
    listed = [str(each) for each in offences if (each.package, each.kind) in worse]
    assert worse == set(), "\n".join(["", *listed[:SHOWN]])


def test_what_has_become_less_stays_so(offences: list[Offence]) -> None:
    behind = ratchet.stale(vocabulary.counts(offences), vocabulary.baseline())
    assert behind == set(), "run: python -m tests.project.vocabulary --lower"


def test_the_glossary_explains_each_term() -> None:
    explained = set(re.findall(r"^\| \*\*(.+?)\*\* \|", GLOSSARY, re.MULTILINE))
    terms = {each for row in vocabulary.SETTINGS["glossary"].values() for each in row}
    assert terms - explained == set()


def test_every_line_of_the_glossary_is_in_both_languages() -> None:
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| ([^|]*) \| ([^|]*) \|$", GLOSSARY, re.MULTILINE)
    assert rows
    assert [term for term, japanese, text in rows if not (japanese.strip() and text.strip())] == []
