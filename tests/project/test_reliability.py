"""Is every file and every command on docs/reliability.md there?"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests.project import tree
from tests.tools.servers import begin, python

PAGE: Final = tree.ROOT / "docs" / "reliability.md"
CODE: Final = re.compile(r"`([^`\n]+)`")
SPANS: Final = CODE.findall(tree.text(PAGE))
PROMISES: Final = {
    **dict.fromkeys("A", 7), "B": 6, "C": 7, "D": 7, "E": 6, "F": 10, "G": 5, "H": 3, "I": 4,
}  # fmt: skip


def commands(starting: str) -> list[str]:
    """The commands that run a program, without what is set before them."""
    made = {re.sub(r"^(?:[A-Z_]+=\S+ )+", "", span) for span in SPANS}
    return sorted(span for span in made if span.startswith(starting))


def test_every_promise_has_a_row() -> None:
    rows = set(re.findall(r"^\| ([A-I]\d+) \|", tree.text(PAGE), re.MULTILINE))
    wanted = {
        f"{index}{number}" for index, most in PROMISES.items() for number in range(1, most + 1)
    }
    assert rows == wanted


def test_every_row_says_what_is_attempted_or_that_nothing_is_promised() -> None:
    for row in re.findall(r"^\| [A-I]\d+ \|.*$", tree.text(PAGE), re.MULTILINE):
        assert row.count("|") == 5, row
        assert "`" in row or "not yet promised" in row, row


@pytest.mark.parametrize(
    "span", [each for each in SPANS if re.match(r"(tests|server|docs)/", each)]
)
def test_every_file_is_there(span: str) -> None:
    assert (tree.ROOT / span).exists()


@pytest.mark.parametrize("command", commands("pytest "))
def test_every_test_that_is_named_is_there(command: str) -> None:
    paths = [term for term in shlex.split(command)[1:] if not term.startswith("-")]
    assert paths
    assert all((tree.ROOT / path).exists() for path in paths)


@pytest.mark.parametrize(
    "module", sorted({shlex.split(command)[2] for command in commands("python -m ")})
)
def test_every_program_that_is_named_says_what_it_takes(module: str, tmp_path: Path) -> None:
    requested = {
        flag
        for command in commands(f"python -m {module} ")
        for flag in re.findall(r"--[a-z-]+", command)
    }
    tokens = {shlex.split(command)[3] for command in commands(f"python -m {module} ")}
    text = _help(tmp_path, module)
    for term in tokens:
        if re.fullmatch(r"[a-z]+", term) and term in text and "{" in text:
            text += _help(tmp_path, module, term)
    assert {flag for flag in requested if flag not in text} == set()


def _help(folder: Path, *arguments: str) -> str:
    log = folder / "-".join(arguments)
    assert begin(python(*arguments, "--help"), log).wait() == 0
    return log.read_text(encoding="utf-8")


def test_seeds_and_targets_of_the_commands_are_taken() -> None:
    from tests.fuzz.targets import TARGETS
    from tests.sim.__main__ import seeds_of

    for command in commands("python -m tests.fuzz "):
        assert shlex.split(command)[3] in {"all", *TARGETS}
    for command in commands("python -m tests.sim "):
        arguments = [term for term in shlex.split(command)[3:] if not term.startswith("-")]
        assert len(list(seeds_of(arguments))) > 0


def test_the_variables_before_commands_are_read() -> None:
    read = "".join(
        path.read_text(encoding="utf-8") for path in (tree.ROOT / "tests").rglob("test_*.py")
    )
    named = {name for span in SPANS for name in re.findall(r"^([A-Z_]+)=\S+ ", span)}
    assert named
    assert all(f'"{name}"' in read for name in named)


def test_the_page_is_linked_from_both_readmes() -> None:
    for name, folder in (("README.md", "docs"), ("README.ja.md", "docs/ja")):
        assert f"({folder}/reliability.md)" in tree.text(tree.ROOT / name)
        assert f"({folder}/security.md)" in tree.text(tree.ROOT / name)
