"""Stored games of Railroad Ink; `tests/rules/test_records.py` verifies them draw by draw."""

from __future__ import annotations

import pytest

from rules.core.record import format_record
from tests.rules.railroad_ink.golden import RECORDS, SCRIPTS, write_down

STORED = {path.stem: path.read_text(encoding="utf-8") for path in RECORDS.glob("*.record")}


@pytest.mark.parametrize("name", SCRIPTS)
def test_bots_and_draws_play_the_stored_games_again(name: str) -> None:
    assert format_record(write_down(SCRIPTS[name])) == STORED[name]


def test_stored_games_have_every_kind_of_line() -> None:
    text = "\n".join(STORED.values())
    for line in ("/draw", "/special", "/erase", "/done", "@undo"):
        assert line in text
