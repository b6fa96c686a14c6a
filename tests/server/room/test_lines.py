"""A line's way through a room: its turn, its answer, what stale and busy mean, what is saved."""

from __future__ import annotations

import pytest

from bluebear.protocol import Room
from bluebear.rules.core.visibility import SPECTATOR, Seat
from bluebear.server.limits import ROOM_QUEUE, ROOM_QUEUE_PER_PERSON
from bluebear.server.room.state import Phase
from bluebear.server.rooms.views import eyes_of
from tests.server.fixtures import Stage
from tests.support.simulated_store import Latency, SimulatedStore

# Talk.


def test_all_people_in_the_room_hears_talk(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", watching=["Eva"])
    stage.come("Fay")
    assert stage.say("Eva", "hello") == {
        "Ayu": ["Eva: hello"],
        "Ben": ["Eva: hello"],
        "Eva": ["Eva: hello"],
    }


def test_terms_that_no_person_can_see_are_no_terms(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    for line in ("/tell Ben \u2060", "/tell Ben \u200b\u200b", "\u2060"):
        assert stage.refused("Ayu", line) == "empty_line"


def test_two_slashes_say_one(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    assert stage.say("Ayu", "//start is a command") == {"Ayu": ["Ayu: /start is a command"]}


def test_talk_that_looks_like_an_act_of_the_server_is_talk(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.say("Ben", "@clock 1") == stage.to_all("Ben: @clock 1")


def test_a_whisper_is_for_one_and_is_not_stored(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", watching=["Eva"])
    version = stage.room.version
    assert stage.say("Ayu", ";Ben psst") == {
        "Ayu": ["(told) To Ben alone: psst"],
        "Ben": ["(whisper) Ayu whispers: psst"],
    }
    assert stage.room.version == version


def test_all_people_hears_their_language(stage: Stage) -> None:
    stage.come("Ayu")
    stage.come("Ben", lang="ja")
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ben", "/退席") == {
        "Ayu": ["Ben left the seat."],
        "Ben": ["Benが席を立ちました。"],
    }


def test_the_log_has_the_snapshot(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "is anybody there?")
    stage.come("Ben")
    stage.enter("Ben")
    assert [line.text for line in stage.people["Ben"].last(Room).log] == [
        "Journey: Ayu made a room.",
        "Ayu took a seat.",
        "Ayu: is anybody there?",
    ]


# Stale.


def test_a_line_for_an_older_version_of_the_seat_is_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    seen = stage.room.version
    stage.play("Ayu", "/go mill")
    assert stage.refused("Ayu", "/go castle", at=seen) == "stale"


def test_what_other_people_do_makes_no_line_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    seen = stage.room.version
    stage.play("Ben", "your turn")
    assert stage.say("Ayu", "/go mill", at=seen) == stage.to_all("Ayu goes to the mill.")


def test_only_moves_and_undo_are_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    seen = stage.room.version
    stage.play("Ayu", "/go mill", "/dig")
    for line in ("/dig", "/d", "/go mill !", "/undo"):
        assert stage.refused("Ben", line, at=seen) == "stale"
    assert stage.say("Ben", "Well dug!", at=seen) == stage.to_all("Ben: Well dug!")
    assert "Ayu" in "".join(stage.say("Ben", "/who", at=seen)["Ben"])
    assert stage.refused("Ben", "/dgi", at=seen) == "unknown_command"
    stage.say("Ben", "/resign !", at=seen)
    assert stage.room.table.phase is Phase.OVER


def test_a_line_from_before_ones_turn_began_is_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    seen = stage.room.version
    stage.play("Ayu", "/dig")
    assert stage.refused("Ben", "/dig", at=seen) == "stale"


def test_a_line_for_the_present_version_is_not_stale(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.say("Ayu", "/go mill", at=stage.room.version)
    assert stage.say("Ayu", "/go castle", at=stage.room.version)["Ben"] == [
        "Ayu goes to the castle."
    ]


def test_without_a_version_nothing_is_checked(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/go castle")


# Several canonical lines.


def test_a_long_line_is_one_entry(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    version = stage.room.version
    stage.play("Ayu", "/go mill castle dig")
    assert stage.room.version == version + 1
    assert stage.entries()[-1].lines == ("/go mill", "/go castle", "/dig")


def test_a_long_line_is_played_completely_or_not_at_all(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/go mill harbor mill castle") == "no_steps"


def test_a_rash_line_is_confirmed(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/rest") == "rash"
    assert stage.say("Ayu", "/rest !") == stage.to_all("Ayu rests.")
    assert stage.entries()[-1].lines == ("/rest",)


# The same line again.


def test_a_repeated_line_is_answered_again_and_not_played_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.say("Ayu", "/go mill", say_id="once")
    version = stage.room.version
    assert stage.say("Ayu", "/go mill", say_id="once") == {}
    assert stage.room.version == version


def test_a_repeated_line_is_recognized_after_a_restart(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.say("Ayu", "/go mill", say_id="once")
    stage.restart()
    stage.back("Ayu", token)
    version = stage.room.version
    assert stage.say("Ayu", "/go mill", say_id="once") == {}
    assert stage.room.version == version


# The queue. A commit takes a second here, so that lines wait.


def slow() -> Stage:
    return Stage(SimulatedStore(lambda: Latency(1.0, 0.0)))


def answers(stage: Stage, name: str) -> list[str]:
    return [each for each in stage.people[name].received if each.startswith("! ")]


def test_so_many_lines_of_one_person_wait_and_no_more() -> None:
    with slow() as stage:
        stage.table("journey", "Ayu")
        for number in range(1 + ROOM_QUEUE_PER_PERSON + 1):
            stage.send("Ayu", f"line {number}")
        assert answers(stage, "Ayu") == ["! busy"]
        received = stage.wait(10)
        assert received == {"Ayu": [f"Ayu: line {number}" for number in range(5)]}


def test_so_many_lines_wait_in_a_room_and_no_more() -> None:
    names = [f"Person{number}x" for number in range(9)]
    with slow() as stage:
        stage.table("journey", "Ayu", watching=names)
        for name in names:
            for number in range(ROOM_QUEUE_PER_PERSON):
                stage.send(name, f"line {number}")
        busy = sum(answers(stage, name) == ["! busy"] * 3 for name in names)
        stage.wait(60)
        assert busy == 1, "one is in flight, 32 wait, three of the last person's are refused"
        sent = [entry for entry in stage.entries() if entry.lines[0].startswith("line")]
        assert len(sent) == 1 + ROOM_QUEUE


def test_lines_wait_for_the_entry_in_flight() -> None:
    with slow() as stage:
        stage.game("journey", "Ayu", "Ben")
        stage.send("Ayu", "/go mill")
        stage.send("Ayu", "/go castle")
        stage.send("Ben", "/dig")
        received = stage.wait(10)
        assert received == {
            "Ayu": ["Ayu goes to the mill.", "Ayu goes to the castle."],
            "Ben": ["Ayu goes to the mill.", "Ayu goes to the castle.", "! not_your_turn"],
        }


def test_house_bots_do_not_stand_in_each_other_seats_route() -> None:
    with slow() as stage:
        stage.table("sealed", "Ayu")
        stage.play("Ayu", *["/bot random"] * 3, "/start")
        bots = [stage.house_bot(Seat(seat)) for seat in (2, 3, 4)]

        def all_talk() -> None:
            for bot in bots:
                for number in range(ROOM_QUEUE_PER_PERSON):
                    stage.live.line(bot, f"{bot.house_seat}-{number}", "hm", None)

        stage.during(all_talk)
        stage.wait(60)
        assert sum(entry.lines == ("hm",) for entry in stage.entries()) == 12


def test_a_house_bot_sees_with_the_eyes_of_a_seat_while_it_plays_there() -> None:
    with Stage() as stage:
        stage.table("sealed", "Ayu", "Ben")
        stage.play("Ayu", "/bot random", "/start")
        theirs, persons = (stage.house_bot(Seat(seat)) for seat in (3, 1))
        assert eyes_of(theirs, stage.room) == frozenset({Seat(3)})
        assert eyes_of(persons, stage.room) == SPECTATOR


# What is not saved has not happened.


@pytest.mark.expects_log("the disk is full")
def test_a_line_that_cannot_be_saved_changes_nothing(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.journal.fail_next(1)
    assert stage.refused("Ayu", "/go mill") == "not_saved"
    stage.play("Ayu", "/go mill")


@pytest.mark.expects_log("the disk is full")
def test_what_could_not_be_saved_is_sent_again_with_its_id(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.journal.fail_next(1)
    stage.say("Ayu", "/go mill", say_id="once")
    assert stage.say("Ayu", "/go mill", say_id="once") == stage.to_all("Ayu goes to the mill.")


@pytest.mark.expects_log("the disk is full")
def test_a_room_that_cannot_be_saved_does_not_exist(stage: Stage) -> None:
    stage.come("Ayu")
    stage.journal.fail_next(1)
    assert stage.refused("Ayu", "/newroom journey", lobby=True) == "not_saved"
    assert stage.live_ids() == []


def test_talk_is_journaled_with_who_sent_it(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "hello")
    entry = stage.entries()[-1]
    assert (entry.actor, entry.lines) == (f"p:{stage.people['Ayu'].id}", ("hello",))
