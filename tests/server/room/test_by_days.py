"""The clock that counts days for each turn: its option, its time, what rows say of it."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import CLOCK_DAYS_MAX, DAY_MS
from bluebear.server.room.state import waking_deadline
from bluebear.server.rooms.loading import line_of
from bluebear.server.store import StreamId, rooms
from tests.server.fixtures import Stage


def left(stage: Stage, seat: int) -> int:
    """The ms that a seat has left now."""
    deadline = stage.room.seats[Seat(seat)].deadline
    assert deadline is not None
    return deadline - stage.now


@pytest.mark.parametrize("typed", ["3d", "3D", "3 d", "3 days", "3日", "３日"])
def test_days_are_typed_in_several_forms(stage: Stage, typed: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", f"/option clock {typed}")
    assert stage.room.table.options["clock"] == "3d"


@pytest.mark.parametrize("typed", ["0d", f"{CLOCK_DAYS_MAX + 1}d", "d", "3dd", "-1d", "1.5d"])
def test_days_that_are_none_are_refused(stage: Stage, typed: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", f"/option clock {typed}") == "bad_value"


def test_each_turn_has_all_its_days(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 3d"])
    stage.wait(1000)
    assert left(stage, 1) == 3 * DAY_MS - 1_000_000
    stage.play("Ayu", "/dig")
    stage.wait(5000)
    stage.play("Ben", "/dig")
    assert left(stage, 1) == 3 * DAY_MS


def test_moving_and_undoing_earns_no_time(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 3d"])
    stage.wait(1000)
    stage.play("Ayu", "/rest !", "/undo")
    assert left(stage, 1) == 3 * DAY_MS - 1_000_000


def test_the_clock_is_reported_in_days(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 3d"])
    stage.wait(3600)
    assert "1: Ayu <- to move 2 d 23 h" in stage.say("Ayu", "/info")["Ayu"][0]


def test_only_a_room_by_days_is_woken(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+10"])
    assert waking_deadline(stage.room) is None


def test_a_room_that_waits_for_a_bot_is_woken_at_once(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 3d"])
    stage.play("Ben", "/leave !")
    stage.play("Ayu", "/dig")
    assert waking_deadline(stage.room) == stage.room.at


def test_every_move_of_such_a_clock_writes_the_rooms_row(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 3d"])
    stage.play("Ayu", "/dig")
    row = stage.run(stage.journal.read(rooms.room, StreamId(stage.room_id)))
    assert row is not None
    assert (row.seq, row.deadline) == (stage.room.version, stage.room.seats[Seat(2)].deadline)
    assert line_of(row).turn == ("Ben",)
