"""A rule that changes without a new number turns the suite red: the kept records see it.

What is to be done then stands in docs/contributing.md: a new number, and the older version in a
folder beside it, by which running games are played to their end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bluebear.rules.core.game import Game, Result
from bluebear.rules.core.record import RecordError, parse_record, verify
from tests.rules.game_files import GAMES, HERE

KEYS = sorted(key for key in GAMES if (HERE / key / "records").is_dir())


def records_of(key: str) -> list[Path]:
    return sorted((HERE / key / "records").glob("*.record"))


def red(key: str) -> bool:
    """Whether the test of kept records fails for a game."""
    for path in records_of(key):
        try:
            verify(GAMES[key], parse_record(path.read_text(encoding="utf-8")))
        except RecordError:
            return True
    return False


def scored_otherwise(game: Game[Any]) -> Callable[[Any], Result | None]:
    """Every player gets one point more."""
    result = game.result

    def changed(state: Any) -> Result | None:
        outcome = result(state)
        if outcome is None:
            return None
        more = tuple(replace(each, score=each.score + 1) for each in outcome.standings)
        return replace(outcome, standings=more)

    return changed


def without_effect(game: Game[Any], nth: int) -> Callable[..., None]:
    """Every move of a kind does nothing, the kind being that of the nth move that is made."""
    apply = game.apply
    made: list[type] = []

    def changed(draft: Any, seat: Any, move: Any, chance: Any, tell: Any) -> None:
        made.append(type(move))
        if len(made) < nth or type(move) is not made[nth - 1]:
            apply(draft, seat, move, chance, tell)

    return changed


@pytest.mark.parametrize("key", KEYS)
def test_points_that_are_counted_otherwise(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert records_of(key)
    monkeypatch.setattr(GAMES[key], "result", scored_otherwise(GAMES[key]))
    assert red(key)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("nth", [1, 3])
def test_a_move_that_does_something_else(
    key: str, nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES[key], "apply", without_effect(GAMES[key], nth))
    assert red(key)


@pytest.mark.parametrize("key", KEYS)
def test_a_record_of_a_version_that_is_not_here_is_not_played_by_another(key: str) -> None:
    record = parse_record(records_of(key)[0].read_text(encoding="utf-8"))
    other = replace(record, head=replace(record.head, rules=record.head.rules + 99))
    with pytest.raises(RecordError) as caught:
        tuple(verify(GAMES[key], other))
    assert caught.value.code in ("other_game", "wrong_sum")
