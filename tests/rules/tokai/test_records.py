"""Stored games of Tokai Danshaku; `tests/rules/test_records.py` verifies them draw by draw."""

from __future__ import annotations

import pytest

from rules.core.record import Moved, Undone, format_record, parse_record
from tests.rules.tokai.golden import RECORDS, SCRIPTS, write_down

STORED = {path.stem: path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.record"))}


@pytest.mark.parametrize("name", SCRIPTS)
def test_bots_and_draws_play_the_stored_games_again(name: str) -> None:
    assert format_record(write_down(SCRIPTS[name])) == STORED[name]


def test_stored_games_have_every_kind_of_line() -> None:
    lines = [line for text in STORED.values() for line in parse_record(text).lines]
    assert any(isinstance(line, Undone) for line in lines)
    said = {move.split()[0] for line in lines if isinstance(line, Moved) for move in line.lines}
    assert said == {
        "/prebuy",
        "/region",
        "/dest",
        "/go",
        "/buy",
        "/sell",
        "/bid",
        "/deal",
    }
