"""Which word of a refused line was wrong?"""

from __future__ import annotations

import pytest

from bluebear.clients.sdk import Reply
from bluebear.clients.terminal.error_marker import marked


def refused(start: int, end: int) -> Reply:
    return Reply(id="1", ok=False, code="bad_argument", text="No.", place=(start, end))


@pytest.mark.parametrize(
    ("line", "span", "shown"),
    [
        ("/build 2 kairo 2", (9, 14), "  /build 2 kairo 2\n           ^^^^^"),
        ("/建てる 2 カイラ 2", (7, 10), "  /建てる 2 カイラ 2\n            ^^^^^^"),
    ],
)
def test_marks_stand_below_the_wrong_term_and_are_as_wide(
    line: str, span: tuple[int, int], shown: str
) -> None:
    assert marked(line, refused(*span)) == shown


def test_nothing_is_marked_in_what_is_right_or_has_no_position() -> None:
    assert marked("/build 2 cairo 2", Reply(id="1", ok=True)) == ""
    assert marked("/start", Reply(id="1", ok=False, code="not_now", text="No.")) == ""


@pytest.mark.parametrize("span", [(5, 5), (-1, 3), (3, 99), (4, 2)])
def test_a_position_that_is_none_is_not_believed(span: tuple[int, int]) -> None:
    assert marked("/build 2", refused(*span)) == ""


def test_a_line_with_a_secret_is_not_sent_again() -> None:
    assert marked("/room 12 hunter2", refused(6, 8)) == ""
