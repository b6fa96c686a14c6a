"""Worlds of unequal length: hidden moves of one seat create no versions for other viewers.

Two worlds differ only in the number of hidden moves that one seat has made. All that other viewers
are sent, requested or not, is the same to the last byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import pytest

from bluebear import rules
from bluebear.protocol import Answer, Done, Note, ServerMessage, Update
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.visibility import Seat
from bluebear.server.features.replays import Replays
from tests.leak.sample_games import NAMES
from tests.server.fixtures import Stage
from tests.server.test_questions import ask

GAMES: Final = rules.games(("bluebear.rules", "tests.games"))


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A server in virtual time."""
    with Stage() as made:
        yield made


def strokes(stage: Stage, name: str, count: int, *, special: bool = False) -> None:
    """A player draws, takes it back and draws again, and has one drawing at the end."""
    game = GAMES["railroad_ink"]
    seat = stage.seat_of(name)
    assert seat is not None
    for number in range(count):
        lines = [game.grammar.format(move) for move in game.plain(stage.room.game, seat)]
        terms = "/special" if special and number == count - 1 else "/draw"
        line = next(each for each in lines if each.startswith(terms))
        stage.play(name, line)
        if number < count - 1:
            stage.play(name, "/undo")


def all_strokes(stage: Stage, name: str) -> None:
    """A player draws until they may end their drawing."""
    game, seat = GAMES["railroad_ink"], stage.seat_of(name)
    assert seat is not None
    while "/done" not in (lines := [*map(game.grammar.format, game.plain(stage.room.game, seat))]):
        stage.play(name, lines[0])


def shown_to_rest(drawn: int, option: str, *, special: bool) -> dict[str, list[object]]:
    """All that others hear and get when they ask, when Ben has drawn so often."""
    with Stage() as stage:
        stage.come("Finn")
        names = ("Ayu", "Ben", "Chie")
        stage.table("railroad_ink", *names, watching=["Emi"], kind="public")
        stage.play("Ayu", f"/option {option}")
        stage.play("Ayu", "/start")
        for number in range(60):
            stage.play("Ayu", f"so many words: {number}")
        strokes(stage, "Ayu", 1)
        strokes(stage, "Ben", drawn, special=special)
        stage.play("Chie", "I am thinking")
        strokes(stage, "Chie", 2)
        for number in range(30):
            stage.play("Ayu", f"so do I: {number}")
        rest = ("Ayu", "Chie", "Emi", "Finn")
        made: dict[str, list[object]] = {}
        for name in rest[:3]:
            for line in ("/record", "/recap", "/history", "/info", "/minutes"):
                stage.say(name, line)
            stage.sync(name)
            answers = [
                ask(stage, name, "history"),
                ask(stage, name, "history", **{"from": 0, "count": 100}),
                ask(stage, name, "replay"),
                ask(stage, name, "undo"),
            ]
            made[name] = [canonical(answer) for answer in answers]
        for name in rest:
            made.setdefault(name, []).extend(_without_ids(stage.people[name].messages))
        return made


def _without_ids(messages: Sequence[ServerMessage]) -> list[ServerMessage]:
    """What was sent, without the names that the test gave its own lines."""
    stored = (each for each in messages if not isinstance(each, Answer | Done))
    return [replace(each, done=None) if isinstance(each, Update) else each for each in stored]


@pytest.mark.parametrize("option", ["clock off", "clock 300+10", "watchdelay 2"])
def test_how_much_a_person_draws_and_with_what_is_seen_by_no_person(option: str) -> None:
    once = shown_to_rest(1, option, special=False)
    for drawn, special in [(7, False), (2, True)]:
        other = shown_to_rest(drawn, option, special=special)
        for name, reply in once.items():
            for number, (ours, theirs) in enumerate(zip(reply, other[name], strict=True)):
                assert ours == theirs, f"{name} is told something else, number {number}"


def test_an_undo_by_vote_does_not_say_how_many_hidden_moves_it_takes_along() -> None:
    reported = []
    for drawn in (1, 5):
        with Stage() as stage:
            stage.game("railroad_ink", "Ayu", "Ben", "Chie", watching=["Emi"])
            all_strokes(stage, "Ayu")
            stage.play("Ayu", "/done")
            strokes(stage, "Ben", drawn)
            stage.people["Emi"].messages.clear()
            stage.play("Ayu", "/undo")
            for name in ("Ben", "Chie"):
                stage.play(name, "/accept")
            assert stage.room.past[-1].seat == stage.seat_of("Ayu")
            stage.say("Emi", "/record")
            reported.append(_without_ids(stage.people["Emi"].messages))
    assert reported[0] == reported[1]


def recap_beside(each: int) -> str:
    """What Ayu is told to have happened when each of eleven others has drawn so often meanwhile."""
    with Stage() as stage:
        stage.game("railroad_ink", *NAMES)
        for name in NAMES:
            strokes(stage, name, 1)
        stage.play("Ayu", "/undo")
        strokes(stage, "Ayu", 1)
        for name in NAMES[1:]:
            for _ in range(each):
                one_stroke(stage, name)
        stage.say("Ayu", "/recap")
        return next(m.text for m in reversed(stage.people["Ayu"].messages) if isinstance(m, Note))


def one_stroke(stage: Stage, name: str) -> None:
    """A player draws one line and no more."""
    game, seat = GAMES["railroad_ink"], stage.seat_of(name)
    assert seat is not None
    lines = map(game.grammar.format, game.plain(stage.room.game, seat))
    stage.play(name, next(line for line in lines if line.startswith("/draw")))


def test_what_has_happened_since_does_not_say_how_much_the_rest_has_drawn() -> None:
    nothing = "Nothing has happened since your last move."
    assert recap_beside(1) == recap_beside(2) == nothing


def test_whether_an_undo_asks_does_not_say_whether_other_people_have_drawn(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu", "Ben", "Chie")
    strokes(stage, "Ben", 1)
    all_strokes(stage, "Ayu")
    stage.play("Ayu", "/done")
    ahead = ask(stage, "Ayu", "undo")
    one_stroke(stage, "Ben")
    assert ask(stage, "Ayu", "undo") == ahead
    assert ahead["asks"]
    received = stage.say("Ayu", "/undo")
    assert received["Chie"][0].startswith("Vote 1: Ayu would like to take back a move.")


@pytest.mark.parametrize("drawn", [1, 5])
def test_what_a_look_back_costs_does_not_say_how_much_the_rest_has_drawn(
    stage: Stage, drawn: int
) -> None:
    stage.game("railroad_ink", "Ayu", "Ben")
    strokes(stage, "Ben", 1)
    [replays] = [each for each in stage.app.features.features if isinstance(each, Replays)]
    cached = replays.courses.owed(stage.room)
    strokes(stage, "Ben", drawn)
    assert replays.courses.owed(stage.room) == cached
    stage.play("Ayu", "/history")
    strokes(stage, "Ben", drawn)
    assert replays.courses.owed(stage.room) == 0


def test_the_frame_of_a_quiet_entry_is_made_for_its_seat_alone(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu", "Ben")
    strokes(stage, "Ayu", 1)
    counted = [len(stage.people[name].messages) for name in ("Ayu", "Ben")]
    before, seen = stage.room, stage.people["Ayu"].version
    strokes(stage, "Ayu", 1)
    assert stage.room.version == before.version + 1
    assert stage.people["Ayu"].version == seen + 1
    assert len(stage.people["Ayu"].messages) > counted[0]
    assert len(stage.people["Ben"].messages) == counted[1]


def test_a_line_for_an_older_position_is_stale_by_ones_count(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu", "Ben")
    strokes(stage, "Ben", 6)
    strokes(stage, "Ayu", 1)
    seen = stage.people["Ayu"].version
    lines = GAMES["railroad_ink"].plain(stage.room.game, Seat(1))
    line = GAMES["railroad_ink"].grammar.format(lines[0])
    strokes(stage, "Ben", 1)
    assert stage.refused("Ayu", line, at=seen - 1) == "stale"
    stage.say("Ayu", line, at=seen)
    assert stage.people["Ayu"].version == seen + 1


def test_who_returns_counts_as_before(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu", "Ben")
    strokes(stage, "Ben", 4)
    token, version = stage.people["Ayu"].token, stage.people["Ayu"].version
    stage.restart()
    stage.back("Ayu", token)
    assert stage.people["Ayu"].version == version
    assert stage.people["Ayu"].version < stage.room.version
