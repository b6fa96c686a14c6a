"""Stored games: does every one still play as it was played?"""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.record import Moved, format_record, parse_record, verify
from rules.manhattan import GAME
from tests.rules.manhattan.golden import RECORDS, SCRIPTS, write_down

STORED = sorted(RECORDS.glob("*.record"))


@pytest.mark.parametrize("path", STORED, ids=[path.stem for path in STORED])
def test_a_stored_game_verifies_draw_by_draw(path: Path) -> None:
    record = parse_record(path.read_text(encoding="utf-8"))
    moments = verify(GAME, record)
    assert GAME.result(moments[-1].state) is not None


@pytest.mark.parametrize("path", STORED, ids=[path.stem for path in STORED])
def test_a_stored_game_is_text_that_reads_and_writes_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_record(parse_record(text)) == text


@pytest.mark.parametrize("name", SCRIPTS)
def test_bots_and_draws_play_the_stored_games_again(name: str) -> None:
    stored = (RECORDS / f"{name}.record").read_text(encoding="utf-8")
    assert format_record(write_down(name, SCRIPTS[name])) == stored


def test_stored_games_have_undone_moves_and_moves_of_the_clock() -> None:
    lines = [
        line for path in STORED for line in parse_record(path.read_text(encoding="utf-8")).lines
    ]
    assert any(isinstance(line, Moved) and line.by_clock for line in lines)
    assert any(type(line).__name__ == "Undone" for line in lines)
