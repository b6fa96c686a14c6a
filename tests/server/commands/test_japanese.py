"""A Japanese reader reads Japanese names: in refusals, candidates, completion and help."""

from __future__ import annotations

import pytest

from bluebear.server.commands.catalogue import complete
from tests.server.commands.fixtures import House, opened, playing


def reader(game: str) -> House:
    """A running game in which Ayu reads Japanese."""
    house = playing(game)
    house.enter("Ayu", lang="ja")
    return house


@pytest.mark.parametrize(
    ("game", "typed", "sentence"),
    [
        ("tokai", "/経路", "/経路 には駅の名前が必要です。"),
        ("tokai", "/route", "/経路 には駅の名前が必要です。"),
        ("manhattan", "/tke", "候補: /取る"),
        ("tokugawa", "/勝率", "/勝率 には出発地が必要です。"),
        ("tokugawa", "/勝率 きょうと なら 3", "3 は余分です。"),
        ("manhattan", "/伝言", "/伝言 には"),
    ],
)
def test_refusals_say_what_a_japanese_reader_types(game: str, typed: str, sentence: str) -> None:
    assert sentence in reader(game).say("Ayu", typed).text


def test_candidates_of_programs_stay_canonical() -> None:
    received = reader("manhattan").say("Ayu", "/tke")
    assert received.candidates[0] == "/take"
    assert "/take" not in received.text


def test_lines_that_are_offered_are_in_japanese() -> None:
    house = opened("manhattan")
    house.enter("Ayu", lang="ja")
    house.script("Ayu: /参加")
    text = house.say("Ayu", "/おぷしょん sixronds").text
    assert "6ラウンド" in text
    assert "sixrounds" not in text


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("/さんか", "参加"),
        ("/へるぷ", "ヘルプ"),
        ("/じょうほう", "情報"),
        ("/へやいちらん", "部屋一覧"),
        ("/たいせき", "退席"),
    ],
)
def test_hiragana_finds_commands(typed: str, command: str) -> None:
    """What the kanji do, the reading does."""
    kanji, kana = opened("manhattan"), opened("manhattan")
    for house in (kanji, kana):
        house.enter("Ben", lang="ja")
    assert kana.say("Ben", typed).text == kanji.say("Ben", f"/{command}").text


@pytest.mark.parametrize(
    ("game", "typed", "offered"),
    [
        ("manhattan", "/み", "/見る"),
        ("tokai", "/けい", "/経路"),
        ("tokai", "/経路 なごやこ", "名古屋港"),
        ("tokugawa", "/勝率 きょ", "京都"),
    ],
)
def test_completion_is_in_japanese(game: str, typed: str, offered: str) -> None:
    result = complete(reader(game).scene("Ayu"), typed).candidates
    assert offered in result
    assert not [each for each in result if each.isascii()]


def test_help_shows_japanese_lines() -> None:
    text = reader("manhattan").say("Ayu", "/ヘルプ 参加").text
    assert text.startswith("/参加 [席]")


@pytest.mark.parametrize("term", ["help", "ヘルプ", "説明"])
def test_an_option_is_explained_by_its_name(term: str) -> None:
    house = opened("manhattan")
    house.script("Ayu: /join")
    text = house.say("Ayu", f"/option sixrounds {term}").text
    assert text.startswith("  /option sixrounds off  (on | off) Six rounds of four blocks")
    assert house.scene("Ayu").room == house.room
    house.enter("Ayu", lang="ja")
    japanese = house.say("Ayu", f"/オプション 6ラウンド {term}").text
    assert japanese.startswith("  /オプション 6ラウンド オフ  (オン | オフ) 6個ずつ")
