"""The plan of a round: legal to its end, no worse than greedy, the same each time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.bot.round_search import plan_of
from bluebear.rules.railroad_ink.rules.round_board import paper_of
from bluebear.rules.railroad_ink.rules.state import DONE, Special, State

A = Seat(1)


def always() -> bool:
    return True


def table_of(seed: int) -> State:
    options = {"auto_done": False}
    begun: State = GAME.setup(GAME.info.complete(options), 1, FastChance(seed)).state
    return begun


def solo(seed: int, width: int) -> int:
    """What a game alone comes to, each round planned so wide."""
    chance = FastChance(seed)
    table = table_of(seed)
    while not table.over:
        view = GAME.seen(table, frozenset({A}))
        plan = GAME.thinker.plan(view, A, width, always)
        assert plan is not None
        assert plan[-1] == DONE
        for move in plan:
            assert GAME.refusal(table, A, move) is None
            table = GAME.play(table, A, move, chance).state
    return table.seats[A].points.total


def test_a_game_of_planned_rounds_has_this_score_everywhere() -> None:
    assert [solo(seed, 2) for seed in (1, 2)] == [34, 42]


def test_drafts_in_all_are_fewer_than_drafts_of_each_kind() -> None:
    paper = paper_of(table_of(5).seats[A], table_of(5).dice)
    looked = []
    for in_all in (True, False):
        requests: list[None] = []

        def counted(requests: list[None] = requests) -> bool:
            requests.append(None)
            return True

        assert plan_of(paper, 6, 2, counted, in_all=in_all) is not None
        looked.append(len(requests))
    assert looked[0] < looked[1] // 2


def test_without_patience_a_special_route_is_drawn_at_once() -> None:
    paper = paper_of(table_of(1).seats[A], table_of(1).dice)
    routes = []
    for patience in (0, 100):
        plan = plan_of(paper, 6, 2, always, patience=patience)
        assert plan is not None
        routes.append([move for move in plan if isinstance(move, Special)])
    assert [len(each) for each in routes] == [1, 0]


def plan_worth(plan: Sequence[Move] | None) -> int:
    """The points of a plan's board, drawn at the table of seed 5."""
    assert plan is not None
    after = table_of(5)
    for move in plan[:-1]:
        after = GAME.play(after, A, move, FastChance(1)).state
    draft = after.seats[A].draft
    assert draft is not None
    return draft.points.total


def test_a_wider_beam_finds_no_worse_a_board_for_the_round() -> None:
    table = table_of(5)
    paper = paper_of(table.seats[A], table.dice)
    worth = [plan_worth(plan_of(paper, 0, width, always)) for width in (1, 3, 9)]
    assert worth == sorted(worth)


def test_in_the_last_round_a_special_route_costs_nothing() -> None:
    table = table_of(5)
    plan = plan_of(paper_of(table.seats[A], table.dice), 0, 3, always)
    assert any(isinstance(move, Special) for move in plan or ())


def test_a_plan_continues_from_what_is_drawn_already() -> None:
    table = table_of(7)
    complete = GAME.thinker.plan(table, A, 2, always)
    assert complete is not None
    table = GAME.play(table, A, complete[0], FastChance(1)).state
    rest = GAME.thinker.plan(table, A, 2, always)
    assert rest is not None
    assert len(rest) == len(complete) - 1
    assert GAME.refusal(table, A, rest[0]) is None


@pytest.mark.parametrize("allowed", [0, 3])
def test_who_is_stopped_has_no_plan(allowed: int) -> None:
    requested = iter(range(100))
    assert GAME.thinker.plan(table_of(5), A, 4, lambda: next(requested) < allowed) is None
