"""Stored games of Tokugawa; `tests/rules/test_records.py` verifies them draw by draw."""

from __future__ import annotations

from rules.core.record import Moved, Undone, parse_record
from rules.tokugawa import GAME
from tests.rules.finding import HERE

STORED = [
    path.read_text(encoding="utf-8")
    for path in sorted((HERE / "tokugawa" / "records").glob("*.record"))
]


def test_stored_games_have_undone_moves_and_moves_of_the_clock() -> None:
    lines = [line for text in STORED for line in parse_record(text).lines]
    assert any(isinstance(line, Undone) for line in lines)
    assert any(isinstance(line, Moved) and line.by_clock for line in lines)


def test_every_verb_stands_in_a_stored_game() -> None:
    lines = [line for text in STORED for line in parse_record(text).lines]
    typed = [text for line in lines if isinstance(line, Moved) for text in line.lines]
    assert {text.split()[0].removeprefix("/") for text in typed} == set(GAME.grammar.verbs)
