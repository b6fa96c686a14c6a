"""Does whatever is wrong with a game become one line, and does it stop no other game?"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from bluebear import rules
from bluebear.rules.core.conformance.case import ConformanceError
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.discovery import INSTALLED, LoadedGames

ROOT: Final = Path(__file__).parents[2]
_NUMBERS: Final = itertools.count(1)


class Hall:
    """A package of games in a folder of its own: copies of Sealed, to be broken."""

    def __init__(self, folder: Path) -> None:
        self.name = f"hall{next(_NUMBERS)}"
        self.folder = folder / self.name
        self.folder.mkdir()
        (self.folder / "__init__.py").touch()

    def add(self, key: str) -> Path:
        """A copy of Sealed under a key of its own."""
        folder = self.folder / key
        shutil.copytree(ROOT / "tests" / "games" / "sealed", folder)
        replace(folder / "__init__.py", "tests.games.sealed", f"{self.name}.{key}")
        replace(folder / "game.toml", 'key = "sealed"', f'key = "{key}"')
        return folder

    def find(self) -> LoadedGames:
        return rules.find_games((self.name,))

    def line(self) -> str:
        """What is said of the only game that is broken."""
        result = self.find()
        assert len(result.broken) == 1
        (broken,) = result.broken
        assert "\n" not in broken.why
        return broken.why.replace(f"{self.name}/", "")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hall:
    monkeypatch.syspath_prepend(tmp_path)
    return Hall(tmp_path)


_KEYS: Final = "small ASCII letters, digits and _, a letter first"
TOML: Final[Mapping[str, tuple[str, str, str]]] = {
    "a missing key": ("legal_bound = 6\n", "", "missing required field legal_bound"),
    "an unknown key": ("minutes", "minuets", "contains unknown field minuets"),
    "a wrong type": ("max = 4", 'max = "4"', "seats max: Expected int, got str"),
    "a bound": ("min = 2", "min = 0", "seats min: Expected int >= 1"),
    "seats the wrong way round": ("min = 2", "min = 5", "seats: from 5 to 4"),
    "a word too few": ('ja = "封印"\n', "", "name: missing required field ja"),
    "a sort of option": (
        '"number"',
        '"liquid"',
        "option: type liquid is none of switch, number, choice",
    ),
    "a key of another sort": (
        "low = 1",
        'low = 1\nchoices = ["2"]',
        "option: choices is for another type than number",
    ),
    "a step of another sort": (
        '"number"\nlow = 1\nhigh = 5\ndefault = 3',
        '"switch"\nstep = 2\ndefault = true',
        "option: step is for another type than switch",
    ),
    "a number without a range": (
        "low = 1\nhigh = 5\ndefault = 3",
        "default = 0",
        "option: from 0 to 0",
    ),
    "a default": (
        "default = 3",
        "default = 9",
        "option: 9 is none of the values of rounds",
    ),
    "a key with a capital": ('key = "sixth"', 'key = "Sixth"', f"key Sixth: {_KEYS}"),
    "a key with a space": ('key = "sixth"', 'key = "six th"', f"key six th: {_KEYS}"),
    "a key with an accent": ('key = "sixth"', 'key = "sixthé"', f"key sixthé: {_KEYS}"),
    "a key with a line end": ('key = "sixth"', 'key = "sixth\\n"', f"key sixth : {_KEYS}"),
    "no TOML": ("[seats]", "[seats", "(at line 11, column 7)"),
}


@pytest.mark.parametrize(("old", "new", "message"), TOML.values(), ids=TOML)
def test_what_is_wrong_in_a_game_toml_is_reported_by_its_field(
    hall: Hall, old: str, new: str, message: str
) -> None:
    replace(hall.add("sixth") / "game.toml", old, new)
    line = hall.line()
    assert line.startswith("sixth/game.toml")
    assert message in line


ALTERED: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "a phrase without Japanese": (
        "phrases.toml",
        'ja = "カード"\n',
        "",
        "sixth/phrases.toml line 9: slot card: missing required field ja",
    ),
    "a broken phrase": (
        "phrases.toml",
        'en = "card"\nja = "カード"',
        'en = "card {"\nja = "カード"',
        "sixth/phrases.toml line 9: slot card: Single '{' encountered",
    ),
    "a paragraph without Japanese": (
        "rules.md",
        "  最終ラウンドの後、賞金の合計が最も多い人の勝ちです。\n",
        "",
        "sixth/rules.md line 11: paragraph 1.5 has no Japanese line",
    ),
    "a field without a marker": (
        "state.py",
        "done: Public[bool]",
        "done: bool",
        "sixth/state.py line 13: Part.done: no visibility marker",
    ),
    "a secret of nobody": (
        "state.py",
        "prize: Public[int]\n\n\nclass Seal",
        "prize: Owner[int]\n\n\nclass Seal",
        "sixth/state.py: Table.prize: Owner outside of any seat",
    ),
    "a type that no state can hold": (
        "state.py",
        "done: Public[bool]",
        "done: Public[list[bool]]",
        "sixth/state.py: Part.done: a state cannot hold list[bool]",
    ),
    "an event that hides from nobody": (
        "state.py",
        "class Sealed(Event):\n    seat: Public[Seat]",
        "class Sealed(Event):\n    who: Public[Seat]",
        "sixth/state.py: Sealed has something for its owner and no public field `seat`",
    ),
    "a slot that fits no field": (
        "__init__.py",
        'NumberSlot("card", 1, 6)',
        'NumberSlot("cart", 1, 6)',
        "sixth/__init__.py line 48: /seal fills ['cart'], its move has ['card']",
    ),
    "a missing answer": (
        "__init__.py",
        "def turn_rule(",
        "def turn_role(",
        "sixth/__init__.py line 157: TypeError: Can't instantiate abstract class SealedGame",
    ),
    "an import": (
        "state.py",
        "from typing import",
        "import nowhere\nfrom typing import",
        "sixth/state.py line 5: ModuleNotFoundError: No module named 'nowhere'",
    ),
    "what is no Python": (
        "state.py",
        "class Part(Node):",
        "class Part(Node)",
        "sixth/state.py line 13: expected ':'",
    ),
    "no game": ("__init__.py", "GAME = SealedGame()", "", "sixth/__init__.py: there is no GAME"),
    "a class for a game": (
        "__init__.py",
        "GAME = SealedGame()",
        "GAME = SealedGame",
        "sixth/__init__.py: GAME is no Game",
    ),
}


@pytest.mark.parametrize(("file", "old", "new", "message"), ALTERED.values(), ids=ALTERED)
def test_what_is_wrong_in_another_file_is_reported_with_its_file(
    hall: Hall, file: str, old: str, new: str, message: str
) -> None:
    replace(hall.add("sixth") / file, old, new)
    assert hall.line().startswith(message)


def test_a_file_that_is_not_there_is_named(hall: Hall) -> None:
    (hall.add("sixth") / "rules.md").unlink()
    assert hall.line() == "sixth/rules.md: there is no such file"


def test_a_broken_game_stops_no_other(hall: Hall) -> None:
    hall.add("fifth")
    (hall.add("sixth") / "game.toml").write_text("", encoding="utf-8")
    result = hall.find()
    assert (list(result.games), [each.name for each in result.broken]) == (["fifth"], ["sixth"])
    assert list(rules.games((hall.name,))) == ["fifth"]


def test_a_key_belongs_to_the_first_that_has_it(hall: Hall) -> None:
    hall.add("fifth")
    replace(hall.add("sixth") / "game.toml", '"sixth"', '"fifth"')
    assert hall.line() == f"sixth/game.toml: key: fifth is taken by {hall.name}.fifth"


def older(hall: Hall, **changes: str) -> Path:
    """Version 2 of a game, with a copy of it beside itself as version 1."""
    folder = hall.add("fifth")
    shutil.copytree(folder, folder / "rules1")
    replace(folder / "rules1" / "__init__.py", f"{hall.name}.fifth", f"{hall.name}.fifth.rules1")
    replace(folder / "game.toml", "rules = 1", "rules = 2")
    for old, new in changes.items():
        replace(folder / "rules1" / "game.toml", f"{old} = ", f"{new}\n#")
    return folder


def test_an_older_version_of_the_rules_lies_in_a_folder_of_its_number(hall: Hall) -> None:
    older(hall)
    (game,) = hall.find().games.values()
    first = game.for_rules_version(1)
    assert first is not None
    assert (game.info.rules, first.info.rules, first.is_older) == (2, 1, True)
    assert game.for_rules_version(2) is game
    assert game.for_rules_version(3) is None
    assert not set(game.events) & set(first.events)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rules", "rules = 2", "rules: 1 is expected in a folder of this name, and none beside it"),
        ("rules", "rules = 1\nplayable_rules = [1, 0]", "rules: 1 is expected in a folder of this"),
        ("key", 'key = "sixth"', "key: fifth is expected here"),
    ],
)
def test_what_is_wrong_in_an_older_version_is_reported(
    hall: Hall, old: str, new: str, message: str
) -> None:
    older(hall, **{old: new})
    assert hall.line().startswith(f"fifth/rules1/game.toml: {message}")


def test_no_version_is_there_twice(hall: Hall) -> None:
    folder = older(hall)
    replace(folder / "game.toml", "rules = 2", "rules = 2\nplayable_rules = [1, 2]")
    assert "rules: 1 is played by" in hall.line()


def test_a_package_may_be_a_game_itself(hall: Hall) -> None:
    hall.add("fifth")
    hall.add("sixth")
    assert list(rules.games((f"{hall.name}.sixth",))) == ["sixth"]


def test_a_position_that_is_not_there_is_one_broken_game() -> None:
    (broken,) = rules.find_games(("nowhere",)).broken
    assert broken == ("nowhere", "nowhere: ModuleNotFoundError: No module named 'nowhere'")


@pytest.fixture
def installed(tmp_path: Path) -> Callable[[Mapping[str, str]], None]:
    """Writes what an installed distribution says of its entry points."""

    def write(points: Mapping[str, str]) -> None:
        folder = tmp_path / "toys-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
        listed = [f"{name} = {module}\n" for name, module in points.items()]
        (folder / "entry_points.txt").write_text(f"[{INSTALLED}]\n{''.join(listed)}")

    return write


def test_an_installed_game_is_matched_by_its_entry_point(
    hall: Hall, installed: Callable[[Mapping[str, str]], None]
) -> None:
    hall.add("sixth")
    installed({"sixth": f"{hall.name}.sixth", "seventh": "nowhere"})
    result = rules.find_games((INSTALLED,))
    assert list(result.games) == ["sixth"]
    why = "nowhere: ModuleNotFoundError: No module named 'nowhere'"
    assert result.broken == (("seventh", why),)
    assert {"manhattan", "sixth"} <= rules.games().keys()


def conformance(hall: Hall, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "bluebear.rules.core.conformance",
        *arguments,
        "--package",
        hall.name,
    ]
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(hall.folder.parent)))},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_kit_says_what_is_broken_in_one_line_and_checks_the_rest(hall: Hall) -> None:
    hall.add("fifth")
    replace(hall.add("sixth") / "game.toml", "legal_bound = 6\n", "")
    sent = conformance(hall, "check", "sixth")
    where = f"{hall.name}/sixth/game.toml"
    assert (sent.returncode, sent.stdout) == (1, "")
    assert sent.stderr == f"{where}: missing required field legal_bound\n"
    assert conformance(hall, "check", "fifth", "seats=2", "--games", "1").returncode == 0


def test_what_a_game_raises_is_one_sentence_and_on_request_a_traceback(hall: Hall) -> None:
    replace(hall.add("sixth") / "__init__.py", "draft.seats[seat].done,", "draft.seats[9].done,")
    sent = conformance(hall, "check", "sixth", "seats=2", "--games", "1")
    fault, again = sent.stderr.splitlines()
    assert re.fullmatch(
        rf"sixth seats=2 rounds=3: after 0 moves: seat [12] /seal [1-6]:"
        rf" {hall.name}/sixth/__init__.py line [0-9]+: KeyError: 9",
        fault,
    )
    assert (sent.returncode, sent.stdout) == (1, "")
    _, _, command = again.partition(" -m bluebear.rules.core.conformance ")
    assert conformance(hall, *command.split(), "--traceback").stderr.startswith(
        f"{sent.stderr}Traceback (most recent call last):\n"
    )
    sent = conformance(hall, "playthrough", "sixth", "seats=2")
    assert (sent.returncode, len(sent.stderr.splitlines())) == (1, 2)


def test_the_kit_says_which_games_there_are(hall: Hall) -> None:
    hall.add("fifth")
    sent = conformance(hall, "check", "sixt")
    assert (sent.returncode, sent.stdout) == (2, "")
    assert sent.stderr.endswith("there is no game sixt, only fifth\n")


def test_the_kit_knows_the_names_of_the_room_commands(hall: Hall) -> None:
    replace(hall.add("sixth") / "__init__.py", 'Verb("seal", Seal', 'Verb("start", Seal')
    sent = conformance(hall, "check", "sixth", "seats=2", "--games", "1")
    assert sent.returncode == 1
    assert "sixth: start of /start is a name of a room command\n" in sent.stderr


def test_the_kit_notices_a_seat_that_is_reported_as_a_number(hall: Hall) -> None:
    folder = hall.add("sixth")
    replace(
        folder / "state.py",
        "class PrizeWon(Event):\n    seat: Public[Seat]",
        "class PrizeWon(Event):\n    who: Public[Seat]",
    )
    replace(folder / "phrases.toml", "{seat} wins", "{who} wins")
    replace(folder / "phrases.toml", "{seat} が {prize} を得", "{who} が {prize} を得")
    with pytest.raises(ConformanceError, match=r"event\.prize_won says who: seats, and nothing"):
        check_catalogue(hall.find().games["sixth"])


def test_a_board_is_read_with_its_game(hall: Hall) -> None:
    folder = hall.add("opened")
    replace(folder / "game.toml", "minutes =", 'board = ["board.js", "board.css"]\nminutes =')
    (folder / "board.css").write_text(".board-opened {}")
    assert hall.line() == "opened/board.js: there is no such file"
    (folder / "board.js").write_text("export const board = {};")
    (game,) = hall.find().games.values()
    assert game.board["board.js"] == "export const board = {};"
    assert list(game.board) == ["board.js", "board.css"]


def test_a_board_is_a_module_or_a_style_sheet(hall: Hall) -> None:
    replace(hall.add("opened") / "game.toml", "minutes =", 'board = ["../board.html"]\nminutes =')
    assert "board" in hall.line()
