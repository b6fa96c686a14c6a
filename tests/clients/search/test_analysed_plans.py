"""A game that is planned: a plan is one decision, and that others show theirs is no luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from bluebear.clients.bots.analysis_report import has_decisions, report
from bluebear.clients.bots.search.analysis import (
    Drafts,
    Entry,
    Plan,
    RecordEntry,
    judged,
    passages,
)
from bluebear.clients.bots.search.budget import Playouts
from bluebear.clients.bots.search.decide import think
from bluebear.clients.bots.search.playouts import RulePlayouts
from bluebear.clients.phrases import Texts
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.record import JOINED_LINES, Moment, Moved, Record, parse_record
from bluebear.rules.core.visibility import Move, Seat
from tests.rules.game_files import GAMES

RECORDS: Final = Path("tests/rules/railroad_ink/records")
GAME: Final[Game[Any]] = GAMES["railroad_ink"]
PLAYOUTS: Final = 3
WIDTH: Final = Playouts(4)
ROUNDS: Final = 7


def record_of(name: str) -> Record:
    return parse_record((RECORDS / f"{name}.record").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def played() -> list[RecordEntry]:
    return list(passages(GAME, record_of("two_greedy")))


@pytest.fixture(scope="module")
def look() -> Callable[[RecordEntry], Entry]:
    return partial(judged, GAME, budget=WIDTH, playouts=PLAYOUTS)


def test_each_seat_decides_once_a_round(played: list[RecordEntry]) -> None:
    decisions = [each.moved.seat for each in played if each.plan is not None]
    assert sorted(decisions) == [Seat(1)] * ROUNDS + [Seat(2)] * ROUNDS


def test_a_plan_begins_where_no_person_had_drawn_and_has_its_seats_moves(
    played: list[RecordEntry],
) -> None:
    for each in played:
        if each.plan is None:
            continue
        assert not any(seat_state.began for seat_state in each.plan.begun.seats.values())
        state = each.plan.begun
        for move in each.plan.moves[:-1]:
            state = GAME.play(state, each.moved.seat, move, FastChance(0)).state
        ours = each.moved.seat
        assert state.seats[ours].draft.strokes == each.before.state.seats[ours].draft.strokes


def test_what_was_taken_back_belongs_to_no_plan() -> None:
    """Again and again some entries are taken back, once over the end of a round, and the dice that
    are thrown anew are others.
    """
    assert GAME.thinker is not None
    drafts = Drafts(GAME, GAME.thinker)
    chance = FastChance(4)
    stood = [GAME.setup(GAME.info.complete({}), 2, chance).state]
    rounds: list[int] = []
    for number in range(1, 70):
        before = Moment(None, number, stood[-1], (), 0, len(stood) - 1)
        seat = min(GAME.to_move(before.state))
        move = chance.shuffle(GAME.plain(before.state, seat))[0]
        stood.append(GAME.play(before.state, seat, move, chance).state)
        after = Moment(None, number, stood[-1], (), 0, len(stood) - 1)
        plan = drafts.completed(before, after, Moved(seat, (GAME.grammar.format(move),)))
        if plan is not None:
            rounds.append(plan.begun.round)
            assert plan.begun.round == before.state.round
            assert not any(seat_state.began for seat_state in plan.begun.seats.values())
            state = plan.begun
            for each in plan.moves:
                assert GAME.refusal(state, seat, each) is None
                state = GAME.play(state, seat, each, FastChance(0)).state
        if number % 20 == 0:
            # A round is some ten entries: this goes back into the one before.
            del stood[-12:]
    assert any(later < one for one, later in pairwise(rounds)), "taken back over a round's end"


def test_the_clock_decides_nothing(
    played: list[RecordEntry], look: Callable[[RecordEntry], Entry]
) -> None:
    ended = next(each for each in played if each.plan is not None)
    assert look(ended).decided
    assert not look(replace(ended, moved=replace(ended.moved, by_clock=True))).decided


def test_that_a_drawing_is_shown_is_no_luck(
    played: list[RecordEntry], look: Callable[[RecordEntry], Entry]
) -> None:
    """Luck is the dice's alone, so in the last round, where nothing is thrown, there is none."""
    closing = [each for each in played if each.after.counter > each.before.counter]
    assert len(closing) == ROUNDS - 1
    assert look(played[-1]).drawn is None
    drawn = look(closing[-1]).drawn
    assert drawn is not None
    assert sum(drawn.luck) == pytest.approx(0)


def test_luck_is_nothing_on_average(played: list[RecordEntry]) -> None:
    """Over other throws of a round's beginning: neither what was drawn before nor how far playouts
    reach is taken for the dice's doing.
    """
    second = [each for each in played if each.after.counter > each.before.counter][1]
    assert second.plan is not None
    lucks, chances = [], []
    for seed in range(12):
        chance = FastChance(seed)
        thrown = GAME.play(second.before.state, second.moved.seat, second.plan.moves[-1], chance)
        after = replace(second.after, state=thrown.state)
        one = replace(second, after=after, plan=None)
        entry = judged(GAME, one, WIDTH, 6, seed=seed)
        assert entry.drawn is not None
        lucks.append(entry.drawn.luck[0])
        chances.append(entry.chances[0])
    luckiest, unluckiest = lucks.index(max(lucks)), lucks.index(min(lucks))
    assert chances[luckiest] > chances[unluckiest] + 0.1
    assert lucks[luckiest] > 0 > lucks[unluckiest]
    assert abs(sum(lucks) / len(lucks)) < 0.05


def test_what_is_thrown_beyond_a_draw_has_nothing_to_do_with_it(played: list[RecordEntry]) -> None:
    thrown: list[tuple[object, object]] = []

    class Watching(type(GAME.thinker)):  # type: ignore[misc]  # the game's own thinker
        def rests(self, state: Any, since: Any) -> bool:
            rests: bool = super().rests(state, since)
            if rests:
                thrown.append((since.dice, state.dice))
            return rests

    second = [each for each in played if each.after.counter > each.before.counter][1]
    assert second.plan is not None
    eyes = frozenset({Seat(1), Seat(2)})
    walk = RulePlayouts(GAME, Watching(), second.before.state, second.moved.seat, eyes=eyes)
    for seed in range(6):
        walk.deal(seed)
        walk.play_beyond(second.plan.moves[-1])
    assert len(thrown) == 6
    assert sum(first == later for first, later in thrown) < 2
    assert len({first for first, _ in thrown}) > 3


def test_chances_are_those_after_an_entry(
    played: list[RecordEntry], look: Callable[[RecordEntry], Entry]
) -> None:
    result = GAME.result(played[-1].after.state)
    assert result is not None
    firsts = [each.seat for each in result.standings if each.place == 1]
    ended = tuple(1.0 if Seat(at) in firsts else 0.0 for at in (1, 2))
    assert look(replace(played[0], after=played[-1].after)).chances == ended


def test_the_better_plan_is_complete(entries: list[Entry], played: list[RecordEntry]) -> None:
    """It is legal from the beginning of the round, as wide as was asked for, and nothing is left to
    be drawn.
    """
    plans = [each for each in played[:24] if each.plan is not None][2:]
    for entry, passage in zip(entries, plans, strict=True):
        assert passage.plan is not None
        [one] = entry.decided
        state = passage.plan.begun
        view, moves = GAME.seen(state, frozenset({one.seat})), GAME.plain(state, one.seat)
        widest = think(GAME, view, one.seat, moves, budget=WIDTH, chance=FastChance(1))
        assert one.best.split(JOINED_LINES)[:-1] == [
            GAME.grammar.format(move)
            for move in (widest.best, *(each.move for each in widest.after[:-1]))
        ]
        for line in one.best.split(JOINED_LINES):
            assert one.seat in GAME.to_move(state)
            state = GAME.play(state, one.seat, GAME.grammar.parse(line), FastChance(0)).state
        assert one.seat not in GAME.to_move(state)


def test_drawing_at_random_gives_something_away(
    played: list[RecordEntry], look: Callable[[RecordEntry], Entry]
) -> None:
    ended = next(each for each in played if each.plan is not None)
    assert ended.plan is not None
    at_random = Plan(ended.plan.begun, tuple(random_plan(ended.plan.begun, ended.moved.seat)))
    [one] = look(replace(ended, plan=at_random)).decided
    assert one.best_chance > one.chance
    assert one.best != one.line


def random_plan(state: Any, seat: Seat) -> Iterator[Move]:
    """What a seat may draw that does not mind where, until it is done."""
    chance = FastChance(1)
    while seat in GAME.to_move(state):
        move = chance.shuffle(GAME.plain(state, seat))[0]
        yield move
        state = GAME.play(state, seat, move, chance).state


@pytest.fixture(scope="module")
def entries(played: list[RecordEntry], look: Callable[[RecordEntry], Entry]) -> list[Entry]:
    """The plans of the second round."""
    return [look(each) for each in played[:24] if each.plan is not None][2:]


@pytest.mark.parametrize(("lang", "head"), [("en", "/draw"), ("ja", "/描く")])
def test_the_report_says_what_was_drawn_otherwise(
    entries: list[Entry], lang: Any, head: str
) -> None:
    assert has_decisions(entries)
    [worse] = [one for each in entries for one in each.decided][:1]
    given = [
        replace(entries[0], decided=(replace(worse, loss=0.2, chance=0.3, in_numbers=True),)),
        *entries[1:],
    ]
    reported = list(
        report(GAME, record_of("two_greedy"), given, Texts(lang, "bluebear.clients.bots"))
    )
    [point] = [line for line in reported if "30 %" in line]
    both = set(worse.line.split(JOINED_LINES)) & set(worse.best.split(JOINED_LINES))
    assert head in point
    assert not any(localized_line(GAME.grammar, GAME.phrases, line, lang) in point for line in both)
