"""The coach: what it says and who reads it, once."""

from __future__ import annotations

from bluebear.protocol import Note
from bluebear.rules import games
from bluebear.rules.core.lessons import situations_of
from tests.server.fixtures import Received, Stage

BLOCKS = "Take the blocks of this round."
LEAST = 6
"""Situations that each game has at least."""


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


def test_each_game_has_several_situations() -> None:
    assert min(len(situations_of(game.package)) for game in games().values()) >= LEAST
