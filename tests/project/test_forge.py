"""Does the forge understand what lies in .github, and do the pages that it shows hold together?"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.project import tree

GITHUB: Final = tree.ROOT / ".github"
FORMS: Final = sorted(
    path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"
)
WORKFLOWS: Final = sorted((GITHUB / "workflows").glob("*.yml"))
SCHEMAS: Final = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
}
JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
PINNED: Final = re.compile(r"actions/checkout@(v\d+|[0-9a-f]{40})")
"""Actions that write nothing elsewhere, by a major version at least."""
PYTHON: Final = "Programming Language :: Python :: "
PROJECT: Final = tomllib.loads(tree.text(tree.ROOT / "pyproject.toml"))["project"]

Tree = dict[str, Any]  # Any: what YAML holds


def read(path: Path) -> Tree:
    result: Tree = yaml.safe_load(tree.text(path))
    return result


def valid(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Check files against a published schema; the package has it, so no network is asked."""
    arguments = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    return subprocess.run(
        [*arguments, *map(str, paths)], capture_output=True, text=True, check=False
    )


def steps(workflow: Tree) -> list[Tree]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_fit_the_published_schemas(schema: str) -> None:
    assert SCHEMAS[schema]
    done = valid(schema, *SCHEMAS[schema])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("schema", SCHEMAS)
def test_what_does_not_fit_a_schema_is_detected(schema: str, tmp_path: Path) -> None:
    [first, *_] = SCHEMAS[schema]
    spoiled = tmp_path / first.name
    spoiled.write_text(tree.text(first) + "\nnothing_of_the_kind: 1\n", encoding="utf-8")
    assert valid(schema, spoiled).returncode == 1


def test_all_files_of_the_forge_are_recognized_here() -> None:
    checked = {path for paths in SCHEMAS.values() for path in paths}
    rest = set(tree.files(below=".github")) - checked
    assert {tree.name(path) for path in rest} == {".github/pull_request_template.md"}


# The workflow.


@pytest.mark.parametrize("path", WORKFLOWS, ids=tree.name)
def test_a_workflow_reads_and_takes_nothing_away(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in workflow["jobs"].values())
    assert "secrets." not in tree.text(path)
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert [each for each in used if not PINNED.fullmatch(each)] == []


def test_every_test_runs_on_the_oldest_and_the_newest_python_we_promise() -> None:
    promised = [
        each.removeprefix(PYTHON) for each in PROJECT["classifiers"] if each.startswith(PYTHON)
    ]
    assert promised == sorted(promised, key=lambda each: tuple(map(int, each.split("."))))
    assert PROJECT["requires-python"] == f">={promised[0]}"
    workflow = read(GITHUB / "workflows" / "test.yml")
    [job] = workflow["jobs"].values()
    assert job["strategy"]["matrix"]["python"] == [promised[0], promised[-1]]
    runs = [step.get("run", "") for step in steps(workflow)]
    assert [each for each in runs if each.startswith("make test")] == [runs[-1]]


def test_the_forge_installs_what_a_checkout_on_another_node_does() -> None:
    install = re.compile(r"apt-get (?:-q )?install ([^;\n]+)")

    def packages(text: str) -> set[str]:
        tokens = {term.strip('"') for results in install.findall(text) for term in results.split()}
        return {term for term in tokens if not term.startswith("-")}

    here = packages(tree.text(tree.ROOT / ".ci" / "run"))
    # All of Chromium is taken where a system has no package of its shell.
    assert here >= {"chromium-headless-shell", "chromium", "postgresql"}
    runs = [step.get("run", "") for step in steps(read(GITHUB / "workflows" / "test.yml"))]
    assert packages("\n".join(runs)) == here - {"chromium"}


# Forms.


@pytest.mark.parametrize("path", FORMS, ids=tree.name)
def test_a_form_asks_in_both_languages(path: Path) -> None:
    form = read(path)
    requests = [form["name"], form["description"]]
    for field in form["body"]:
        attributes = field["attributes"]
        requests += [
            attributes[key] for key in ("label", "description", "value") if key in attributes
        ]
        for option in attributes.get("options", ()):
            requests.append(option["label"] if isinstance(option, dict) else option)
    assert [each for each in requests if not JAPANESE.search(each)] == []
    assert [each for each in requests if not re.search("[a-z]{2}", each)] == []


@pytest.mark.parametrize("path", FORMS, ids=tree.name)
def test_a_form_has_each_field_once(path: Path) -> None:
    fields = [field for field in read(path)["body"] if field["type"] != "markdown"]
    ids = [field["id"] for field in fields]
    labels = [field["attributes"]["label"] for field in fields]
    assert len(set(ids)) == len(set(labels)) == len(fields) > 0


def test_who_reports_in_private_is_led_there() -> None:
    assert read(GITHUB / "ISSUE_TEMPLATE" / "config.yml")["blank_issues_enabled"] is False
    assert "SECURITY.md" in tree.text(GITHUB / "ISSUE_TEMPLATE" / "bug.yml")
    for page in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        text = tree.text(tree.ROOT / page)
        assert JAPANESE.search(text), page
        assert not re.search(r"\S+@\S+\.\w+", text), "no address is promised that nobody reads"


# The history of versions, as https://keepachangelog.com/en/1.1.0/ says.

KINDS: Final = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
RELEASE: Final = re.compile(
    r"\[(?P<version>\d+\.\d+\.\d+)\] - (?P<day>\d{4}-\d\d-\d\d)(?P<yanked> \[YANKED\])?"
)


def test_the_changelog_has_the_form_that_it_promises() -> None:
    text = tree.text(tree.ROOT / "CHANGELOG.md")
    assert text.startswith("# Changelog\n")
    first, *rest = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert first == "[Unreleased]"
    released = [RELEASE.fullmatch(each) for each in rest]
    assert None not in released
    days = [each["day"] for each in released if each]
    assert days == sorted(days, reverse=True)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= set(KINDS)
    named = [each["version"] for each in released if each]
    assert len(set(named)) == len(named)


def test_a_released_version_stands_in_the_changelog() -> None:
    """A development version belongs to the next release, which has no heading yet."""
    version, _, development = PROJECT["version"].partition(".dev")
    released = RELEASE.findall(tree.text(tree.ROOT / "CHANGELOG.md"))
    assert (version in {each[0] for each in released}) is not bool(development)
