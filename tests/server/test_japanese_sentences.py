"""Sentences for Japanese readers name commands, lists and levels as these readers type them."""

from __future__ import annotations

import re

from tests.server.fixtures import Stage


def test_an_empty_list_says_how_a_name_is_added(stage: Stage) -> None:
    stage.come("Emi", lang="ja")
    assert "/友だち 追加 名前" in str(stage.say("Emi", "/友だち", lobby=True))


def test_praise_of_a_room_says_how_one_enters_it(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.come("Emi", lang="ja")
    received = stage.say("Ayu", "/gameyell")
    assert f"入力: /部屋 {stage.room_id}" in str(received["Emi"])


def test_levels_of_house_bots_have_their_names(stage: Stage) -> None:
    stage.come("Emi", lang="ja")
    stage.table("manhattan", "Emi")
    sentence = str(stage.say("Emi", "/ボット一覧"))
    assert "/ボット 見習い  自分の得だけ" in sentence
    assert "2人戦で 見習い を相手に" in sentence
    assert "/ボット 欲張り  普通と" in sentence
    assert "/ボット ランダム  打てる" in sentence
    assert not re.search("pupil|greedy|random", sentence)
