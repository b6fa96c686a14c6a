"""How names are read: hiragana finds what kanji and katakana find."""

from __future__ import annotations

import pytest

from bluebear.rules.core.kana import hiragana, reading_of
from bluebear.rules.core.slots import Choice, FlagSlot, Lexicon


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("参加", "さんか"),
        ("ヘルプ", "へるぷ"),
        ("ロビー", "ろびー"),
        ("もう一度", "もういちど"),
        ("席12", "せき12"),
        ("中立3", "ちゅうりつ3"),
        ("はい", "はい"),
        ("join", None),
        ("鸚鵡返し", None),
    ],
)
def test_a_name_is_read(name: str, reading: str | None) -> None:
    assert reading_of(name) == reading


def test_katakana_become_hiragana_and_nothing_else_changes() -> None:
    assert hiragana("ナゴヤ駅ーA") == "なごや駅ーA"


def test_a_reading_finds_its_value_complete_or_begun_and_never_hides_a_name() -> None:
    result = Lexicon([Choice("join", ("参加",)), Choice("kana", ("さん",), ("席1",))])
    assert result.find("さんか") == ("join",)
    assert result.find("さん") == ("kana",)
    assert result.find("せき1") == ("kana",)
    assert set(result.near("さんが")) == {"join", "kana"}
    assert FlagSlot("cw", names=("右回り",)).matches("みぎまわり")
    assert FlagSlot("cw", names=("右回り",)).names("cw") == ("右回り",)
