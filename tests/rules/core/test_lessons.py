"""Lessons and what the coach says: what ends a step, how other lines are answered, when a situation
is there, and the faults that the kit reports.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import structs

from bluebear.rules import games
from bluebear.rules.core.conformance.case import ConformanceError, read_case
from bluebear.rules.core.conformance.lesson_checks import check_lessons, check_situations
from bluebear.rules.core.lessons import (
    Lesson,
    LessonStep,
    Situation,
    WrongLine,
    begin,
    follow,
    lessons_of,
)
from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan import Manhattan
from bluebear.rules.manhattan.rules.events import Captured
from bluebear.rules.manhattan.rules.state import City, Site

TEXT = Phrase("Read this.", "読みます。")
TAKE = "/take 4 3 2 2 1 1"
READ = LessonStep(TEXT, TEXT)
TAKES = LessonStep(
    TEXT,
    TEXT,
    points=("take 4",),
    wanted=(TAKE, "/take 3 *"),
    then=("2 /take 3 3 2 2 1 1",),
    wrong=(WrongLine("/take 4 4 *", TEXT, "1.4"),),
)
LESSON = Lesson(TEXT, ("", "Leo"), "manhattan 17", (READ, TAKES, READ))


GAME = Manhattan()


def refusal(lesson: Lesson, steps: int, line: str) -> NotAllowed:
    """How a line is refused after so many steps, each ended as the lesson shows."""
    at = begin(GAME, lesson)
    for step in lesson.steps[:steps]:
        at = follow(GAME, lesson, at, step.wanted[0] if step.wanted else "")
    with pytest.raises(NotAllowed) as caught:
        follow(GAME, lesson, at, line)
    return caught.value


def test_a_step_ends_by_a_wanted_line_and_the_other_seats_play_what_follows() -> None:
    at = follow(GAME, LESSON, begin(GAME, LESSON), "")
    for line in (TAKE, "/take 3 3 3 1 1 1"):
        made = follow(GAME, LESSON, at, line)
        assert made.step == 2
        assert [len(builder.chosen) for builder in made.state.seats.values()] == [6, 6]
        assert [type(event).__name__ for event in made.events] == ["Took", "Took"]


def test_the_same_seed_deals_the_same_cards() -> None:
    hands = [begin(GAME, LESSON).state.seats[1].hand for _ in range(2)]
    assert hands == [(2, 3, 5, 7)] * 2
    other = msgspec.structs.replace(LESSON, seed="another")
    assert begin(GAME, other).state.seats[1].hand != hands[0]


def test_other_lines_are_answered_by_the_lesson_the_game_or_with_the_wanted_line() -> None:
    read = refusal(LESSON, 0, TAKE)
    assert (read.code, read.candidates) == ("lesson_line", ("/learn next",))
    wrong = refusal(LESSON, 1, "/take 4 4 4 1 1 1")
    assert (wrong.code, wrong.rule, wrong.params["answer"]) == ("lesson_line", "1.4", TEXT)
    illegal = refusal(LESSON, 1, "/build 4 cairo 5")
    assert (illegal.code, illegal.rule) == ("choose_first", "3.1")
    legal = refusal(LESSON, 1, "/take 2 2 2 1 1 1")
    assert (legal.code, legal.candidates) == ("lesson_line", (TAKE, "/learn show"))
    assert refusal(LESSON, 1, "").code == "lesson_line"


def faults(**changes: Any) -> str:  # Any: fields of a lesson or of its second step
    """What the kit says of the lesson with changes."""
    of_lesson = {name: changes.pop(name) for name in ("steps",) if name in changes}
    steps = (READ, msgspec.structs.replace(TAKES, **changes), READ)
    lesson = msgspec.structs.replace(LESSON, **{"steps": steps, **of_lesson})
    with pytest.raises(ConformanceError) as caught:
        check_lessons(GAME, {"first": lesson})
    return str(caught.value)


def test_a_lesson_without_faults_passes() -> None:
    check_lessons(GAME, {"first": LESSON})


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"steps": ()}, "has 0 steps: 1 to 8"),
        ({"steps": (READ,) * 9}, "has 9 steps: 1 to 8"),
        ({"steps": (READ, TAKES)}, "has 2 steps: 1 to 8, of which the last is only read"),
        ({"text": Phrase("word " * 46, "語")}, "(48, 7) words and Japanese characters"),
        ({"text": Phrase("word", "語" * 101)}, "(3, 107) words and Japanese characters"),
        (
            {"title": Phrase(" ", " "), "text": Phrase("word", " ")},
            "(1, 0) words and Japanese characters",
        ),
        ({"points": ("site tokyo 5",)}, "points at site tokyo 5: ['tokyo'] is neither"),
        ({"points": ("tower 4",)}, "points at tower 4: tower is no kind of place in game.toml"),
        (
            {"points": ("take 99",)},
            "points at take 99: ['99'] is neither there in the view nor in a line",
        ),
        ({"wanted": ("/take 4 4 4 4 1 1",)}, "cannot be played on after step 1: not_in_stock"),
        ({"wanted": (TAKE, "/take *"), "then": ("1 /build 4 cairo 5",)}, "cannot be played on"),
        ({"then": ("1 /build 4 cairo 5",)}, "cannot be played on after step 1"),
        ({"wrong": (WrongLine("/take *", TEXT, "99.9"),)}, "rests on 99.9, which is no paragraph"),
    ],
)
def test_the_kit_reports_each_fault(changes: dict[str, Any], fault: str) -> None:
    assert fault in faults(**changes)


def test_a_lesson_cannot_point_at_a_card_that_has_left_the_hand() -> None:
    game = games()["itc"]
    lesson = next(iter(lessons_of(game.package).values()))
    steps = tuple(
        structs.replace(step, points=("card 255",)) if "on 255" in step.points else step
        for step in lesson.steps
    )
    with pytest.raises(ConformanceError, match=r"points at card 255: \['255'\] is neither there"):
        check_lessons(game, {"first": structs.replace(lesson, steps=steps)})


def test_every_accepted_line_must_leave_the_lesson_playable() -> None:
    # Of what the second step accepts, /take 3 3 3 1 1 1 has no 4 for the third.
    builds = LessonStep(TEXT, TEXT, wanted=("/build 4 cairo 5",))
    assert "no_block" in faults(steps=(READ, TAKES, builds, READ))


def test_a_file_that_is_no_lesson_is_reported_with_its_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = 'title = { en = "a", ja = "b" }\nseats = ["", ""]\nseed = "s"\n'
    monkeypatch.setattr("bluebear.rules.core.tables.read_text", lambda *_: text)
    where = r"^bluebear/rules/manhattan/text/lessons/\w+\.toml: missing required field steps"
    with pytest.raises(DataError, match=where):
        lessons_of.__wrapped__(GAME.package)


def test_a_situation_is_there_by_a_line_or_by_an_event_of_the_seat() -> None:
    building = Situation(TEXT, "4.1", line="/build *", points=("card {3}",))
    assert building.points_at(Seat(1), ["/take 1 1", "/build 4 cairo 5"], ()) == ("card 5",)
    assert building.points_at(Seat(1), ["/take 1 1"], ()) is None
    event = Captured(Seat(2), 3, City.CAIRO, Site(5), Seat(1))
    condition: dict[str, str | int] = {"event": "captured", "other": "me"}
    taken = Situation(TEXT, "4.3", event=condition, points=("site {city} {site}",))
    assert taken.points_at(Seat(1), (), (event,)) == ("site cairo 5",)
    assert taken.points_at(Seat(2), (), (event,)) is None


@pytest.mark.parametrize(
    ("situation", "fault"),
    [
        (Situation(Phrase("word " * 46, "語"), "3.1", "/take *"), "(46, 1) words and Japanese"),
        (Situation(Phrase("word", " "), "3.1", "/take *"), "(1, 0) words and Japanese"),
        (Situation(TEXT, "99.9", "/take *"), "rests on 99.9, which is no paragraph"),
        (Situation(TEXT, "3.1"), "has neither a line nor an event"),
        (Situation(TEXT, "3.1", "/fly *"), "waits for /fly *: fly is no verb"),
        (Situation(TEXT, "3.1", event={"event": "sold"}), "waits for sold, which is no event"),
        (
            Situation(TEXT, "3.1", "/take *", points=("tower {1}",)),
            "tower is no kind of place in game.toml",
        ),
        (
            Situation(TEXT, "4.1", "/build *", points=("take 99",)),
            "is neither there in the view nor in a line",
        ),
    ],
)
def test_the_kit_reports_each_fault_of_a_situation(situation: Situation, fault: str) -> None:
    with pytest.raises(ConformanceError, match=r"^manhattan: situation first ") as caught:
        check_situations(read_case(GAME, []), {"first": situation}, [1])
    assert fault in str(caught.value)


def test_the_kit_names_the_situations_that_did_not_come_up() -> None:
    never = Situation(TEXT, "3.1", "/take 9 *")
    often = Situation(TEXT, "3.1", "/take *")
    situations = {"never": never, "often": often}
    assert check_situations(read_case(GAME, []), situations, [1]) == ["never"]
