"""Does a broken data file say where it is broken?"""

from __future__ import annotations

import pytest

from bluebear.rules.core.package_data import (
    DataError,
    chapters,
    paragraphs,
    read_text,
)

RULES = """# A game

Some prose.

- **1.1** First sentence. Second one.
  最初の文。
- a list item without a number
- **2.10** Another.
  別の文。
"""


def test_paragraphs_are_read_in_both_languages() -> None:
    assert paragraphs(RULES, "rules.md") == {
        "1.1": ("First sentence. Second one.", "最初の文。"),
        "2.10": ("Another.", "別の文。"),
    }


def test_a_paragraph_without_japanese_names_its_line() -> None:
    broken = RULES.replace("  最初の文。\n", "")
    with pytest.raises(DataError, match=r"rules\.md line 5: paragraph 1\.1 has no Japanese line"):
        paragraphs(broken, "rules.md")


def test_a_paragraph_at_the_very_end_needs_its_japanese_too() -> None:
    with pytest.raises(DataError, match="has no Japanese line"):
        paragraphs("- **1.1** Alone.", "rules.md")


def test_a_number_that_stands_twice_names_its_line() -> None:
    with pytest.raises(DataError, match=r"line 8: paragraph 1\.1 stands twice"):
        paragraphs(RULES.replace("2.10", "1.1"), "rules.md")


CHAPTERS = """## 1. Wood / 木

> For newcomers.
> 初めての人に。

- **1.1** Alone.
  一人。

## 2. Stone / 石

- **2.1** Another.
  別の文。

## 2.1. Not a chapter / 章ではない
"""


def test_a_chapter_has_its_title_and_its_text_in_both_languages() -> None:
    assert chapters(CHAPTERS) == {
        "1": (("Wood", "木"), ("For newcomers.", "初めての人に。")),
        "2": (("Stone", "石"), ("", "")),
    }


RULING = """- **1.1** First sentence.
  最初の文。
  - Ruling A-7. Other reading: the reverse.
    裁定 A-7. 別の読み方: 逆。
- **1.2** Another.
  別の文。
  - Ruling B8. Other reading: one.
    裁定 B8. 別の読み方: 一。
  - Ruling B9. Other reading: two.
    裁定 B9. 別の読み方: 二。
"""


def test_a_ruling_stands_behind_its_paragraph_in_both_languages() -> None:
    assert paragraphs(RULING, "rules.md") == {
        "1.1": (
            "First sentence. [Ruling A-7. Other reading: the reverse.]",
            "最初の文。 [裁定 A-7. 別の読み方: 逆。]",
        ),
        "1.2": (
            "Another. [Ruling B8. Other reading: one.] [Ruling B9. Other reading: two.]",
            "別の文。 [裁定 B8. 別の読み方: 一。] [裁定 B9. 別の読み方: 二。]",
        ),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    裁定 A-7. 別の読み方: 逆。\n", ""),
        ("裁定 A-7", "裁定 A-8"),
        (" Other reading: the reverse.", ""),
        (" 別の読み方: 逆。", ""),
        ("Ruling A-7.", "Ruling."),
    ],
)
def test_a_ruling_needs_its_number_and_the_other_reading_twice(old: str, new: str) -> None:
    with pytest.raises(
        DataError, match=r"rules\.md line 1: paragraph 1\.1 has a ruling that is not in both"
    ):
        paragraphs(RULING.replace(old, new), "rules.md")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(
        DataError, match=r"^bluebear/rules/core/atlas\.toml: there is no such file$"
    ):
        read_text("bluebear.rules.core", "atlas.toml")


def test_a_file_in_a_folder_below_is_read() -> None:
    assert "[refusal" in read_text("bluebear.rules", "core/phrases.toml")
