"""Finding each other, as far as one may know of the room."""

from __future__ import annotations

import pytest

from bluebear.protocol import Answer, Ask
from tests.server.fixtures import Stage


def test_all_people_online_is_reported_with_time_and_position(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.wait(180)
    stage.come("Ben")
    [reply] = stage.say("Ben", "/wwho", lobby=True)["Ben"]
    assert reply.splitlines() == [f"(wwho) Ayu, for 3 min {stage.room_id}", "Ben, for 0 min"]


def test_the_same_is_answered_as_data(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.wait(180)
    stage.come("Ben")
    stage.say("Ben", "/away at lunch", lobby=True)
    listener = stage.people["Ben"]
    question = Ask(id="q", what="query", args={"text": "/wwho"})
    stage.frame("Ben", listener.codec.encode(question))
    here = {"id": stage.room_id, "game": "journey"}
    assert listener.last(Answer).body["data"] == {
        "people": [
            {"name": "Ayu", "minutes": 3, "rooms": [here]},
            {"name": "Ben", "minutes": 0, "rooms": [], "away": "at lunch"},
        ],
        "more": 0,
    }


def test_a_person_is_listed_with_the_line_of_his_room(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.come("Ben")
    [reply] = stage.say("Ben", "/whereis ayu", lobby=True)["Ben"]
    assert reply.splitlines() == [
        "(whereis) Ayu, for 0 min",
        f"   {stage.room_id} Journey [Ayu +2] waiting for players",
    ]


def test_one_moves_where_a_person_is(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.come("Ben")
    assert "(snapshot)" in stage.say("Ben", "/hook Ayu", lobby=True)["Ben"]
    assert stage.refused("Ben", "/hook Ayu") == "nowhere_to_go"


@pytest.mark.parametrize("kind", ["unlisted", "private"])
def test_who_is_in_a_hidden_room_looks_like_who_is_in_the_lobby(stage: Stage, kind: str) -> None:
    """Rule: commands.md, hidden rooms are unobservable."""
    stage.come("Ayu", "Ben", "Eva")
    before = [stage.say("Ben", line, lobby=True) for line in ("/whereis Ayu", "/hook Ayu", "/wwho")]
    stage.table("journey", "Ayu", kind=kind)
    after = [stage.say("Ben", line, lobby=True) for line in ("/whereis Ayu", "/hook Ayu", "/wwho")]
    assert after == before


def test_who_was_let_in_sees_who_is_in_a_private_room(stage: Stage) -> None:
    stage.come("Ben")
    stage.table("journey", "Ayu", kind="private")
    stage.say("Ayu", "/invite Ben")
    [reply] = stage.say("Ben", "/whereis Ayu", lobby=True)["Ben"]
    assert reply.splitlines()[1:] != []
    assert "(snapshot)" in stage.say("Ben", "/hook Ayu", lobby=True)["Ben"]


def test_who_is_banned_finds_no_person_in_the_room(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.come("Ben")
    stage.enter("Ben")
    stage.say("Ayu", "/ban Ben")
    [reply] = stage.say("Ben", "/whereis Ayu", lobby=True)["Ben"]
    assert reply.splitlines()[1:] == []
    assert stage.refused("Ben", "/hook Ayu", lobby=True) == "nowhere_to_go"


def test_a_name_that_no_person_has_is_answered_with_the_nearest(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    assert stage.refused("Ben", "/whereis Ayo", lobby=True) == "no_such_person"
