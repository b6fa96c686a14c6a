"""Does help fit a screen, and does it name everything that there is?"""

from __future__ import annotations

import pytest

from bluebear.protocol import Note
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.text_layout import flowed
from bluebear.server.commands.command import Topic
from bluebear.server.features import COMMANDS
from tests.server.commands.fixtures import opened, playing
from tests.server.fixtures import GAMES, Stage

SCREEN = 22
"""A window of 24 lines without the line that is typed and the one above it."""


def lines_of(text: str) -> list[str]:
    """The lines of a text in a window of 80 columns."""
    return [line for each in text.splitlines() for line in flowed(each, 80, 2)]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", ["manhattan", "railroad_ink", "tokai", "itc", "tokugawa"])
def test_help_fits_a_screen_in_every_game(stage: Stage, key: str, lang: Lang) -> None:
    stage.game(key, "Ayu", "Ben")
    stage.say("Ayu", f"/lang {lang}")
    stage.say("Ayu", "/help")
    text = stage.people["Ayu"].last(Note).text
    assert len(lines_of(text)) <= SCREEN, text
    verbs = GAMES[key].grammar.verbs
    assert all(f"/{name}" in text or f"/{verb.names[0]}" in text for name, verb in verbs.items())


@pytest.mark.parametrize("lang", LANGS)
def test_help_fits_a_screen_before_the_game_and_in_the_lobby(lang: Lang) -> None:
    house = opened()
    house.enter("Ben", lang=lang)
    assert len(lines_of(house.say("Ben", "/help").text)) <= SCREEN
    house.say("Ben", "/lobby")
    assert len(lines_of(house.say("Ben", "/help").text)) <= SCREEN


def test_every_command_is_about_something() -> None:
    topics = {topic: {c.name for c in COMMANDS.values() if c.topic is topic} for topic in Topic}
    assert {"start", "undo", "board"} <= topics[Topic.TABLE]
    assert {"newroom", "listroom", "rules"} <= topics[Topic.ROOMS]
    assert {"kick", "password"} <= topics[Topic.HOST]
    assert {"wwho"} <= topics[Topic.PEOPLE]


def test_the_topics_together_name_all_that_is_offered() -> None:
    house = playing("duel")
    text = "\n".join(house.say("Ayu", f"/help {topic}").text for topic in Topic)
    assert all(f"  /{name}" in text for name in ("undo", "kick", "listroom", "moves", "lang"))
    assert "  /start" not in text


@pytest.mark.parametrize("term", ["ホスト", "host", "/host"])
def test_a_topic_is_intended_before_a_command_of_its_name(term: str) -> None:
    assert "/kick NAME" in playing("duel").say("Ayu", f"/help {term}").text


def test_what_only_begins_like_a_topic_is_a_command() -> None:
    assert playing("duel").say("Ayu", "/help hos").text.startswith("/host NAME - ")


def test_recap_tells_what_has_happened_since_one_s_last_turn(stage: Stage) -> None:
    stage.game("manhattan", "Ayu", "Ben")
    first = stage.to_move()
    second = "Ben" if first == "Ayu" else "Ayu"
    stage.play(first, "/take 1 1 1 1 1 1")
    assert recap(stage, first) == "Nothing has happened since your last move."
    stage.play(second, "/take 2 2 1 1 1 1")
    assert recap(stage, first) == f"{second} takes 2, 2, 1, 1, 1, 1."
    assert f"{first} takes 1, 1, 1, 1, 1, 1." not in recap(stage, second)
    stage.connect("Emi")
    stage.enter("Emi")
    assert "took a seat" in recap(stage, "Emi"), "who has no seat is told everything"


def recap(stage: Stage, name: str) -> str:
    stage.say(name, "/recap")
    note: Note = stage.people[name].last(Note)
    return note.text


def test_a_spectator_gets_the_commands_of_the_table_where_the_game_has_no_queries(
    stage: Stage,
) -> None:
    stage.game("itc", "Ayu", "Ben")
    stage.come("Eva")
    stage.enter("Eva")
    stage.say("Eva", "/help")
    lines = stage.people["Eva"].last(Note).text.splitlines()
    assert lines[0].startswith("What you may use now")
    assert any(line.startswith("  /board") for line in lines)
