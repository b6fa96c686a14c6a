"""`python -m tests.lessons.transcript KEY NUMBER`: a lesson as its lines arrive in the terminal.

`--board` shows the table as well, before the first step and after each line. `--write` stores all
transcripts beside this file, for readers; a test compares them with the lessons.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bluebear.rules import games
from bluebear.rules.core.game import Game
from bluebear.rules.core.lessons import Position, begin, follow, lessons_of
from bluebear.rules.core.texts import TextPage
from bluebear.server.sentences import event_lines, lesson_text, say

FILES: Final = Path(__file__).parent
LEARNER: Final = "Yui"


def transcript(game: Game[Any], number: int, *, board: bool) -> str:
    """The lines of a lesson, with those that its learner types."""
    return "\n".join(_lines(game, number, board=board)) + "\n"


def _lines(
    game: Game[Any],  # Any: each game has a state class of its own
    number: int,
    *,
    board: bool,
) -> Iterator[str]:
    lessons = lessons_of(game.package)
    name, lesson = list(lessons.items())[number - 1]
    eyes = frozenset((lesson.learner,))
    names = [each or LEARNER for each in lesson.seats]

    def table(at: Position) -> Iterator[str]:
        if board:
            page = TextPage(name_of=lambda seat: names[seat - 1])
            yield game.text(game.seen(at.state, eyes), eyes, page).full()

    yield f"You are {LEARNER}."
    yield f"> /learn {game.info.key} {number}"
    at = begin(game, lesson)
    yield from table(at)
    for step in lesson.steps:
        yield lesson_text(game, name, at.step, "en")
        yield f"> {step.shown or '/learn next'}"
        at = follow(game, lesson, at, step.shown)
        yield from event_lines(at.events, eyes, "en", game, lambda seat: names[seat - 1])
        if step.shown:
            yield from table(at)
    ending = say("answer.lesson_finished", "en", title=lesson.title)
    if number < len(lessons):
        title = list(lessons.values())[number].title
        count, called = len(lessons), game.info.name("en")
        ending += " " + say(
            "answer.lesson_next_one",
            "en",
            game=called,
            number=number + 1,
            count=count,
            title=title,
        )
    yield ending


def main() -> None:
    """Print one transcript, or store all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("key", nargs="?", choices=sorted(games()))
    parser.add_argument("number", nargs="?", type=int, default=1)
    parser.add_argument("--board", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.write:
        for key, game in games().items():
            for number in range(1, len(lessons_of(game.package)) + 1):
                text = transcript(game, number, board=False)
                (FILES / f"{key}-{number}.txt").write_text(text, "utf-8")
    else:
        sys.stdout.write(transcript(games()[given.key], given.number, board=given.board))


if __name__ == "__main__":
    main()
