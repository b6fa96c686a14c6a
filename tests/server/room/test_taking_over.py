"""A seat of a running game is given by those who play it: who is asked, and where none is there."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS, HOUSE_BOT_SECONDS, VOTE_MS
from bluebear.server.room.state import Phase, VoteKind
from tests.server.fixtures import Stage

VOTE_SECONDS = VOTE_MS / 1000
KINDS = pytest.mark.parametrize("kind", ["public", "unlisted", "private"])


def against_bots(stage: Stage, kind: str = "unlisted") -> None:
    """Cat plays with two house bots; Fay has come in to watch."""
    stage.come("Cat", "Fay")
    stage.table("manhattan", "Cat", kind=kind)
    stage.play("Cat", "/bot random 2", "/bot random 3", "/start")
    if kind == "private":
        stage.play("Cat", "/invite Fay")
    stage.enter("Fay")


def away(stage: Stage, name: str) -> str:
    """A player loses the connection. Returns the token to resume with."""
    token = stage.people[name].token
    stage.drop(name)
    return token


# The owner is elsewhere.


@KINDS
def test_without_a_player_who_could_say_no_there_is_no_seat(stage: Stage, kind: str) -> None:
    against_bots(stage, kind)
    away(stage, "Cat")
    assert stage.refused("Fay", "/join 2") == "no_player_here"
    assert stage.people["Fay"].last(Error).candidates == ("/newroom manhattan",)
    assert stage.seat_of("Fay") is None
    assert "hand" not in str(stage.people["Fay"].view["game"]["seats"]["2"])


def test_the_owner_who_joined_the_lobby_is_on_another_node_too(stage: Stage) -> None:
    against_bots(stage)
    stage.say("Cat", "/lobby")
    assert stage.refused("Fay", "/join 2") == "no_player_here"


@pytest.mark.parametrize("kind", ["public", "unlisted"])
def test_a_stranger_alone_in_the_room_becomes_no_host_and_replaces_no_owner(
    stage: Stage, kind: str
) -> None:
    against_bots(stage, kind)
    away(stage, "Cat")
    stage.refused("Fay", "/join 2")
    stage.wait(3 * AWAY_SECONDS)
    table = stage.room.table
    assert (table.host, table.owner, len(table.votes)) == ("Cat", None, 0)
    assert (table.seats[Seat(1)].name, table.seats[Seat(1)].bot) == ("Cat", None)


def test_an_invited_guest_who_has_the_hosts_role_meanwhile_gets_no_seat_by_it(
    stage: Stage,
) -> None:
    against_bots(stage, "private")
    token = away(stage, "Cat")
    stage.wait(AWAY_SECONDS)
    assert stage.room.table.host == "Fay"
    assert stage.refused("Fay", "/join 2") == "no_player_here"
    stage.wait(AWAY_SECONDS)
    assert stage.refused("Fay", "/remove Cat") == "nobody_to_vote"
    stage.back("Cat", token)
    assert stage.room.table.host == "Cat"


def test_a_stand_in_of_an_absent_owner_is_nobodys_voter(stage: Stage) -> None:
    stage.game("sealed", "Cat", "Dan", "Eli", watching=["Fay"], options=["rounds 5"])
    stage.play("Eli", "/leave !")
    stage.play("Dan", "/seal 6")
    stage.wait(HOUSE_BOT_SECONDS)
    away(stage, "Cat")
    stage.wait(AWAY_SECONDS)
    stage.wait(VOTE_SECONDS)
    assert stage.room.seats[Seat(1)].bot is not None
    away(stage, "Dan")
    assert stage.refused("Fay", "/join 1") == "seat_taken"
    assert stage.refused("Fay", "/join 3") == "no_player_here"


def test_a_table_of_programs_is_not_for_passers_by(stage: Stage) -> None:
    stage.come("Robo", bot=True)
    stage.table("manhattan", "Robo", watching=["Fay"])
    stage.play("Robo", "/bot random 2", "/start")
    assert stage.refused("Fay", "/join 2") == "no_player_here"


def test_in_a_pause_it_is_the_same(stage: Stage) -> None:
    against_bots(stage)
    stage.play("Cat", "/pause")
    away(stage, "Cat")
    assert stage.room.table.phase is Phase.PAUSED
    assert stage.refused("Fay", "/join 2") == "no_player_here"


def test_by_days_the_absent_owner_is_prompted(stage: Stage) -> None:
    stage.come("Cat", "Fay")
    stage.table("manhattan", "Cat")
    stage.play("Cat", "/option clock 3d", "/bot random 2", "/start")
    stage.enter("Fay")
    away(stage, "Cat")
    stage.play("Fay", "/join 2")
    [vote] = stage.room.table.votes.values()
    assert (vote.kind, vote.voters) == (VoteKind.SEAT, (1,))


def test_the_refusal_says_in_japanese_what_would_be_right(stage: Stage) -> None:
    against_bots(stage)
    away(stage, "Cat")
    stage.play("Fay", "/lang ja")
    stage.refused("Fay", "/join 2")
    text = stage.people["Fay"].last(Error).text
    assert text.startswith("対局中の席を引き継げるかどうかは対局者が決めます")
    assert text.endswith("/新部屋 manhattan")


# The owner is there, or comes.


def test_the_owner_is_prompted_and_all_are_shown_which_seat_it_was(stage: Stage) -> None:
    against_bots(stage)
    stage.play("Fay", "/join 2")
    assert stage.say("Cat", "/accept")["Fay"][-1] == "Fay took over seat 2 from @random2."


def test_who_is_prompted_and_moves_has_not_agreed(stage: Stage) -> None:
    against_bots(stage)
    stage.play("Fay", "/join 2")
    away(stage, "Cat")
    stage.wait(VOTE_SECONDS)
    assert stage.seat_of("Fay") is None


def test_one_player_of_several_who_is_there_decides(stage: Stage) -> None:
    stage.game("manhattan", "Cat", "Dan", "Eli", watching=["Fay"])
    stage.play("Eli", "/leave !")
    away(stage, "Cat")
    stage.play("Fay", "/join 3")
    stage.play("Dan", "/accept")
    assert stage.seat_of("Fay") == 3


# Games that all have given up.


def test_who_has_given_up_the_last_seat_takes_it_back_as_the_host(stage: Stage) -> None:
    against_bots(stage)
    stage.play("Cat", "/leave !")
    assert stage.refused("Fay", "/join 1") == "host_takes_seat"
    stage.play("Cat", "/join 1")
    assert stage.seat_of("Cat") == 1


def test_a_host_for_the_time_being_takes_no_seat_of_bots(stage: Stage) -> None:
    against_bots(stage, "private")
    stage.play("Cat", "/leave !")
    away(stage, "Cat")
    stage.wait(AWAY_SECONDS)
    assert stage.room.table.host == "Fay"
    assert stage.refused("Fay", "/join 1") == "host_takes_seat"


def test_who_was_handed_the_role_takes_a_seat_of_bots(stage: Stage) -> None:
    against_bots(stage)
    stage.play("Cat", "/leave !", "/host Fay")
    stage.play("Fay", "/join 2")
    assert stage.seat_of("Fay") == 2


# Journals of earlier servers.
