"""Match requests: a group has 15 s to accept; a silent person ends no other person's request."""

from __future__ import annotations

from bluebear.protocol import Room as Snapshot
from bluebear.server.limits import MATCH_REQUEST_SECONDS, OFFER_SECONDS
from tests.server.fixtures import Stage


def requests(stage: Stage, name: str) -> list[str]:
    [reply] = stage.say(name, "/wishes", lobby=True)[name]
    return reply.removeprefix("(wishes) ").splitlines()


def test_two_who_request_for_a_game_are_prompted_and_sit_at_a_table_that_begins(
    stage: Stage,
) -> None:
    stage.come("Ayu", "Ben")
    assert stage.say("Ayu", "/wish journey players=2", lobby=True)["Ayu"] == [
        "(wish_made) You wait for Journey, 2 people. /unwish takes it back."
    ]
    requested = "(wish_found) Journey for 2: do you play? /yes or /no within 15 s."
    assert requested in stage.say("Ben", "/wish journey", lobby=True)["Ben"]
    assert requested in stage.people["Ayu"].received
    stage.say("Ayu", "/wish yes", lobby=True)
    stage.say("Ben", "/wish yes", lobby=True)
    stage.room_id = str(stage.people["Ayu"].last(Snapshot).id)
    assert [chair.name for chair in stage.room.seats.values()] == ["Ayu", "Ben"]
    assert stage.room.table.phase == "playing"
    assert requests_in_room(stage) == "Nobody waits for a game. /wish GAME makes the start."


def requests_in_room(stage: Stage) -> str:
    [reply] = stage.say("Ayu", "/wishes")["Ayu"]
    return reply.removeprefix("(wishes) ")


def test_who_does_not_answer_loses_his_match_request_and_no_other_person(stage: Stage) -> None:
    stage.come("Ayu", "Ben", "Eva")
    stage.say("Ayu", "/wish journey players=2-3", lobby=True)
    stage.say("Ben", "/wish journey players=2-3", lobby=True)
    stage.say("Ayu", "/wish yes", lobby=True)
    received = stage.wait(OFFER_SECONDS + 1)
    assert received["Ben"] == ["(wish_dropped) You are no longer waiting for Journey."]
    assert received["Ayu"] == ["(wish_waits) Somebody did not want to play Journey; you wait on."]
    assert requests(stage, "Eva") == ["Ayu: Journey, 2-3 people"]


def test_who_says_no_frees_the_rest_at_once(stage: Stage) -> None:
    stage.come("Ayu", "Ben", "Eva")
    for name in ("Ayu", "Ben"):
        stage.say(name, "/wish journey players=2", lobby=True)
    stage.say("Eva", "/wish journey players=2", lobby=True)
    stage.say("Ben", "/wish no", lobby=True)
    assert "(wish_found)" in " ".join(stage.people["Ayu"].received)
    assert "(wish_found)" in " ".join(stage.people["Eva"].received)


def test_who_has_left_when_all_have_accepted_does_not_leave_the_rest_without_a_match_request(
    stage: Stage,
) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/wish journey players=2", lobby=True)
    stage.say("Ben", "/wish journey players=2", lobby=True)
    stage.say("Ben", "/wish yes", lobby=True)
    stage.drop("Ben")
    stage.say("Ayu", "/wish yes", lobby=True)
    assert requests(stage, "Ayu") == ["Ayu: Journey, 2 people"]


def test_three_match_requests_and_no_more(stage: Stage) -> None:
    stage.come("Ayu")
    for game in ("journey", "duel", "manhattan"):
        stage.say("Ayu", f"/wish {game}", lobby=True)
    assert stage.refused("Ayu", "/wish tokai", lobby=True) == "too_many_wishes"
    stage.say("Ayu", "/unwish duel", lobby=True)
    stage.say("Ayu", "/wish tokai", lobby=True)
    stage.say("Ayu", "/unwish", lobby=True)
    assert stage.refused("Ayu", "/unwish", lobby=True) == "no_wish"


def test_a_table_that_there_is_not_cannot_be_wished_for(stage: Stage) -> None:
    stage.come("Ayu")
    assert stage.refused("Ayu", "/wish journey players=9-12", lobby=True) == "no_such_table"
    assert stage.refused("Ayu", "/wish yes", lobby=True) == "no_offer"


def test_a_match_request_waits_for_a_broken_connection_for_a_while(stage: Stage) -> None:
    stage.come("Ayu", "Ben", "Eva")
    token = stage.people["Ayu"].token
    stage.say("Ayu", "/wish journey players=2", lobby=True)
    stage.drop("Ayu")
    stage.say("Ben", "/wish journey players=2", lobby=True)
    assert "(wish_found)" not in " ".join(stage.people["Ben"].received)
    stage.connect("Ayu", token=token)
    assert "(wish_found)" in " ".join(stage.people["Ben"].received)
    stage.say("Ben", "/wish yes", lobby=True)
    stage.drop("Ayu")
    stage.wait(MATCH_REQUEST_SECONDS + 1)
    assert requests(stage, "Eva") == ["Ben: Journey, 2 people"]


def test_in_japanese(stage: Stage) -> None:
    stage.connect("Kana", lang="ja")
    received = stage.say("Kana", "/希望 マンハッタン 2-3", lobby=True)["Kana"]
    assert received[0].startswith("(wish_made) マンハッタン(2-3人)を待っています。")
