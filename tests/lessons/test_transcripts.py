"""The transcripts that readers are given are what the lessons say now, and their questions."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bluebear.rules import games
from bluebear.rules.core.lessons import lessons_of
from tests.lessons.transcript import FILES, transcript

GAMES = games()
LESSONS = [
    f"{key}-{number}"
    for key, game in GAMES.items()
    for number, _ in enumerate(lessons_of(game.package), 1)
]
QUESTIONS = 10


def test_every_lesson_has_a_transcript_and_questions() -> None:
    for ending in ("txt", "toml"):
        assert sorted(path.stem for path in Path(FILES).glob(f"*.{ending}")) == sorted(LESSONS)


@pytest.mark.parametrize("name", LESSONS)
def test_a_transcript_is_the_lesson_as_it_is(name: str) -> None:
    """Who changes a lesson has it read again, or at least the transcript made anew (`--write`)."""
    key, _, number = name.partition("-")
    written = (FILES / f"{name}.txt").read_text("utf-8")
    assert transcript(GAMES[key], int(number), board=False) == written


@pytest.mark.parametrize("name", LESSONS)
def test_there_are_ten_questions_each_with_its_answer_and_paragraph(name: str) -> None:
    questions = tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))["questions"]
    assert len({each["text"] for each in questions}) == QUESTIONS
    rules = [f"{number}." for number in GAMES[name.partition("-")[0]].rules]
    for question in questions:
        assert question["answer"]
        for rule in question["rule"].split(", "):
            assert any(number.startswith(f"{rule}.") for number in rules), question
