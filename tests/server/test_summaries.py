"""What stands in a room's row, and when it is written anew."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bluebear.server.limits import DAY_MS
from bluebear.server.room.reducer import fold
from bluebear.server.rooms.loading import (
    line_of,
    needs_summary,
    room_line,
    summary_of,
)
from tests.server.fixtures import GAMES, Stage
from tests.support import stored_rows


def test_a_summary_is_a_line_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["watch invited"])
    stage.play("Ayu", "/invite", "/ban Eva")
    line = room_line(stage.room, GAMES)
    assert line_of(summary_of(stage.room, line)) == line


def test_the_journals_summary_is_the_rooms(stage: Stage) -> None:
    """Whatever changes what a summary tells is committed with a summary."""
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/password sesame", "/invite", "/go mill", "hello", "/ban Eva", "/resign !")
    [summary] = stage.run(stage.journal.read(stored_rows.all_rooms))
    stored, live = line_of(summary), room_line(stage.room, GAMES)
    assert replace(stored, at=live.at, turn=live.turn) == live


def test_a_move_needs_no_summary(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    old = stage.room
    stage.play("Ayu", "/go mill")
    assert not needs_summary(old, stage.room)


@pytest.mark.parametrize("line", ["/invite", "/option days 2", "/leave", "/start", "/host Ben"])
def test_what_a_summary_tells_needs_one(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    old = stage.room
    stage.play("Ayu", line)
    assert needs_summary(old, stage.room)


def test_a_deadline_is_in_the_summary(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 2d"])
    [summary] = stage.run(stage.journal.read(stored_rows.all_rooms))
    assert summary.deadline == stage.now + 2 * DAY_MS


def test_a_new_room_has_a_summary() -> None:
    with Stage() as stage:
        stage.table("journey", "Ayu")
        first = fold(None, stage.entries()[0], GAMES).room
        assert needs_summary(None, first)


def test_rooms_are_matched_by_what_their_rows_say(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/invite")
    row = summary_of(stage.room, room_line(stage.room, GAMES))
    assert (row.game, row.phase, row.free, row.listed) == ("journey", "playing", 0, False)
    assert row.people == tuple(sorted(stage.people[each].id for each in ("Ayu", "Ben")))
    assert len(row.invites) == 1
