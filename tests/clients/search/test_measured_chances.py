"""`chances.toml`: where a game shows chances as numbers, and what is refused."""

from __future__ import annotations

import shlex
import sys
from copy import copy
from pathlib import Path
from typing import Any, Final, cast

import pytest

from bluebear.clients.bots.search import calibration as command
from bluebear.clients.bots.search.win_probability import FILE, GAMES_LEAST, in_numbers, measured
from bluebear.rules.core.game import Game
from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.search_model import Stage
from tests.rules.game_files import GAMES

RIGHT: Final = """
[[measured]]
seats = 2
command = "python -m something"

[[measured.stage]]
from = 10
to = 20
games = 400
brier = 20000
base = 25000
error = 100

[[measured.stage]]
from = 20
to = 40
games = 400
brier = 25000
base = 25000
error = 100
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an importable package `measured_game`."""
    folder = tmp_path / "measured_game"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "measured_game", raising=False)
    return folder


class Staged:
    """A thinker of states that are stages."""

    def stage(self, state: Stage) -> Stage:
        return state


def measured_game(key: str = "manhattan", package: str = "measured_game") -> Game[Any]:
    """A game whose file is in a package."""
    game: Any = copy(GAMES[key])
    game.package, game.thinker = package, Staged()
    return cast("Game[Any]", game)


def test_a_game_without_the_file_has_terms_only(package: Path) -> None:
    game = measured_game()
    assert not any(in_numbers(game, Stage(2, percent)) for percent in range(100))


def test_numbers_stand_where_the_base_rate_was_beaten(package: Path) -> None:
    (package / FILE).write_text(RIGHT, encoding="utf-8")
    game = measured_game()
    assert [at for at in range(100) if in_numbers(game, Stage(2, at))] == [*range(10, 20)]
    assert not in_numbers(game, Stage(3, 15))


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("seats = 2", "seats = 5", "measured seats: 5, the game is for 2 to 4"),
        ("seats = 2", "", "measured: missing required field seats"),
        ("seats = 2", "seats = 2\nplayers = 1", "measured: contains unknown field players"),
        ('"python -m something"', '""', "measured command: Expected"),
        ("to = 20", "to = 101", "measured stage to: Expected"),
        ("from = 10", "from = -1", "measured stage from: Expected"),
        ("to = 20", "to = 10", "measured stage: to: 10 is not beyond from, 10"),
        ("from = 20", "from = 19", "measured: stage from: 19, the stage before ends at 20"),
        ("games = 400", "games = 0", "measured stage games: Expected"),
        ("brier = 20000", "brier = 0.2", "measured stage brier: Expected"),
        ("brier = 20000", "brier = 100001", "measured stage brier: Expected"),
        ("error = 100", "", "measured stage: missing required field error"),
        ("[[measured.stage]]", "[[measured.part]]", "measured: contains unknown field part"),
        (RIGHT, RIGHT + RIGHT, "measured seats: 2 stands twice"),
        ("[[measured]]", "[[mesured]]", "contains unknown field"),
        ("seats = 2", "seats =", "line 3"),
    ],
)
def test_a_wrong_file_is_refused_by_its_name_and_field(
    package: Path, right: str, wrong: str, message: str
) -> None:
    text = RIGHT.replace(right, wrong, 1)
    if right == "[[measured.stage]]":
        text = RIGHT.replace(right, wrong)
    (package / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        measured(measured_game())
    reply = str(caught.value)
    assert reply.startswith(f"measured_game/{FILE}")
    assert message.lower() in reply.lower()


MEASURED: Final = [key for key, game in GAMES.items() if measured(game)]


@pytest.mark.parametrize("key", MEASURED)
def test_a_game_was_measured_by_a_command_that_can_be_run_again(key: str) -> None:
    game: Game[Any] = GAMES[key]
    assert 2 in measured(game)
    for seats, run in measured(game).items():
        python, dash, module, *requested = shlex.split(run.command)
        assert (python, dash, module) == ("python", "-m", command.__name__)
        read = command._arguments().parse_args(requested)
        assert (read.game, read.seats) == (key, seats)
        assert read.games >= GAMES_LEAST
        assert max(each.games for each in run.stage) <= read.games


def test_our_games_were_measured() -> None:
    assert {"itc", "manhattan", "railroad_ink", "tokai", "tokugawa"} <= set(MEASURED)


@pytest.mark.parametrize("key", ["itc", "tokugawa"])
def test_the_beginning_of_these_games_has_no_numbers(key: str) -> None:
    """There chances were no better than the base rate."""
    assert not in_numbers(measured_game(key, GAMES[key].package), Stage(2, 0))
