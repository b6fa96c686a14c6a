"""Is every paragraph of every rule book proven by a test, and every cited paragraph there?

A test proves a paragraph with `@pytest.mark.rule("manhattan 4.3")`; a record or vector file with
a comment `Rule: manhattan 4.3`. Code cites with `Rule: manhattan 4.3` too. What counts as a
paragraph is defined by `bluebear.rules.core.package_data.paragraphs`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bluebear.rules.core.package_data import paragraphs
from tests.project import tree


def game_of(book: Path) -> str:
    """The key of a rule text's game: the folder around it that has a `game.toml`."""
    return next(each.name for each in book.parents if (each / "game.toml").is_file())


BOOKS: Final = {
    game_of(path): path
    for folder in ("rules", "examples")
    for path in tree.files("rules.md", below=folder)
}
RULINGS: Final = {
    "manhattan": r"[1-9]\.[1-9]",
    "railroad_ink": r"1?[0-9]\.[0-9]|R[12]",
    "tokai": r"A-(?:0[1-9]|1[0-9]|2[0-7])|T(?:[1-9]|10)|O5",
    "itc": r"A(?:[1-9]|[1-4][0-9]|5[0-4])|I(?:[1-9]|1[0-6])",
    "tokugawa": r"B(?:[1-9]|[1-3][0-9]|4[0-2])|K(?:[1-9]|1[0-7])",
}
"""How each game's specification numbers its rulings, and the readings found open after it."""
CITATION: Final = re.compile(r"\bRule: (?P<key>[a-z_]+) (?P<ids>\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*)")


def marks(source: str) -> Iterator[str]:
    """The arguments of all `pytest.mark.rule(...)` of a module, wherever they stand."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"line {node.lineno}: not a literal"
                yield str(argument.value)


def citations(text: str) -> Iterator[str]:
    """What `Rule: KEY N.N, N.N` cites, as `KEY N.N`."""
    for match in CITATION.finditer(text):
        yield from (f"{match['key']} {each}" for each in match["ids"].split(", "))


@cache
def proven() -> frozenset[str]:
    """Everything that the tests of games prove, and the comparison of all that is printed."""
    results: set[str] = set()
    tables = tree.files("test_printed_tables.py", below="tests/oracle")
    for path in (*tree.files(below="tests/rules"), *tables):
        text = tree.text(path)
        results.update(marks(text) if path.suffix == ".py" else citations(text))
    return frozenset(results)


def numbers(book: Path) -> frozenset[str]:
    key = game_of(book)
    return frozenset(f"{key} {each}" for each in paragraphs(tree.text(book), tree.name(book)))


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_every_paragraph_is_proven_by_a_test(book: Path) -> None:
    assert sorted(numbers(book) - proven()) == []


def test_every_proof_names_a_paragraph_that_exists() -> None:
    registered = frozenset[str]().union(*(numbers(book) for book in BOOKS.values()))
    assert sorted(proven() - registered) == []


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_what_code_cites_exists(book: Path) -> None:
    """Code may cite a whole section, `Rule: manhattan 4`, where it does all of it."""
    registered = numbers(book)
    cited = {
        each
        for path in tree.files(".py", below=tree.name(book.parent))
        for each in citations(tree.text(path))
    }
    sections = {each.rpartition(".")[0] for each in registered}
    assert sorted(cited - registered - sections) == []


def test_marks_are_detected_in_decorators_and_parameters() -> None:
    source = (
        "@pytest.mark.rule('a 1.1', 'a 1.2')\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('a 2.1'))])\n"
        "def test_x(x): ..."
    )
    assert sorted(marks(source)) == ["a 1.1", "a 1.2", "a 2.1"]


def test_citations_may_name_several_paragraphs() -> None:
    assert list(citations("# Rule: tokai 11.2, 11.3 and so on")) == ["tokai 11.2", "tokai 11.3"]


@pytest.mark.parametrize(("key", "number"), RULINGS.items(), ids=RULINGS)
def test_a_ruling_has_its_number_and_the_other_reading_in_both_languages(
    key: str, number: str
) -> None:
    text = tree.text(BOOKS[key])
    shown = "\n".join(" ".join(both) for both in paragraphs(text, key).values())
    english = re.findall(rf" \[Ruling ({number})\. Other reading: [A-Z][^\[\]]+\.\]", shown)
    japanese = re.findall(rf" \[裁定 ({number})\. 別の読み方: [^\[\]]*[ぁ-ん][^\[\]]*。\]", shown)
    assert english == japanese
    assert len(english) == text.count("  - Ruling ") == text.count("    裁定 ") > 0


@pytest.mark.parametrize("key", RULINGS)
def test_a_book_says_what_a_ruling_is(key: str) -> None:
    head = tree.text(BOOKS[key]).partition("\n## ")[0]
    assert "A ruling below a paragraph" in head
    assert "「裁定」" in head
