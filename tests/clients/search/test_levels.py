"""The levels, and the bots that play them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar, cast

import pytest

from bluebear.clients.bots.search.budget import Playouts
from bluebear.clients.bots.search.decide import Planned, SearchResult
from bluebear.clients.bots.search.jobs import Job, NoRulesError, Work
from bluebear.clients.bots.search.levels import LEVELS, Level, decide, level_of
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.clients.bots.search_bot import AtLevel, player
from bluebear.clients.sdk import MoveClock, RoomId, View, answer_of
from bluebear.clients.sdk import Seat as SeatNumber
from bluebear.protocol import Version
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.search_model import CASUAL, CLUB, MASTER, PUPIL, STRONG
from bluebear.rules.core.search_model import LEVELS as NAMES
from tests.rules.game_files import GAMES
from tests.rules.test_search_models import Decision, decisions

R = TypeVar("R")

MANHATTAN = GAMES["manhattan"]
CLOCK = MoveClock(10.0)


def at() -> Decision:
    return [each for each in decisions(MANHATTAN, 2, 3) if len(each.moves) > 20][2]


def view_of(decision: Decision) -> tuple[View, tuple[str, ...]]:
    """What comes over the wire at a decision."""
    game = MANHATTAN.tree.view(decision.state, frozenset({decision.seat}))
    view = View(
        game="manhattan",
        seat=SeatNumber(decision.seat),
        version=Version(1),
        tree={"game": game},
        room_id=RoomId("1"),
    )
    return view, tuple(map(MANHATTAN.grammar.format, decision.moves))


class Recorder(Workers):
    """Workers that note what they are asked."""

    def __init__(self, made: SearchResult[str] | None = None) -> None:
        super().__init__()
        self.jobs: list[Job] = []
        self.made = made

    async def think(self, room: str, work: Work[R]) -> R:
        job = cast(Job, work)
        self.jobs.append(job)
        if self.made is None:
            raise BusyError
        return cast(R, self.made)


def test_there_is_a_level_for_every_name() -> None:
    assert tuple(LEVELS) == NAMES
    assert set(NAMES) < set(MANHATTAN.players)
    assert GAMES["duel"].players == (*GAMES["duel"].bots, "random")


def test_a_pupil_takes_moves_that_are_nearly_best_and_casual_the_best() -> None:
    decision = at()
    game, seat, moves = MANHATTAN, decision.seat, decision.moves
    thinker = game.thinker
    assert thinker is not None
    view = game.seen(decision.state, frozenset({seat}))
    worths = dict(zip(moves, thinker.beginner_worths(view, seat, moves), strict=True))
    taken = {
        decide(LEVELS[PUPIL], game, view, seat, moves, chance=FastChance(seed)).best
        for seed in range(60)
    }
    near = max(worths.values()) - thinker.near
    assert taken <= {move for move, worth in worths.items() if worth >= near}
    assert len(taken) > 1
    best = decide(LEVELS[CASUAL], game, view, seat, moves, chance=FastChance(1)).best
    assert best == game.bots["greedy"](view, seat, moves, FastChance(1))


def test_a_club_player_compares_two_moves_and_strong_ones_more() -> None:
    decision = at()
    view = MANHATTAN.seen(decision.state, frozenset({decision.seat}))
    judged = [
        len(
            decide(
                LEVELS[name],
                MANHATTAN,
                view,
                decision.seat,
                decision.moves,
                chance=FastChance(1),
                budget=Playouts(400),
            ).judged
        )
        for name in (CLUB, STRONG)
    ]
    assert judged == [2, 20]


def test_a_game_may_have_other_steps_between_its_levels() -> None:
    game = GAMES["railroad_ink"]
    sights = [level_of(name, game) for name in NAMES]
    assert [each.drafts for each in sights] == [None, 2, 5, 12, None]
    assert [each.seconds > 0 for each in sights] == [False, True, True, True, True]
    assert [level_of(name, GAMES["duel"]) for name in NAMES] == list(LEVELS.values())
    assert level_of(MASTER, game) == Level(100)


@pytest.mark.parametrize("key", ["manhattan", "railroad_ink", "tokai", "tokugawa"])
def test_a_stronger_level_sees_at_least_as_much_of_everything(key: str) -> None:
    levels = [level_of(name, GAMES[key]) for name in NAMES[1:]]
    for weaker, stronger in pairwise(levels):
        if weaker.seconds:
            assert stronger.seconds >= weaker.seconds
            assert stronger.patience >= weaker.patience
            assert (stronger.most or 99) >= (weaker.most or 99)
            assert (stronger.drafts or 99) >= (weaker.drafts or 99)
            assert stronger != weaker
    assert levels[-1].seconds <= 1, "a host pays for it at every move"


def test_a_job_is_answered_with_one_of_its_lines() -> None:
    view, lines = view_of(at())
    job = Job("manhattan", 1, dict(view.state), view.seat, lines, CLUB, 0.0, 5)
    assert job.done(GAMES, lambda: False).best in lines
    with pytest.raises(NoRulesError):
        replace(job, rules=99).done(GAMES, lambda: False)


@pytest.mark.parametrize(
    ("move", "left", "seconds"), [(10.0, None, 0.1), (0.15, 60.0, 0.05), (0.1, 0.5, 0.0)]
)
async def test_a_bot_thinks_as_long_as_its_level_and_its_clock_allow(
    move: float, left: float | None, seconds: float
) -> None:
    view, lines = view_of(at())
    workers = Recorder(SearchResult(lines[3], "", 9, 0.1))
    bot = AtLevel(MASTER, GAMES, FastChance(1), workers)
    assert await bot.choose(view, lines, MoveClock(move, left)) == lines[3]
    [job] = workers.jobs
    assert job.seconds == pytest.approx(seconds)
    assert (job.view, job.lines, job.seat) == (view.state, lines, view.seat)


async def test_levels_that_do_not_look_ahead_ask_no_worker() -> None:
    view, lines = view_of(at())
    workers = Recorder()
    for name in (PUPIL, CASUAL):
        assert (
            await AtLevel(name, GAMES, FastChance(1), workers).choose(view, lines, CLOCK) in lines
        )
    assert workers.jobs == []


async def test_when_all_workers_are_busy_it_plays_without_looking_ahead() -> None:
    view, lines = view_of(at())
    busy = AtLevel(STRONG, GAMES, FastChance(1), Recorder())
    casual = AtLevel(CASUAL, GAMES, FastChance(1), Recorder())
    sent = await busy.choose(view, lines, CLOCK)
    # The seed of the job was drawn before; greedy's best is one where there is one best.
    assert sent == await casual.choose(view, lines, CLOCK) or sent in lines


async def test_a_plan_is_reported_line_by_line_while_it_holds() -> None:
    view, lines = view_of(at())
    foreseen: Sequence[str] = ("/x", "/y")
    workers = Recorder(
        SearchResult(lines[0], "", 9, 0.1, after=(Planned("/y", frozenset(foreseen)),) * 2)
    )
    bot = AtLevel(STRONG, GAMES, FastChance(1), workers)
    sent = [await bot.choose(view, lines, CLOCK), await bot.choose(view, foreseen, CLOCK)]
    assert sent == [lines[0], "/y"]
    assert await bot.choose(view, lines, CLOCK) == lines[0]
    assert len(workers.jobs) == 2


@pytest.mark.expects_log("the failure is the point")
async def test_a_bot_whose_worker_fails_plays_on_without_it() -> None:
    class Broken(Recorder):
        async def think(self, room: str, work: Work[R]) -> R:
            raise RuntimeError("out of order")

    view, lines = view_of(at())
    bot = player(MASTER, GAMES, FastChance(1), Broken())
    assert await answer_of(bot, view, lines, CLOCK) in lines
