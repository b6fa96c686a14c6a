"""Do the data files hold together, and is a broken one reported with its line?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import pytest

from bluebear.rules.core.package_data import DataError, read_text
from bluebear.rules.tokai.data.map_data import FREE, Atlas, LineId, PointId, load, read
from bluebear.rules.tokai.rules.network import (
    ATLAS,
    CONSTANTS,
    DEALT,
    DESTINATIONS,
    LINE_AT,
    LINES,
    POINT_AT,
    POINTS,
    REGIONS,
    Turn,
    steps_to,
    ways,
)

FILES: Final = {
    name: read_text("bluebear.rules.tokai", f"data/{name}.toml")
    for name in ("map", "tables", "payoffs")
}


def at(point: str) -> int:
    return POINT_AT[PointId(point)]


def broken(file: str, old: str, new: str) -> Atlas:
    """The atlas with one place of one file changed."""
    assert old in FILES[file]
    texts = dict(FILES)
    texts[file] = texts[file].replace(old, new, 1)
    return read(texts["map"], texts["tables"], texts["payoffs"])


def line_number(file: str, text: str) -> int:
    """The line of a file, from 1, in which a text stands first."""
    return FILES[file][: FILES[file].index(text)].count("\n") + 1


@pytest.mark.rule("tokai 1.1", "tokai 1.2")
def test_the_map_has_as_many_of_everything_as_the_game() -> None:
    assert (len(LINES), len(POINTS), len(DESTINATIONS), len(REGIONS)) == (34, 422, 84, 9)
    assert sum(line.price for line in LINES) == 566
    assert sum(point.skip for point in POINTS) == 46
    assert CONSTANTS.express_ticket_count == 6


@pytest.mark.rule("tokai 3.1.1", "tokai 3.1.6")
def test_thirty_lines_are_cheap_enough_to_be_dealt_and_any_five_of_them_allow_a_choice() -> None:
    prices = sorted(line.price for line in LINES if line.id in DEALT)
    assert (len(prices), prices[-1]) == (30, 30)
    assert sorted(line.price for line in LINES if line.id not in DEALT) == [35, 38, 38, 40]
    # The five cheapest reach 20, and adding lines of at most 20 one by one never jumps 20 to 40.
    assert sum(prices[:5]) >= CONSTANTS.prepurchase_min
    assert CONSTANTS.prepurchase_max >= 2 * CONSTANTS.prepurchase_min


@pytest.mark.rule("tokai 4.1.1")
def test_each_destination_has_a_region_and_can_be_rolled_there() -> None:
    for region in REGIONS:
        rolled = {entry for column in region.table.both for entry in column}
        assert rolled - {FREE} == set(region.destinations)
    rolled_regions = {each for column in ATLAS.region_table.both for each in column}
    assert rolled_regions == {region.id for region in REGIONS}


@pytest.mark.rule("tokai 7.2.2.1", "tokai 7.2.2.2")
def test_a_ticket_shortens_routes_but_never_the_one_from_otai_to_nagoya() -> None:
    nagoya, inuyama = at("nagoya"), at("inuyama")
    for express in (False, True):
        assert steps_to(nagoya, express=express)[at("otai")] == 3
    # Inuyama to Gifu: 12 by Meitetsu, 8 with a ticket, 7 by way of the Takayama Line.
    (meitetsu,) = ways(LINE_AT[LineId("meitetsu_inuyama")], inuyama, at("gifu"))
    assert (meitetsu.steps(express=False), meitetsu.steps(express=True)) == (12, 8)
    assert steps_to(at("gifu"), express=False)[inuyama] == 7


@pytest.mark.rule("tokai 16.2")
def test_a_loop_has_two_routes_and_the_map_says_which_is_clockwise() -> None:
    meijo = LINE_AT[LineId("subway_meijo")]
    short, long = ways(meijo, at("kanayama"), at("sakae"))
    assert [POINTS[point].id for point in short.points] == [
        "higashi_betsuin",
        "kamimaezu",
        "yaba_cho",
        "sakae",
    ]
    assert (short.turn, long.turn) == (Turn.CLOCKWISE, Turn.COUNTER)
    assert len(short.points) + len(long.points) == len(LINES[meijo].points)


@pytest.mark.rule("tokai 16.1")
def test_a_branch_is_followed_to_its_end() -> None:
    kintetsu = LINE_AT[LineId("kintetsu_nagoya")]
    (route,) = ways(kintetsu, at("tsu"), at("yunoyama_onsen"))
    assert [POINTS[point].id for point in route.points][-4:] == [
        "yokkaichi",
        "takatsuno",
        "komono",
        "yunoyama_onsen",
    ]
    assert ways(kintetsu, at("tsu"), at("gifu")) == ()
    assert ways(kintetsu, at("tsu"), at("tsu")) == ()


WRONG: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "no toml": ("map", "price = 40", "price = = 40", "price = 40"),
    "a constant missing": ("map", "start_money = 50\n", "", "[constants]"),
    "a constant that is no number": ("map", "start_money = 50", 'start_money = "50"', "start_mon"),
    "money below the purchase": ("map", "start_money = 50", "start_money = 30", "[constants]"),
    "a fare of nothing": ("map", "other = 5", "other = 0", "other = 5"),
    "a canvas of one side": ("map", "canvas = [1000, 1000]", "canvas = [1000]", "canvas ="),
    "a price below 1": ("map", "price = 40", "price = 0", "price = 40"),
    "a colour in words": ("map", '"#f77321"', '"orange"', '"#f77321"'),
    "an unknown railway": (
        "map",
        'operator = "kintetsu"',
        'operator = "hankyu"',
        'operator = "kin',
    ),
    "a line twice": ("map", 'id = "jr_chuo"', 'id = "jr_tokaido"', '[[line]]\nid = "jr_chuo"'),
    "a line with capitals": ("map", 'id = "jr_chuo"', 'id = "JR"', 'id = "jr_chuo"'),
    "a path to nowhere": ("map", '"tarui", "ogaki"', '"tarui", "osaka"', '[\n    "sekigahara"'),
    "a path that returns": (
        "map",
        '"tarui", "ogaki"',
        '"tarui", "kiyosu"',
        '[[line]]\nid = "jr_tokaido"',
    ),
    "a loop that is open": ("map", "loop = true", "loop = false", '[[line]]\nid = "subway_meijo"'),
    "a point beside the map": ("map", "x = 185", "x = 1850", "gifu_hashima = "),
    "a point without a name": ("map", 'ja = "穂積"', 'ja = ""', "hozumi = "),
    "a point on no line": (
        "map",
        "\nhozumi = ",
        "\nosaka = { ja = '大阪', en = 'Osaka', x = 1, y = 1 }\nhozumi = ",
        "hozumi = ",
    ),
    "a skipped interchange": ("map", '"Kanie", x', '"Kanie", skip = true, x', "kanie = "),
    "an unknown destination": (
        "tables",
        '"nagoya", "sakae"',
        '"osaka", "sakae"',
        'destinations = [\n    "nagoya"',
    ),
    "a destination twice": ("tables", '"komaki", "iw', '"komaki", "komaki", "iw', '"komaki"'),
    "a column too short": (
        "tables",
        '"mie", "mie", "south"',
        '"mie", "south"',
        'odd = [\n    "mie", "mie"',
    ),
    "an unknown region": (
        "tables",
        '"mie", "mie", "south"',
        '"ise", "mie", "south"',
        'odd = [\n    "mie", "mie"',
    ),
    "a city of another region": (
        "tables",
        '"kachigawa", "otai"',
        '"nagoya", "otai"',
        'odd = [\n    "kachigawa"',
    ),
    "a payoff missing": ("payoffs", "nagoya = [4, 3", "nagoya = [3", "nagoya ="),
    "a payoff of nothing": ("payoffs", "nagoya = [4, 3", "nagoya = [0, 3", "nagoya ="),
    "a payoff for a stop": ("payoffs", "nagoya = [", "sako = [1]\nnagoya = [", "nagoya ="),
}


@pytest.mark.parametrize(("file", "old", "new", "mark"), WRONG.values(), ids=WRONG)
def test_a_broken_file_says_its_line(file: str, old: str, new: str, mark: str) -> None:
    with pytest.raises(DataError) as caught:
        broken(file, old, new)
    match = re.search(rf"{file}\.toml.*?line (\d+)", str(caught.value))
    assert match is not None, str(caught.value)
    assert int(match[1]) == line_number(file, mark), str(caught.value)


def test_the_files_of_the_game_are_read_once_and_equally() -> None:
    assert load() == ATLAS
