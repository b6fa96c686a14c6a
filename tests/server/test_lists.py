"""The lists of a person: muted people, friends, watched people, blocked people."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.protocol import Answer as Answered
from bluebear.protocol import Ask
from bluebear.protocol import Room as Snapshot
from bluebear.server.limits import DISCONNECTED_SECONDS
from tests.server.fixtures import Stage


def test_a_list_is_added_to_shown_and_taken_from(stage: Stage) -> None:
    stage.come("Ayu", "Ben", "Eva")
    token = stage.people["Eva"].token
    stage.say("Ayu", "/friends add Ben", lobby=True)
    stage.say("Ayu", "/friends add eva", lobby=True)
    stage.drop("Eva")
    [reply] = stage.say("Ayu", "/friends", lobby=True)["Ayu"]
    assert reply.splitlines() == ["(friends) Ben (online)", "Eva"]
    stage.connect("Eva", token=token)
    stage.say("Ayu", "/friends delete Ben", lobby=True)
    assert stage.say("Ayu", "/friends list", lobby=True)["Ayu"] == ["(friends) Eva (online)"]


def test_the_data_of_a_list_say_who_is_here_and_at_which_tables(stage: Stage) -> None:
    stage.come("Ayu", "Ben", "Cat", "Eva")
    for name in ("Ben", "Cat", "Eva"):
        stage.say("Ayu", f"/friends add {name}", lobby=True)
    stage.drop("Eva")
    stage.table("journey", "Ben", kind="public")
    stage.table("journey", "Cat", kind="private")
    stage.say("Cat", "/away tea")
    request = Ask(id="a", what="query", args={"text": "/friends list"})
    stage.frame("Ayu", stage.people["Ayu"].codec.encode(request))
    data: Any = stage.people["Ayu"].last(Answered).body["data"]
    ben, cat, eva = data["people"]
    assert (ben["name"], ben["online"]) == ("Ben", True)
    [room] = ben["rooms"]
    assert (room["game"], room["phase"], room["seats"]) == ("journey", "open", ["Ben"])
    # A private room is seen by those it was shown to.
    assert cat == {"name": "Cat", "online": True, "rooms": [], "away": "tea"}
    assert eva == {"name": "Eva", "online": False, "rooms": []}


def test_a_list_is_stored_over_a_restart(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.say("Ayu", "/mute add Ben", lobby=True)
    stage.restart()
    stage.connect("Ayu", token=token)
    assert stage.say("Ayu", "/mute", lobby=True)["Ayu"] == ["(mute) Ben"]


def test_a_name_alone_is_added(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/mute ben", lobby=True)
    stage.say("Ayu", '/friends "Ben"', lobby=True)
    assert stage.say("Ayu", "/mute", lobby=True)["Ayu"] == ["(mute) Ben (online)"]
    assert stage.say("Ayu", "/friends", lobby=True)["Ayu"] == ["(friends) Ben (online)"]
    assert stage.refused("Ayu", "/mute wipe Ben", lobby=True) == "extra_argument"


def test_wrong_names_are_answered_with_right_ones(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    assert stage.refused("Ayu", "/mute add Bem", lobby=True) == "no_such_person"
    assert stage.refused("Ayu", "/mute delete Ben", lobby=True) == "not_on_list"
    assert stage.refused("Ayu", "/mute add Ayu", lobby=True) == "list_self"
    assert stage.refused("Ayu", "/mute add", lobby=True) == "command_missing"


@pytest.mark.parametrize("kind", ["mute", "block"])
def test_who_is_not_received_is_received_nowhere(stage: Stage, kind: str) -> None:
    stage.table("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", f"/{kind} add Ben")
    assert set(stage.say("Ben", "hello")) == {"Ben", "Eva"}
    assert set(stage.say("Eva", "hello")) == {"Ayu", "Ben", "Eva"}
    stage.come("Kim")
    stage.say("Kim", f"/{kind} add Ben", lobby=True)
    assert "Kim" not in stage.say("Ben", "/shout hello")


def test_the_table_is_seen_all_the_same(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/mute add Ben")
    stage.say("Ben", "hello")
    mover = stage.to_move()
    received = stage.say(mover, "/dig")
    assert set(received) == {"Ayu", "Ben"}


def test_who_enters_a_room_does_not_read_what_he_does_not_hear(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.say("Ben", "psst")
    stage.come("Eva", "Kim")
    stage.say("Eva", "/mute add Ben", lobby=True)
    for name, reads in (("Eva", False), ("Kim", True)):
        stage.enter(name)
        log = stage.people[name].last(Snapshot).log
        assert any("psst" in line.text for line in log) is reads


def test_who_is_muted_does_not_learn_it(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/mute add Ben", lobby=True)
    assert stage.say("Ben", "/tell Ayu psst", lobby=True) == {"Ben": ["(told) To Ayu alone: psst"]}


def test_who_is_blocked_may_not_whisper_invite_or_follow(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.come("Ben")
    stage.say("Ayu", "/block add Ben")
    assert stage.refused("Ben", "/tell Ayu psst", lobby=True) == "not_wanted"
    assert stage.refused("Ben", "/hook Ayu", lobby=True) == "nowhere_to_go"
    [reply] = stage.say("Ben", "/whereis Ayu", lobby=True)["Ben"]
    assert reply.splitlines()[1:] == []
    stage.say("Ben", "/newroom journey", lobby=True)
    assert stage.refused("Ben", "/invite Ayu") == "not_wanted"
    stage.say("Ayu", "/block delete Ben")
    assert "Ayu" in stage.say("Ben", "/tell Ayu psst", lobby=True)


def test_one_is_shown_who_joins_and_leaves(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    token = stage.people["Ben"].token
    stage.say("Ayu", "/watch add Ben", lobby=True)
    assert "Ayu" not in stage.drop("Ben")
    assert stage.wait(DISCONNECTED_SECONDS + 1)["Ayu"] == ["(went) Ben has gone."]
    stage.people["Ayu"].received = []
    stage.connect("Ben", token=token)
    assert stage.people["Ayu"].received == ["(came) Ben is here now."]


def test_who_is_back_at_once_was_never_absent(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    token = stage.people["Ben"].token
    stage.say("Ayu", "/watch add Ben", lobby=True)
    stage.drop("Ben")
    stage.connect("Ben", token=token)
    assert "Ayu" not in (stage.wait(2 * DISCONNECTED_SECONDS) or {})


def test_who_blocks_a_person_is_not_watched_by_him(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/watch add Ben", lobby=True)
    stage.say("Ben", "/block add Ayu", lobby=True)
    stage.drop("Ben")
    assert "Ayu" not in (stage.wait(2 * DISCONNECTED_SECONDS) or {})
