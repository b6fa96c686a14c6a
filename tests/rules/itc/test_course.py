"""The course of a game: ends of turns, rounds, the end, and the options that change it."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import ACard, Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.events import GameOver, LastRound, SmugglingPaid, TransportPaid
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import (
    A,
    B,
    C,
    lines,
    next_turn,
    play_lines,
    refused,
    rolled,
    say,
    table,
)


def last_turn(seats: int = 2, **given: Any) -> State:  # Any: whatever `table` takes
    """The last seat of a round is on turn."""
    return table(seats, mover=B if seats == 2 else C, **given)


@pytest.mark.rule("itc 7.2")
def test_no_person_does_anything_in_anothers_turn() -> None:
    start = table(hands={B: [195]}, kept={B: ["6"]}, stones={Place.ASIA: (1, 1)})
    assert list(GAME.legal(start, B)) == []
    for line in ("/end", "/stone asia", "/play 6", "/load 195 red 1", "/dice blue red"):
        assert refused(start, line, "7.2", seat=B) == "not_your_turn"


@pytest.mark.rule("itc 7.3")
def test_a_round_is_one_turn_of_all_people() -> None:
    start = table(3)
    assert (start.turn.seat, start.first, start.round) == (A, A, 1)
    second = next_turn(start)
    assert (second.turn.seat, second.round) == (B, 1)
    last = next_turn(table(3, mover=C))
    assert (last.turn.seat, last.round) == (A, 2)


@pytest.mark.rule("itc 7.5", "itc 12.8")
def test_at_the_end_of_the_turn_what_has_arrived_becomes_ordinary() -> None:
    start = table(
        loads={Route.BLUE: {51: "A170"}}, stones={Place.ASIA: (1, 0)}, die=Die.BLUE, points=1
    )
    landed = say(start, "/land 170 asia", draws=[0])
    assert landed.places[Place.ASIA].fresh == (0, 0, 0, 4, 0, 0)
    after = next_turn(landed)
    assert after.places[Place.ASIA].fresh == (0,) * 6
    assert after.places[Place.ASIA].goods == (0, 0, 0, 4, 0, 0)


@pytest.mark.rule("itc 7.5", "itc 11.3")
def test_who_holds_too_many_cards_discards_before_the_next_turn() -> None:
    start = table(hands={A: [100, 101, 102, 103]}, kept={A: ["1", "1", "12-asia"]})
    over = say(start, "/end")
    assert (over.phase, over.turn.seat) == (Phase.DISCARDING, A)
    assert lines(over, "discard") == ["1", "100", "101", "102", "103", "12-asia"]
    assert refused(over, "/stone asia", "11.3") == "discard_first"
    assert refused(over, "/discard 104", "11.3") == "not_held"
    assert refused(over, "/discard 12-africa", "11.3") == "not_held"
    after = say(over, "/discard 12-asia", draws=[0])
    assert (after.phase, after.turn.seat) == (Phase.DICE, B)
    assert after.used_actions[ACard("12-asia")] == 1
    other = say(over, "/discard 100", draws=[0])
    assert TCard(100) in other.used_transports
    assert other.seats[A].hand == (101, 102, 103)


@pytest.mark.rule("itc 7.5")
def test_cards_above_the_limit_are_discarded_one_by_one() -> None:
    start = table(hands={A: [100, 101, 102, 103, 104, 170, 195, 205]})
    once = say(start, "/end", "/discard 100")
    assert once.phase is Phase.DISCARDING
    assert say(once, "/discard 205", draws=[0]).phase is Phase.DICE


@pytest.mark.rule("itc 13.1")
def test_the_goal_makes_the_round_the_last_at_once() -> None:
    start = table(
        goods={Place.ASIA: {Good.BLACK: 1}}, stones={Place.ASIA: (1, 0)}, money={A: 199_500}
    )
    after, events = play_lines(start, "/sell asia black")
    assert events[-1] == LastRound(A, 200_500)
    assert after.last
    assert GAME.result(after) is None


@pytest.mark.rule("itc 13.1", "itc 13.2")
def test_after_the_last_round_most_money_wins() -> None:
    start = last_turn(3, money={A: 150_000, B: 200_000, C: 150_000}, last=True)
    after, events = play_lines(start, "/end", seat=C)
    assert events == [GameOver((B,), 200_000)]
    assert after.phase is Phase.OVER
    assert list(GAME.to_move(after)) == []
    result = GAME.result(after)
    assert result is not None
    assert [(each.seat, each.place, each.score) for each in result.standings] == [
        (A, 2, 150_000),
        (B, 1, 200_000),
        (C, 2, 150_000),
    ]
    assert sum(line.points for line in result.breakdown if line.seat == B) == 200_000


@pytest.mark.rule("itc 13.2")
def test_equal_money_shares_the_win() -> None:
    start = last_turn(money={A: 200_000, B: 200_000}, last=True)
    _, events = play_lines(start, "/end", seat=B)
    assert events == [GameOver((A, B), 200_000)]


@pytest.mark.rule("itc 13.3", "itc 15.5")
def test_the_game_ends_after_the_last_round_that_is_allowed() -> None:
    bounded = last_turn(options={"max_rounds": 7}, money={A: 500})
    start = but(bounded, round=7)
    _, events = play_lines(start, "/end", seat=B)
    assert events == [GameOver((A,), 500)]
    assert next_turn(but(bounded, round=6)).round == 7


@pytest.mark.rule("itc 15.5")
def test_a_game_without_a_bound_of_rounds_continues() -> None:
    assert GAME.info.options["max_rounds"].default == 100
    endless = but(last_turn(options={"max_rounds": 0}), round=4_000)
    assert next_turn(endless).round == 4_001


@pytest.mark.rule("itc 15.1")
def test_the_goal_can_be_chosen() -> None:
    option = GAME.info.options["goal"]
    assert (option.default, option.low, option.high) == (200_000, 20_000, 1_000_000)
    start = table(
        goods={Place.ASIA: {Good.BLACK: 1}},
        stones={Place.ASIA: (1, 0)},
        money={A: 19_000},
        options={"goal": 20_000},
    )
    assert say(start, "/sell asia black").last


@pytest.mark.rule("itc 15.3")
def test_the_house_rule_pays_nothing_for_goods_but_smuggling_and_thefts() -> None:
    start = table(
        loads={Route.BLUE: {51: "A170?"}},
        stones={Place.ASIA: (1, 0), Place.MARKET: (0, 1)},
        die=Die.BLUE,
        options={"transport_pay": False},
    )
    after, events = play_lines(start, "/land 170 asia", draws=[5])
    assert SmugglingPaid(A, TCard(170), 10_000) in events
    assert not any(isinstance(event, TransportPaid) for event in events)
    assert [trader.money for trader in after.seats.values()] == [10_000, 3_500]


@pytest.mark.rule("itc 12.3", "itc 13.1")
def test_the_last_good_of_a_theft_can_end_the_game_for_the_controller() -> None:
    start = table(
        loads={Route.BLUE: {51: "A170"}},
        stones={Place.ASIA: (1, 0), Place.MARKET: (0, 1)},
        die=Die.BLUE,
        money={B: 196_500},
    )
    after, events = play_lines(start, "/land 170 asia", draws=[5])
    assert LastRound(B, 200_000) in events
    assert after.last


@pytest.mark.rule("itc 7.4")
def test_who_has_no_time_ends_his_turn() -> None:
    acting = table()
    assert GAME.grammar.format(GAME.fallback(acting, A)) == "/end"
    retained = {A: ["4", "14", "19"]}
    first = but(table(die=None, kept=retained), phase=Phase.DICE)
    assert GAME.grammar.format(GAME.fallback(first, A)) == "/dice blue green"
    lying = rolled(table(kept=retained), blue=1, red=2)
    assert GAME.grammar.format(GAME.fallback(lying, A)) == "/use blue"
    over = say(table(hands={A: [100, 101, 102, 103, 104, 170, 195]}), "/end")
    assert GAME.grammar.format(GAME.fallback(over, A)) == "/discard 100"


@pytest.mark.rule("itc 6.4")
def test_a_game_with_bots_only_reaches_its_end() -> None:
    chance = FastChance(5)
    options = GAME.info.complete({"goal": 40_000})
    state = GAME.setup(options, 3, chance).state
    moves = 0
    while (mover := state.mover) is not None:
        choices = GAME.plain(state, mover)
        state = GAME.play(state, mover, choices[chance.pick(len(choices))], chance).state
        moves += 1
    assert moves < GAME.info.longest
    assert max(trader.money for trader in state.seats.values()) >= 40_000


@pytest.mark.rule("itc 13.1")
def test_a_finished_game_takes_no_line() -> None:
    over = say(last_turn(last=True), "/end", seat=B)
    assert refused(over, "/end", "13.1") == "game_over"
