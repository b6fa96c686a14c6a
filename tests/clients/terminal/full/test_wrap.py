"""Do lines break where a reader expects it, and never beyond the window?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.clients.terminal.fullscreen.wrap import columns, cut, filled, wrapped

TEXTS = st.text(st.sampled_from("ab 、。「」東京ーっ(){}-/é"), max_size=80)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 9, ["one two", "  three"]),
        ("  indented words", 12, ["  indented", "    words"]),
        ("東京、名古屋。", 6, ["東京、", "  名古", "  屋。"]),
        ("席に着き、始めます。", 14, ["席に着き、", "  始めます。"]),
        ("席に着いてから", 12, ["席に", "  着いてから"]),
        ("次のラウンド", 10, ["次の", "  ラウンド"]),
        ("「東京」", 6, ["「東", "  京」"]),
        ("abcdefghij", 4, ["abcd", "  ef", "  gh", "  ij"]),
        ("a\n\nb", 5, ["a", "", "b"]),
    ],
)
def test_a_line_is_broken_like_this(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines


@given(TEXTS, st.integers(8, 40))
def test_no_line_is_wider_than_the_window_and_no_sign_is_lost(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert max(map(columns, lines)) <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXTS, st.integers(0, 40))
def test_what_is_cut_or_filled_fits(text: str, width: int) -> None:
    assert text.startswith(cut(text, width))
    assert columns(filled(text, width)) == width
