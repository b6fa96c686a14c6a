"""Yes and no answer the one open question: a vote, or a game that fits a wish."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error
from bluebear.server.limits import OFFER_SECONDS
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage

YES = pytest.mark.parametrize("answer", ["/yes", "/y", "/はい", "/ｙｅｓ", "/accept"])
NO = pytest.mark.parametrize("answer", ["/no", "/n", "/いいえ", "/NO", "/refuse"])


def open_pause_vote(stage: Stage) -> None:
    """Ayu would like a pause; Ben is asked."""
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/pause")


def offered(stage: Stage, *names: str, lobby: bool = True) -> None:
    """All of them wish for a game and are asked whether they play."""
    for name in names:
        stage.say(name, f"/wish duel players={len(names)}", lobby=lobby)


# A vote.


@YES
def test_yes_agrees_to_the_only_vote(stage: Stage, answer: str) -> None:
    open_pause_vote(stage)
    stage.play("Ben", answer)
    assert stage.room.table.phase is Phase.PAUSED


@NO
def test_no_refuses_the_only_vote(stage: Stage, answer: str) -> None:
    open_pause_vote(stage)
    assert stage.say("Ben", answer)["Ayu"][0] == "Ben votes no."
    assert stage.room.table.phase is Phase.PLAYING


def test_a_vote_that_has_been_answered_is_no_open_question(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/masterreset !")
    stage.play("Ben", "/yes")
    assert stage.refused("Ben", "/yes") == "already_voted"
    stage.play("Ayu", "/pause")
    stage.play("Ben", "/yes")
    assert stage.room.table.phase is Phase.PAUSED


def test_with_several_votes_the_refusal_has_the_lines_to_choose_from(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/pause", "/masterreset !")
    assert stage.refused("Ben", "/no") == "which_vote"
    reply = stage.people["Ben"].last(Error)
    assert reply.candidates == ("/refuse 1", "/refuse 2")
    assert reply.text.startswith("Several questions are open")
    stage.play("Ben", "/no 2")
    assert list(stage.room.table.votes) == [1]


@pytest.mark.parametrize("term", ["/yes", "/no"])
def test_where_nothing_is_prompted_there_is_nothing_to_answer(stage: Stage, term: str) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    for name in ("Ayu", "Eva"):
        assert stage.refused(name, term) == "no_vote"
    stage.come("Fay")
    assert stage.refused("Fay", term, lobby=True) == "no_offer"
    assert stage.refused("Fay", f"{term} 1", lobby=True) == "not_in_room"


def test_before_and_after_the_game_no_vote_is_open(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.refused("Ben", "/yes 1") == "no_vote"


# Who has asked takes it back.


def test_who_has_requested_takes_it_back_by_refusing(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/dig", "/undo")
    stage.play("Ben", "/accept")
    assert stage.refused("Ayu", "/accept") == "own_vote"
    assert stage.say("Ayu", "/refuse") == stage.to_all("Vote 1 (take-back): withdrawn.")
    assert not stage.room.table.votes
    assert stage.room.table.turn != (1,)


def test_who_has_requested_and_votes_too_takes_it_back_by_no(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/masterreset !", "/no")
    assert not stage.room.table.votes
    assert stage.room.table.phase is Phase.PLAYING


@pytest.mark.parametrize("options", [[], ["watchdelay 5"]], ids=["at once", "late"])
def test_who_watches_takes_back_the_match_request_for_a_seat(
    stage: Stage, options: list[str]
) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"], options=options)
    stage.play("Ben", "/leave !")
    stage.play("Eva", "/join 2", "/no")
    assert not stage.room.table.votes


def test_a_host_who_watches_takes_back_the_vote_on_sending_out(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    stage.play("Ayu", "/host Eva")
    stage.play("Eva", "/kick Ben", "/いいえ")
    assert not stage.room.table.votes


def test_other_people_do_not_take_it_back(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    stage.play("Ayu", "/pause")
    assert stage.refused("Eva", "/refuse 1") == "no_voter"
    stage.play("Ben", "/refuse")
    assert list(stage.room.table.votes) == [1]


def test_between_ones_vote_and_anothers_one_chooses(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem")
    stage.play("Ayu", "/dig", "/undo")
    stage.play("Ben", "/masterreset !")
    assert stage.refused("Ayu", "/no") == "which_vote"
    assert stage.people["Ayu"].last(Error).candidates == ("/refuse 1", "/refuse 2")
    stage.play("Cem", "/no 2")
    stage.play("Ayu", "/no")
    assert not stage.room.table.votes


# A game that fits a wish.


@YES
def test_yes_in_the_lobby_takes_the_game_that_is_offered(stage: Stage, answer: str) -> None:
    stage.come("Ayu", "Ben")
    offered(stage, "Ayu", "Ben")
    stage.say("Ayu", answer, lobby=True)
    stage.say("Ben", answer, lobby=True)
    [stage.room_id] = stage.live_ids()
    assert stage.room.table.phase is Phase.PLAYING


@NO
def test_no_in_the_lobby_refuses_it(stage: Stage, answer: str) -> None:
    stage.come("Ayu", "Ben")
    offered(stage, "Ayu", "Ben")
    assert stage.say("Ben", answer, lobby=True)["Ben"] == [
        "(wish_dropped) You are no longer waiting for Duel."
    ]


def open_two_questions(stage: Stage) -> None:
    """Ben has two open questions: a pause, and another game."""
    stage.come("Eva")
    open_pause_vote(stage)
    stage.say("Eva", "/wish duel players=2", lobby=True)
    stage.play("Ben", "/wish duel players=2")


def test_in_a_room_too(stage: Stage) -> None:
    stage.come("Eva")
    stage.game("journey", "Ayu", "Ben")
    stage.say("Eva", "/wish duel players=2", lobby=True)
    stage.play("Ben", "/wish duel players=2", "/yes")
    stage.say("Eva", "/yes", lobby=True)
    assert len(stage.live_ids()) == 2


@pytest.mark.parametrize(
    ("term", "lines"),
    [("/yes", ("/accept 1", "/wish yes")), ("/no", ("/refuse 1", "/wish no"))],
)
def test_between_a_vote_and_a_game_one_chooses(
    stage: Stage, term: str, lines: tuple[str, ...]
) -> None:
    open_two_questions(stage)
    assert stage.refused("Ben", term) == "which_vote"
    assert stage.people["Ben"].last(Error).candidates == lines
    stage.play("Ben", lines[1], term)
    assert not [vote for vote in stage.room.table.votes.values() if 2 not in (*vote.yes, *vote.no)]


def test_an_offer_that_is_over_is_no_question_any_more(stage: Stage) -> None:
    open_two_questions(stage)
    stage.wait(OFFER_SECONDS)
    stage.play("Ben", "/yes")
    assert stage.room.table.phase is Phase.PAUSED


def test_an_offer_that_another_has_refused_is_no_question_any_more(stage: Stage) -> None:
    open_two_questions(stage)
    stage.say("Eva", "/no", lobby=True)
    stage.play("Ben", "/yes")
    assert stage.room.table.phase is Phase.PAUSED


def test_who_returns_within_the_time_is_prompted_again(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    offered(stage, "Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.wait(5)
    stage.connect("Ayu", token=token)
    assert stage.people["Ayu"].received[-1] == (
        "(wish_found) Duel for 2: do you play? /yes or /no within 10 s."
    )
    stage.say("Ayu", "/yes", lobby=True)
    stage.say("Ben", "/yes", lobby=True)
    assert len(stage.live_ids()) == 1
