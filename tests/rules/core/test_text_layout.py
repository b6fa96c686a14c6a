"""Do texts stand in columns, and do their lines break where a reader expects it?"""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.text_layout import (
    beside,
    columns,
    fit,
    flowed,
    listed,
    packed,
    right,
    without_accents,
    wrapped,
)

LEGEND: Final = (
    "A170: Aのカード170、a170: この手番に積んだもの、?: 伏せカード付き、s: 密輸、"
    "x: エクスプレス、+: メガ輸送。n15EU: ヨーロッパ行きの中立カードn15。"
)
STATUS: Final = "現在地 名電各務原、桑名から西尾へ(収益19,000円)、あと39駅"
DISCARDS: Final = "捨て札: 8番「販売の追加ポイント」、20番「入荷」(アフリカ)、12番「政治不安」。"


def test_a_cell_is_cut_or_filled_to_its_width() -> None:
    assert fit("seat", 6) == "seat  "
    assert fit("Wilhelmina", 4) == "Wilh"
    assert fit("緑", 4) == "緑  "
    assert fit("アジア", 5) == "アジ "


def test_a_number_stands_on_the_right_and_is_never_cut() -> None:
    assert right("12", 4) == "  12"
    assert right("緑", 4) == "  緑"
    assert right("1,234", 3) == "1,234"


def test_blocks_stand_side_by_side() -> None:
    map_, panel = ["都市 ", "+---+"], ["Score", "12", "more"]
    assert beside([map_, panel], "  ") == ["都市   Score", "+---+  12", "       more"]
    assert beside([panel, ["x"]], "|", [2, 1]) == ["Sc|x", "12|", "mo|"]


def test_terms_are_wrapped_and_later_lines_indented() -> None:
    assert wrapped(["one", "two", "three"], 8, 2) == ["one two", "  three"]
    assert wrapped(["石 置く", "京 平原", "奈良"], 15, 2) == ["石 置く 京 平原", "  奈良"]
    assert wrapped(["  Tax:", "Kinki"], 9, 4) == ["  Tax:", "    Kinki"]
    assert wrapped([], 9, 4) == [""]


def test_only_a_term_that_fits_on_no_line_is_broken() -> None:
    assert wrapped(["a", "Seat 12 (Ben)", "b"], 10, 2) == ["a Seat 12", "  (Ben) b"]
    assert wrapped(["abcdefgh"], 4, 1) == ["abcd", " efg", " h"]
    assert wrapped(["山の上の町", "村"], 6, 0) == ["山の", "上の町", "村"]


def test_a_head_may_be_as_wide_as_the_indent_of_what_follows() -> None:
    assert wrapped(["Kyoto  3", "-Nara", "*Otsu"], 14, 9) == ["Kyoto  3 -Nara", " " * 9 + "*Otsu"]


def test_packed_pieces_bring_what_separates_them() -> None:
    reply = packed(["Owned: ", *listed(["Linimo 1,000", "Kosei Line 2,000"], "en")], 21, 2)
    assert reply == ["Owned: Linimo 1,000,", "  Kosei Line 2,000"]
    reply = packed(["所有: ", *listed(["リニモ", "城北線", "湖西線"], "ja")], 14, 2)
    assert reply == ["所有: リニモ、", "  城北線、", "  湖西線"]
    assert packed(["    ", "12 ", "x "], 6, 4) == ["    12", "    x"]


def test_a_list_has_a_comma_after_all_but_the_last() -> None:
    assert listed(["a", "b", "c"], "en") == ["a, ", "b, ", "c"]
    assert listed(["赤", "青"], "ja") == ["赤、", "青"]
    assert listed([], "ja") == []


def test_english_breaks_at_its_spaces() -> None:
    text = "Cards of A: grey 19,000 (16,500); black, white x4."
    assert flowed(text, 24, 2) == ["Cards of A: grey 19,000", "  (16,500); black, white", "  x4."]
    assert flowed("  row 3: n07 (to Asia)", 16, 4) == ["  row 3: n07 (to", "    Asia)"]


def test_japanese_breaks_where_a_phrase_ends() -> None:
    assert flowed(LEGEND, 60, 2) == [
        "A170: Aのカード170、a170: この手番に積んだもの、?: 伏せ",
        "  カード付き、s: 密輸、x: エクスプレス、+: メガ輸送。n15EU:",
        "  ヨーロッパ行きの中立カードn15。",
    ]
    assert flowed("お金を3個まで取り除く。", 14, 0) == ["お金を3個まで", "取り除く。"]
    assert flowed("次の人はお金を払う", 12, 0) == ["次の人は", "お金を払う"]


def test_a_number_keeps_what_it_counts() -> None:
    assert flowed(STATUS, 54, 2) == [
        "現在地 名電各務原、桑名から西尾へ(収益19,000円)、",
        "  あと39駅",
    ]
    assert flowed("弓使い10、槍使い7、刀使い5", 14, 0) == ["弓使い10、", "槍使い7、", "刀使い5"]
    assert flowed("移動は残り3歩", 12, 0) == ["移動は", "残り3歩"]


def test_brackets_stay_with_what_they_are_about() -> None:
    assert flowed(DISCARDS, 48, 2) == [
        "捨て札: 8番「販売の追加ポイント」、",
        "  20番「入荷」(アフリカ)、12番「政治不安」。",
    ]
    long = "12番「政治不安」(オーストラリア)"
    assert flowed(long, 24, 2) == ["12番「政治不安」", "  (オーストラリア)"]


def test_a_long_phrase_is_broken_between_its_terms() -> None:
    text = "中央高速鉄道株式会社エクスプレス乗車券"
    assert flowed(text, 30, 0) == ["中央高速鉄道株式会社", "エクスプレス乗車券"]
    assert flowed("新幹線乗換案内所前広場行き", 10, 0) == ["新幹線乗換", "案内所前広", "場行き"]


def test_a_term_of_katakana_is_only_broken_where_it_fits_on_no_line() -> None:
    assert flowed("サンフランシスコ", 8, 0) == ["サンフラ", "ンシスコ"]
    assert flowed("スーパーカー", 6, 0) == ["スー", "パー", "カー"]


@pytest.mark.parametrize("text", ["", "word。", "一"])
def test_what_fits_stays_as_it_is(text: str) -> None:
    assert flowed(text, 6, 2) == [text]


MARKS: Final = st.text("ab12 /.,:()[]、。「」（）あおのをっょーアイカード手番駅!", max_size=60).map(
    str.strip
)
COUNTED: Final = r"[A-Za-z0-9,]+\S?"
"""A Latin word or a number, and what it counts."""
PHRASES: Final = st.lists(
    st.sampled_from(
        [
            "東京の",
            "カードを",
            "3個",
            "駅、",
            "「出発」",
            "(次に2つ)",
            "A170と",
            "Nara ",
            "1,000円。",
        ]
    ),
    max_size=30,
).map("".join)


@given(MARKS, st.integers(8, 40), st.integers(0, 6))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, width: int, indent: int) -> None:
    lines = flowed(text, width, indent)
    assert [line for line in lines if columns(line) > width] == []
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(PHRASES, st.integers(12, 60))
def test_marks_stay_with_their_terms_and_latin_terms_are_complete(text: str, width: int) -> None:
    lines = flowed(text, width, 0)
    assert [line for line in lines if re.match("[、。」)ー]", line)] == []
    assert [line for line in lines if line.endswith(("「", "("))] == []
    reported = [term for line in lines for term in re.findall(COUNTED, line)]
    assert reported == re.findall(COUNTED, text)


def test_accents_go_and_other_scripts_stay() -> None:
    assert without_accents("São Paulo, Kyōto") == "Sao Paulo, Kyoto"
    assert without_accents("がっこう ガ") == "がっこう ガ"
    assert without_accents("plain") == "plain"
