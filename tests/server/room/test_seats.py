"""Seats: taken and left before the game, stood in and given up during it, had back, asked for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS, HOUSE_BOT_SECONDS, STAND_IN_PACE_SECONDS, VOTE_MS
from tests.server.fixtures import Stage

VOTE_SECONDS = VOTE_MS / 1000


def stand_in(stage: Stage, name: str) -> str:
    """The player on turn disconnects; the vote about a stand-in passes. Returns their token."""
    token = stage.people[name].token
    stage.drop(name)
    stage.wait(AWAY_SECONDS)
    stage.wait(VOTE_SECONDS)
    return token


# Before the game.


def test_whoever_joins_gets_the_lowest_free_seat(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.say("Eva", "/join") == stage.to_all("Eva took a seat.")
    assert stage.seat_of("Eva") == 3


def test_whoever_names_a_seat_gets_that_one(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Eva", "/join 3")
    assert stage.seat_of("Eva") == 3


def test_a_seat_is_had_by_one_person_only(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    assert stage.refused("Eva", "/join 1") == "seat_taken"


def test_no_person_has_two_seats(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    assert stage.refused("Ayu", "/join 2") == "already_seated"


def test_there_is_no_seat_beyond_the_games_last(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    assert stage.refused("Eva", "/join 4") == "no_such_seat"


def test_no_person_gets_a_seat_where_all_are_taken(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    assert stage.refused("Eva", "/join") == "room_full"


def test_gaps_between_the_seats_close_at_the_start(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", "Cem")
    stage.play("Ben", "/leave !")
    stage.play("Ayu", "/start")
    assert [(int(seat), chair.name) for seat, chair in stage.room.seats.items()] == [
        (1, "Ayu"),
        (2, "Cem"),
    ]


def test_drawseat_draws_the_seats_from_the_seed_of_the_game() -> None:
    orders = set()
    for tables in range(1, 9):
        with Stage() as stage:
            stage.come("Ayu")
            for _ in range(tables):
                stage.say("Ayu", "/who", lobby=True)
                stage._bytes(64)
            stage.game("journey", "Ayu", "Ben", "Cem", options=["drawseat on"])
            orders.add(tuple(chair.name for chair in stage.room.seats.values()))
            assert sorted(stage.room.seats) == [1, 2, 3]
    assert len(orders) > 1


def test_without_drawseat_all_people_stays_where_he_sat_down(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    assert [chair.name for chair in stage.room.seats.values()] == ["Ayu", "Ben", "Cem"]


def test_leaving_before_the_game_frees_the_seat(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ben", "/leave !") == stage.to_all("Ben left the seat.")
    assert stage.seat_of("Ben") is None


def test_a_house_bot_takes_a_free_seat(stage: Stage) -> None:
    stage.table("manhattan", "Ayu")
    assert stage.say("Ayu", "/bot greedy 4") == stage.to_all("@greedy4 took a seat.")


def test_a_house_bot_is_called_after_its_final_seat(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben")
    stage.play("Ayu", "/bot greedy 4", "/start")
    assert stage.room.name_of(3) == "@greedy3"


def test_a_house_bot_is_sent_away_again(stage: Stage) -> None:
    stage.table("manhattan", "Ayu")
    stage.play("Ayu", "/bot greedy 3")
    assert stage.say("Ayu", "/bot remove 3") == stage.to_all("@greedy3 left the seat.")


def test_a_person_is_not_removed_as_a_bot(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben")
    assert stage.refused("Ayu", "/bot remove 2") == "no_bot_there"


def test_a_house_bot_plays_only_what_the_game_knows(stage: Stage) -> None:
    stage.table("manhattan", "Ayu")
    assert stage.refused("Ayu", "/bot clever") in ("no_such_bot", "bad_word")


def test_the_game_advises_its_option_when_three_sit(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben", watching=["Eva"])
    received = stage.say("Eva", "/join")
    assert any("/option sixrounds on" in line for line in received["Ayu"])
    assert not any("/option" in line for line in received["Ayu"][:1])


def test_what_is_chosen_already_is_not_advised(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/option sixrounds on")
    assert stage.say("Eva", "/join") == stage.to_all("Eva took a seat.")


# A player is away on their turn.


def bens_turn(stage: Stage, watching: Sequence[str] = ()) -> None:
    """A game of Ayu and Ben in which Ben is to move."""
    stage.game("journey", "Ayu", "Ben", watching=watching)
    stage.play("Ayu", "/dig")


def test_away_for_two_minutes_on_ones_turn_opens_the_vote(stage: Stage) -> None:
    bens_turn(stage)
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS - 1)
    assert stage.wait(1) == stage.to_all(
        "Vote 1: the table waits for Ben; may a house bot stand in? /accept or /refuse within 30 s."
    )


def test_the_two_minutes_begin_when_the_turn_does(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    stage.play("Ayu", "/dig")
    assert stage.wait(AWAY_SECONDS - 1) == {}
    assert stage.wait(1) != {}


def test_no_person_asks_about_a_player_who_is_not_to_move(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.drop("Ben")
    assert stage.wait(10 * AWAY_SECONDS) == {}


def test_the_vote_is_opened_once_per_absence(stage: Stage) -> None:
    bens_turn(stage)
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    stage.play("Ayu", "/refuse")
    assert stage.wait(10 * AWAY_SECONDS) == {}


def test_other_people_who_move_meanwhile_do_not_open_the_vote_again(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", "Cem")
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    stage.play("Ayu", "/refuse")
    stage.play("Cem", "/seal 1")
    assert stage.wait(10 * AWAY_SECONDS) == {}


def test_a_second_absence_opens_the_vote_again(stage: Stage) -> None:
    bens_turn(stage)
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    stage.play("Ayu", "/refuse")
    stage.back("Ben", token)
    stage.drop("Ben")
    assert "Ayu" in stage.wait(AWAY_SECONDS)


def test_who_joins_when_no_person_could_be_prompted_is_prompted_then(stage: Stage) -> None:
    bens_turn(stage, watching=["Eva"])
    ayu = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.drop("Ben")
    assert stage.wait(2 * AWAY_SECONDS) == {}
    stage.back("Ayu", ayu)
    assert [vote.voters for vote in stage.room.table.votes.values()] == [(1,)]


def test_with_a_clock_the_clock_alone_decides(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 600+0"])
    stage.play("Ayu", "/dig")
    stage.drop("Ben")
    assert stage.wait(AWAY_SECONDS + 100) == {}


def test_silence_lets_a_house_bot_stand_in(stage: Stage) -> None:
    bens_turn(stage, watching=["Eva"])
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    assert stage.wait(VOTE_SECONDS) == stage.to_all(
        "Vote 1 (stand-in): passed.",
        "A house bot stands in for Ben, who has the seat back by coming in or with any line.",
    )
    chair = stage.room.seats[Seat(2)]
    assert (chair.name, chair.bot) == ("Ben", "random")


def test_a_house_bot_that_is_silent_is_played_by_the_clock(stage: Stage) -> None:
    bens_turn(stage)
    stand_in(stage, "Ben")
    assert stage.wait(HOUSE_BOT_SECONDS + STAND_IN_PACE_SECONDS - 1) == {}
    assert stage.wait(1)["Ayu"][0] == "Time is up for Ben; a move was played instead."


def test_a_silent_house_bot_never_loses_its_seat(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["rounds 5"])
    stage.play("Ben", "/leave !")
    for card in (1, 2, 3, 4):
        stage.play("Ayu", f"/seal {card}")
        stage.wait(HOUSE_BOT_SECONDS)
    assert stage.room.seats[Seat(2)].bot == "random"


# The owner comes back.


def test_who_re_enters_has_his_seat_back(stage: Stage) -> None:
    bens_turn(stage, watching=["Eva"])
    token = stand_in(stage, "Ben")
    assert stage.back("Ben", token) == {
        "Ayu": ["Ben is back at the table."],
        "Ben": ["(snapshot)", "Ben is back at the table."],
        "Eva": ["Ben is back at the table."],
    }
    assert stage.room.seats[Seat(2)].bot is None


def stood_in_while_here(stage: Stage) -> None:
    """Ayu is there, but silent on her turn: she is asked, then a house bot stands in."""
    stage.game("sealed", "Ayu", "Ben", options=["rounds 5"])
    stage.play("Ben", "/seal 6")
    stage.wait(AWAY_SECONDS)
    stage.play("Ben", "/remove Ayu")
    stage.wait(VOTE_SECONDS)
    assert stage.room.seats[Seat(1)].bot == "random"


@pytest.mark.parametrize(
    "line",
    ["Here I am!", "/board", "/nosuch", "/join 1", "/join", "/seal 9", "/option x"],
    ids=["talk", "question", "nonsense", "own seat", "own seat unnamed", "refused", "not now"],
)
def test_any_line_of_the_owner_gives_the_seat_back(stage: Stage, line: str) -> None:
    stood_in_while_here(stage)
    assert stage.say("Ayu", line)["Ben"][0] == "Ayu is back at the table."
    assert stage.room.seats[Seat(1)].bot is None


def test_asking_for_ones_seat_is_no_mistake(stage: Stage) -> None:
    stood_in_while_here(stage)
    assert stage.say("Ayu", "/join") == stage.to_all("Ayu is back at the table.")


def test_the_owner_may_move_at_once(stage: Stage) -> None:
    stood_in_while_here(stage)
    received = stage.say("Ayu", "/seal 5")
    assert received["Ayu"][:2] == ["Ayu is back at the table.", "Ayu seals the 5."]
    assert received["Ben"][:2] == ["Ayu is back at the table.", "Ayu seals a card."]


def test_the_seat_is_given_back_in_the_entry_of_the_line(stage: Stage) -> None:
    stood_in_while_here(stage)
    stage.play("Ayu", "Here I am!")
    assert stage.entries()[-1].lines == ("Here I am!",)


def test_who_re_enters_when_the_game_is_over_leaves_its_record_alone(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", options=["days 1"])
    stage.play("Ayu", "/dig")
    token = stand_in(stage, "Ben")
    stage.wait(HOUSE_BOT_SECONDS + STAND_IN_PACE_SECONDS)
    stage.play("Cem", "/dig")
    assert stage.back("Ben", token) == {"Ben": ["(snapshot)"]}


# A seat is given up.


def test_leaving_a_running_game_leaves_the_seat_to_the_house(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    received = stage.say("Ben", "/leave !")
    assert received == stage.to_all("A house bot (random) plays on for Ben.")
    assert stage.seat_of("Ben") is None


def test_a_kicked_players_seat_passes_to_the_house(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    received = stage.say("Ayu", "/kick Ben !")
    assert received["Eva"] == [
        "A house bot (random) plays on for Ben.",
        "Ben was sent out of the room.",
    ]
    assert received["Ben"][-1] == "(kicked) The host has sent you out of the room."
    assert stage.people["Ben"].room is None


def test_who_left_does_not_get_the_seat_back_by_a_line(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ben", "/leave !")
    stage.play("Ben", "hello")
    assert stage.seat_of("Ben") is None


def test_other_people_ask_for_a_seat_that_was_given_up(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    stage.play("Ben", "/leave !")
    assert stage.say("Eva", "/join 2") == stage.to_all(
        "Vote 1: Eva would like to take over the seat of @random2. /accept or /refuse within 30 s."
    )
    stage.play("Ayu", "/accept")
    assert stage.say("Cem", "/accept") == stage.to_all(
        "Cem votes yes.",
        "Vote 1 (taking over a seat): passed.",
        "Eva took over seat 2 from @random2.",
    )
    assert stage.seat_of("Eva") == 2


def test_join_without_a_number_asks_for_the_only_vacant_seat(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ben", "/leave !")
    stage.play("Eva", "/join")
    assert [vote.seat for vote in stage.room.table.votes.values()] == [2]


def test_a_seat_that_a_person_has_cannot_be_requested(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.refused("Eva", "/join 2") == "seat_taken"


def test_who_is_away_keeps_his_seat_from_the_rest(stage: Stage) -> None:
    bens_turn(stage, watching=["Eva"])
    stand_in(stage, "Ben")
    assert stage.refused("Eva", "/join 2") == "seat_taken"


def test_the_host_chooses_who_plays_a_seat_of_the_house(stage: Stage) -> None:
    stage.game("manhattan", "Ayu", "Ben", "Cem")
    stage.play("Ben", "/leave !")
    stage.play("Ayu", "/bot random")
    assert stage.room.name_of(2) == "@random2"


def test_nothing_is_played_while_only_house_bots_are_there(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ben", "/leave !")
    stage.play("Ayu", "/go mill dig")
    version = stage.room.version
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(100)
    assert stage.room.version == version


def test_who_returns_sees_his_hand_again(stage: Stage) -> None:
    bens_turn(stage)
    stage.play("Ben", "/dig")
    stage.play("Ayu", "/go mill dig")
    token = stand_in(stage, "Ben")
    stage.back("Ben", token)
    assert len(stage.people["Ben"].view["game"]["seats"]["2"]["found"]) == 1


def test_who_gives_up_his_seat_loses_its_eyes_at_once(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/dig")
    stage.play("Ayu", "/leave !")
    assert "found" not in stage.people["Ayu"].view["game"]["seats"]["1"]
