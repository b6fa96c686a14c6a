"""Counts words that a stranger to the project cannot understand, by package and kind.

    python -m tests.project.vocabulary            counts beside the stored baseline
    python -m tests.project.vocabulary PACKAGE    the offences of a package, and what to write
    python -m tests.project.vocabulary --lower    stores the counts that have fallen

The words, exceptions and baselines are in `vocabulary.toml`; the terms to use instead are in
`docs/glossary.md`.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.project import ratchet, tree

FILE: Final = Path(__file__).with_name("vocabulary.toml")
SETTINGS: Final[Mapping[str, Any]] = tomllib.loads(FILE.read_text("utf-8"))  # Any: it is TOML
PROSE: Final[Mapping[str, str]] = SETTINGS["prose"]
NAMES: Final[Mapping[str, str]] = SETTINGS["names"]
PEOPLE: Final[Mapping[str, str]] = SETTINGS["phrases"]
ALLOWED: Final[Mapping[str, Sequence[str]]] = SETTINGS["allowed"]
GERUNDS: Final = frozenset(SETTINGS["gerunds"]["allowed"])
PACKAGES: Final[Sequence[str]] = SETTINGS["packages"]["names"]
GENERATED: Final[str] = SETTINGS["packages"]["generated"]
_TERM: Final = re.compile(r"[a-z]+(?:'s)?", re.IGNORECASE)
_QUOTED: Final = re.compile(r"`[^`]*`")
_HUMPS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_TS_COMMENT: Final = re.compile(r"(?<![\w*])/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_TS_TEXT: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|`[^`\n]*`')
_TS_NAME: Final = re.compile(
    r"\b(?:const|let|function|class|interface|type|enum)\s+(\w+)|\b(\w+)\??:(?=\s)"
)


@dataclass(frozen=True, slots=True, order=True)
class Offence:
    """One word in one place. `kind` is docstrings, comments, names, gerunds or phrases."""

    package: str
    kind: str
    file: str
    line: int
    term: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.term} ({self.kind}); write {self.instead}"


def offences(root: Path = tree.ROOT) -> list[Offence]:
    """All offences of the tree, sorted. A docstring, comment, name or sentence counts once."""
    matches: list[Offence] = []
    for path in tree.files(".py", ".ts", ".tsx", "phrases.toml"):
        name = path.relative_to(root).as_posix()
        package, text = package_of(name), path.read_text(encoding="utf-8")
        if package and not text.startswith(GENERATED):
            matches += in_file(name, text, package)
    return sorted(matches)


def package_of(file: str) -> str:
    """The longest package that holds a file; empty for a file of none."""
    holding = [each for each in PACKAGES if file.startswith(f"{each}/")]
    return max(holding, key=len, default="")


def in_file(file: str, text: str, package: str) -> Iterator[Offence]:
    """The offences of one file."""
    if file.endswith(".py"):
        matches = _in_python(file, text)
    elif file.endswith(".toml"):
        matches = _in_phrases(text)
    else:
        matches = _in_typescript(file, text)
    for each in matches:
        if not is_allowed(file, each.banned):
            yield Offence(package, each.kind, file, each.line, each.shown, each.instead)


def is_allowed(file: str, term: str) -> bool:
    """Whether a word is right in a file: the rule book's own, or data on the wire."""
    return any(file.startswith(path) and term in terms for path, terms in ALLOWED.items())


class Match(NamedTuple):
    """A banned word, and what is shown of its place: the word itself, or the whole name."""

    kind: str
    line: int
    shown: str
    instead: str
    banned: str


def _in_python(file: str, text: str) -> Iterator[Match]:
    nodes = list(ast.walk(ast.parse(text)))
    documented = _docstring_lines(nodes)
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            doc = ast.get_docstring(node, clean=False)
            if doc is not None:
                yield from _in_prose("docstrings", node.body[0].lineno, doc)
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
            and node.value.lineno not in documented
        ):
            yield from _in_prose("docstrings", node.lineno, node.value.value)
    yield from _in_comments(text)
    stem = Path(file).stem
    yield from _in_names([(1, stem), *_defined(nodes)])
    if stem.endswith("ing") and stem.removeprefix("test_") not in GERUNDS:
        yield Match("gerunds", 1, stem, "a noun for what the module holds", stem)


def _in_comments(text: str) -> Iterator[Match]:
    # Most of the time of a count is for tokens: they are read where a comment could be an offence.
    rests = (line.partition("#")[2] for line in text.splitlines())
    if not any(True for rest in rests for _ in _in_prose("comments", 1, rest)):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from _in_prose("comments", token.start[0], token.string)


def _docstring_lines(nodes: Sequence[ast.AST]) -> frozenset[int]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        node.body[0].lineno
        for node in nodes
        if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None
    )


def _defined(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Classes, functions, parameters, assigned variables and attributes, with their lines."""
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def _in_typescript(file: str, text: str) -> Iterator[Match]:
    for comment in _TS_COMMENT.finditer(text):
        line = text.count("\n", 0, comment.start()) + 1
        yield from _in_prose("comments", line, comment.group())
    code = _TS_TEXT.sub('""', _TS_COMMENT.sub("", text))
    names = ((1, each[1] or each[2]) for each in _TS_NAME.finditer(code))
    yield from _in_names([(1, Path(file).stem), *names])


def _in_phrases(text: str) -> Iterator[Match]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("en"):
            for term in _TERM.findall(line.partition("=")[2]):
                if term.lower() in PEOPLE:
                    yield Match("phrases", number, term, PEOPLE[term.lower()], term)
                    break


def _in_prose(kind: str, line: int, text: str) -> Iterator[Match]:
    """The first banned word of a docstring or a comment; quoted code is left out."""
    plain = _QUOTED.sub(" ", text)
    terms = [each.lower() for each in _TERM.findall(plain)]
    for index, term in enumerate(terms):
        if term == "house" and terms[index + 1 : index + 2] in (["bot"], ["bots"]):
            continue
        instead = PROSE.get(term) or PROSE.get(term.removesuffix("'s"))
        if instead:
            yield Match(kind, line, term, instead, term)
            return


def _in_names(defined: Sequence[tuple[int, str]]) -> Iterator[Match]:
    """Each name of a file that has a banned word between its underscores and capitals, once."""
    seen: set[str] = set()
    for line, name in defined:
        if name in seen or name.startswith("__"):  # those are Python's own
            continue
        seen.add(name)
        for hump in _HUMPS.findall(name):
            instead = NAMES.get(hump.lower())
            if instead:
                yield Match("names", line, name, instead, hump.lower())
                break


def counts(matches: Sequence[Offence]) -> dict[str, dict[str, int]]:
    """How many offences each package has of each kind; kinds without any are left out."""
    counted = Counter((each.package, each.kind) for each in matches)
    table: dict[str, dict[str, int]] = {}
    for (package, kind), number in sorted(counted.items()):
        table.setdefault(package, {})[kind] = number
    return table


def baseline() -> ratchet.Counts:
    """The stored counts. A package that is not there has none to spare."""
    rows: ratchet.Counts = SETTINGS["baseline"]
    return rows


def main(argv: Sequence[str]) -> int:
    """Print counts or offences, or lower the baseline; 0, or 1 where a count has risen."""
    parser = argparse.ArgumentParser(prog="python -m tests.project.vocabulary", description=__doc__)
    parser.add_argument("package", nargs="?", help="list the offences of this package")
    parser.add_argument("--lower", action="store_true", help="store the counts that have fallen")
    wanted = parser.parse_args(argv)
    matches = offences()
    if wanted.package:
        for each in matches:
            if each.package == wanted.package:
                print(each)
        return 0
    now = counts(matches)
    if wanted.lower:
        FILE.write_text(ratchet.lowered(FILE.read_text("utf-8"), "baseline", now), encoding="utf-8")
    stored = baseline()
    for package in PACKAGES:
        had = stored.get(package, {})
        row = [
            f"{kind} {number}/{had.get(kind, 0)}" for kind, number in now.get(package, {}).items()
        ]
        print(f"{package:<24} {', '.join(row) or 'none'}")
    return int(bool(ratchet.risen(now, stored)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
