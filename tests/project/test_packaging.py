"""Is what gets installed complete and pinned by hash, and does `bluebear` find its programs?"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Final

import pytest

from bluebear.__main__ import PROGRAMS, USAGE_ERROR, main
from server.app import program_version
from tests.project import tree

PROJECT: Final = tomllib.loads(tree.text(tree.ROOT / "pyproject.toml"))["project"]
PIN: Final = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^\s;]+)", re.MULTILINE)
DATA: Final = (".toml", ".md")


def pins(file: str) -> dict[str, str]:
    return {each["name"]: each["version"] for each in PIN.finditer(tree.text(tree.ROOT / file))}


def names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9_.-]+", each) for each in requirements)
    return {re.sub(r"[-_.]+", "-", each[0]).lower() for each in found if each}


@pytest.mark.parametrize(
    "file",
    ["requirements.txt", "requirements-dev.txt", "requirements-page.txt", "requirements-rl.txt"],
)
def test_every_pin_has_hashes_and_no_line_names_an_index(file: str) -> None:
    text = tree.text(tree.ROOT / file).replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert [line for line in lines if not PIN.match(line) or "--hash=sha256:" not in line] == []
    assert [line for line in lines if "://" in line or " @ " in line] == []


def test_what_the_project_needs_is_pinned() -> None:
    assert names(PROJECT["dependencies"]) <= pins("requirements.txt").keys()


def test_the_build_backend_is_pinned() -> None:
    assert "setuptools" in pins("requirements.txt")


def test_what_its_tests_need_is_pinned() -> None:
    wanted = names(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"])
    assert wanted <= pins("requirements-dev.txt").keys()
    assert names(PROJECT["optional-dependencies"]["rl"]) <= pins("requirements-rl.txt").keys()


def test_tests_run_on_the_versions_that_players_get() -> None:
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()
    assert pins("requirements.txt").items() <= pins("requirements-rl.txt").items()


def test_the_wheel_holds_every_module_and_every_data_file(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for package in tree.PACKAGES:
        shutil.copytree(tree.ROOT / package, source / package)
    for file in ("pyproject.toml", "LICENSE", "NOTICE", "README.md"):
        shutil.copy(tree.ROOT / file, source)
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    wanted = {
        tree.name(path)
        for package in tree.PACKAGES
        for path in tree.files(".py", *DATA, below=package)
    }
    with zipfile.ZipFile(wheel) as packed:
        assert wanted - set(packed.namelist()) == set()


def test_the_version_is_told_as_it_stands_in_the_one_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for word in ("--version", "-V"):
        assert main([word]) == 0
        assert capsys.readouterr().out == f"bluebear {PROJECT['version']}\n"
    assert program_version() == PROJECT["version"]


def test_the_version_stands_nowhere_else() -> None:
    """Beside the history of versions; lists of packages name versions of others."""
    number = re.compile(rf"(?<![\w.=-]){re.escape(PROJECT['version'])}(?![\w.])")
    texts = tree.files(".py", ".toml", ".json", ".md", ".yml", ".ts", ".tsx", "Dockerfile")
    pages = {"CHANGELOG.md", "docs/releasing.md"}
    found = {tree.name(each) for each in texts if number.search(tree.text(each))}
    assert found - pages == {"pyproject.toml"}
    page = json.loads(tree.text(tree.ROOT / "clients/web/package.json"))
    assert (page["private"], page["version"]) == (True, "0.0.0"), "the page has none of its own"


@pytest.mark.parametrize(("word", "module"), PROGRAMS.items(), ids=PROGRAMS)
def test_every_word_leads_to_a_program(word: str, module: str) -> None:
    assert (tree.ROOT / f"{module.replace('.', '/')}.py").is_file(), word


def test_help_names_every_program_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [shown.count(f"\n  {word} ") for word in PROGRAMS] == [2] * len(PROGRAMS)


def test_an_unknown_word_is_answered_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plya"]) == USAGE_ERROR
    heard = capsys.readouterr()
    assert heard.out == ""
    assert [line.count("plya") for line in heard.err.splitlines()] == [1, 1]


def test_the_command_line_is_handed_on_with_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[str]] = []

    class Program:
        @staticmethod
        def main(argv: list[str]) -> int:
            heard.append(argv)
            return 7

    monkeypatch.setitem(sys.modules, PROGRAMS["chat"], Program)
    assert main(["chat", "ws://127.0.0.1:1"]) == 7
    assert heard == [["chat", "ws://127.0.0.1:1"]]
