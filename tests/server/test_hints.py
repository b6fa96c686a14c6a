"""Hints: who may ask, what all members receive, what the house bots' process gets, its results."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bluebear.protocol import Note, Think
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.record import Hinted, parse_record, verify
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import HINT_PATIENCE_SECONDS, HINT_SEAT_SECONDS, HINT_TABLE_SECONDS
from bluebear.server.room.state import Phase
from bluebear.server.rooms.views import eyes_of
from tests.server.fixtures import GAMES, Stage
from tests.server.hashes import install
from tests.server.test_lookback import play_on

FAILED = "This time no hint could be given. The program that thinks is too busy, or is not there."


def begun(stage: Stage, game: str = "manhattan", hints: str = "on", *, house: bool = True) -> None:
    """An unrated game of Ayu and Ben, watched by Emi; the house bots' process is connected."""
    if house:
        stage.connect("house", token=stage.app.engine.house.token, bot=True)
    stage.table(game, "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", f"/option hints {hints}", "/startnosave")


def asks(stage: Stage, name: str) -> Think:
    """A player asks for a hint. Returns the query to the house bots' process."""
    received = stage.say(name, "/hint")
    assert received == stage.to_all(f"{name} has asked for a hint.")
    question = stage.people["house"].last(Think)
    assert isinstance(question, Think)
    return question


def asker(stage: Stage, game: str = "manhattan") -> tuple[str, Think]:
    """Who is to move has asked in a new game."""
    begun(stage, game)
    name = stage.to_move()
    return name, asks(stage, name)


def thinks(stage: Stage, number: int, **fields: Any) -> dict[str, list[str]]:  # Any: JSON
    """The child answers."""
    return stage.say("house", f"/thought {number} {json.dumps(fields)}", lobby=True)


def judged(question: Think, **fields: Any) -> dict[str, Any]:  # Any: JSON
    best, second = question.lines[:2]
    answer = {"kind": "judged", "line": best, "chance": 61, "next": second, "second": 55}
    return {**answer, **fields}


def test_all_people_is_notified_and_who_requested_hears_the_advice(stage: Stage) -> None:
    name, question = asker(stage)
    best, second = question.lines[:2]
    reported = judged(
        question,
        other=second,
        terms=[["cities", 24], ["stock", -3]],
        reply="/build 4 sydney 2",
    )
    assert thinks(stage, question.number, **reported) == {
        name: [
            f"(hint) {best}! Chance to be first as the program judges it: 61 %;"
            f" next best {second}: 55 %."
            f" Against {second}: majorities in cities +2.4 points, blocks in stock -0.3 points."
            " Most often answered by /build 4 sydney 2."
        ]
    }
    assert stage.people[name].last(Note).said == best


def test_a_question_waits_for_the_process_that_is_just_started(stage: Stage) -> None:
    begun(stage, house=False)
    stage.app.engine.house.is_started = True
    name = stage.to_move()
    assert stage.say(name, "/hint") == stage.to_all(f"{name} has asked for a hint.")
    stage.connect("house", token=stage.app.engine.house.token, bot=True)
    question = stage.people["house"].last(Think)
    assert isinstance(question, Think)
    assert thinks(stage, question.number, **judged(question))[name][0].startswith("(hint) ")


@pytest.mark.parametrize(
    ("game", "term", "term_text"),
    [
        ("itc", "loads", "loads on their way -16,100 euro"),
        ("tokai", "cash", "cash -16,100 thousand yen"),
    ],
)
def test_what_a_game_counts_in_stands_beside_the_reasons(
    stage: Stage, game: str, term: str, term_text: str
) -> None:
    begun(stage, game)
    name = stage.room.name_of(min(stage.room.table.turn))
    question = asks(stage, name)
    reply = judged(question, other=question.lines[1], terms=[[term, -161_000]])
    (text,) = thinks(stage, question.number, **reply)[name]
    assert f": {term_text}." in text


def test_equals_without_chances_are_named_in_the_language_of_who_requested(stage: Stage) -> None:
    name, question = asker(stage)
    stage.play(name, "/lang ja")
    unsure = judged(question, chance=None, second=None, equal=[question.lines[1]])
    [text] = thinks(stage, question.number, **unsure)[name]
    assert text.startswith("(hint) プログラムの見立てでは、どれも同じくらいよい手です: /取る ")
    assert "%" not in text


def test_where_chances_have_not_proved_right_the_advice_is_as_text(stage: Stage) -> None:
    name, question = asker(stage)
    best, second = question.lines[:2]
    unsure = judged(question, chance=None, second=None)
    [text] = thinks(stage, question.number, **unsure)[name]
    assert text == f"(hint) {best}! Better than the next best, {second}, as the program judges it."


def test_the_advice_is_in_the_language_of_who_requested(stage: Stage) -> None:
    name, question = asker(stage)
    stage.play(name, "/lang ja")
    [note] = thinks(stage, question.number, **judged(question))[name]
    assert note.startswith("(hint) /取る ")
    assert "1位になる見込みは61 %です" in note


@pytest.mark.parametrize(
    ("fields", "term_text"),
    [
        (
            {"kind": "judged", "chance": 50, "equal": [1, 2]},
            "As good: {0}, {1}, {2}. Chance to be first with each",
        ),
        ({"kind": "plan", "after": [1]}, "{0}! After that, as it is planned: {1}."),
        ({"kind": "plan"}, "{0}! With that the plan is complete."),
        ({"kind": "sight"}, "{0}! That is what it looks like at first sight;"),
        ({"kind": "only"}, "{0} is all that you can play."),
    ],
)
def test_other_advice_is_reported_as_what_it_is(
    stage: Stage,
    fields: dict[str, Any],
    term_text: str,  # Any: JSON
) -> None:
    name, question = asker(stage)
    lines = question.lines
    fields = {
        key: [lines[at] for at in v] if isinstance(v, list) else v for key, v in fields.items()
    }
    [note] = thinks(stage, question.number, line=lines[0], **fields)[name]
    assert note.removeprefix("(hint) ").startswith(term_text.format(*lines[:3]))


def test_the_child_is_given_what_the_wire_shows_to_the_seat_and_no_more(stage: Stage) -> None:
    name, question = asker(stage)
    listener = stage.people[name]
    assert question.view == listener.view["game"]
    assert question.view != stage.people["Emi"].view["game"], "a hand is hidden here"
    assert question.seat == stage.room.seat_of(listener.id)
    assert question.game == "manhattan"


def test_in_two_worlds_that_look_the_same_the_child_is_prompted_the_same(stage: Stage) -> None:
    name, question = asker(stage)
    live, game = stage.live, GAMES["manhattan"]
    seat = Seat(question.seat)
    client = stage.people[name].connection
    assert client is not None
    eyes = eyes_of(client, stage.room)
    assert eyes == frozenset({seat})
    other = game.determinize(game.seen(stage.room.game, eyes), eyes, FastChance(9))
    assert other != stage.room.game
    assert live.game is not None
    assert live.game.tree.view(other, eyes) == question.view
    assert tuple(map(game.grammar.format, game.plain(other, seat))) == question.lines


def test_when_the_game_continues_the_child_stops_and_no_person_hears_anything(stage: Stage) -> None:
    name, question = asker(stage)
    stage.play(name, question.lines[0])
    assert stage.people["house"].last(Think) == Think(number=question.number)
    assert not thinks(stage, question.number, **judged(question))


def test_talk_and_what_other_people_do_in_secret_leave_it_alone(stage: Stage) -> None:
    begun(stage, "railroad_ink")
    question = asks(stage, "Ayu")
    stage.play("Emi", "hello")
    stage.wait(HINT_TABLE_SECONDS)
    bens = stage.live.game
    assert bens is not None
    line = bens.grammar.format(bens.plain(stage.room.game, Seat(2))[0])
    stage.play("Ben", line)
    assert stage.people["house"].last(Think) == question
    assert "Ayu" in thinks(stage, question.number, kind="sight", line=question.lines[0])


def test_a_table_without_the_option_has_none(stage: Stage) -> None:
    begun(stage, hints="off")
    assert stage.refused(stage.to_move(), "/hint") == "hints_off"


def test_only_who_is_to_move_asks(stage: Stage) -> None:
    begun(stage)
    [other] = {"Ayu", "Ben"} - {stage.to_move()}
    assert stage.refused(other, "/hint") == "not_your_turn"
    assert stage.refused("Emi", "/hint") == "not_permitted"


def test_a_game_that_no_person_can_think_about_says_so(stage: Stage) -> None:
    begun(stage, "sealed")
    assert stage.refused("Ayu", "/hint") == "no_hints"


def test_a_rated_game_has_none(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    for name in ("Ayu", "Ben"):
        stage.come(name)
        stage.say(name, "/register correct horse", lobby=True)
    stage.table("manhattan", "Ayu", "Ben", kind="public")
    stage.play("Ayu", "/option hints on", "/start")
    assert stage.room.table.rated
    assert stage.refused(stage.to_move(), "/hint") == "hints_rated"


def test_so_many_a_game_and_anew_in_the_next(stage: Stage) -> None:
    begun(stage, hints="1")
    name = stage.to_move()
    asks(stage, name)
    stage.wait(HINT_SEAT_SECONDS)
    assert stage.refused(name, "/hint") == "hints_used"
    stage.play("Ayu", "/resign !")
    stage.play("Ayu", "/again", "/start")
    assert stage.room.table.phase is Phase.PLAYING
    assert all(chair.hints is None for chair in stage.room.seats.values())


def test_seat_and_table_wait_between_two_hints(stage: Stage) -> None:
    begun(stage, "railroad_ink")
    asks(stage, "Ayu")
    assert stage.refused("Ben", "/hint") == "too_much"
    stage.wait(HINT_TABLE_SECONDS)
    asks(stage, "Ben")
    assert stage.refused("Ayu", "/hint") == "too_much"
    stage.wait(HINT_SEAT_SECONDS - HINT_TABLE_SECONDS)
    asks(stage, "Ayu")


def test_who_asks_on_another_node_does_not_get_the_hint_that_he_waits_for(stage: Stage) -> None:
    begun(stage, "railroad_ink")
    first = asks(stage, "Ayu")
    stage.table("railroad_ink", "Ayu", "Eva")
    stage.play("Ayu", "/option hints on", "/startnosave")
    received = stage.say("Ayu", "/hint")
    assert f"(hint) {FAILED}" in received["Ayu"]
    assert not thinks(stage, first.number, kind="sight", line=first.lines[0])
    *_, second, ends_first = (e for e in stage.people["house"].messages if isinstance(e, Think))
    assert ends_first == Think(number=first.number)
    assert thinks(stage, second.number, kind="sight", line=second.lines[0])


def test_without_a_child_who_requested_is_reported(stage: Stage) -> None:
    begun(stage, house=False)
    name = stage.to_move()
    assert stage.say(name, "/hint")[name][-1] == f"(hint) {FAILED}"


def test_a_child_that_is_silent_or_talks_nonsense_is_reported_too(stage: Stage) -> None:
    name, question = asker(stage)
    assert thinks(stage, question.number, kind="sight", line="/build 9 nowhere 1") == {
        name: [f"(hint) {FAILED}"]
    }
    stage.wait(HINT_SEAT_SECONDS)
    asks(stage, name)
    assert stage.wait(HINT_PATIENCE_SECONDS) == {name: [f"(hint) {FAILED}"]}
    asks(stage, name)
    assert stage.drop("house") == {name: [f"(hint) {FAILED}"]}


@pytest.mark.parametrize("line", ["/thought", "/thought x {}", "/thought 77 {}", "nonsense", "/"])
def test_what_the_child_says_otherwise_is_passed_over(stage: Stage, line: str) -> None:
    asker(stage)
    assert not stage.say("house", line, lobby=True)


def test_no_other_person_answers_for_the_child(stage: Stage) -> None:
    name, question = asker(stage)
    line = f"/thought {question.number} {json.dumps(judged(question))}"
    assert stage.refused("Emi", line, lobby=True)
    assert name == stage.to_move()


def test_the_record_has_a_mark_and_verifies(stage: Stage) -> None:
    name, question = asker(stage)
    stage.play(name, question.lines[0])
    while stage.room.table.phase is Phase.PLAYING:
        play_on(stage)
    stage.say("Emi", "/record")
    text = str(stage.people["Emi"].last(Note).text)
    assert f"@hint {question.seat}\n" in text
    record = parse_record(text)
    assert Hinted(Seat(question.seat)) in record.lines
    verify(GAMES["manhattan"], record)
    stage.say("Emi", f"/minutes {record.head.id}")
    assert f"{name} has asked for a hint." in str(stage.people["Emi"].last(Note).text)
