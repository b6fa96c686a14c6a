"""House bots by their levels: seated in both languages, and told of by /bots."""

from __future__ import annotations

import pytest

from bluebear.rules.core.search_model import LEVELS
from tests.server.commands.fixtures import opened


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_of_every_level_can_be_seated(level: str) -> None:
    house = opened()
    house.script("Ayu: /join 1")
    assert house.say("Ayu", f"/bot {level} 2").code == ""
    assert house.say("Ayu", "/who").text.count(level) == 1


@pytest.mark.parametrize(
    ("typed", "level"),
    [
        ("見習い", "pupil"),
        ("ふつう", "casual"),
        ("中級", "club"),
        ("上級", "strong"),
        ("名人", "master"),
        ("欲張り", "greedy"),
        ("よくばり", "greedy"),
        ("ランダム", "random"),
    ],
)
def test_house_bots_have_japanese_names(typed: str, level: str) -> None:
    house = opened()
    house.script("Ayu: /join 1")
    assert house.say("Ayu", f"/ボット {typed} 2").code == ""
    assert level in house.say("Ayu", "/who").text


def test_a_game_without_a_thinker_has_no_levels() -> None:
    house = opened("duel")
    house.script("Ayu: /join 1")
    received = house.say("Ayu", "/bot master 2")
    assert received.code == "bad_word"
    assert "random" in received.candidates


def test_bots_tells_of_every_house_bot_what_it_does() -> None:
    house = opened()
    house.script("Ayu: /join 1")
    text = house.say("Ayu", "/bots").text
    assert [name for name in (*LEVELS, "greedy", "random") if f"/bot {name}" not in text] == []
    assert "looks ahead further" in text
    assert "best at first sight" in text
    assert "66 of 100 games won against pupil (100 played)" in text


@pytest.mark.parametrize("key", ["manhattan", "railroad_ink"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_house_bot_is_only_a_name(key: str, lang: str) -> None:
    house = opened(key)
    house.script("Ayu: /join 1")
    house.say("Ayu", f"/lang {lang}")
    heads = [line for line in house.say("Ayu", "/bots").text.splitlines() if line.startswith("/")]
    assert len(heads) == len(LEVELS) + 2
    assert [line for line in heads if "  " not in line] == []


def test_a_casual_bot_that_plans_is_not_reported_to_play_at_first_sight() -> None:
    house = opened("railroad_ink")
    house.script("Ayu: /join 1")
    text = house.say("Ayu", "/bots").text
    assert "/bot casual  looks ahead a little" in text
    assert "best at first sight" not in text
