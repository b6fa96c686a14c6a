"""No game is played, ended or taken back without its players: grace, votes, confirmation."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage

VOTE_SECONDS = 30


def waiting_for_ben(stage: Stage) -> None:
    """A game of Ayu, Ben and Cem in which Ben is to move; Eva watches."""
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    stage.play("Ayu", "/dig")


def bot_of(stage: Stage, seat: int) -> str | None:
    """Who plays for the owner of a seat."""
    return stage.room.seats[Seat(seat)].bot


# /remove and its grace.


def test_remove_is_not_possible_before_the_grace_time(stage: Stage) -> None:
    waiting_for_ben(stage)
    stage.drop("Ben")
    stage.wait(4)
    assert stage.refused("Ayu", "/remove Ben") == "too_soon"
    stage.wait(AWAY_SECONDS - 5)
    assert stage.refused("Ayu", "/remove Ben") == "too_soon"
    stage.wait(1)
    assert stage.refused("Ayu", "/remove Ben") == "vote_open", "the server has asked by itself"
    stage.play("Ayu", "/refuse", "/remove Ben")
    stage.play("Cem", "/accept")
    assert bot_of(stage, 2) == "random"


def test_no_person_is_removed_while_the_rest_are_to_move(stage: Stage) -> None:
    waiting_for_ben(stage)
    stage.drop("Cem")
    stage.wait(2 * AWAY_SECONDS)
    assert stage.refused("Ayu", "/remove Cem") == "nobody_waits"


def test_with_a_clock_the_clock_alone_decides(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 600+0"])
    stage.play("Ayu", "/dig")
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    assert stage.refused("Ayu", "/remove Ben") == "clock_decides"


def test_no_person_is_removed_in_a_pause(stage: Stage) -> None:
    waiting_for_ben(stage)
    stage.play("Ayu", "/pause")
    stage.play("Cem", "/accept")
    stage.wait(2 * AWAY_SECONDS)
    assert stage.refused("Ayu", "/remove Ben") == "paused"


# Who is connected is asked.


def ask_ben(stage: Stage) -> None:
    """Ben is connected and does not move on turn; Ayu asks that a bot plays for Ben."""
    waiting_for_ben(stage)
    stage.wait(AWAY_SECONDS)
    assert stage.say("Ayu", "/remove Ben") == stage.to_all(
        "Vote 1: the table waits for Ben; may a house bot stand in?"
        " /accept or /refuse within 30 s.",
        "Ben, are you there? Say anything within 30 s, or a house bot plays for you until you do.",
    )


def test_a_connected_person_is_prompted_before_his_game_is_played_for_him(stage: Stage) -> None:
    ask_ben(stage)
    stage.play("Cem", "/accept")
    assert bot_of(stage, 2) is None, "he has his time to answer, whatever the others say"
    received = stage.wait(VOTE_SECONDS)
    assert received["Ben"][1] == (
        "A house bot stands in for Ben, who has the seat back by coming in or with any line."
    )


@pytest.mark.parametrize("line", ["I think", "/board", "/nosuch", "/go mill", "/refuse"])
def test_any_line_keeps_the_seat(stage: Stage, line: str) -> None:
    ask_ben(stage)
    stage.play("Cem", "/accept")
    stage.say("Ben", line)
    assert not stage.room.table.votes
    stage.wait(10 * VOTE_SECONDS)
    assert bot_of(stage, 2) is None


def test_who_agrees_is_stood_in_for_at_once(stage: Stage) -> None:
    ask_ben(stage)
    stage.play("Ben", "/accept")
    assert bot_of(stage, 2) == "random"


def test_who_returns_in_time_ends_the_vote_about_him(stage: Stage) -> None:
    waiting_for_ben(stage)
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.wait(AWAY_SECONDS)
    assert stage.room.table.votes
    stage.back("Ben", token)
    assert not stage.room.table.votes


def time_out(stage: Stage, times: int) -> None:
    """Ayu is there and lets her time run out so often."""
    stage.game("sealed", "Ayu", "Ben", options=["rounds 5", "clock 40+0"])
    for card in range(6, 6 - times, -1):
        stage.play("Ben", f"/seal {card}")
        stage.wait(40 if card == 6 else 5)


def test_who_is_there_is_prompted_after_three_time_outs(stage: Stage) -> None:
    time_out(stage, 3)
    [vote] = stage.room.table.votes.values()
    assert (vote.seat, vote.voters) == (1, (1,))
    assert bot_of(stage, 1) is None
    stage.wait(VOTE_SECONDS)
    assert bot_of(stage, 1) == "random"


def test_who_is_prompted_once_more_is_not_prompted_twice_at_a_time(stage: Stage) -> None:
    time_out(stage, 4)
    assert len(stage.room.table.votes) == 1


def test_whoever_says_something_after_three_time_outs_plays_on(stage: Stage) -> None:
    time_out(stage, 3)
    stage.play("Ayu", "here!")
    stage.wait(VOTE_SECONDS)
    assert bot_of(stage, 1) is None


# What a vote on an undo takes back.


def test_the_vote_on_undo_says_what_it_takes_back(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "/go mill", "/rest")
    received = stage.say("Ayu", "/undo")
    assert received["Ayu"][1] == "Yes leads back to before Ayu's /rest: 3 moves, 1 of them yours."
    assert received["Ben"][1] == "Yes leads back to before Ayu's /rest: 3 moves, 2 of them yours."
    assert (
        received["Cem"][1] == received["Eva"][1] == "Yes leads back to before Ayu's /rest: 3 moves."
    )
    assert "2 of them yours" in stage.say("Ben", "/votes")["Ben"][0]


def test_what_was_undone_before_is_not_counted(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/dig", "/undo")
    stage.play("Ben", "/accept")
    stage.play("Ayu", "/dig")
    assert stage.say("Ayu", "/undo")["Ben"][1] == "Yes leads back to before Ayu's /dig: 1 move."


def test_a_hidden_section_of_a_move_is_not_reported(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben")
    stage.play("Ayu", "/seal 3")
    assert (
        stage.say("Ayu", "/undo")["Ben"][1]
        == "Yes leads back to before a hidden move of Ayu: 1 move."
    )


# Endings want an exclamation mark.


@pytest.mark.parametrize("line", ["/resign", "/leave", "/masterreset"])
def test_endings_ask_for_an_exclamation_mark(stage: Stage, line: str) -> None:
    waiting_for_ben(stage)
    assert stage.refused("Ayu", line) == "rash"
    assert stage.people["Ayu"].last(Error).candidates == (f"{line} !",)
    stage.play("Ayu", f"{line}!")


@pytest.mark.parametrize("line", ["/resign", "/leave", "/masterreset"])
def test_in_a_pause_as_well(stage: Stage, line: str) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/pause")
    stage.play("Ben", "/accept")
    assert stage.refused("Ayu", line) == "rash"


@pytest.mark.parametrize("line", ["/start", "/startnosave"])
def test_who_has_no_seat_is_prompted_before_bots_play_by_themselves(
    stage: Stage, line: str
) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/leave", "/bot random", "/bot random")
    assert stage.refused("Ayu", line) == "rash"
    assert stage.people["Ayu"].last(Error).candidates == (f"{line} !",)
    stage.play("Ayu", f"{line}!")


def test_who_has_a_seat_begins_with_bots_unasked(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/bot random", "/start")


def test_where_no_seat_is_free_bots_begin_unasked(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/leave", *["/bot random"] * 3, "/start")


def test_a_seat_is_left_lightly_before_the_game_and_after_it(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ben", "/leave", "/join")
    stage.play("Ayu", "/start", "/resign !")
    assert stage.room.table.phase is Phase.OVER
    stage.play("Ben", "/leave")


@pytest.mark.parametrize("line", ["/go mill", "/undo", "/moves", "/dig"])
def test_in_a_pause_a_move_is_answered_with_the_pause(stage: Stage, line: str) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/pause")
    stage.play("Ben", "/accept")
    assert stage.refused("Ayu", line) == "paused"


def test_a_start_that_is_refused_all_the_same_asks_for_no_confirmation(stage: Stage) -> None:
    stage.table("duel", "Ayu")
    stage.play("Ayu", "/leave", "/bot random")
    assert stage.refused("Ayu", "/start") == "wrong_seat_count"
