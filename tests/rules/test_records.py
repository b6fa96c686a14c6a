"""Is every stored record still the game that it was?

A record that fails names a finished game that a change of the rules would have changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import rules
from rules.core.record import format_record, parse_record, verify

TESTS: Final = Path(__file__).parents[1]
RECORDS: Final = sorted(TESTS.glob("**/records/*.record"))
GAMES: Final = rules.games(("rules", "tests.games"))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_stored_game_is_verified(path: Path) -> None:
    text = path.read_bytes().decode()
    record = parse_record(text)
    verify(GAMES[record.head.game], record)
    assert format_record(record) == text


@pytest.mark.parametrize("key", list(GAMES))
def test_every_game_has_stored_ones(key: str) -> None:
    heads = [parse_record(path.read_bytes().decode()).head for path in RECORDS]
    assert key in [head.game for head in heads]
