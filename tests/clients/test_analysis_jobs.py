"""An analysis for the server: in pieces, as good as its time allows, and always answered."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import pytest

from bluebear.clients.bots.analysis_jobs import (
    AGAIN_PLAYOUTS,
    AGAIN_SECONDS,
    BUSY_TRIES,
    FRAGMENT_MAX,
    PLAYOUTS_LEAST,
    PLAYOUTS_MOST,
    SECONDS,
    affordable,
    analysed_lines,
    fragments,
    spread,
)
from bluebear.clients.bots.search.analysis import Decided, Entry
from bluebear.clients.bots.search.analysis_chunks import AnalysisChunk, Studied
from bluebear.clients.bots.search.jobs import Work
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.clients.sdk import AnalysisWanted
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.record import Moved, format_record, parse_record
from bluebear.rules.core.visibility import Seat
from bluebear.server.features.analysis import Analysis, read_analysis
from tests.rules.game_files import GAMES

R = TypeVar("R")

RECORD: Final = Path("tests/rules/manhattan/records/two_all_options.record")
DRAWN: Final = Path("tests/rules/railroad_ink/records/two_greedy.record")
LINES: Final = 9


class Here(Workers):
    """Workers in this process, that judge a few entries at a time by few playouts."""

    def __init__(self, busy: int = 0) -> None:
        super().__init__()
        self.requests: list[AnalysisChunk] = []
        self.busy = busy

    async def think(self, room: str, work: Work[R]) -> R:
        await asyncio.sleep(0)
        study = cast(AnalysisChunk, work)
        if self.busy:
            self.busy -= 1
            raise BusyError
        self.requests.append(study)
        few = AnalysisChunk(study.record, study.which[:4], 4, 60.0, study.seed)
        made = few.done(GAMES, lambda: False)
        return cast(R, Studied(made.of, made.entries, 0.0))


def begun(path: Path = RECORD, lines: int = LINES) -> str:
    """The beginning of a game, as a record."""
    record = parse_record(path.read_text(encoding="utf-8"))
    return format_record(replace(record, lines=record.lines[:lines]))


async def analysed(workers: Workers, record: str) -> Analysis | None:
    """What the server would make of the answer."""

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    lines = await analysed_lines(
        AnalysisWanted(7, record), workers, GAMES, FastChance(1), sleep=at_once
    )
    sent = [line.split(" ", 3) for line in lines]
    assert {(head, number) for head, number, *_ in sent} == {("/analysed", "7")}
    assert [sign for _, _, sign, _ in sent] == ["+"] * (len(sent) - 1) + ["."]
    return read_analysis("".join(section for *_, section in sent))


async def test_a_game_is_judged_in_pieces_and_reported_in_both_languages() -> None:
    workers = Here()
    made = await analysed(workers, begun())
    assert made is not None
    assert made.names == ("greedy", "random")
    assert len(made.steps) == len(made.chances) > 4
    assert list(made.steps) == sorted(set(made.steps))
    assert all(abs(sum(each) - 100) <= 1 for each in made.chances if each)
    assert made.text["en"].splitlines()[0].startswith("Manhattan")
    assert made.text["ja"] != made.text["en"]
    assert all(each.en in made.text["en"] and each.ja in made.text["ja"] for each in made.points)


async def test_the_steps_of_a_replay_are_counted_and_digests_are_none() -> None:
    record = parse_record(RECORD.read_text(encoding="utf-8"))
    digests = [str(line).startswith("Digested") for line in record.lines]
    assert any(digests)
    study = AnalysisChunk(RECORD.read_text(encoding="utf-8"), (0, 30), 2, 60.0, 1)
    made = study.done(GAMES, lambda: False)
    assert [each.step for each in made.entries] == [1, 31]
    assert made.of == len(record.lines) - sum(digests)


async def test_what_looks_like_a_turning_point_is_judged_once_more_on_other_deals() -> None:
    workers = Here()
    await analysed(workers, begun())
    first, *_, last = workers.requests
    assert last.seed != first.seed
    again = [each for each in workers.requests if each.seed == last.seed]
    assert {each.playouts for each in again} == {AGAIN_PLAYOUTS}


class Slow(Workers):
    """Workers whose playouts take so many seconds each, by their own account; every move of a game
    of so many was a mistake. `completing` are those that complete a plan.
    """

    def __init__(self, each: float, moves: int, completing: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.each = each
        self.moves = moves
        self.completing = completing
        self.requests: list[AnalysisChunk] = []
        self.judged: list[int] = []
        self.spent = 0.0

    async def think(self, room: str, work: Work[R]) -> R:
        await asyncio.sleep(0)
        study = cast(AnalysisChunk, work)
        self.requests.append(study)
        cost = study.playouts * self.each
        number = min(len(study.which), 1 + int(study.seconds / cost))
        done = study.which[:number]
        self.judged += done
        self.spent += number * cost
        entries = tuple(map(mistake, done))
        return cast(R, Studied(self.moves, entries, number * cost, self.completing))


def mistake(at: int) -> Entry:
    """A move that gave away some of the chance."""
    seat = Seat(1 + at % 2)
    loss = Decided(seat, "/a", "/b", 0.3, 0.5, 0.2, 0.05, in_numbers=True)
    return Entry(at + 1, at + 1, seat, ("/a",), (loss,), None, (0.5, 0.5), in_numbers=True)


@pytest.mark.parametrize("each", [0.001, 0.01, 0.1, 0.5])
async def test_an_analysis_has_a_bound_however_slow_playouts_are(each: float) -> None:
    workers = Slow(each, 300)
    made = await analysed(workers, begun())
    assert made is not None
    most = max(study.playouts for study in workers.requests) * each
    assert workers.spent <= SECONDS + AGAIN_SECONDS + 2 * most
    first = {at for at in workers.judged if at + 1 in made.steps}
    assert made.steps[-1] > 270
    if each * PLAYOUTS_LEAST * 300 < SECONDS:
        assert len(first) == 300
        assert "were judged" not in made.text["en"]
    else:
        gaps = [later - one for one, later in pairwise(made.steps[1:])]
        assert max(gaps) <= 2 * min(gaps) + 1
        assert f"{len(first)} of 300 moves were judged" in made.text["en"]


@pytest.mark.parametrize("each", [0.001, 0.05])
async def test_where_only_some_moves_can_be_judged_those_that_complete_a_plan_are(
    each: float,
) -> None:
    """In a long game at a large table an even choice passed most plans by."""
    completing = tuple(range(4, 300, 5))
    workers = Slow(each, 300, completing)
    assert await analysed(workers, begun()) is not None
    first = {
        at for study in workers.requests for at in study.which if study.seed == first_seed(workers)
    }
    judged = set(workers.judged) & first
    if each * PLAYOUTS_LEAST * 300 < SECONDS:
        assert len(judged) == 300
    else:
        # Before it is known how long playouts take, a few others are.
        assert len(judged - set(completing)) < 10
        assert len(judged & set(completing)) > 50


def first_seed(workers: Slow) -> int:
    """What is judged first has this seed; what is judged once more another one."""
    return workers.requests[0].seed


def test_a_study_says_which_entries_complete_a_plan() -> None:
    study = AnalysisChunk(DRAWN.read_text(encoding="utf-8"), (0,), 1, 60.0, 1)
    made = study.done(GAMES, lambda: False)
    ends = [at for at, line in enumerate(moved(DRAWN)) if line.lines[-1] == "/done"]
    assert list(made.completing) == ends
    assert AnalysisChunk(begun(), (0,), 1, 60.0, 1).done(GAMES, lambda: False).completing == ()


def moved(path: Path) -> list[Moved]:
    lines = parse_record(path.read_text(encoding="utf-8")).lines
    return [line for line in lines if isinstance(line, Moved)]


def test_moves_are_picked_evenly_and_a_single_one_from_the_middle() -> None:
    assert spread(range(3, 11), 4) == (4, 6, 8, 10)
    assert spread(range(3, 6), 9) == (3, 4, 5)
    assert spread(range(3, 300), 1) == (151,)
    assert spread(range(3, 300), 0) == spread(range(7, 7), 5) == ()


async def test_slow_playouts_are_fewer() -> None:
    workers = Slow(0.02, 300)
    await analysed(workers, begun())
    assert {each.playouts for each in workers.requests[1:3]} == {PLAYOUTS_LEAST}
    assert affordable(40.0, 100, 0.01) == 40
    assert affordable(40.0, 10, 0.01) == PLAYOUTS_MOST


async def test_it_waits_while_players_want_to_think_but_not_for_ever() -> None:
    assert await analysed(Here(busy=3), begun()) is not None
    assert await analysed(Here(busy=BUSY_TRIES * 50), begun()) is None


@pytest.mark.parametrize("record", ["", "no record", begun().replace("manhattan", "chess")])
async def test_what_cannot_be_analysed_is_answered_too(record: str) -> None:
    assert await analysed(Here(), record) is None


def test_a_long_answer_enters_lines_that_are_short_enough() -> None:
    analysis: dict[str, Any] = {"text": "あ い" * 2000}
    lines = list(fragments(3, analysis))
    assert all(len(line) < FRAGMENT_MAX + 40 for line in lines)
    assert json.loads("".join(line.split(" ", 3)[3] for line in lines)) == analysis


def test_a_piece_that_is_stopped_gives_what_it_has() -> None:
    left = iter(range(40))
    study = AnalysisChunk(begun(), tuple(range(6)), 4, 60.0, 1)
    made = study.done(GAMES, lambda: next(left, None) is None)
    assert len(made.entries) < 6
    assert made.of >= 6


async def test_where_no_single_moves_are_compared_that_is_reported() -> None:
    made = await analysed(Here(), begun(DRAWN, 4))
    assert made is not None
    assert not made.decisions
    assert "lost by decisions" not in made.text["en"]
    assert "cannot be compared" in made.text["en"]
