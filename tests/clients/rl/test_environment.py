"""Do all games pass PettingZoo's own tests, and does a learner learn from them?"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from pettingzoo.test import api_test, seed_test

from bluebear.clients.bots.rl import example
from bluebear.clients.bots.rl.aec import BlueBearEnv, env
from bluebear.clients.bots.rl.state import action_space
from bluebear.rules import games
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.game import Game
from tests.clients.rl.sampled import INDEXINGS, Indexing, check, tables

TABLES = [pytest.param(game, seats, id=f"{game.info.key}-{seats}") for game, seats in tables()]


@pytest.fixture
def quiet() -> Iterator[None]:
    """PettingZoo would rather have arrays as observations; its own board games have none."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation (is not|space for each)", UserWarning)
        yield


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_petting_zoo_s_tests(game: Game[Any], seats: int, quiet: None) -> None:
    indexing: Indexing = INDEXINGS[seats % 2]
    api_test(env(game.info.key, seats=seats, indexing=indexing), num_cycles=20)
    seed_test(lambda: env(game.info.key, seats=seats, indexing=indexing), num_cycles=5)


@pytest.mark.parametrize("indexing", INDEXINGS)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_masks_are_the_legal_lines_of_the_server(
    game: Game[Any], seats: int, indexing: Indexing
) -> None:
    check(game, seats, indexing, 20, seed=seats)


def test_a_name_belongs_to_a_version_of_the_rules() -> None:
    environment = BlueBearEnv("manhattan")
    game = games()["manhattan"]
    assert environment.metadata["name"] == f"manhattan_v{game.info.rules}"
    assert environment.metadata["vocabulary"] == action_space(game).digest
    assert len(action_space(game)) == len(set(action_space(game).lines))


def test_what_is_not_possible_is_reported() -> None:
    with pytest.raises(ValueError, match="manhattan is for 2 to 4 seats"):
        BlueBearEnv("manhattan", seats=5)
    for wrong in ({"foo": 1}, {"sixrounds": "maybe"}, {"sixrounds": 2}):
        with pytest.raises(ValueError, match="manhattan has no option"):
            BlueBearEnv("manhattan", options=wrong)
    BlueBearEnv("manhattan", options={"sixrounds": True})
    with pytest.raises(ValueError, match=r"no game 'nogame': .*manhattan"):
        BlueBearEnv("nogame")
    with pytest.raises(ValueError, match="no render mode 'human': None, ansi"):
        BlueBearEnv("manhattan", render_mode="human")  # type: ignore[arg-type] # the point of it
    with pytest.raises(ValueError, match="manhattan is for 2 to 4 seats"):
        BlueBearEnv("manhattan", seats="2")  # type: ignore[arg-type] # the point of it
    with pytest.raises(ValueError, match="no indexing 'hash': place, vocabulary"):
        BlueBearEnv("manhattan", indexing="hash")  # type: ignore[arg-type] # the point of it
    environment = BlueBearEnv("manhattan")
    with pytest.raises(ValueError, match="reset comes first"):
        environment.observe("seat_1")
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="may not do 95"):
        environment.step(95)


def test_the_table_can_be_looked_at() -> None:
    environment = BlueBearEnv("manhattan", render_mode="ansi")
    environment.reset(seed=1)
    assert "New York" in (environment.render() or "")
    assert BlueBearEnv("manhattan").render() is None


def test_the_loop_of_the_docs_plays_a_game(quiet: None) -> None:
    page = (Path(__file__).parents[3] / "docs" / "search.md").read_text(encoding="utf-8")
    [source] = re.findall(r"```aec\n(.*?)```", page, re.DOTALL)
    registered: dict[str, Any] = {}
    exec(compile(source, "search.md", "exec"), registered)  # noqa: S102 - it is the docs' own
    assert not registered["table"].agents


def test_a_learner_beats_random_play() -> None:
    case = read_case(games()["manhattan"], ["seats=2"])
    value = example.learn(case, rounds=1, per_round=40, rows=20, seed=1)
    # On seeds that it has not learned from, at both seats.
    assert example.match(case, value, count=6, seed=1_000_000) >= 0.5
