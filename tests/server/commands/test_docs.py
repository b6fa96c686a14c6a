"""The page about commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bluebear.server.commands import docs
from bluebear.server.features import COMMANDS


def test_the_committed_page_is_what_the_code_says() -> None:
    assert docs.main(["--check"]) == 0


def test_a_stale_page_is_named_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(docs, "_PAGE", tmp_path / "commands.md")
    assert docs.main(["--check"]) == 1
    assert capsys.readouterr().err == "stale: docs/commands.md\n"
    assert (docs.main([]), docs.main(["--check"])) == (0, 0)


def test_no_blank_is_left() -> None:
    assert re.findall(r"\{\{\w+\}\}", docs.page()) == []


def test_every_command_has_its_permissions() -> None:
    rows = re.findall(r"^\| `/(\w+)` \|", docs.page(), re.MULTILINE)
    assert rows == list(COMMANDS)


def test_a_permission_reads_as_the_table_says() -> None:
    assert "| `/start` | - | - | open | open | play | *ask the host*, *whole word* |" in docs.page()
