"""The transcripts that readers were given are what the lessons say now, and their questions."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bluebear.rules import games
from bluebear.rules.core.lessons import lessons_of

FILES = Path(__file__).parent
GAMES = games()
KEYS = sorted(path.stem.removesuffix("-1") for path in FILES.glob("*.toml"))
QUESTIONS = 10


@pytest.mark.parametrize("key", KEYS)
def test_a_transcript_is_the_first_lesson_as_it_is(key: str) -> None:
    """Who changes a lesson has it read again, or at least the transcript made anew."""
    lesson = next(iter(lessons_of(GAMES[key].package).values()))
    text = (FILES / f"{key}-1.txt").read_text("utf-8")
    at = 0
    for number, step in enumerate(lesson.steps, 1):
        head = f"Lesson, step {number} of {len(lesson.steps)}: {step.title.en}\n{step.text.en}\n"
        start = text.find(head, at)
        assert start >= 0, head
        at = start + len(head)
        typed = text[at:].partition("\n> ")[2].partition("\n")[0]
        assert typed == (step.wanted[0] if step.wanted else "/learn next")


@pytest.mark.parametrize("key", KEYS)
def test_there_are_ten_questions_each_with_its_answer_and_paragraph(key: str) -> None:
    questions = tomllib.loads((FILES / f"{key}-1.toml").read_text("utf-8"))["questions"]
    assert len({each["text"] for each in questions}) == QUESTIONS
    for question in questions:
        assert question["answer"]
        assert question["rule"]


def test_every_game_was_read() -> None:
    assert sorted(GAMES) == KEYS
