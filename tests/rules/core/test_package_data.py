"""Does a broken data file say where it is broken?"""

from __future__ import annotations

import pytest

from bluebear.rules.core.package_data import DataError, paragraphs, parse_toml, read_text, read_toml

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
    with pytest.raises(DataError, match=r"rules\.md line 6: paragraph 1\.1 has no Japanese line"):
        paragraphs(broken, "rules.md")


def test_a_paragraph_at_the_very_end_needs_its_japanese_too() -> None:
    with pytest.raises(DataError, match="has no Japanese line"):
        paragraphs("- **1.1** Alone.", "rules.md")


def test_a_number_that_stands_twice_names_its_line() -> None:
    with pytest.raises(DataError, match=r"line 8: paragraph 1\.1 stands twice"):
        paragraphs(RULES.replace("2.10", "1.1"), "rules.md")


def test_a_broken_table_names_file_and_line() -> None:
    with pytest.raises(DataError, match=r"game\.toml.*line 2"):
        parse_toml("a = 1\nb =\nc = 2", "game.toml")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(
        DataError, match=r"^bluebear/rules/core/atlas\.toml: there is no such file$"
    ):
        read_toml("bluebear.rules.core", "atlas.toml")


def test_a_file_in_a_folder_below_is_read() -> None:
    assert "[refusal" in read_text("bluebear.rules", "core/phrases.toml")
