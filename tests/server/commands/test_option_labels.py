"""Options and their values in the language of the person who reads or types them."""

from __future__ import annotations

import pytest

from bluebear import rules
from bluebear.rules.core.game_info import Option
from bluebear.rules.core.phrases import Phrase
from bluebear.rules.core.slots import fold
from bluebear.server.commands.catalogue import complete
from bluebear.server.room.options import (
    CLOCKS,
    GENERAL,
    TOGGLE,
    format_value,
    named_values,
    option_text,
    options_for,
)
from bluebear.server.rooms.views import game_body
from tests.games.journey import JourneyGame
from tests.server.commands.fixtures import House, opened

GAMES = rules.games()


def japanese(game: str = "journey") -> House:
    """An open room of Ayu's, who reads Japanese."""
    house = opened(game)
    house.enter("Ayu", lang="ja")
    house.script("Ayu: /参加")
    return house


def everything() -> list[tuple[str, Option]]:
    games = ((key, option) for key, game in GAMES.items() for option in game.info.options.values())
    return [*games, *(("", option) for option in GENERAL.values())]


@pytest.mark.parametrize(
    ("game", "option"), everything(), ids=lambda each: str(getattr(each, "name", each))
)
def test_what_a_japanese_reader_is_shown_can_be_typed(game: str, option: Option) -> None:
    assert not option.typed_name("ja").isascii(), f"{option.name} has a Japanese name"
    assert option.label not in ("", option.name) or "_" not in option.name
    for value in (*named_values(option), *(CLOCKS if option.kind == "clock" else ())):
        text = format_value(option, value, "ja")
        if value.isalpha():
            assert not text.isascii(), f"{option.name} {value} has a Japanese word"
        wanted = "on" if value == TOGGLE else value
        assert option_text(option, text, before="off") == wanted


@pytest.mark.parametrize(
    ("typed", "option", "value"),
    [
        ("/オプション 観戦 招待のみ", "watch", "invited"),
        ("/オプション かんせん だれでも", "watch", "all"),
        ("/オプション 観戦 なし", "watch", "none"),
        ("/オプション 観戦会話 観戦者のみ", "watchchat", "apart"),
        ("/オプション 時計 3日", "clock", "3d"),
        ("/オプション 時計 なし", "clock", "off"),
        ("/オプション 席順抽選 あり", "drawseat", "on"),
        ("/オプション 席順抽選 切替", "drawseat", "on"),
        ("/オプション 季節 冬", "season", "winter"),
        ("/option season winter", "season", "winter"),
    ],
)
def test_values_are_typed_in_either_language(typed: str, option: str, value: str) -> None:
    house = japanese()
    assert house.say("Ayu", typed).lines == (f"/option {option} {value}",)


def test_all_people_hear_of_an_option_in_their_terms() -> None:
    house = japanese()
    assert house.say("Ayu", "/オプション 観戦 招待のみ").text == (
        "オプション 観戦 が 招待のみ になりました。"
    )
    house.enter("Ayu", lang="en")
    assert house.say("Ayu", "/option season winter").text == "Option season is winter now."


def test_the_room_at_a_glance_says_options_as_text() -> None:
    house = japanese()
    house.script("Ayu: /オプション 季節 冬", "Ayu: /オプション 時計 2d")
    text = house.say("Ayu", "/情報").text
    assert "オプション: 季節=冬、時計=2日" in text
    assert "観戦=誰でも" in text
    listed = house.say("Ayu", "/オプション").text
    assert "/オプション 開始確認 オフ" in listed
    assert "(夏 | 冬)" in house.say("Ayu", "/オプション 季節 説明").text


def test_a_wrong_value_is_answered_with_terms() -> None:
    house = japanese()
    refused = house.say("Ayu", "/オプション 季節 春")
    assert "夏" in refused.text
    assert "summer" not in refused.text
    assert set(refused.candidates) == {"summer", "winter"}, "programs get what is canonical"


def test_a_wrong_term_of_a_command_is_answered_with_terms() -> None:
    house = japanese()
    text = house.say("Ayu", "/新部屋 マンハッタン 秘密").text
    assert "公開" in text
    assert "public" not in text


def test_an_advice_is_reported_as_it_is_typed() -> None:
    house = japanese("manhattan")
    house.enter("Ben", "Cho")
    house.script("Ben: /join")
    house.enter("Cho", lang="ja")
    advice = house.say("Cho", "/参加").text
    assert "/オプション 6ラウンド オン" in advice
    assert house.say("Cho", "/オプション 6ラウンド オン").lines == ("/option sixrounds on",)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("/オプション ", "季節"),
        ("/オプション かいし", "開始確認"),
        ("/オプション 季節 ", "冬"),
        ("/オプション 観戦 しょうたい", "招待のみ"),
        ("/オプション season w", "winter"),
        ("/オプション 開始確認 ", "オン"),
        ("/オプション 時計 ", "3日"),
        ("/オプション ", "説明"),
        ("/新部屋 ", "マンハッタン"),
        ("/新部屋 マンハッタン ", "限定公開"),
    ],
)
def test_completion_continues_in_japanese(typed: str, offered: str) -> None:
    assert offered in complete(japanese().scene("Ayu"), typed).candidates


def test_completion_in_english_is_canonical() -> None:
    house = opened("journey")
    assert "winter" in complete(house.scene("Ayu"), "/option season ").candidates


@pytest.mark.parametrize("key", GAMES)
def test_clients_get_names_and_terms_for_forms(key: str) -> None:
    body = game_body(GAMES[key])
    registered = options_for(GAMES[key])
    forms = [*body["options"], *body["general"]]
    assert [form["name"] for form in forms] == list(registered)
    for form in forms:
        option = registered[form["name"]]
        assert form["label"] == Phrase(option.label or option.name, option.typed_name("ja"))
        for value, terms in form["words"].items():
            assert terms["ja"] == option.localized(value, "ja")
            assert all(fold(name) for name in terms["names"])


def test_clients_get_the_names_of_the_parts_of_a_score() -> None:
    scores = game_body(GAMES["manhattan"])["scores"]
    assert scores["tallest"] == Phrase("Tallest building", "最高層ビル")
    assert scores.keys() == {"buildings", "cities", "tallest"}


def test_clients_get_the_game_in_a_minute_where_it_says_itself() -> None:
    summary = game_body(GAMES["tokai"])["summary"]
    assert summary["en"].startswith("The most cash and lines win")
    assert summary["ja"].startswith("最後の路線が売れたとき")
    assert game_body(JourneyGame())["summary"] == {}
