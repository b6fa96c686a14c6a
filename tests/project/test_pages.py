"""Are the pages in docs short, plain and in both languages where people read them?

Sizes and rules: each page has one reader and one purpose, tasks first, one idea a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Final

import pytest

from tests.project import tree

DOCS: Final = tree.ROOT / "docs"
PAGES: Final = tree.files(".md", below="docs")
LINES_MOST: Final = 300
SIZES: Final = {
    "README.md": 120,
    "README.ja.md": 120,
    "docs/players.md": 180,
    "docs/ja/players.md": 180,
    "docs/hosting.md": 180,
    "docs/ja/hosting.md": 180,
    "docs/operations.md": 160,
    "docs/ja/operations.md": 160,
    "docs/cluster.md": 140,
    "docs/ja/cluster.md": 140,
    "docs/security.md": 90,
    "docs/ja/security.md": 90,
    "docs/reliability.md": 150,
    "docs/ja/reliability.md": 150,
    "docs/performance.md": 100,
    "docs/architecture.md": 130,
    "docs/contributing.md": 150,
    "docs/releasing.md": 90,
    "docs/glossary.md": 130,
    "docs/tutorial.md": 400,
    "docs/bots.md": 240,
    "docs/search.md": 100,
}
"""Lines of a page at most. A number may only fall; a page without one has `LINES_MOST`."""
FREE: Final = ("docs/commands.md", "docs/protocol.md", "docs/notes/")
"""Generated pages, lists and notes: as long as they are."""

PLAIN: Final = (
    "README.md",
    *(
        f"docs/{name}.md"
        for name in (
            "players",
            "hosting",
            "operations",
            "cluster",
            "security",
            "reliability",
            "performance",
            "architecture",
            "contributing",
            "releasing",
            "tutorial",
            "bots",
            "search",
        )
    ),
    *(tree.name(path) for path in tree.files(".md", below="docs/games")),
)
"""English pages whose sentences are measured."""
DECISIONS: Final = tuple(sorted((DOCS / "decisions").glob("[0-9]*.md")))
DECISION_LINES: Final = 60
SECTIONS_OF_DECISION: Final = (
    ["## Context", "## Decision", "## Rejected"],
    ["## Context", "## Decision", "## Instead of"],
)
LINES_OF_PARAGRAPH: Final = 5
SENTENCE_MEAN: Final = 18.0
SENTENCE_MOST: Final = 35
BANNED: Final = re.compile(
    r"\b(?:somebody|someone else's|nobody|everybody|anybody|whoever|whomever|whom|he|him|his)\b",
    re.IGNORECASE,
)

FENCE: Final = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
HEADING: Final = re.compile(r"^#{1,6} +.+$", re.MULTILINE)
SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"')*]*\s+")
NOT_AN_END: Final = re.compile(r"\b(?:e\.g|i\.e|I\.T\.C|vs)\.\s")


def paragraphs(page: str) -> Iterator[str]:
    """The prose of a page without code, tables, headings and pictures; each list item by itself."""
    text = FENCE.sub("", page)
    text = re.sub(r"^(?: *\|.*|#{1,6} .*|!\[.*| {4,}\S.*)$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *(?:[-*]|\d+\.) +", "\n", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.strip():
            yield " ".join(paragraph.split())


def sentences(page: str) -> Iterator[tuple[str, int]]:
    """The English sentences of a page's prose with their words; a span of code is one word."""
    for paragraph in paragraphs(page):
        plain = re.sub(r"`[^`]*`", "`code`", paragraph)
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        plain = NOT_AN_END.sub(lambda match: match[0].replace(".", ""), plain)
        for sentence in SENTENCE_END.split(plain):
            terms = re.findall(r"[\w`][\w`'’.,:/%-]*", sentence)
            if terms and len(re.findall(r"[a-z]", sentence)) > len(sentence) / 3:
                yield sentence, len(terms)


def blocks(page: str) -> Iterator[list[str]]:
    """Lines of prose that follow each other: no code, tables, lists, headings and pictures."""
    block: list[str] = []
    for line in (*FENCE.sub("", page).splitlines(), ""):
        if line and not re.match(r" *\||[#!*-]|\d+\. |    ", line):
            block.append(line)
        elif block:
            yield block
            block = []


def headings(page: str) -> list[str]:
    return HEADING.findall(FENCE.sub("", page))


def page_of(name: str) -> Path:
    return tree.ROOT / name


def lines_of(path: Path) -> int:
    return len(tree.text(path).splitlines())


@pytest.mark.parametrize("page", PAGES, ids=tree.name)
def test_no_page_is_long(page: Path) -> None:
    name = tree.name(page)
    if not name.startswith(FREE):
        assert lines_of(page) <= SIZES.get(name, LINES_MOST)


@pytest.mark.parametrize("name", SIZES)
def test_a_page_with_a_size_is_there_and_keeps_it(name: str) -> None:
    assert 0 < lines_of(page_of(name)) <= SIZES[name]


@pytest.mark.parametrize("page", tree.files(".md", below="docs/ja"), ids=tree.name)
def test_a_japanese_page_has_an_english_twin_with_the_same_sections(page: Path) -> None:
    twin = DOCS / page.relative_to(DOCS / "ja")
    assert twin.exists()
    levels = [[line.split()[0] for line in headings(tree.text(each))] for each in (page, twin)]
    assert levels[0] == levels[1]


@pytest.mark.parametrize("name", ["players.md", "hosting.md", "operations.md", "cluster.md"])
def test_both_languages_name_the_same_options_and_commands(name: str) -> None:
    """What is typed in a shell, variables and options: both readers need all of them."""
    spans = re.compile(r"(?<![\w-])(--[a-z-]+|BLUEBEAR_[A-Z_]+|bluebear [a-z]+)(?![\w-])")
    texts = [tree.text(DOCS / name), tree.text(DOCS / "ja" / name)]
    english, japanese = (set(spans.findall(text)) for text in texts)
    assert english == japanese


@pytest.mark.parametrize("name", ["players.md", "hosting.md", "operations.md", "cluster.md"])
def test_pages_for_people_are_in_one_language(name: str) -> None:
    """Neither reader scrolls past the other's lines; an English page names its twin."""
    kana = re.compile(r"[぀-ヿ]")
    assert sum(bool(kana.search(line)) for line in tree.text(DOCS / name).splitlines()) <= 2
    assert f"ja/{name}" in tree.text(DOCS / name)


@pytest.mark.parametrize("name", PLAIN)
def test_sentences_are_short(name: str) -> None:
    counted = list(sentences(tree.text(page_of(name))))
    assert len(counted) > 3
    assert [sentence for sentence, terms in counted if terms > SENTENCE_MOST] == []
    assert fmean(terms for _, terms in counted) < SENTENCE_MEAN


@pytest.mark.parametrize("name", PLAIN)
def test_paragraphs_are_short(name: str) -> None:
    text = tree.text(page_of(name))
    assert [block for block in blocks(text) if len(block) > LINES_OF_PARAGRAPH] == []


@pytest.mark.parametrize("name", [name for name in PLAIN if not name.startswith("README")])
def test_a_page_says_for_which_reader_and_for_what_at_its_top(name: str) -> None:
    """In its first line after the title: there is no blank line between them."""
    title, purpose, *_ = tree.text(page_of(name)).splitlines()
    assert title.startswith("# ")
    assert re.match(r"(This page is for|How to play) .+[:.]", purpose)


@pytest.mark.parametrize("name", PLAIN)
def test_subjects_have_names(name: str) -> None:
    prose = FENCE.sub("", tree.text(page_of(name)))
    assert [line for line in prose.splitlines() if BANNED.search(line)] == []


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_is_short_plain_and_dated(page: Path) -> None:
    text = tree.text(page)
    title, date, *_ = text.splitlines()
    assert title.startswith(f"# {page.name[:4]} ")
    assert re.match(r"Decided on \d{4}-\d\d-\d\d\.", date)
    assert headings(text)[1:] in SECTIONS_OF_DECISION
    assert lines_of(page) <= DECISION_LINES
    assert [sentence for sentence, length in sentences(text) if length > SENTENCE_MOST] == []
    assert not BANNED.search(FENCE.sub("", text))


def test_decisions_are_numbered_and_listed() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    index = tree.text(DOCS / "decisions" / "README.md")
    for page in DECISIONS:
        title = tree.text(page).partition("\n")[0].removeprefix(f"# {page.name[:4]} ")
        assert f"| [{page.name[:4]}]({page.name}) | {title} | " in index


def test_the_sentences_of_decisions_are_short() -> None:
    counted = [length for page in DECISIONS for _, length in sentences(tree.text(page))]
    assert fmean(counted) < SENTENCE_MEAN


def test_the_measure_counts_prose_alone() -> None:
    page = (
        "# A heading of many words\n\nOne two `/three four` five. Six [seven](eight nine)!\n"
        "\n| a | table |\n\n- an item\n- another item\n\n```\ncode that is not read\n```\n"
    )
    assert [terms for _, terms in sentences(page)] == [4, 2, 2, 2]


def test_the_measure_notices_long_sentences_and_riddles() -> None:
    long = " ".join(["word"] * (SENTENCE_MOST + 1)) + "."
    assert [terms for _, terms in sentences(f"Short one. {long}")] == [2, SENTENCE_MOST + 1]
    assert BANNED.search("Whoever comes in finds him there.")
    assert not BANNED.search("The player returns to the table.")
