"""Stored games of I.T.C.; `tests/rules/test_records.py` verifies them draw by draw."""

from __future__ import annotations

from rules.core.record import Moved, Undone, parse_record
from tests.rules.finding import HERE

STORED = [
    path.read_text(encoding="utf-8") for path in sorted((HERE / "itc" / "records").glob("*.record"))
]


def test_stored_games_have_undone_moves_and_moves_of_the_clock() -> None:
    lines = [line for text in STORED for line in parse_record(text).lines]
    assert any(isinstance(line, Undone) for line in lines)
    assert any(isinstance(line, Moved) and line.by_clock for line in lines)


def test_stored_games_have_nearly_every_verb() -> None:
    lines = [line for text in STORED for line in parse_record(text).lines]
    heads = {each.split()[0] for line in lines if isinstance(line, Moved) for each in line.lines}
    used = (
        *("attack", "dice", "discard", "drop", "end", "express", "hide", "land", "load", "mega"),
        *("move", "obstacle", "organize", "play", "rob", "sell", "shift", "stone", "unrest", "use"),
    )
    assert {f"/{verb}" for verb in used} <= heads
