"""Undo: what the game takes back itself, what is free, what the others are asked about."""

from __future__ import annotations

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import HOUSE_BOT_SECONDS, UNDO_ENTRIES
from bluebear.server.room.state import VoteKind
from tests.server.fixtures import Stage


def test_the_game_is_prompted_first(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill")
    assert stage.say("Ayu", "/undo") == stage.to_all("Ayu takes the step back, to the harbor.")
    assert stage.entries()[-1].lines == ("/back",)


def test_the_newest_public_entry_without_a_draw_is_free(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest")
    assert stage.say("Ayu", "/undo") == stage.to_all("Ayu took back: 1 move undone.")
    assert stage.to_move() == "Ayu"


def test_the_rest_are_prompted_about_an_entry_that_drew(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/dig")
    version = stage.room.version
    assert stage.say("Ayu", "/undo") == stage.to_all(
        "Vote 1: Ayu would like to take back a move. /accept or /refuse within 30 s.",
        "Yes leads back to before Ayu's /dig: 1 move.",
    )
    assert stage.room.table.votes[1].target == version


def test_the_rest_are_prompted_about_an_entry_that_drew_before_all_eyes(stage: Stage) -> None:
    stage.game("duel", "Ayu", "Ben")
    game, name = stage.games["duel"], ""
    while not (stage.room.past and stage.room.past[-1].drew):
        name = stage.to_move()
        [move, *_] = game.plain(stage.room.game, Seat(stage.room.table.turn[0]))
        stage.play(name, game.grammar.format(move))
    assert not game.tree.changes(stage.room.past[-1].game, stage.room.game).secret
    stage.play(name, "/undo")
    assert [vote.kind for vote in stage.room.table.votes.values()] == [VoteKind.UNDO]


def test_the_rest_are_prompted_about_an_entry_that_hid_something(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben")
    stage.play("Ayu", "/seal 3", "/undo")
    assert [vote.kind for vote in stage.room.table.votes.values()] == [VoteKind.UNDO]


def test_the_rest_are_prompted_when_a_person_moved_since(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "/go mill")
    stage.play("Ayu", "/undo")
    assert [vote.kind for vote in stage.room.table.votes.values()] == [VoteKind.UNDO]


def test_talk_since_then_does_not_matter(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "hm")
    assert stage.say("Ayu", "/undo") == stage.to_all("Ayu took back: 1 move undone.")


def test_what_was_agreed_returns_to_before_that_entry(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = stage.room.game
    stage.play("Ayu", "/dig")
    stage.play("Ben", "/go mill")
    stage.play("Ayu", "/undo")
    assert stage.say("Ben", "/accept") == stage.to_all(
        "Ben votes yes.",
        "Vote 1 (take-back): passed.",
        "Ayu took back: 2 moves undone.",
    )
    assert stage.room.game == before


def test_what_was_drawn_is_not_drawn_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/dig")
    counter = stage.room.counter
    stage.play("Ayu", "/undo")
    stage.play("Ben", "/accept")
    assert stage.room.counter == counter
    stage.play("Ayu", "/dig")
    assert stage.room.counter > counter


def test_used_time_is_not_given_back(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+0"])
    stage.wait(100)
    stage.play("Ayu", "/go mill", "/rest", "/undo")
    assert stage.wait(200)["Ben"][0] == "Time is up for Ayu; a move was played instead."


def test_moving_and_undoing_makes_no_time(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+10"])
    stage.play("Ayu", "/go mill")
    for _ in range(5):
        stage.play("Ayu", "/rest", "/undo")
    assert stage.wait(299) == {}
    assert "Ben" in stage.wait(1)


def test_a_turn_that_was_undone_before_it_was_made_earns_nothing(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+10"])
    stage.play("Ayu", "/go mill", "/rest", "/undo")
    assert stage.room.seats[Seat(2)].bank == 300_000


def test_nothing_is_taken_back_before_the_first_move(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/undo") == "nothing_to_undo"


def test_no_person_takes_back_a_move_of_another(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/dig")
    assert stage.refused("Ben", "/undo") == "nothing_to_undo"


def test_spectators_take_nothing_back(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.refused("Eva", "/undo") == "not_permitted"


def test_a_finished_game_is_never_undone(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["days 1"])
    stage.play("Ayu", "/dig")
    stage.play("Ben", "/dig")
    assert stage.refused("Ben", "/undo") == "not_now"


def test_one_returns_so_many_entries_and_no_further(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", options=["days 4"])
    stage.play("Ayu", "/dig")
    stage.play("Ben", "/go mill", "/go castle", "/go abbey", "/rest")
    stage.play("Cem", "/go mill", "/go castle", "/go abbey", "/rest")
    stage.play("Ayu", "/leave !")
    for name in ("Ben", "Cem"):
        stage.wait(HOUSE_BOT_SECONDS)
        stage.play(name, "/go castle", "/go mill", "/go castle", "/rest")
    assert len(stage.room.past) == 1 + 8 + 1 + 8
    stage.wait(HOUSE_BOT_SECONDS)
    stage.play("Ben", "/go mill", "/go castle")
    assert len(stage.room.past) == UNDO_ENTRIES
    assert stage.room.past[0].seat == 2


def test_undo_repeated_returns_entry_by_entry(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = stage.room.game
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "/go mill", "/rest")
    for name in ("Ben", "Ben", "Ayu", "Ayu"):
        stage.play(name, "/undo")
    assert stage.room.game == before


def test_a_step_that_was_taken_back_is_not_undone_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "/go mill", "/undo")
    assert stage.say("Ayu", "/undo") == stage.to_all("Ayu took back: 3 moves undone.")
    assert stage.to_move() == "Ayu"


def test_a_line_for_what_was_undone_is_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest")
    seen = stage.room.version
    stage.play("Ayu", "/undo")
    assert stage.refused("Ben", "/dig", at=seen) == "stale"


def test_all_people_whose_move_was_undone_is_informed_by_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/dig")
    stage.play("Ben", "/dig")
    seen = stage.room.version
    stage.play("Ayu", "/undo")
    stage.play("Ben", "/accept")
    stage.play("Cem", "/accept")
    for name in ("Ayu", "Ben", "Cem"):
        assert stage.refused(name, "/go mill", at=seen) == "stale"


def test_a_record_knows_what_was_undone(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest", "/undo", "/dig")
    [note] = [each for each in stage.say("Ben", "/record")["Ben"] if each.startswith("(record)")]
    assert "1 /go mill\n1 /rest\n@undo 1\n1 /dig" in note


def test_undo_of_a_half_made_turn_names_what_there_is(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest")
    assert stage.refused("Ayu", "/undo something") == "nothing_to_take_back"
