"""Readers of the first lessons can play on: their lines are played, and counted."""

from __future__ import annotations

import pytest

from bluebear.rules import games
from tests.lessons.six_moves import RealGame
from tests.server.fixtures import Stage

MOVES = 6


def played(key: str, *lines: str) -> RealGame:
    """A game after lines of its reader; without any, six moves of theirs and questions."""
    with Stage() as stage:
        game = RealGame(stage, key, 1)
        for line in lines:
            game.type(line)
        while not lines and game.moves < MOVES:
            game.type(game.legal()[0])
        return game


@pytest.mark.parametrize("key", games())
def test_a_reader_plays_six_moves_and_the_same_lines_give_the_same_text(key: str) -> None:
    game = played(key)
    assert (game.moves, game.refused) == (MOVES, 0)
    typed = [each.removeprefix("> ") for each in game.shown if each.startswith("> /")]
    again = played(key, *(line for line in typed if line != "/board"))
    assert again.text() == game.text()


def test_a_wrong_line_is_refused_and_a_question_is_not_counted() -> None:
    game = played("manhattan", "/look hand", "/look abc", "/build 1 cairo 5", "/foo", "hello")
    assert (game.moves, game.refused) == (0, 2)


def test_the_reader_sees_answers_the_rival_and_the_table_at_each_turn() -> None:
    shown = played("manhattan", "/take 3 2 2 2 1 1").shown
    answer = shown.index("> /take 3 2 2 2 1 1") + 1
    assert shown[answer] == "Yui takes 3, 2, 2, 2, 1, 1."
    assert shown[answer + 1].startswith("Leo takes ")
    assert shown[-3] == "> /board"
    assert shown[-1] == "Your turn: /build (/moves lists all)"
