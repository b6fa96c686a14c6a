"""Clocks: banks and increments, time-outs, pauses, sleeping and waking."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS, HOUSE_BOT_SECONDS, TURN_LEAST_MS
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage

LEAST = TURN_LEAST_MS // 1000


def left(stage: Stage, seat: int) -> float:
    """The seconds that a seat has: until its deadline, or in its bank."""
    chair = stage.room.seats[Seat(seat)]
    if chair.deadline is not None:
        return (chair.deadline - stage.now) / 1000
    assert chair.bank is not None
    return chair.bank / 1000


def test_only_the_clock_of_who_is_to_move_runs(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+10"])
    stage.wait(60)
    assert (left(stage, 1), left(stage, 2)) == (240, 300)


def test_a_turn_adds_its_increment(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+10"])
    stage.wait(60)
    stage.play("Ayu", "/dig")
    assert (left(stage, 1), left(stage, 2)) == (250, 300)


def test_moves_within_a_turn_add_nothing(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+10"])
    stage.wait(60)
    stage.play("Ayu", "/go mill", "/back", "/go mill")
    assert left(stage, 1) == 240


def test_where_all_move_at_once_all_clocks_run(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["clock 300+0"])
    stage.wait(60)
    stage.play("Ayu", "/seal 1")
    stage.wait(60)
    assert (left(stage, 1), left(stage, 2)) == (240, 180)


def test_without_the_option_there_are_no_clocks(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    chair = stage.room.seats[Seat(1)]
    assert (chair.bank, chair.deadline) == (None, None)


@pytest.mark.parametrize("value", ["300", "300+", "+10", "abc", "-5+0", "999999+0", "on"])
def test_a_clock_is_a_bank_and_an_increment(stage: Stage, value: str) -> None:
    stage.table("journey", "Ayu")
    assert stage.refused("Ayu", f"/option clock {value}") == "bad_value"


# Time-outs.


def test_at_zero_the_clock_plays_for_the_seat(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    assert stage.wait(59) == {}
    assert stage.wait(1) == stage.to_all(
        "Time is up for Ayu; a move was played instead.", "Ayu goes to the mill.", "Ayu rests."
    )


def test_a_time_out_is_one_entry_of_the_clock(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    before = stage.room.version
    stage.wait(60)
    [entry] = stage.entries()[before:]
    assert (entry.actor, entry.lines) == ("clock", ("@clock 1", "/go mill", "/rest"))


def test_a_half_made_turn_is_continued(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    stage.play("Ayu", "/go market")
    stage.wait(60)
    assert stage.entries()[-1].lines == ("@clock 1", "/rest")


def test_the_clock_plays_until_a_move_draws(stage: Stage) -> None:
    """The last to seal draws the next prize: the next round's decision is another turn."""
    stage.game("sealed", "Ayu", "Ben", options=["clock 60+0"])
    stage.play("Ben", "/seal 6")
    stage.wait(60)
    assert stage.entries()[-1].lines == ("@clock 1", "/seal 1")
    assert stage.room.table.turn == (1, 2)


def test_an_empty_bank_still_leaves_the_least_time_for_a_turn(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    stage.wait(60)
    stage.play("Ben", "/dig")
    assert left(stage, 1) == LEAST


def test_a_time_out_that_leaves_a_decision_gives_the_least_time(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["clock 60+0"])
    stage.play("Ben", "/seal 6")
    stage.wait(60)
    assert left(stage, 1) == LEAST


def time_out_three_times(stage: Stage) -> str:
    """Ayu, who is gone, lets three turns in a row go by. The token to come back with."""
    stage.game("sealed", "Ayu", "Ben", options=["clock 5+0", "rounds 5"])
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    for card in (6, 5, 4):
        stage.play("Ben", f"/seal {card}")
        stage.wait(5)
    return token


def test_three_time_outs_in_a_row_let_a_house_bot_stand_in(stage: Stage) -> None:
    time_out_three_times(stage)
    chair = stage.room.seats[Seat(1)]
    assert (chair.name, chair.bot) == ("Ayu", "random")


def test_the_clock_of_a_bot_that_plays_slowly_rings_no_person(stage: Stage) -> None:
    time_out_three_times(stage)
    stage.play("Ben", "/seal 3")
    assert stage.wait(LEAST + HOUSE_BOT_SECONDS - 1) == {}
    assert left(stage, 1) < 0
    assert "Time is up for Ayu" in stage.wait(1)["Ben"][0]


def test_who_returns_to_a_clock_that_has_run_out_has_the_least_time(stage: Stage) -> None:
    token = time_out_three_times(stage)
    stage.play("Ben", "/seal 3")
    stage.wait(LEAST + 2)
    stage.back("Ayu", token)
    assert stage.room.seats[Seat(1)].bot is None
    assert stage.wait(LEAST - 1) == {}
    assert "Time is up for Ayu" in stage.wait(1)["Ben"][0]


def test_a_move_in_between_starts_the_count_again(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["clock 5+0", "rounds 5"])
    for card in (6, 5):
        stage.play("Ben", f"/seal {card}")
        stage.wait(5)
    stage.play("Ben", "/seal 4")
    stage.play("Ayu", "/seal 6")
    stage.play("Ben", "/seal 3")
    stage.wait(5)
    assert stage.room.seats[Seat(1)].bot is None


def test_the_clock_may_end_the_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0", "days 1"])
    stage.play("Ayu", "/dig")
    received = stage.wait(60)
    assert received["Ayu"][-3] == "Final ranking (played to its end):"


# Pauses.


def paused(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["clock 300+0"])
    stage.wait(100)
    stage.play("Ayu", "/pause")
    stage.play("Ben", "/accept")


def test_no_clock_runs_in_a_pause(stage: Stage) -> None:
    paused(stage)
    stage.wait(10_000)
    stage.play("Ben", "/resume")
    assert left(stage, 1) == 200


def test_no_person_moves_in_a_pause(stage: Stage) -> None:
    paused(stage)
    assert stage.refused("Ayu", "/dig") == "paused"


def test_no_person_takes_back_in_a_pause(stage: Stage) -> None:
    paused(stage)
    assert stage.refused("Ayu", "/undo") == "paused"


def test_all_people_talks_in_a_pause(stage: Stage) -> None:
    paused(stage)
    assert stage.say("Eva", "tea?") == stage.to_all("Eva: tea?")


def test_any_player_ends_the_pause(stage: Stage) -> None:
    paused(stage)
    assert stage.say("Ben", "/resume") == stage.to_all("The game goes on.")
    assert stage.room.table.phase is Phase.PLAYING


def test_no_person_is_prompted_about_the_absent_in_a_pause(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/dig", "/pause")
    stage.play("Ben", "/accept")
    stage.drop("Ben")
    assert stage.wait(10 * AWAY_SECONDS) == {}


def test_after_a_pause_the_absent_have_their_two_minutes_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/dig", "/pause")
    stage.play("Ben", "/accept")
    stage.drop("Ben")
    stage.wait(10 * AWAY_SECONDS)
    stage.play("Ayu", "/resume")
    assert stage.wait(AWAY_SECONDS - 1) == {}
    assert stage.wait(1) != {}


def test_a_game_given_up_in_a_pause_is_over_and_not_paused(stage: Stage) -> None:
    paused(stage)
    stage.play("Ben", "/resign !")
    assert (stage.room.table.phase, stage.room.table.paused_at) == (Phase.OVER, None)


# Sleeping and waking.


def test_no_clock_runs_while_no_person_is_there(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+0"])
    token = stage.people["Ben"].token
    stage.wait(100)
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(500)
    stage.back("Ben", token)
    assert left(stage, 1) == 200


def test_waking_is_one_entry_of_the_server(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+0"])
    token = stage.people["Ben"].token
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(500)
    stage.back("Ben", token)
    assert (stage.entries()[-1].actor, stage.entries()[-1].lines) == ("server", ("@wake 500000",))


def test_a_room_without_clocks_and_votes_wakes_without_an_entry(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    token = stage.people["Ben"].token
    version = stage.room.version
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(500)
    stage.back("Ben", token)
    assert stage.room.version == version


def test_after_a_restart_the_deadlines_move_by_the_time_since_the_newest_entry(
    stage: Stage,
) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+0"])
    token = stage.people["Ben"].token
    stage.restart()
    stage.wait(5000)
    stage.back("Ben", token)
    assert left(stage, 1) == 300


def test_a_room_that_left_memory_wakes_as_after_a_restart(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+0"])
    token = stage.people["Ben"].token
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(5000)
    assert stage.app.engine.room(stage.room_id) is None
    stage.back("Ben", token)
    assert left(stage, 1) == 300


def test_a_spectator_keeps_the_clocks_running(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["clock 300+0"])
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    assert stage.wait(300)["Eva"][-1] == "Ayu rests."


@pytest.mark.expects_log("the disk is full")
def test_an_alarm_on_a_full_disk_is_retried(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    stage.journal.fail_next(3)
    assert stage.wait(62) == {}
    assert stage.wait(2)["Ben"][0] == "Time is up for Ayu; a move was played instead."
