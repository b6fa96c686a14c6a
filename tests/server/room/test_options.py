"""The options of every room, and who may set them."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error
from bluebear.rules.core.visibility import Seat
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage


def test_an_option_is_set_for_all_people_to_hear(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ben", "/option days 2") == stage.to_all("Option days is 2 now.")


def test_an_option_has_japanese_names(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/オプション 日数 ２")
    assert stage.room.table.options["days"] == "2"


@pytest.mark.parametrize(
    ("value", "then"), [("on", "on"), ("off", "off"), ("toggle", "on"), ("オン", "on"), ("", "on")]
)
def test_a_switch_is_set_or_turned(stage: Stage, value: str, then: str) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", f"/option confirm {value}".strip())
    assert stage.room.table.options["confirm"] == then


@pytest.mark.parametrize(
    "line",
    ["/option days 5", "/option days many", "/option season autumn", "/option confirm maybe"],
)
def test_an_option_takes_only_its_values(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu")
    assert stage.refused("Ayu", line) == "bad_value"


def test_an_unknown_option_names_the_nearest(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    assert stage.refused("Ayu", "/option seasn summer") == "no_such_option"
    assert stage.people["Ayu"].last(Error).candidates[0] == "season"


def test_spectators_set_no_option(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    assert stage.refused("Eva", "/option days 2") == "not_permitted"


def test_no_option_is_set_in_a_running_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/option days 2") == "not_now"


def test_the_host_sets_options_without_a_seat(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/leave", "/option days 2", "/start")
    assert stage.room.game.days == 2


# host


@pytest.mark.parametrize("line", ["/option days 2", "/start", "/bot"])
def test_with_host_only_the_host_prepares_the_game(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/option host on")
    assert stage.refused("Ben", line) == "not_permitted"
    stage.play("Ayu", line)


# start N


def test_the_game_begins_by_itself_when_enough_sit(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Ayu", "/option start 2")
    stage.play("Eva", "/join")
    assert stage.room.table.phase is Phase.PLAYING


def test_a_house_bot_counts_for_the_automatic_start(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/option start 2", "/bot")
    assert stage.room.table.phase is Phase.PLAYING


def test_zero_never_begins_by_itself(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Ayu", "/option start 2", "/option start 0")
    stage.play("Eva", "/join")
    assert stage.room.table.phase is Phase.OPEN


# confirm


def test_with_confirm_all_people_presses_start(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/option confirm on")
    assert stage.say("Ayu", "/start") == stage.to_all("Ayu is ready to start.")
    stage.play("Ben", "/start")
    assert stage.room.table.phase is Phase.PLAYING


def test_who_is_ready_is_ready(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/option confirm on", "/start")
    assert stage.refused("Ayu", "/start") == "already_ready"


def test_house_bots_are_always_ready(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/bot", "/option confirm on", "/start")
    assert stage.room.table.phase is Phase.PLAYING


def test_another_option_asks_all_people_again(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/option confirm on", "/start", "/option days 2")
    assert stage.room.table.ready == ()


def test_a_host_without_a_seat_does_not_press_for_the_rest(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/option confirm on", "/leave")
    assert stage.refused("Ayu", "/start") == "not_all_ready"


def test_enough_players_do_not_begin_before_all_people_pressed(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Ayu", "/option confirm on", "/option start 2")
    stage.play("Eva", "/join")
    assert stage.room.table.phase is Phase.OPEN


# watch, watchchat


def test_watch_none_keeps_all_people_out_of_a_running_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["watch none"])
    stage.come("Eva")
    assert stage.refused("Eva", f"/room {stage.room_id}", lobby=True) == "no_watching"


def test_players_come_back_where_no_person_watches(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["watch none"])
    token = stage.people["Ben"].token
    stage.drop("Ben")
    assert "(snapshot)" in stage.back("Ben", token)["Ben"]


def test_watch_invited_lets_the_invited_in(stage: Stage) -> None:
    stage.come("Eva", "Fay")
    stage.game("journey", "Ayu", "Ben", options=["watch invited"])
    stage.play("Ayu", "/invite Eva")
    stage.enter("Eva")
    assert stage.refused("Fay", f"/room {stage.room_id}", lobby=True) == "no_watching"


def test_before_the_game_all_people_may_look(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=[])
    stage.play("Ayu", "/option watch none")
    stage.come("Eva")
    stage.enter("Eva")


def test_talk_of_watchers_is_shared(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.say("Eva", "oh!") == stage.to_all("Eva: oh!")


def test_talk_of_watchers_stays_apart(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva", "Fay"], options=["watchchat apart"])
    assert stage.say("Eva", "oh!") == {"Eva": ["Eva: oh!"], "Fay": ["Eva: oh!"]}


def test_talk_apart_is_not_in_a_players_log(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["watchchat apart"])
    stage.play("Eva", "take the mill!")
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.back("Ben", token)
    assert "take the mill" not in repr(stage.people["Ben"].messages)


def test_players_talk_to_all(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["watchchat apart"])
    assert stage.say("Ayu", "hm") == stage.to_all("Ayu: hm")


def test_watchers_are_quiet_where_they_should_be(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["watchchat off"])
    assert stage.refused("Eva", "oh!") == "watchers_quiet"


def test_watchers_talk_again_after_the_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["watchchat off"])
    stage.play("Ayu", "/resign !")
    assert stage.say("Eva", "well played") == stage.to_all("Eva: well played")


# Starting.


def test_a_game_wants_its_number_of_players(stage: Stage) -> None:
    stage.table("manhattan", "Ayu")
    assert stage.refused("Ayu", "/start") == "wrong_seat_count"


def test_a_game_for_practice_is_not_rated(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/startnosave")
    assert stage.room.table.rated is False


def test_no_person_starts_a_running_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/start") == "not_now"


def test_the_rules_version_is_fixed_at_the_start(stage: Stage) -> None:
    stage.game("manhattan", "Ayu", "Ben")
    head = stage.room.head
    assert head is not None
    assert head.rules == stage.games["manhattan"].info.rules


@pytest.mark.parametrize("spelling", ["sixround", "sixrounds"])
def test_six_rounds_are_spelt_in_both_forms(stage: Stage, spelling: str) -> None:
    stage.table("manhattan", "Ayu", "Ben")
    stage.play("Ayu", f"/option {spelling} on")
    assert stage.room.table.options["sixrounds"] == "on"


def test_all_people_sits_where_he_sat_in_the_table(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.room.seats[Seat(1)].name == "Ayu"
