"""Are stations, lines and regions found by what people call them, and told as people say them?"""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.core.slots import tokens_of
from bluebear.rules.core.tables import DataFile
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.rules.network import LINES, POINTS, REGIONS
from bluebear.rules.tokai.text.names import (
    DESTINATION,
    DESTINATION_NAMES,
    LINE,
    LINE_NAMES,
    LINES_CALLED,
    POINT,
    POINT_NAMES,
    POINTS_CALLED,
    REGION,
    REGION_NAMES,
    REGIONS_CALLED,
    MapPhrases,
    _names,
    money,
)


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
        ("なごや", "nagoya"),
        ("ナゴヤ", "nagoya"),
        ("めいえき", "nagoya"),
        ("さかえ", "sakae"),
        ("ふじがおか", "fujigaoka"),
        ("イケシタ", "ikeshita"),
        ("ちゅうぶこくさいくうこう", "chubu_airport"),
        ("名駅", "nagoya"),
        ("Meieki", "nagoya"),
        ("セントレア", "chubu_airport"),
        ("中部空港", "chubu_airport"),
        ("空港", "chubu_airport"),
        ("名古屋城", "shiyakusho"),
        ("新栄", "shinsakae_machi"),
        ("ナゴヤドーム", "nagoya_dome_mae_yada"),
        ("バンテリンドーム", "nagoya_dome_mae_yada"),
        ("名大", "nagoya_daigaku"),
        ("名港", "nagoya_ko"),
        ("大須", "osu_kannon"),
        ("東山動物園", "higashiyama_koen"),
        ("モリコロパーク", "expo_memorial_park"),
        ("ジブリパーク", "expo_memorial_park"),
        ("レゴランド", "kinjo_futo"),
        ("川越富洲原", "tomisuhara"),
        ("総リハ", "sogo_rihabiri_center"),
        ("熱田神宮西", "jingu_nishi"),
        ("新豊田", "toyota_shi"),
        ("湯の山", "yunoyama_onsen"),
    ],
)
def test_a_station_is_matched_by_any_of_its_names(typed: str, point: str | None) -> None:
    assert POINT_NAMES.find(typed) == ((point,) if point else ())


@pytest.mark.rule("tokai 16.5")
@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("jr_chuo", "jr_chuo"),
        ("中央線", "jr_chuo"),
        ("中央西線", "jr_chuo"),
        ("ちゅうおうせん", "jr_chuo"),
        ("JR東海道線", "jr_tokaido"),
        ("とうかいどうせん", "jr_tokaido"),
        ("シンカンセン", "jr_shinkansen"),
        ("近鉄線", "kintetsu_nagoya"),
        ("きんてつ", "kintetsu_nagoya"),
        ("愛環線", "aichi_loop"),
        ("あいかん", "aichi_loop"),
        ("名鉄名古屋線", "meitetsu_main"),
        ("瀬戸電", "meitetsu_seto"),
        ("せとでん", "meitetsu_seto"),
        ("空港線", "meitetsu_tokoname"),
        ("東部丘陵線", "linimo"),
        ("りにも", "linimo"),
        ("めいじょうせん", "subway_meijo"),
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
def test_a_line_is_matched_by_any_of_its_names(typed: str, line: str) -> None:
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
        assert REGION.read([token], 0) == (region.id, 1)


@pytest.mark.rule("tokai 16.5")
def test_an_ambiguous_prefix_names_its_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        LINE.read(tokens_of("toyo"), 0)
    assert caught.value.candidates == ("meitetsu_toyota", "meitetsu_toyokawa")


@pytest.mark.rule("tokai 16.5")
def test_a_wrong_name_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(NotUnderstood) as caught:
        POINT.read(tokens_of("fujigaoke"), 0)
    assert caught.value.candidates[0] == "fujigaoka"
    assert caught.value.params == {"slot": "point", "given": "fujigaoke"}
    with pytest.raises(NotUnderstood) as of_region:
        REGION.read(tokens_of("atlantis"), 0)
    assert of_region.value.candidates == tuple(region.id for region in REGIONS)


@pytest.mark.rule("tokai 4.3")
def test_only_stations_of_the_tables_are_destinations() -> None:
    assert DESTINATION_NAMES.find("sako") == ()
    with pytest.raises(NotAllowed) as caught:
        DESTINATION.read(["sako"], 0)
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


PHRASES = MapPhrases(
    {
        "event.told": Phrase(
            "{seat}: {origin} to {point} by {line}, {region}, {payoff}, {count}, {item}",
            "{seat}: {origin}から{line}で{region}の{point}へ {payoff} {count} {item}",
        ),
        "word.item.express": Phrase("the ticket", "急行券"),
        **dict.fromkeys(
            [f"explain.{kind}" for kind in ("line", "region", "destination", "station")],
            Phrase("A place.", "場所。"),
        ),
    },
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
    assert PHRASES.say("event.told", "en", params) == (
        "Seat 1: Fujigaoka to Okazaki by Aichi Loop Railway, Mikawa, 17,000 yen, 17, the ticket"
    )
    assert PHRASES.say("event.told", "ja", params) == (
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


@pytest.mark.rule("tokai 16.5")
def test_every_station_line_and_region_is_matched_by_its_reading() -> None:
    """In hiragana and in katakana; where two are read alike, the first of the map is found."""
    for called, names in (
        (POINTS_CALLED, POINT_NAMES),
        (LINES_CALLED, LINE_NAMES),
        (REGIONS_CALLED, REGION_NAMES),
    ):
        for value, also in called.items():
            assert also, value
            assert all(names.exact(name) is not None for name in also)
            assert value in {names.exact(name) for name in also}, value
            kana = also[0]
            assert not set(kana) - set(HIRAGANA), f"{value}: {kana}"
            assert names.exact(also[1]) == names.exact(kana), value


HIRAGANA = [chr(code) for code in range(0x3041, 0x3097)] + ["ー"]


_A: Final = '[points]\na = ["え"]\n'


@pytest.mark.rule("tokai 16.5")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "readings.toml: points: a is missing"),
        ("[points]", "readings.toml line 1: points: a is missing"),
        (f'{_A}b = ["び"]', "readings.toml line 1: points: b is unknown"),
        (
            f'{_A}[nicknames.points]\nb = ["B"]',
            "readings.toml line 3: nicknames points: b is unknown",
        ),
        ("[points]\na = [1]", "readings.toml line 2: points a: Expected str, got int"),
        (
            f"{_A}[nicknames.points]\na = [1]",
            "readings.toml line 4: nicknames points a: Expected str, got int",
        ),
        (
            f'{_A}[nicknames]\npoints = ["a"]',
            "readings.toml line 4: nicknames points: Expected object, got array",
        ),
    ],
)
def test_a_wrong_file_of_readings_is_named_with_its_fault(text: str, wrong: str) -> None:
    file = DataFile(dict[str, dict[str, Any]], text, "readings.toml")
    with pytest.raises(DataError, match=f"^{re.escape(wrong)}$"):
        _names(file, "points", ["a"])


@pytest.mark.rule("tokai 16.5")
def test_a_file_of_readings_may_have_no_nicknames() -> None:
    file = DataFile(dict[str, dict[str, Any]], _A, "readings.toml")
    assert _names(file, "points", ["a"]) == {"a": ("え", "エ")}


@pytest.mark.rule("tokai 16.4")
@pytest.mark.parametrize(
    ("typed", "thousands"),
    [
        ("1万7000円", 17),
        ("1万7,000円", 17),
        ("1.7万", 17),
        ("1．7万円", 17),
        ("１万７千", 17),
        ("2万", 20),
        ("0.5万", 5),
        ("12.3万円", 123),
        ("5千円", 5),
        ("1万500", None),
        ("1.75万", None),
        ("万", None),
        ("1.7", None),
    ],
)
def test_amounts_as_people_write_them(typed: str, thousands: int | None) -> None:
    slot = GAME.grammar.verbs["bid"].slots[0]
    if thousands is None:
        with pytest.raises(NotUnderstood, match="bad_amount"):
            slot.read(tokens_of(typed), 0)
    else:
        assert slot.read(tokens_of(typed), 0)[0] == thousands
