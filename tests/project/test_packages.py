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
from bluebear.server.config import program_version
from tests.project import tree

PROJECT: Final = tomllib.loads(tree.text(tree.ROOT / "pyproject.toml"))["project"]
PIN: Final = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^\s;]+)", re.MULTILINE)
DATA: Final = (".toml", ".md")
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "node_modules", "static", "build")


def pins(file: str) -> dict[str, str]:
    return {each["name"]: each["version"] for each in PIN.finditer(tree.text(tree.ROOT / file))}


def names(requirements: list[str]) -> set[str]:
    matches = (re.match(r"[A-Za-z0-9_.-]+", each) for each in requirements)
    return {re.sub(r"[-_.]+", "-", each[0]).lower() for each in matches if each}


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


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree as a wheel is built from it, with traps beside what belongs into it."""
    folder = tmp_path_factory.mktemp("source")
    for package in tree.PACKAGES:
        shutil.copytree(tree.ROOT / package, folder / package, symlinks=True, ignore=LEFT_OUT)
    for file in ("pyproject.toml", "setup.py", "LICENSE", "NOTICE", "README.md"):
        shutil.copy(tree.ROOT / file, folder)
    trap = folder / "clients" / "web" / "node_modules" / "left-pad"
    trap.mkdir(parents=True)
    (trap / "README.md").touch()
    return folder


def build(source: Path, *, page: bool) -> subprocess.CompletedProcess[str]:
    """Build a wheel into the source's parent folder, from a tree with or without the page."""
    static = source / "server" / "static"
    shutil.rmtree(static, ignore_errors=True)
    if page:
        (static / "assets").mkdir(parents=True)
        (static / "index.html").touch()
        (static / "assets" / "main.js").touch()
    program = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=source, check=False, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    done = build(source, page=True)
    assert done.returncode == 0, done.stderr
    (built,) = source.parent.glob("*.whl")
    return built


def test_the_wheel_holds_every_module_every_data_file_and_the_page(wheel: Path) -> None:
    wanted = {
        f"bluebear/{tree.name(path).removeprefix('bluebear/')}"
        for package in tree.PACKAGES
        for path in tree.files(".py", *DATA, below=package)
        if not tree.name(path).startswith("clients/web/")
    }
    wanted |= {f"bluebear/server/static/{file}" for file in ("index.html", "assets/main.js")}
    with zipfile.ZipFile(wheel) as packed:
        assert wanted - set(packed.namelist()) == set()


def test_the_wheel_has_one_name_at_its_top_and_nothing_of_node(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        listed = packed.namelist()
    assert {each.split("/")[0] for each in listed if ".dist-info/" not in each} == {"bluebear"}
    assert [each for each in listed if "node_modules" in each or "clients/web" in each] == []


def test_without_the_page_no_wheel_is_built_and_one_sentence_says_why(source: Path) -> None:
    done = build(source, page=False)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "bluebear/server/static/index.html is missing: "
        "run `make page` (it needs Node 22 or newer), then build again."
    )


def test_the_library_works_beside_modules_with_names_like_our_folders(
    wheel: Path, tmp_path: Path
) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    work.mkdir()
    for name in ("clients", "protocol", "rules", "server"):
        (work / f"{name}.py").write_text("raise SystemExit('the wrong module')", encoding="utf-8")
    program = (
        "from bluebear.sdk import Client\nfrom bluebear import rules\n"
        "print(Client.__name__, *rules.games())"
    )
    for path in (site, tree.ROOT):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=work,
            env={"PYTHONPATH": str(path)},
            check=True,
            capture_output=True,
            text=True,
        )
        assert done.stdout.split()[0] == "Client"
        assert "manhattan" in done.stdout.split()


def test_the_version_is_reported_as_it_stands_in_the_one_position(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for term in ("--version", "-V"):
        assert main([term]) == 0
        assert capsys.readouterr().out == f"bluebear {PROJECT['version']}\n"
    assert program_version() == PROJECT["version"]


def test_the_version_stands_nowhere_else() -> None:
    """Beside the history of versions; lists of packages name versions of others."""
    number = re.compile(rf"(?<![\w.=-]){re.escape(PROJECT['version'])}(?![\w.])")
    texts = tree.files(".py", ".toml", ".json", ".md", ".yml", ".ts", ".tsx", "Dockerfile")
    pages = {"CHANGELOG.md", "docs/releasing.md"}
    pages_named = {tree.name(each) for each in texts if number.search(tree.text(each))}
    assert pages_named - pages == {"pyproject.toml"}
    page = json.loads(tree.text(tree.ROOT / "clients/web/package.json"))
    assert (page["private"], page["version"]) == (True, "0.0.0"), "the page has none of its own"


@pytest.mark.parametrize(("term", "module"), PROGRAMS.items(), ids=PROGRAMS)
def test_every_term_leads_to_a_program(term: str, module: str) -> None:
    assert (tree.ROOT / f"{module.replace('.', '/')}.py").is_file(), term


def test_help_names_every_program_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [shown.count(f"\n  {term} ") for term in PROGRAMS] == [2] * len(PROGRAMS)


def test_an_unknown_term_is_answered_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plya"]) == USAGE_ERROR
    received = capsys.readouterr()
    assert received.out == ""
    assert [line.count("plya") for line in received.err.splitlines()] == [1, 1]


def test_the_command_line_is_handed_on_with_its_term(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[list[str]] = []

    class Program:
        @staticmethod
        def main(argv: list[str]) -> int:
            received.append(argv)
            return 7

    monkeypatch.setitem(sys.modules, PROGRAMS["chat"], Program)
    assert main(["chat", "ws://127.0.0.1:1"]) == 7
    assert received == [["chat", "ws://127.0.0.1:1"]]
