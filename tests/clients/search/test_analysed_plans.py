"""A game that is planned: a plan is one decision, and that others show theirs is no luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from clients.bots.retelling import has_decisions, report
from clients.bots.search.analysis import Entry, Passage, judged, passages
from clients.bots.search.budget import Playouts
from clients.bots.search.drafts import Plan
from clients.words import Words
from rules.core.chance import Fast
from rules.core.game import Game
from rules.core.record import JOINED_LINES, Record, parse_record
from rules.core.vision import Move, Seat
from rules.core.wording import worded
from tests.rules.finding import GAMES

RECORDS: Final = Path("tests/rules/railroad_ink/records")
GAME: Final[Game[Any]] = GAMES["railroad_ink"]
PLAYOUTS: Final = 3
ROUNDS: Final = 7


def record_of(name: str) -> Record:
    return parse_record((RECORDS / f"{name}.record").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def played() -> list[Passage]:
    return list(passages(GAME, record_of("two_greedy")))


@pytest.fixture(scope="module")
def look() -> Callable[[Passage], Entry]:
    return partial(judged, GAME, budget=Playouts(4), playouts=PLAYOUTS)


def test_each_seat_decides_once_a_round(played: list[Passage]) -> None:
    decisions = [each.moved.seat for each in played if each.plan is not None]
    assert sorted(decisions) == [Seat(1)] * ROUNDS + [Seat(2)] * ROUNDS


def test_a_plan_begins_where_nobody_had_drawn_and_has_its_own_seats_moves(
    played: list[Passage],
) -> None:
    for each in played:
        if each.plan is None:
            continue
        assert not any(part.began for part in each.plan.begun.seats.values())
        state = each.plan.begun
        for move in each.plan.moves[:-1]:
            state = GAME.play(state, each.moved.seat, move, Fast(0)).state
        ours = each.moved.seat
        assert state.seats[ours].draft.strokes == each.before.state.seats[ours].draft.strokes


def test_what_was_taken_back_belongs_to_no_plan() -> None:
    """Seats waver in this record: rounds are taken back over their end, and drawn otherwise."""
    for each in passages(GAME, record_of("three_wavering")):
        if each.plan is None:
            continue
        state = each.plan.begun
        for move in each.plan.moves[:-1]:
            state = GAME.play(state, each.moved.seat, move, Fast(0)).state
        assert GAME.refusal(state, each.moved.seat, each.plan.moves[-1]) is None


def test_the_clock_decides_nothing(played: list[Passage], look: Callable[[Passage], Entry]) -> None:
    ended = next(each for each in played if each.plan is not None)
    assert look(ended).decided
    assert not look(replace(ended, moved=replace(ended.moved, by_clock=True))).decided


def test_that_a_drawing_is_shown_is_no_luck(
    played: list[Passage], look: Callable[[Passage], Entry]
) -> None:
    """Luck is the dice's alone, so in the last round, where nothing is thrown, there is none."""
    closing = [each for each in played if each.after.counter > each.before.counter]
    assert len(closing) == ROUNDS - 1
    assert look(played[-1]).drawn is None
    drawn = look(closing[-1]).drawn
    assert drawn is not None
    assert sum(drawn.luck) == pytest.approx(0)


def test_drawing_at_random_gives_something_away(
    played: list[Passage], look: Callable[[Passage], Entry]
) -> None:
    ended = next(each for each in played if each.plan is not None)
    assert ended.plan is not None
    at_random = Plan(ended.plan.begun, tuple(random_plan(ended.plan.begun, ended.moved.seat)))
    [one] = look(replace(ended, plan=at_random)).decided
    assert one.best_chance > one.chance
    assert one.best != one.line


def random_plan(state: Any, seat: Seat) -> Iterator[Move]:
    """What a seat may draw that does not mind where, until it is done."""
    chance = Fast(1)
    while seat in GAME.to_move(state):
        move = chance.shuffle(GAME.plain(state, seat))[0]
        yield move
        state = GAME.play(state, seat, move, chance).state


@pytest.fixture(scope="module")
def entries(played: list[Passage], look: Callable[[Passage], Entry]) -> list[Entry]:
    """The plans of the second round."""
    return [look(each) for each in played[:24] if each.plan is not None][2:]


@pytest.mark.parametrize(("lang", "head"), [("en", "/draw"), ("ja", "/描く")])
def test_the_report_says_what_was_drawn_otherwise(
    entries: list[Entry], lang: Any, head: str
) -> None:
    assert has_decisions(entries)
    [worse] = [one for each in entries for one in each.decided][:1]
    given = [replace(entries[0], decided=(replace(worse, loss=0.2, chance=0.3),)), *entries[1:]]
    told = list(report(GAME, record_of("two_greedy"), given, Words(lang, "clients.bots")))
    [point] = [line for line in told if "30 %" in line]
    both = set(worse.line.split(JOINED_LINES)) & set(worse.best.split(JOINED_LINES))
    assert head in point
    assert not any(worded(GAME.grammar, GAME.phrases, line, lang) in point for line in both)
