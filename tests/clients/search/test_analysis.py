"""Does an analysis say what a game was decided by, and nothing by hindsight?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from bluebear.__main__ import main as bluebear
from bluebear.clients.bots.analysis_report import (
    POINTS,
    curve,
    report,
    smoothed,
    turning_points,
)
from bluebear.clients.bots.search.analysis import (
    SURE,
    Decided,
    Drawn,
    Entry,
    Sums,
    _One,
    analyse,
    sums_of,
)
from bluebear.clients.bots.search.budget import Playouts
from bluebear.clients.bots.search.playouts import thinker_of
from bluebear.clients.phrases import Texts
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.record import Record, format_record, parse_record
from bluebear.rules.core.visibility import Seat
from tests.rules.game_files import GAMES

RECORD: Final = Path("tests/rules/manhattan/records/two_all_options.record")
"""Seat 1 played greedily, seat 2 at random."""
PLAYOUTS: Final = 6
FIRST: Final = 14
"""Entries that are looked at: a hand of blocks each, and a round of building."""


@pytest.fixture(scope="module")
def record() -> Record:
    return parse_record(RECORD.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def game() -> Game[Any]:
    return GAMES["manhattan"]


def first(game: Game[Any], record: Record, count: int = FIRST, seed: int = 1) -> list[Entry]:
    """The analysis of so many entries."""
    entries = analyse(game, record, Playouts(PLAYOUTS * 4), PLAYOUTS, seed=seed)
    return list(islice(entries, count))


@pytest.fixture(scope="module")
def entries(game: Game[Any], record: Record) -> list[Entry]:
    return first(game, record)


def in_numbers(entries: list[Entry], *, is_numbered: bool = True) -> list[Entry]:
    """The same entries in stages of the game that have numbers, or in stages without."""
    return [
        replace(
            each,
            in_numbers=is_numbered,
            decided=tuple(replace(one, in_numbers=is_numbered) for one in each.decided),
            drawn=None if each.drawn is None else replace(each.drawn, in_numbers=is_numbered),
        )
        for each in entries
    ]


def test_the_same_seed_gives_the_same_analysis(
    game: Game[Any], record: Record, entries: list[Entry]
) -> None:
    assert first(game, record, 6) == entries[:6]
    assert first(game, record, 6, seed=2) != entries[:6]


def test_what_arrived_later_changes_nothing(
    game: Game[Any], record: Record, entries: list[Entry]
) -> None:
    # Lines are entries but for the digests among them.
    shorter = replace(record, lines=record.lines[: FIRST - 2])
    assert first(game, shorter) == entries[: FIRST - 2]


def test_what_other_people_owned_changes_nothing(game: Game[Any], record: Record) -> None:
    """A seat's own decisions are judged alike in every world that it could not tell from this."""
    begun = game.setup(game.info.complete({}), 2, FastChance(3))
    seat = min(begun.to_move)
    eyes = frozenset({seat})
    view = game.seen(begun.state, eyes)
    move = game.plain(begun.state, seat)[0]
    one = _One(game, thinker_of(game), Playouts(24), PLAYOUTS, 5, lambda: True)
    judged = [
        list(one._decided(world, seat, move, 7))
        for world in (
            begun.state,
            *(game.determinize(view, eyes, FastChance(seed)) for seed in (1, 2)),
        )
    ]
    assert judged[0]
    assert judged[0] == judged[1] == judged[2]


def test_a_loss_is_more_than_two_errors_and_the_best_loses_nothing(entries: list[Entry]) -> None:
    decided = [one for each in entries for one in each.decided]
    assert any(one.loss for one in decided)
    for one in decided:
        assert one.loss == 0 or one.loss > SURE * one.error
        assert one.line != one.best or one.loss == 0


def test_whoever_played_at_random_gave_more_away(game: Game[Any], record: Record) -> None:
    made = in_numbers(first(game, record, 30))
    assert sums_of(made, Seat(2)).lost > sums_of(made, Seat(1)).lost


def entry(seat: int, loss: float, luck: float, *, is_numbered: bool = True) -> Entry:
    decided = Decided(Seat(seat), "/a", "/b", 0.5 - loss, 0.5, loss, 0.01, is_numbered)
    drawn = Drawn((luck, -luck), 0.3, is_numbered)
    return Entry(1, 1, Seat(seat), ("/a",), (decided,), drawn, (0.5, 0.5), is_numbered)


def test_sums_are_of_one_seats_decisions_and_of_its_luck() -> None:
    made = [entry(1, 0.25, 0.5), entry(2, 0.0625, 0.125)]
    assert sums_of(made, Seat(1)) == Sums(0.25, 0.625, math.hypot(0.3, 0.3), 0)
    assert sums_of(made, Seat(2)) == Sums(0.0625, -0.625, math.hypot(0.3, 0.3), 0)


def test_sums_leave_out_stages_without_numbers_and_count_what_was_worse_there() -> None:
    made = [
        entry(1, 0.25, 0.5),
        entry(1, 0.5, 0.25, is_numbered=False),
        entry(1, 0.0, 0.25, is_numbered=False),
        entry(2, 0.5, 0.25, is_numbered=False),
    ]
    assert sums_of(made, Seat(1)) == Sums(0.25, 0.5, 0.3, 1)
    assert sums_of(made, Seat(2)) == Sums(0.0, -0.5, 0.3, 1)


def test_chances_of_stages_without_numbers_are_a_gap() -> None:
    reported = [entry(1, 0, 0), entry(2, 0, 0, is_numbered=False), entry(1, 0, 0)]
    assert smoothed(reported) == [(0.5, 0.5), (), (0.5, 0.5)]
    assert curve([0.0, None, 1.0]) == "▁·█"


def test_luck_is_counted_where_something_was_drawn_and_sums_to_nothing(
    entries: list[Entry],
) -> None:
    assert all(each.drawn is None for each in entries if each.lines[0].startswith("/take"))
    assert any(each.drawn for each in entries)
    for each in entries:
        assert sum(each.chances) == pytest.approx(1)
        assert each.drawn is None or sum(each.drawn.luck) == pytest.approx(0)
    assert sums_of(entries, Seat(1)).luck == pytest.approx(-sums_of(entries, Seat(2)).luck)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_report_has_sums_turning_points_and_a_curve(
    game: Game[Any], record: Record, entries: list[Entry], lang: Any
) -> None:
    phrases = Texts(lang, "bluebear.clients.bots")
    names = record.head.names
    assert names == ("greedy", "random")
    entries = in_numbers(entries)
    lines = list(report(game, record, entries, phrases))
    assert game.info.name(lang) in lines[0]
    assert [any(line.startswith(name) for line in lines[1:3]) for name in names] == [True, True]
    reported = [point.text for point in turning_points(game, entries, names, phrases)]
    shown = [line.strip() for line in lines if line.startswith("  ")][:-2]
    assert 0 < len(shown) <= POINTS
    assert set(shown) <= set(reported)
    assert lines[-1].endswith(curve([each[1] for each in smoothed(entries)]))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_where_no_chance_has_proved_right_the_report_is_as_text(
    game: Game[Any], record: Record, entries: list[Entry], lang: Any
) -> None:
    phrases = Texts(lang, "bluebear.clients.bots")
    silent = in_numbers(entries, is_numbered=False)
    text = "\n".join(report(game, record, silent, phrases))
    assert "%" not in text
    assert phrases.say("no_numbers") in text
    assert not set("▁▂▃▄▅▆▇█·") & set(text)
    points = [one.text for one in turning_points(game, silent, record.head.names, phrases)]
    assert len(points) == len(
        [*turning_points(game, in_numbers(entries), record.head.names, phrases)]
    )
    assert any(point in text for point in points)
    both = "\n".join(report(game, record, silent[:4] + in_numbers(entries)[4:], phrases))
    assert phrases.say("some_numbers") in both
    assert "%" in both
    assert "·" in both


@pytest.mark.parametrize(
    ("key", "name"), [("itc", "two_random.record"), ("tokugawa", "greedy_102.record")]
)
def test_early_in_these_games_an_analysis_shows_no_chance(key: str, name: str) -> None:
    """Their early chances were worse than the base rate: 21 % won 42 % of the games."""
    game = GAMES[key]
    path = Path(f"tests/rules/{key}/records/{name}")
    record = parse_record(path.read_text(encoding="utf-8"))
    made = first(game, record, 8)
    assert not any(each.in_numbers for each in made)
    assert not any(one.in_numbers for each in made for one in each.decided)
    assert "%" not in "\n".join(
        report(game, record, made, Texts("en", "bluebear.clients.bots"), of=8)
    )


def test_a_curve_is_as_wide_as_a_window() -> None:
    assert curve([0.0, 0.5, 1.0]) == "▁▅█"
    assert len(curve([0.5] * 1000)) <= 60


def test_by_command(tmp_path: Path, record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    short = tmp_path / "short.record"
    short.write_text(format_record(replace(record, lines=record.lines[:3])), encoding="utf-8")
    figures = tmp_path / "figures.jsonl"
    assert bluebear(["analyse", str(short), "--playouts", "4", f"--out={figures}"]) == 0
    assert "3" in capsys.readouterr().out
    assert [each["seat"] for each in read(figures)] == [2, 1, 2]


def read(path: Path) -> Iterator[Any]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [(None, 2, "cannot be read"), ("no record\n", 1, "the record is wrong")],
)
def test_what_is_no_record_is_reported(
    tmp_path: Path,
    text: str | None,
    code: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.record"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert bluebear(["analyse", str(path), "--lang", "en"]) == code
    assert message in capsys.readouterr().err
