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
            "town himeji province: 'kinky' is none of kinki, chugoku, saigoku, hokuriku, chubu, "
            "tokai, kanto, oshu, michinoku",
        ),
        (
            "x = 421, y = 639",
            "x = 421, y = 1639",
            'id = "himeji"',
            "town himeji y: Expected int <= 1000",
        ),
        (
            "x = 421, y = 639",
            'x = "421", y = 639',
            'id = "himeji"',
            "town himeji x: Expected int, got str",
        ),
        (
            "x = 421, y = 639",
            "x = true, y = 639",
            'id = "himeji"',
            "town himeji x: Expected int, got bool",
        ),
        (
            "x = 421, y = 639",
            "x = 421",
            'id = "himeji"',
            "town himeji: missing required field y",
        ),
        (
            "x = 421, y = 639",
            "x = 421, y = 639, z = 3",
            'id = "himeji"',
            "town himeji: contains unknown field z",
        ),
        (
            'mirror = "mito", port = true',
            'mirror = "mito", port = 1',
            'id = "matsuyama"',
            "town matsuyama port: Expected bool, got int",
        ),
        (
            'en = "Himeji"',
            'en = " "',
            'id = "himeji"',
            "town himeji en: Expected str matching regex '\\\\S'",
        ),
        (
            'also = ["大阪"]',
            'also = "大阪"',
            'id = "osaka"',
            "town osaka also: Expected array, got str",
        ),
        (
            'also = ["大阪"]',
            'also = [""]',
            'id = "osaka"',
            "town osaka also: Expected str matching regex '\\\\S'",
        ),
        (
            'mirror = "utsunomiya"',
            'mirror = "mito"',
            'id = "himeji"',
            "town himeji mirror: mito has the mirror matsuyama",
        ),
        (
            'side = "west", mirror = "oshu"',
            'side = "south", mirror = "oshu"',
            'id = "chugoku"',
            "province chugoku side: Invalid enum value 'south'",
        ),
        (
            'capital = "kyoto"',
            'capital = "hagi"',
            'id = "kinki"',
            "province kinki capital: hagi lies in saigoku",
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
            "contract W1 towns: 'naha' is none of kyoto, osaka, nara, him",
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
            "road: no road has the terrain sea",
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
    line = line_of(MAP, "Nara-kaido")
    assert text == f"map.toml line {line}: road: osaka and kyoto are joined already"


def test_a_town_that_stands_twice_is_refused() -> None:
    text = broken_map('id = "nara"', 'id = "osaka"')
    line = line_of(MAP, 'id = "nara"')
    assert text == f"map.toml line {line}: town osaka: osaka stands twice"


def test_a_name_of_two_towns_is_refused() -> None:
    text = broken_map('ja = "奈良"', 'ja = "大阪"')
    second = line_of(MAP, 'id = "nara"')
    assert text.startswith(f"map.toml line {second}: town nara: 大阪 is a name of osaka, too")


def test_a_town_that_no_road_reaches_is_detected() -> None:
    lines = [line for line in MAP.splitlines() if '"morioka"' not in line or "id =" in line]
    with pytest.raises(DataError, match="town morioka: no road leads from kyoto"):
        read_map("\n".join(lines), "map.toml")


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        (
            "start = 5",
            "start = 11",
            'id = "archer"',
            "weapon archer: start is at most the stock, not 11",
        ),
        (
            "strength = [0, 1]",
            "strength = [0]",
            'id = "archer"',
            "weapon archer strength: Expected array of length 2, got 1",
        ),
        (
            "strength = [0, 1]",
            "strength = 0",
            'id = "archer"',
            "weapon archer strength: Expected array, got int",
        ),
        (
            "faces = 3, modifier = 0",
            "faces = 3, modifier = 1",
            'id = "sun"',
            "weather sun modifier: Expected int <= 0",
        ),
        (
            'id = "garden"',
            'id = "park"',
            'id = "garden"',
            "building park id: Invalid enum value 'park'",
        ),
        (
            "needs = 3",
            "needs = 7",
            'id = "mountain"',
            "terrain mountain needs: Expected int <= 6",
        ),
        (
            'kana = "にわ", cost = 1',
            'kana = "にわ"',
            'id = "garden"',
            "building garden: missing required field cost",
        ),
    ],
)
def test_the_pieces_name_the_line_that_is_wrong(old: str, new: str, line: str, what: str) -> None:
    assert broken_pieces(old, new) == f"pieces.toml line {line_of(PIECES, line)}: {what}"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("faces = 3", "faces = 4", "weather: 7 faces, not 6"),
        ("money = [", "cash = []\nmoney = [", "contains unknown field cash"),
        ("capital = [", "capital = 5\n_ = [", "capital: Expected array, got int"),
        (
            "    { player = 15, province = 5, all = 75 },\n",
            "",
            "money: Expected array of length 1",
        ),
        (
            "    { player = 15, province = 5, all = 75 },\n",
            "{ player = 1 }, { player = 2 },\n",
            "money: Expected array of length 1",
        ),
        ("money = [", "money = ", "Invalid value"),
    ],
)
def test_the_pieces_say_what_is_wrong_with_the_complete(old: str, new: str, what: str) -> None:
    reply = broken_pieces(old, new)
    assert reply.startswith("pieces.toml")
    assert what in reply


def test_a_kind_that_is_missing_is_named() -> None:
    lines = [line for line in PIECES.splitlines() if 'id = "spear"' not in line]
    with pytest.raises(DataError, match=r"^pieces\.toml line \d+: weapon: spear is missing$"):
        read_pieces("\n".join(lines), "pieces.toml")


def test_a_section_that_is_missing_is_named() -> None:
    with pytest.raises(DataError, match=r"^map\.toml: missing required field town"):
        read_map("province = []\n", "map.toml")
