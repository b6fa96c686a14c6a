"""Is it measured rightly whether chances are worth a number?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import msgspec
import pytest

from bluebear.clients.bots.search.calibration import (
    Run,
    Sample,
    as_toml,
    main,
    measure,
    number_of,
    scored,
)
from bluebear.clients.bots.search.contestants import contestant
from bluebear.clients.bots.search.win_probability import (
    GAMES_LEAST,
    SCALE,
    MeasuredStage,
    Measurements,
)
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.search_model import Stage
from bluebear.rules.core.tables import DataFile
from tests.rules.game_files import GAMES

GAMES_PLAYED: Final = 2 * GAMES_LEAST
STAGES: Final = 4


def samples(predict: str, games: int = GAMES_PLAYED) -> Iterator[Sample]:
    """Games of two whose odds are drawn; the predictor knows them, or guesses, or lies."""
    chance = FastChance(5)
    for _ in range(games):
        for stage in range(STAGES):
            odds = chance.pick(101) / 100
            won = float(chance.pick(1000) < 1000 * odds)
            guess = chance.pick(101) / 100
            sent = {"knows": odds, "guesses": guess, "base": 0.5, "sees": won}[predict]
            yield Sample(stage, (sent, 1 - sent), (won, 1 - won))


@pytest.mark.parametrize(
    ("predict", "beats_base_rate"),
    [("sees", True), ("knows", True), ("guesses", False), ("base", False)],
)
def test_who_knows_beats_the_base_rate_and_who_guesses_does_not(
    predict: str, beats_base_rate: bool
) -> None:
    made = scored(samples(predict), STAGES)
    assert [each.is_reliable for each in made] == [beats_base_rate] * STAGES
    assert [(each.low, each.to) for each in made] == [(0, 25), (25, 50), (50, 75), (75, 100)]
    assert {each.games for each in made} == {GAMES_PLAYED}


def test_scores_are_the_mean_square_of_the_distance() -> None:
    two = [Sample(0, (0.8, 0.2), (1.0, 0.0)), Sample(0, (0.6, 0.4), (0.0, 1.0))]
    [made] = scored(two, 1)
    assert made.brier == SCALE * (0.04 + 0.36) // 2
    assert made.base == SCALE // 4
    alone = [Sample(0, (1.0,), (1.0,))] * GAMES_LEAST
    [made] = scored(alone, 1)
    assert (made.brier, made.base, made.is_reliable) == (0, 0, False)


def test_with_too_few_games_or_no_certain_lead_there_are_terms() -> None:
    assert not any(each.is_reliable for each in scored(samples("sees", GAMES_LEAST - 1), STAGES))
    stage = MeasuredStage(low=0, to=50, games=GAMES_LEAST, brier=24_000, base=25_000, error=499)
    assert stage.is_reliable
    assert not replace_(stage, error=500).is_reliable
    assert not replace_(stage, games=GAMES_LEAST - 1).is_reliable
    assert not replace_(stage, brier=25_500).is_reliable


def replace_(stage: MeasuredStage, **changes: int) -> MeasuredStage:
    return msgspec.structs.replace(stage, **changes)


def test_a_stage_is_reported_for_the_section_of_the_game_that_was_measured() -> None:
    assert [number_of(Stage(2, percent), 7) for percent in (0, 14, 15, 99)] == [0, 0, 1, 6]


@pytest.mark.parametrize("stages", [1, 3, 7, 10])
def test_the_bounds_of_stages_are_those_by_which_samples_are_sorted(stages: int) -> None:
    won = (1.0, 0.0)
    made = scored([Sample(at, won, won) for at in range(stages)], stages)
    for percent in range(100):
        at = number_of(Stage(2, percent), stages)
        assert made[at].low <= percent < made[at].to


def run(key: str, **changes: Any) -> Run:  # Any: fields of Run
    game = GAMES[key]
    made = Run(2, 3, 5, (contestant("greedy", game), contestant("random", game)), 2, 7)
    return replace(made, **changes)


@pytest.mark.parametrize("key", ["manhattan", "railroad_ink"])
def test_each_game_gives_each_stage_one_sample_the_same_by_the_same_seed(key: str) -> None:
    made = list(measure(GAMES[key], run(key)))
    assert made == list(measure(GAMES[key], run(key)))
    assert made != list(measure(GAMES[key], run(key, seed=8)))
    assert {each.stage for each in made} == set(range(5))
    assert len(made) == 3 * 5
    for each in made:
        assert sum(each.chances) == pytest.approx(1)
        assert sum(each.won) == pytest.approx(1)


def test_a_game_without_a_thinker_has_no_stages() -> None:
    game = GAMES["duel"]
    made = measure(game, Run(2, 2, 5, (contestant("random", game),), 2, 7))
    assert list(made) == []


def test_what_is_printed_is_what_a_game_reads(capsys: pytest.CaptureFixture[str]) -> None:
    requests = ["manhattan", "--games", "2", "--stages", "3", "--playouts", "2", "--seed", "5"]
    assert main(requests) == 0
    text = capsys.readouterr().out
    [made] = DataFile(Measurements, text, "chances.toml").value.measured
    assert made.command == "python -m bluebear.clients.bots.search.calibration " + " ".join(
        requests
    )
    assert [each.games for each in made.stage] == [2, 2, 2]
    assert as_toml(made.seats, made.command, made.stage) == text


@pytest.mark.parametrize(
    "requests", [["chess"], ["tokugawa", "--seats", "3"], ["manhattan", "--players", "kasparov"]]
)
def test_what_cannot_be_measured_is_refused(
    requests: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(requests) == 2
    assert capsys.readouterr().err
