"""Can a text from outside steer the terminal? It cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from bluebear.clients.terminal.sanitize import MARKS_MAX, printable, without_drawing


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "[2Jgone"),  # clears the screen
        ("\x1b]0;title\x07", "]0;title"),  # renames the window
        ("\x9b31mred", "31mred"),  # the same in one sign
        ("one\rtwo", "onetwo"),  # overwrites the line
        ("a\x08b\x7f", "ab"),
        ("\u202egnirts", "gnirts"),  # turns the direction
        ("\u2066a\u2069", "a"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("line\u2028break\u2029", "linebreak"),
        ("tab\tbed", "tab bed"),
        ("two\nlines", "two\nlines"),
        ("東京 😀 é", "東京 😀 é"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_only_what_is_harmless_is_printed(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_marks_do_not_pile_up() -> None:
    assert printable("z" + "\u0335" * 1000) == "z" + "\u0335" * MARKS_MAX


@given(st.text())
def test_every_sign_that_is_printed_has_a_width(text: str) -> None:
    assert all(wcwidth(sign) >= 0 for sign in printable(text) if sign != "\n")


@given(st.text())
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert printable(printable(text)) == printable(text)


def test_a_board_without_box_characters() -> None:
    board = "┌──┬──┐\n│ A│░2│\n└──┴──┘ 東京"
    assert without_drawing(board) == "+--+--+\n| A|#2|\n+--+--+ 東京"
