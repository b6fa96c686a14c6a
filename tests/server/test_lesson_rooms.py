"""Lessons: a person's own small game, which no list and no store has, a step at a time."""

from __future__ import annotations

import pytest

from bluebear.protocol import Note
from bluebear.protocol import Room as Snapshot
from bluebear.server.limits import LESSON_IDLE_MS, ROOMS_OPEN_PER_PERSON
from tests.server.fixtures import Received, Stage
from tests.server.test_questions import ask

TAKE = "/take 4 3 2 2 1 1"
STEPS = 8


def learn(stage: Stage, name: str = "Ayu", line: str = "/learn manhattan") -> Received:
    """A person opens a lesson; it is the scene's room."""
    if name not in stage.people:
        stage.come(name)
    received = stage.say(name, line, lobby=stage.people[name].room is None)
    stage.room_id = str(stage.people[name].last(Snapshot).id)
    return received


def at(stage: Stage) -> tuple[str, int]:
    lesson = stage.room.table.lesson
    assert lesson is not None
    return lesson.name, lesson.step


def finish(stage: Stage, name: str = "Ayu") -> str:
    """The rest of a lesson, as it shows itself; what its learner reads at the end."""
    for _ in range(at(stage)[1], STEPS - 1):
        stage.play(name, "/learn show")
    return "\n".join(stage.say(name, "/learn next")[name])


def test_a_lesson_seats_the_learner_and_its_steps_end_by_the_lines_it_asks_for(
    stage: Stage,
) -> None:
    learn(stage)
    assert at(stage) == ("1_first_round", 0)
    assert [chair.name for chair in stage.room.seats.values()] == ["Ayu", "Leo"]
    received = stage.say("Ayu", "/learn next")
    assert received["Ayu"][0].startswith("Lesson, step 2 of 8: Take six blocks\n")
    received = stage.say("Ayu", TAKE)
    assert received["Ayu"][:2] == [
        "Ayu takes 4, 3, 2, 2, 1, 1.",
        "Leo takes 3, 3, 2, 2, 1, 1.",
    ]
    assert at(stage)[1] == 2
    ending = finish(stage)
    assert "Lesson finished: The first round." in ending
    assert "/learn Manhattan opens lesson 2 of 3: Taking over." in ending
    assert stage.people["Ayu"].room is None


def test_every_step_can_be_shown_and_both_languages_are_there(stage: Stage) -> None:
    stage.come("あゆ", lang="ja")
    learn(stage, "あゆ", "/学ぶ マンハッタン")
    received = stage.say("あゆ", "/学ぶ 次")
    assert received["あゆ"][0].endswith(
        "/取る 4 3 2 2 1 1 と入力してください。/学ぶ 見せて なら代わりに入力します。"
    )
    assert "レッスン「最初のラウンド」を終えました。" in finish(stage, "あゆ")


def test_wrong_lines_are_answered_and_change_nothing(stage: Stage) -> None:
    learn(stage)
    assert stage.refused("Ayu", TAKE) == "lesson_line"
    stage.play("Ayu", "/learn next")
    for line, code in (
        ("/take 4 4 4 3 3 3", "lesson_line"),
        ("/learn next", "lesson_line"),
        ("/build 4 cairo 5", "choose_first"),
        ("/resign", "in_lesson"),
        ("/undo", "in_lesson"),
        ("/option sixrounds on", "in_lesson"),
        ("/history", "in_lesson"),
        ("/minutes", "not_playing"),
        ("/record", "no_record"),
    ):
        assert stage.refused("Ayu", line) == code, line
    assert at(stage)[1] == 1


def test_what_is_offered_in_a_lesson_is_what_may_be_used(stage: Stage) -> None:
    learn(stage)
    help_text = "\n".join(stage.say("Ayu", "/help table")["Ayu"])
    assert "/board" in help_text
    assert "/resign" not in help_text
    assert "/learn" in "\n".join(stage.say("Ayu", "/help rooms")["Ayu"])


def test_no_other_person_sees_the_lesson_and_nothing_of_it_is_stored(stage: Stage) -> None:
    stage.come("Ben")
    learn(stage)
    stage.play("Ayu", "/learn next", TAKE)
    assert stage.entries() == []
    for line in ("/listroom", "/myrooms", "/whereis Ayu"):
        name = "Ayu" if line == "/myrooms" else "Ben"
        assert stage.room_id not in "\n".join(stage.say(name, line, lobby=True)[name])
    assert stage.refused("Ben", f"/room {stage.room_id}", lobby=True) == "room_unknown"


def test_a_lesson_counts_for_no_bound_of_rooms(stage: Stage) -> None:
    stage.come("Ayu")
    for _ in range(ROOMS_OPEN_PER_PERSON):
        stage.say("Ayu", "/newroom journey unlisted", lobby=True)
        stage.say("Ayu", "/lobby")
    assert stage.refused("Ayu", "/newroom journey", lobby=True) == "too_many_rooms"
    learn(stage)
    assert at(stage)[1] == 0


def test_another_lesson_of_a_person_ends_the_first(stage: Stage) -> None:
    learn(stage)
    first = stage.room_id
    stage.play("Ayu", "/learn next")
    learn(stage, line="/learn manhattan 1")
    assert stage.room_id != first
    before = stage.app.engine.room(first)
    assert before is not None
    assert before.idle, "no member is left in the first"
    assert at(stage)[1] == 1, "it goes on where it was"


def test_from_a_table_the_learner_returns_to_it(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    table = stage.room_id
    learn(stage)
    assert stage.people["Ayu"].last(Snapshot).id == stage.room_id != table
    connection = stage.people["Ayu"].connection
    assert connection is not None
    assert list(connection.rooms.values()) == [table, stage.room_id]
    stage.say("Ayu", "/learn skip")
    assert list(connection.rooms.values()) == [table]
    assert stage.people["Ayu"].last(Snapshot).id == table


def test_after_a_restart_it_continues_at_its_step_for_a_day(stage: Stage) -> None:
    learn(stage)
    stage.play("Ayu", "/learn next", TAKE, "/learn next")
    token = stage.people["Ayu"].token
    stage.restart()
    stage.connect("Ayu", token=token)
    learn(stage)
    assert at(stage)[1] == 3
    assert [len(each.chosen) for each in stage.room.game.seats.values()] == [6, 6]
    stage.say("Ayu", "/lobby")
    stage.wait(LESSON_IDLE_MS / 1000)
    learn(stage)
    assert at(stage)[1] == 0


def test_which_lessons_are_finished_is_stored_with_the_person(stage: Stage) -> None:
    learn(stage)
    finish(stage)
    token = stage.people["Ayu"].token
    stage.restart()
    stage.connect("Ayu", token=token)
    listed = "\n".join(stage.say("Ayu", "/learn", lobby=True)["Ayu"])
    assert "/learn manhattan 1   The first round (finished)" in listed
    assert "/learn manhattan 3   The final scoring\n" in listed
    assert "/learn Manhattan opens lesson 2 of 3: Taking over." in listed
    ahead = ask(stage, "Ayu", "query", text="/learn")["data"]["manhattan"]
    assert ahead == {"label": "Lesson 2 of 3: Taking over", "begun": True}
    assert not ask(stage, "Ayu", "query", text="/learn")["data"]["itc"]["begun"]


def test_the_lesson_answers_a_move_that_a_game_would_ask_about_first(stage: Stage) -> None:
    learn(stage, line="/learn itc 2")
    stage.play("Ayu", "/learn next", "/dice blue red", "/use blue")
    assert stage.refused("Ayu", "/end") == "lesson_line"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/learn next", "no_lesson"),
        ("/learn manhattan 9", "no_lesson"),
        ("/learn journey", "no_lesson"),
        ("/learn chess", "no_such_game"),
    ],
)
def test_what_is_no_lesson_is_refused(stage: Stage, line: str, code: str) -> None:
    stage.come("Ayu")
    assert stage.refused("Ayu", line, lobby=True) == code


def test_a_room_that_lessons_left_leaves_memory(stage: Stage) -> None:
    learn(stage)
    stage.say("Ayu", "/lobby")
    stage.wait(1000)
    assert stage.live_ids() == []


def test_a_page_gets_the_step_as_data_in_the_language_of_its_reader(stage: Stage) -> None:
    stage.come("あゆ", lang="ja")
    learn(stage, "あゆ", "/学ぶ マンハッタン")
    data = ask(stage, "あゆ", "query", text="/learn")["data"]
    assert (data["title"], data["points"], data["wanted"]) == ("勝つには", [], False)
    stage.play("あゆ", "/learn next")
    data = ask(stage, "あゆ", "query", text="/learn")["data"]
    assert data["points"] == ["take 4", "take 3", "take 2", "take 1"]
    assert data["wanted"]


def test_the_step_is_repeated_on_request(stage: Stage) -> None:
    learn(stage)
    stage.say("Ayu", "/learn")
    note = stage.people["Ayu"].last(Note)
    assert (note.code, str(note.text)[:19]) == ("lesson", "Lesson, step 1 of 8")
