"""A broken data file says which line is wrong, and what would be right."""

from __future__ import annotations

import pytest

from bluebear.rules.core.package_data import DataError, read_text
from bluebear.rules.tokugawa.data.map_loader import read_map
from bluebear.rules.tokugawa.data.pieces_loader import read_pieces

MAP = read_text("bluebear.rules.tokugawa.data", "map.toml")
PIECES = read_text("bluebear.rules.tokugawa.data", "pieces.toml")


def line_of(text: str, section: str) -> int:
    """The number of the only line that contains a part."""
    (results,) = [n for n, line in enumerate(text.splitlines(), start=1) if section in line]
    return results


def broken_map(old: str, new: str) -> str:
    """What the map says when one place of it is changed."""
    assert MAP.count(old) == 1, old
    with pytest.raises(DataError) as caught:
        read_map(MAP.replace(old, new), "map.toml")
    return str(caught.value)


def broken_pieces(old: str, new: str) -> str:
    """What the file of pieces says when one place of it is changed."""
    assert PIECES.count(old) == 1, old
    with pytest.raises(DataError) as caught:
        read_pieces(PIECES.replace(old, new), "pieces.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        (
            '"ひめじ", province = "kinki"',
            '"ひめじ", province = "kinky"',
            'id = "himeji"',
            "town himeji: province 'kinky' is none of kinki, chugoku, saigoku, hokuriku, chubu, "
            "tokai, kanto, oshu, michinoku",
        ),
        (
            "x = 421, y = 639",
            "x = 421, y = 1639",
            'id = "himeji"',
            "town himeji: y is a whole number from 0 to 1000, not 1639",
        ),
        (
            "x = 421, y = 639",
            'x = "421", y = 639',
            'id = "himeji"',
            "town himeji: x is a whole number from 0 to 1000, not '421'",
        ),
        (
            "x = 421, y = 639",
            "x = true, y = 639",
            'id = "himeji"',
            "town himeji: x is a whole number from 0 to 1000, not True",
        ),
        ("x = 421, y = 639", "x = 421", 'id = "himeji"', "town himeji: y is missing"),
        (
            "x = 421, y = 639",
            "x = 421, y = 639, z = 3",
            'id = "himeji"',
            "town himeji: there is no field z",
        ),
        (
            'mirror = "mito", port = true',
            'mirror = "mito", port = 1',
            'id = "matsuyama"',
            "town matsuyama: port is true or false, not 1",
        ),
        ('en = "Himeji"', 'en = " "', 'id = "himeji"', "town himeji: en is a text, not ' '"),
        (
            'also = ["大阪"]',
            'also = "大阪"',
            'id = "osaka"',
            "town osaka: also is a list, not '大阪'",
        ),
        (
            'also = ["大阪"]',
            'also = [""]',
            'id = "osaka"',
            "town osaka: also is a list of texts, not ['']",
        ),
        (
            'mirror = "utsunomiya"',
            'mirror = "mito"',
            'id = "himeji"',
            "town himeji: its mirror mito has the mirror matsuyama",
        ),
        (
            'side = "west", mirror = "oshu"',
            'side = "south", mirror = "oshu"',
            'id = "chugoku"',
            "province chugoku: side 'south' is none of west, centre, east",
        ),
        (
            'capital = "kyoto"',
            'capital = "hagi"',
            'id = "kinki"',
            "province kinki: its capital hagi lies in saigoku",
        ),
        (
            'towns = ["osaka", "nara", "himeji"]',
            'towns = ["osaka", "nara", "nara"]',
            'id = "W1"',
            "contract W1: a town stands twice",
        ),
        (
            'towns = ["osaka", "nara", "himeji"]',
            'towns = ["osaka", "naha"]',
            'id = "W1"',
            "contract W1: towns 'naha' is none of ",
        ),
        (
            "towns = [], ships = 3",
            "towns = [], ships = 0",
            'id = "C1"',
            "contract C1: asks for nothing",
        ),
        (
            'b = "nara", terrain = "plain"',
            'b = "nara", terrain = "sea"',
            "Nara-kaido",
            "road: terrain 'sea' is none of plain, forest, mountain",
        ),
        (
            'a = "kyoto", b = "nara"',
            'a = "kyoto", b = "kyoto"',
            "Nara-kaido",
            "road: leads from kyoto to itself",
        ),
    ],
)
def test_the_map_names_the_line_that_is_wrong(old: str, new: str, line: str, what: str) -> None:
    reply = broken_map(old, new)
    assert reply.startswith(f"map.toml line {line_of(MAP, line)}: {what}")


def test_a_road_that_stands_twice_is_refused() -> None:
    text = broken_map('a = "kyoto", b = "nara"', 'a = "osaka", b = "kyoto"')
    first, second = line_of(MAP, '"Kyo-kaido"'), line_of(MAP, "Nara-kaido")
    assert text == (
        f"map.toml line {second}: road: osaka and kyoto are joined already: "
        f"map.toml line {first}: road"
    )


def test_a_town_that_stands_twice_is_refused() -> None:
    text = broken_map('id = "nara"', 'id = "osaka"')
    first, second = line_of(MAP, 'id = "osaka"'), line_of(MAP, 'id = "nara"')
    assert text == (
        f"map.toml line {second}: town osaka: stands twice, "
        f"first: map.toml line {first}: town osaka"
    )


def test_a_name_of_two_towns_is_refused() -> None:
    text = broken_map('ja = "奈良"', 'ja = "大阪"')
    second = line_of(MAP, 'id = "nara"')
    assert text.startswith(f"map.toml line {second}: town nara: the name 大阪 stands twice")


def test_a_town_that_no_road_reaches_is_detected() -> None:
    lines = [line for line in MAP.splitlines() if '"morioka"' not in line or "id =" in line]
    with pytest.raises(DataError, match="no road leads from kyoto to "):
        read_map("\n".join(lines), "map.toml")


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        (
            "start = 5",
            "start = 11",
            'id = "archer"',
            "weapon archer: start is a whole number from 0 to 10, not 11",
        ),
        (
            "strength = [0, 1]",
            "strength = [0]",
            'id = "archer"',
            "weapon archer: strength has 2 numbers, not 1",
        ),
        (
            "strength = [0, 1]",
            "strength = 0",
            'id = "archer"',
            "weapon archer: strength is a list, not 0",
        ),
        (
            "faces = 3, modifier = 0",
            "faces = 3, modifier = 1",
            'id = "sun"',
            "weather sun: modifier is a whole number from -2 to 0, not 1",
        ),
        (
            'id = "garden"',
            'id = "park"',
            'id = "garden"',
            "building park: id 'park' is none of ship, garden, smithy, castle, shrine, wall",
        ),
        (
            "needs = 3",
            "needs = 7",
            'id = "mountain"',
            "terrain mountain: needs is a whole number from 1 to 6, not 7",
        ),
        (
            'kana = "にわ", cost = 1',
            'kana = "にわ"',
            'id = "garden"',
            "building garden: cost is missing",
        ),
    ],
)
def test_the_pieces_name_the_line_that_is_wrong(old: str, new: str, line: str, what: str) -> None:
    assert broken_pieces(old, new) == f"pieces.toml line {line_of(PIECES, line)}: {what}"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("faces = 3", "faces = 4", "the weather has 7 faces, not 6"),
        ("money = [", "money = [ ]\ncash = [", "there is no section cash"),
        ("capital = [", "capital = 5\n_ = [", "there is no section _"),
        (
            "    { player = 15, province = 5, all = 75 },\n",
            "",
            "section money has one entry, not 0",
        ),
        (
            "    { player = 15, province = 5, all = 75 },\n",
            "{ player = 1 }, { player = 2 },\n",
            "section money has one entry on each line",
        ),
        ("money = [", "money = ", "Invalid value"),
    ],
)
def test_the_pieces_say_what_is_wrong_with_the_complete(old: str, new: str, what: str) -> None:
    reply = broken_pieces(old, new)
    assert reply.startswith("pieces.toml: ")
    assert what in reply


def test_a_kind_that_is_missing_is_named() -> None:
    lines = [line for line in PIECES.splitlines() if 'id = "spear"' not in line]
    with pytest.raises(DataError, match=r"^pieces\.toml: spear is missing$"):
        read_pieces("\n".join(lines), "pieces.toml")


def test_a_section_that_is_missing_is_named() -> None:
    with pytest.raises(DataError, match=r"^map\.toml: section town is missing or no list"):
        read_map("province = []\n", "map.toml")
