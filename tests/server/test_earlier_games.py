"""The log of a room: what an earlier game's players did stays theirs."""

from __future__ import annotations

import pytest

from bluebear.protocol import Room as Snapshot
from tests.server.fixtures import Stage


def log_of(stage: Stage, name: str) -> list[str]:
    """The sentences of the log that a newcomer reads."""
    stage.come(name)
    stage.enter(name)
    return [line.text for line in stage.people[name].last(Snapshot).log]


@pytest.mark.parametrize("restarts", [False, True])
def test_seats_of_the_next_game_do_not_rename_those_of_the_last(
    stage: Stage, *, restarts: bool
) -> None:
    stage.game("duel", "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", "/bid 1")
    stage.play("Ben", "/resign !")
    stage.play("Ayu", "/again")
    stage.play("Ben", "/leave")
    before = log_of(stage, "Cem")
    assert "Ayu bids 1." in before
    stage.play("Ayu", "/leave")
    stage.play("Emi", "/join")
    stage.play("Ayu", "/join")
    if restarts:
        for _ in range(2):
            stage.restart()
        stage.come("Fay")
    after = log_of(stage, "Dan")
    assert after[: len(before)] == before


def test_who_takes_a_seat_over_has_not_played_its_moves(stage: Stage) -> None:
    stage.table("duel", "Ayu", "Ben")
    stage.play("Ayu", "/start", "/bid 1", "/leave !")
    assert "Ayu bids 1." in log_of(stage, "Cem")
