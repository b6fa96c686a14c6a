"""The example of learning: what it says of a game that there is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the extra `rl` is not installed")

from bluebear.clients.bots.rl import example
from bluebear.clients.bots.rl.example import Choose, main, play
from bluebear.clients.bots.rl.state import State
from bluebear.rules.core.conformance.case import Case

Played = tuple[State, list[tuple[int, Any]]]  # Any: rows of numbers


def test_a_game_that_there_is_not_is_refused_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["nogame"])
    assert "tokugawa" in capsys.readouterr().err


def test_without_options_it_plays_few_games(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def counted(case: Case, seed: int, players: Sequence[Choose]) -> Played:
        seeds.append(seed)
        return play(case, seed, players)

    monkeypatch.setattr(example, "play", counted)
    main(["manhattan"])
    assert "in 2 games" in capsys.readouterr().out
    assert len(seeds) == 6
