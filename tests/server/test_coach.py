"""The coach: what it says and who reads it, once; what the games bring for it comes up in games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bluebear.protocol import Note
from bluebear.rules import games
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.conformance.lesson_checks import STEP_MOST
from bluebear.rules.core.conformance.random_play import Step, walk
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules.events import Captured
from bluebear.rules.manhattan.rules.state import City, Site
from bluebear.server.features.coach import Situation, situations_of
from tests.server.fixtures import Received, Stage

BLOCKS = "Take the blocks of this round."
GAMES = games()
SEEDS = range(1, 8)
LEAST = 6
"""Situations that each game has at least."""
TEXT = Phrase("Read this.", "読みます。")


def spoken(received: Received) -> dict[str, str]:
    """What the coach has just said, by the name of who reads it."""
    received_notes = {
        name: [each for each in lines if "Coach: " in each] for name, lines in received.items()
    }
    return {name: "\n".join(lines) for name, lines in received_notes.items() if lines}


def started(stage: Stage, *lines: str) -> dict[str, str]:
    """An unrated game of Ayu and Ben with a coach, watched by Emi, begins: what it says."""
    stage.table("manhattan", "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", "/option coach on", *lines)
    return spoken(stage.say("Ayu", "/startnosave"))


def test_a_situation_is_spoken_of_once_and_to_the_person_alone(stage: Stage) -> None:
    received_notes = started(stage)
    first = stage.to_move()
    other = "Ben" if first == "Ayu" else "Ayu"
    assert list(received_notes) == [first]
    assert BLOCKS in received_notes[first]
    assert received_notes[first].endswith("(3.1)")
    received_notes = spoken(stage.say(first, "/take 4 3 2 2 1 1"))
    assert list(received_notes) == [other]
    received_notes = spoken(stage.say(other, "/take 4 3 2 2 1 1"))
    assert list(received_notes) == [first]
    note = stage.people[first].last(Note)
    assert note.code == "coach"
    assert str(note.said).startswith("card ")
    lines = [line for entry in stage.entries() for line in entry.lines]
    assert not [line for line in lines if "oach" in line and not line.startswith("/option")]


def test_where_hints_are_allowed_one_is_offered(stage: Stage) -> None:
    assert next(iter(started(stage, "/option hints on").values())).endswith(
        "/hint proposes a move."
    )


def test_in_a_rated_game_and_without_the_option_it_is_silent(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben")
    assert spoken(stage.say("Ayu", "/startnosave")) == {}


def test_what_was_learnt_is_remembered_with_the_person(stage: Stage) -> None:
    first = next(iter(started(stage)))
    token = stage.people[first].token
    stage.restart()
    stage.connect(first, token=token)
    stage.table("manhattan", first, "Cem")
    stage.play(first, "/option coach on")
    received_notes = [spoken(stage.say(first, "/startnosave"))]
    received_notes += [spoken(stage.say(stage.to_move(), "/take 4 3 2 2 1 1")) for _ in range(2)]
    notes = [(name, text) for each in received_notes for name, text in each.items()]
    assert [name for name, text in notes if BLOCKS in text] == ["Cem"]
    assert [name for name, text in notes if "one card and one block" in text]


def test_it_speaks_the_language_of_its_reader(stage: Stage) -> None:
    stage.come("あゆ", lang="ja")
    stage.table("manhattan", "あゆ", "Ben")
    stage.play("あゆ", "/オプション コーチ オン")
    received_notes = stage.say("あゆ", "/startnosave")
    if stage.to_move() != "あゆ":
        received_notes = stage.say("Ben", "/take 4 3 2 2 1 1")
    assert any("コーチ: このラウンドのコマを取ります。" in line for line in received_notes["あゆ"])


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_game_has_short_texts_in_both_languages_each_with_its_paragraph(key: str) -> None:
    game = GAMES[key]
    situations = situations_of(game.package)
    assert len(situations) >= LEAST
    for name, each in situations.items():
        size = len(each.text.en.split()), len(each.text.ja)
        assert 0 < size[0] <= STEP_MOST[0], (name, size)
        assert 0 < size[1] <= STEP_MOST[1], (name, size)
        assert each.rule in game.rules, name
        assert each.line or each.event, name
        assert {point.split()[0] for point in each.points} <= game.info.places.keys(), name


def steps(game: Game[Any]) -> Iterator[Step]:
    for seed in SEEDS:
        yield from walk(read_case(game, []), seed)


@pytest.mark.slow_loop
@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_situation_happens_in_games_with_its_points_complete(key: str) -> None:
    game = GAMES[key]
    unmet = dict(situations_of(game.package))
    for step in steps(game):
        state, movers = step.after.state, step.after.movers()
        for seat in step.after.seats():
            moves = game.plain(state, seat) if seat in movers else ()
            lines = [*map(game.grammar.format, moves)]
            for name, each in list(unmet.items()):
                points = each.points_at(seat, lines, step.after.events)
                if points is not None:
                    assert not {"{", "None"} & {*" ".join(points).split()}
                    del unmet[name]
        if not unmet:
            return
    assert not unmet


def test_a_situation_is_there_by_a_line_or_by_an_event_of_the_seat() -> None:
    building = Situation(TEXT, "4.1", line="/build *", points=("card {3}",))
    assert building.points_at(Seat(1), ["/take 1 1", "/build 4 cairo 5"], ()) == ("card 5",)
    assert building.points_at(Seat(1), ["/take 1 1"], ()) is None
    event = Captured(Seat(2), 3, City.CAIRO, Site(5), Seat(1))
    condition: dict[str, str | int] = {"event": "captured", "other": "me"}
    taken = Situation(TEXT, "4.3", event=condition, points=("site {city} {site}",))
    assert taken.points_at(Seat(1), (), (event,)) == ("site cairo 5",)
    assert taken.points_at(Seat(2), (), (event,)) is None
