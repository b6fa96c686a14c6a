"""Words to the lobby, rooms praised there, a sound for whose turn it is, and who is away."""

from __future__ import annotations

from bluebear.protocol import Note
from bluebear.server.net.rate_limits import BOUNDS, Cost
from tests.server.fixtures import Stage

SENTENCES = int(BOUNDS.person[Cost.CALL].burst)


def test_what_is_sent_in_the_lobby_is_received_there_by_all_people(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.come("Ben", "Eva")
    assert stage.say("Ben", "hello", lobby=True) == {
        "Ben": ["(lobby_talk) Ben: hello"],
        "Eva": ["(lobby_talk) Ben: hello"],
    }


def test_who_sent_it_and_what_stand_beside_the_sentence(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.come("Eva")
    stage.say("Eva", "hello", lobby=True)
    note = stage.people["Eva"].last(Note)
    assert (note.code, note.name, note.said) == ("lobby_talk", "Eva", "hello")
    stage.say("Ayu", ";ben psst")
    note = stage.people["Ben"].last(Note)
    assert (note.code, note.name, note.said) == ("whisper", "Ayu", "psst")


def test_a_shout_moves_from_a_room_to_the_lobby(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.come("Eva")
    stage.connect("Kana", lang="ja")
    assert stage.say("Ayu", "/shout who has time?") == {
        "Ayu": ["(shout) Ayu (to the lobby): who has time?"],
        "Eva": ["(shout) Ayu (to the lobby): who has time?"],
        "Kana": ["(shout) Ayu(ロビーの全員へ): who has time?"],
    }


def test_so_many_sentences_at_once_and_no_more(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    for _ in range(SENTENCES):
        assert "Ben" in stage.say("Ayu", "hello", lobby=True)
    assert stage.refused("Ayu", "hello", lobby=True) == "too_much"
    assert "Ayu" in stage.say("Ben", "hello", lobby=True)
    stage.wait(5)
    assert "Ben" in stage.say("Ayu", "hello", lobby=True)


def test_a_room_is_praised_once_a_minute(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.come("Eva")
    received = stage.say("Ayu", "/gameyell beginners welcome")
    text = f"looks for players: Journey, 2 of 3 seats taken. Type: /room {stage.room_id}"
    assert received["Eva"] == [f"(gameyell) Ayu {text} - beginners welcome"]
    assert set(received) == {"Ayu", "Eva"}
    assert stage.refused("Ben", "/gameyell") == "too_much"
    stage.wait(61)
    assert stage.say("Ben", "/gameyell")["Eva"] == [f"(gameyell) Ben {text}"]


def test_with_the_option_host_only_the_host_praises_the_room(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/option host on")
    assert stage.refused("Ben", "/gameyell") == "not_permitted"
    assert "Ayu" in stage.say("Ayu", "/gameyell")


def test_a_private_room_is_never_reported_to_the_lobby(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="private")
    assert stage.refused("Ayu", "/gameyell") == "yell_private"


def test_whose_turn_it_is_hears_a_sound(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    mover = stage.to_move()
    [other] = {"Ayu", "Ben"} - {mover}
    assert stage.say(other, "/nudge") == {
        mover: [f"(nudge) {other} rings: it is your turn."],
        other: [f"(nudged) You have rung for {mover}."],
    }
    assert stage.refused(other, f"/nudge {mover}") == "too_much"
    assert stage.refused(mover, "/nudge") == "nobody_to_nudge"


def test_a_player_is_rung_for_once_in_half_a_minute(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    mover = stage.to_move()
    [other] = {"Ayu", "Ben"} - {mover}
    stage.play(other, "/nudge")
    stage.wait(29.5)
    assert mover not in stage.say(other, "/nudge")
    stage.wait(1)
    assert mover in stage.say(other, "/nudge")


def test_who_is_not_in_the_room_cannot_be_rung_for(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    mover = stage.to_move()
    [other] = {"Ayu", "Ben"} - {mover}
    stage.drop(mover)
    assert stage.refused(other, "/nudge") == "nudged_gone"


def test_who_is_away_is_back_with_the_next_line(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    assert stage.say("Ayu", "/away lunch", lobby=True)["Ayu"] == [
        "(away) Others see that you are away. Type anything to be back."
    ]
    assert stage.say("Ben", "/tell Ayu psst", lobby=True)["Ben"] == [
        "(told) To Ayu alone: psst\nAyu is away: lunch"
    ]
    assert "Ayu is away: lunch" in stage.say("Ben", "/whereis Ayu", lobby=True)["Ben"][0]
    assert "(back) You are back." in stage.say("Ayu", "/who", lobby=True)["Ayu"]
    assert "is away" not in stage.say("Ben", "/whereis Ayu", lobby=True)["Ben"][0]


def test_who_stays_away_is_not_welcomed_back(stage: Stage) -> None:
    stage.come("Ayu")
    stage.say("Ayu", "/away", lobby=True)
    assert len(stage.say("Ayu", "/away later", lobby=True)["Ayu"]) == 1


def test_who_leaves_the_server_is_not_away_when_he_arrives_again(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.say("Ayu", "/away", lobby=True)
    stage.drop("Ayu")
    stage.connect("Ayu", token=token)
    assert "is away" not in stage.say("Ben", "/whereis Ayu", lobby=True)["Ben"][0]
