"""How games end: by score, by resignation, void; and what comes after."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage


def ranks(stage: Stage) -> dict[str, int]:
    """Who came in as what."""
    ending = stage.room.table.ending
    assert ending is not None
    return {stage.room.name_of(seat): position.place for seat, position in ending.places.items()}


def finished(stage: Stage, *names: str) -> None:
    """A game that ended by score."""
    stage.game("journey", *names, options=["days 1"])
    for name in names:
        stage.play(name, "/dig")
    assert stage.room.table.phase is Phase.OVER


# By score.


def test_all_people_hear_who_won(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["days 1"])
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "/dig")
    ending = stage.room.table.ending
    assert ending is not None
    score = ending.places[Seat(2)].score
    assert stage.people["Eva"].received[-3:] == [
        "Final ranking (played to its end):",
        f"1. Ben ({score})",
        "2. Ayu (0)",
    ]


def test_the_seed_is_published_with_the_end(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["days 1"])
    secret = stage.room.table.secret
    stage.play("Ayu", "/dig")
    assert "ending" not in stage.people["Ben"].view["room"]
    stage.play("Ben", "/dig")
    assert stage.people["Ben"].view["room"]["ending"]["seed"] == secret


def test_no_person_moves_when_it_is_over(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben")
    assert stage.refused("Ayu", "/dig") == "not_playing"


# By resignation.


def test_with_two_seats_a_resignation_ends_the_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.say("Ayu", "/resign !") == stage.to_all(
        "Ayu resigned.",
        "Final ranking (by resignation):",
        "1. Ben (0)",
        "2. Ayu (0)",
    )


def test_alone_a_resignation_ends_the_game(stage: Stage) -> None:
    stage.game("journey", "Ayu")
    stage.play("Ayu", "/resign !")
    assert stage.room.table.phase is Phase.OVER


def test_with_more_seats_a_house_bot_plays_on(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    assert stage.say("Ayu", "/resign !") == stage.to_all(
        "Ayu resigned.", "A house bot (random) plays on for Ayu."
    )
    assert stage.room.table.phase is Phase.PLAYING


def test_who_resigned_is_last_whatever_the_score(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", options=["days 1"])
    stage.play("Ayu", "/dig", "/resign !")
    stage.play("Ben", "/go mill", "/rest")
    stage.play("Cem", "/go mill", "/rest")
    assert ranks(stage) == {"Ben": 1, "Cem": 1, "@random1": 3}


def test_who_resigned_earlier_is_lower(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", "Cem", "Dua", options=["rounds 1"])
    stage.play("Ben", "/resign !")
    stage.play("Ayu", "/resign !")
    stage.play("Cem", "/seal 5")
    stage.play("Dua", "/seal 6")
    stage.wait(10)
    assert ranks(stage) == {"Dua": 1, "Cem": 2, "@random1": 3, "@random2": 4}


def test_spectators_do_not_resign(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.refused("Eva", "/resign") == "not_permitted"


# Void.


def test_all_agree_to_end_the_game_without_a_result(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/masterreset !")
    assert stage.say("Ben", "/accept") == stage.to_all(
        "Ben votes yes.",
        "Vote 1 (ending without a result): passed.",
        "The game ended without a result.",
    )
    assert ranks(stage) == {}


# A new board.


@pytest.mark.parametrize("line", ["/again", "/reset"])
def test_a_new_game_has_its_id_and_commitment(stage: Stage, line: str) -> None:
    finished(stage, "Ayu", "Ben")
    old = stage.room.table
    stage.play("Ayu", line)
    new = stage.room.table
    assert (new.phase, new.ending) == (Phase.OPEN, None)
    assert new.game_id != old.game_id
    assert new.commit != old.commit


def test_again_keeps_seats_options_and_privacy(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben")
    stage.play("Ben", "/again")
    table = stage.room.table
    assert [chair.name for chair in table.seats.values()] == ["Ayu", "Ben"]
    assert dict(table.options) == {"days": "1"}
    assert table.privacy == "unlisted"


def test_reset_clears_the_seats(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben")
    stage.play("Ben", "/reset")
    assert not stage.room.seats
    assert dict(stage.room.table.options) == {"days": "1"}


def test_the_same_seats_play_again(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben")
    stage.play("Ayu", "/again", "/start", "/dig")
    stage.play("Ben", "/dig")
    assert stage.room.table.phase is Phase.OVER


def test_a_house_bot_stays_for_the_next_game(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/bot random", "/option days 1", "/start", "/dig")
    stage.wait(5)
    stage.play("Ayu", "/again")
    assert stage.room.name_of(2) == "@random2"


def test_who_was_stood_in_for_sits_there_himself_again(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["clock 5+0", "rounds 3"])
    for card in (6, 5, 4):
        stage.play("Ben", f"/seal {card}")
        stage.wait(5)
    stage.play("Ben", "/again")
    chair = stage.room.seats[Seat(1)]
    assert (chair.name, chair.bot, chair.bank) == ("Ayu", None, None)


def test_spectators_clear_no_board(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/resign !")
    assert stage.refused("Eva", "/again") == "not_permitted"


@pytest.mark.parametrize("line", ["/again", "/reset"])
def test_a_running_game_is_not_cleared(stage: Stage, line: str) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", line) == "not_now"


def test_the_result_stays_reachable(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben")
    game_id = stage.room.table.game_id
    stage.play("Ayu", "/reset")
    [note] = stage.say("Ben", f"/record {game_id}")["Ben"]
    assert f"id {game_id}" in note
    assert "end score" in note


def test_who_is_sent_out_after_the_game_has_no_seat_in_the_next(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/kick Ben", "/again")
    assert [chair.name for chair in stage.room.seats.values()] == ["Ayu", "Cem"]


def test_who_leaves_after_the_game_is_still_in_its_result(stage: Stage) -> None:
    finished(stage, "Ayu", "Ben")
    stage.play("Ayu", "/kick Ben")
    assert set(ranks(stage)) == {"Ayu", "Ben"}


# Bugs of a game.


@pytest.mark.expects_log("the game is broken on purpose")
def test_a_bug_stops_one_line_only(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.game("journey", "Ayu", "Ben")
    with monkeypatch.context() as broken:
        broken.setattr(stage.games["journey"], "play", None)
        assert stage.refused("Ayu", "/go mill") == "internal"
    stage.play("Ayu", "/go mill")


@pytest.mark.expects_log("the game is broken on purpose")
def test_three_bugs_in_a_row_freeze_the_room_and_keep_its_record(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest")
    game_id = stage.room.table.game_id
    with monkeypatch.context() as broken:
        broken.setattr(stage.games["journey"], "play", None)
        for _ in range(3):
            stage.say("Ben", "/go mill")
    assert stage.room.table.phase is Phase.FROZEN
    assert stage.refused("Ben", "/dig") == "not_playing"
    stage.play("Ben", "oh")
    stage.play("Ayu", "/reset")
    [note] = stage.say("Ben", f"/record {game_id}")["Ben"]
    assert "end void" in note


@pytest.mark.expects_log("the game is broken on purpose")
def test_a_room_that_froze_before_its_game_is_cleared_as_well(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.table("journey", "Ayu", "Ben")
    with monkeypatch.context() as broken:
        broken.setattr(stage.games["journey"], "setup", None)
        for _ in range(3):
            stage.say("Ayu", "/start")
    assert stage.refused("Ayu", "/start") == "not_now"
    stage.play("Ayu", "/reset")
    assert stage.room.table.phase is Phase.OPEN


@pytest.mark.expects_log("the game is broken on purpose")
def test_a_silent_bug_of_the_clock_freezes_the_room_too(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    with monkeypatch.context() as broken:
        broken.setattr(stage.games["journey"], "fallback", None)
        stage.wait(70)
    assert stage.room.table.phase is Phase.FROZEN
