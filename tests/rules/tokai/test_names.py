"""Are stations, lines and regions found by what people call them, and told as people say them?"""

from __future__ import annotations

import pytest

from rules.core.phrases import Phrases
from rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from rules.core.slots import tokens_of
from rules.tokai.names import (
    DESTINATION_NAMES,
    LINE_NAMES,
    POINT_NAMES,
    destination_slot,
    line_slot,
    point_slot,
    region_slot,
)
from rules.tokai.network import LINES, POINTS, REGIONS
from rules.tokai.words import Words, money


@pytest.mark.rule("tokai 16.5")
@pytest.mark.parametrize(
    ("typed", "point"),
    [
        ("fujigaoka", "fujigaoka"),
        ("Fujigaoka", "fujigaoka"),
        ("藤ヶ丘", "fujigaoka"),
        ("藤が丘", "fujigaoka"),
        ("藤ケ丘", "fujigaoka"),
        ("Kami-Iida", "kami_iida"),
        ("KAMIIIDA", "kami_iida"),
        ("Ōsone", None),
        ("Ōzone", "ozone"),
        ("ｎａｇｏｙａ", "nagoya"),
        ("上小田井", "otai"),
        ("東枇杷島", "biwajima"),
        ("近鉄四日市", "yokkaichi"),
        ("新瀬戸", "seto_shi"),
        ("尾張一宮", "ichinomiya"),
        ("各務ヶ原", "kagamigahara"),
        ("expo-mem", "expo_memorial_park"),
        ("愛地球博", "expo_memorial_park"),
        ("名古屋", "nagoya"),
        ("金城", "kinjo_futo"),
    ],
)
def test_a_station_is_found_by_any_of_its_names(typed: str, point: str | None) -> None:
    assert POINT_NAMES.find(typed) == ((point,) if point else ())


@pytest.mark.rule("tokai 16.5")
@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("jr_chuo", "jr_chuo"),
        ("中央線", "jr_chuo"),
        ("chuo", "jr_chuo"),
        ("Chuo-Line", "jr_chuo"),
        ("新幹線", "jr_shinkansen"),
        ("名城線", "subway_meijo"),
        ("meijo", "subway_meijo"),
        ("名鉄犬山・各務原線", "meitetsu_inuyama"),
        ("犬山線", "meitetsu_inuyama"),
        ("尾西線", "meitetsu_tsushima"),
        ("komaki", "meitetsu_komaki"),
        ("近鉄", "kintetsu_nagoya"),
        ("愛環", "aichi_loop"),
        ("linimo", "linimo"),
        ("リニモ", "linimo"),
        ("main", "meitetsu_main"),
        ("東海道線", "jr_tokaido"),
    ],
)
def test_a_line_is_found_by_any_of_its_names(typed: str, line: str) -> None:
    assert LINE_NAMES.find(typed) == (line,)


@pytest.mark.rule("tokai 16.5")
def test_every_name_of_the_map_leads_where_it_belongs() -> None:
    for point in POINTS:
        assert [POINT_NAMES.find(name) for name in (point.id, point.ja, point.en)] == [
            (point.id,)
        ] * 3
    for line in LINES:
        assert [LINE_NAMES.find(name) for name in (line.id, line.ja, line.en, *line.names)] == [
            (line.id,)
        ] * (3 + len(line.names))
    for region in REGIONS:
        (token,) = tokens_of(region.ja)
        assert region_slot().read([token], 0) == (region.id, 1)


@pytest.mark.rule("tokai 16.5")
def test_an_ambiguous_prefix_names_its_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        line_slot().read(tokens_of("toyo"), 0)
    assert caught.value.candidates == ("meitetsu_toyota", "meitetsu_toyokawa")


@pytest.mark.rule("tokai 16.5")
def test_a_wrong_name_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(NotUnderstood) as caught:
        point_slot().read(tokens_of("fujigaoke"), 0)
    assert caught.value.candidates[0] == "fujigaoka"
    assert caught.value.params == {"slot": "point", "given": "fujigaoke"}
    with pytest.raises(NotUnderstood) as of_region:
        region_slot().read(tokens_of("atlantis"), 0)
    assert of_region.value.candidates == tuple(region.id for region in REGIONS)


@pytest.mark.rule("tokai 4.3")
def test_only_stations_of_the_tables_are_destinations() -> None:
    assert DESTINATION_NAMES.find("sako") == ()
    with pytest.raises(NotAllowed) as caught:
        destination_slot().read(["sako"], 0)
    assert (caught.value.code, caught.value.rule) == ("no_destination", "6.3")
    assert caught.value.params["point"] == "sako"


@pytest.mark.rule("tokai 16.5")
@pytest.mark.parametrize("text", ["栄駅", "栄まで", "栄駅まで", "栄へ"])
def test_what_people_write_behind_a_station_does_not_matter(text: str) -> None:
    assert POINT_NAMES.find(text) == ("sakae",)
    assert POINT_NAMES.exact(text) == "sakae"
    assert DESTINATION_NAMES.find(text) == ("sakae",)
    assert POINT_NAMES.find("駅") == ()


def test_nothing_but_hyphens_names_nothing() -> None:
    assert POINT_NAMES.find("---") == ()


WORDS = Words.from_table(
    {
        "event": {
            "told": {
                "en": "{seat}: {origin} to {point} by {line}, {region}, {payoff}, {count}, {item}",
                "ja": "{seat}: {origin}から{line}で{region}の{point}へ {payoff} {count} {item}",
            }
        },
        "word": {"item": {"express": {"en": "the ticket", "ja": "急行券"}}},
    },
    "phrases.toml",
    fallback=Phrases({}),
)


def test_sentences_say_stations_lines_and_money_as_people_do() -> None:
    params = {
        "seat": 1,
        "origin": "fujigaoka",
        "point": "okazaki",
        "line": "aichi_loop",
        "region": "mikawa",
        "payoff": 17,
        "count": 17,
        "item": "express",
    }
    assert WORDS.say("event.told", "en", params) == (
        "Seat 1: Fujigaoka to Okazaki by Aichi Loop Railway, Mikawa, 17,000 yen, 17, the ticket"
    )
    assert WORDS.say("event.told", "ja", params) == (
        "席1: 藤ヶ丘から愛知環状鉄道で三河の岡崎へ 17,000円 17 急行券"
    )


@pytest.mark.rule("tokai 1.3")
def test_money_is_shown_in_yen() -> None:
    assert [money(amount, "en") for amount in (0, 1, 1000)] == [
        "0 yen",
        "1,000 yen",
        "1,000,000 yen",
    ]
    assert money(17, "ja") == "17,000円"
