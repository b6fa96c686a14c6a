"""The house bot `greedy`: what it chooses, and how it fares."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.bot import value_estimates
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import NA, A, B, rolled, table
from tests.rules.scripted_chance import ScriptedChance, every_outcome

BLACK, WHITE, RED, BLUE = Good.BLACK, Good.WHITE, Good.RED, Good.BLUE


def choice(state: State, seat: Seat = A) -> str:
    """What greedy plays from what the seat sees, the first of equals."""
    view = GAME.seen(state, frozenset((seat,)))
    move = GAME.bots["greedy"](view, seat, GAME.plain(state, seat), ScriptedChance(0))
    return GAME.grammar.format(move)


def test_it_lands_where_most_is_paid() -> None:
    state = table(
        loads={Route.BLUE: {51: "A170"}},
        stones={NA: (1, 0), Place.AUSTRALIA: (1, 0), Place.ASIA: (1, 0)},
        die=Die.BLUE,
    )
    assert choice(state) == "/land 170 northamerica"


def test_it_sells_rather_than_positions_when_it_can() -> None:
    state = table(goods={NA: {BLACK: 2, BLUE: 3}}, stones={NA: (3, 0)}, points=2)
    assert choice(state) == "/sell northamerica black"


def test_it_puts_the_stone_that_is_missing_for_a_good_sale() -> None:
    state = table(goods={NA: {BLUE: 4}}, stones={NA: (3, 0)}, points=2)
    assert choice(state) == "/stone northamerica"


def test_it_continues_with_a_running_sale() -> None:
    state = table(goods={NA: {BLACK: 3, RED: 3}}, stones={NA: (3, 0)}, points=2)
    view_after = GAME.play(
        state, A, GAME.grammar.parse("/sell northamerica black"), ScriptedChance()
    )
    assert choice(view_after.state) == "/sell northamerica red"


def test_it_clears_a_jam_before_anything_else() -> None:
    state = table(
        loads={Route.GREY: {11: "A285", 12: "A300", 61: "B103"}}, die=Die.BLUE, points=1, mover=B
    )
    begun = GAME.play(state, B, GAME.grammar.parse("/end"), ScriptedChance(0)).state
    assert dict(begun.turn.duties.items()) == {Route.GREY: (1,)}
    acting = but(begun, phase=Phase.ACTING, turn=but(begun.turn, used=Die.BLUE, points=1))
    assert choice(acting).startswith("/move")


def test_it_uses_blue_when_a_load_can_land_with_it() -> None:
    state = table(loads={Route.BLUE: {41: "A170"}}, stones={NA: (1, 0)})
    assert choice(rolled(state, blue=2, green=2)) == "/use blue"
    assert choice(rolled(state, blue=1, green=1)) in ("/use blue", "/use green")


def test_it_uses_green_when_there_is_much_to_sell() -> None:
    state = table(goods={NA: {BLUE: 4, RED: 2}}, stones={NA: (4, 0)})
    assert choice(rolled(state, blue=3, green=3)) == "/use green"


def test_it_draws_cards_when_it_has_none() -> None:
    assert choice(rolled(table(), red=3, blue=3)) == "/use red"


def test_it_rolls_all_dice_when_it_may() -> None:
    state = but(table(kept={A: ["14"]}, die=None, points=0), phase=Phase.DICE)
    assert choice(state) == "/play 14"


def test_in_the_last_round_it_loads_nothing_that_cannot_land() -> None:
    state = table(hands={A: [300]}, die=Die.BLUE, points=2, last=True)
    assert choice(state) == "/end"


def test_it_discards_what_is_worth_least() -> None:
    state = but(
        table(hands={A: [100, 300, 295, 290]}, kept={A: ["4", "15", "18"]}),
        phase=Phase.DISCARDING,
    )
    assert choice(state) == "/discard 4"


def test_it_leaves_goods_alone_that_would_be_lost() -> None:
    state = table(loads={Route.BLUE: {51: "A170"}}, stones={NA: (1, 0)}, die=Die.BLUE)
    assert not choice(state).startswith("/drop")


@pytest.mark.rule("itc 14.4")
@pytest.mark.parametrize(("defenders", "permille"), [(1, 734), (2, 450), (3, 246)])
def test_the_odds_of_an_attack_are_those_of_the_dice(defenders: int, permille: int) -> None:
    """Three attackers against an eight-sided die, as the specification computes them."""
    assert round(value_estimates.odds(3, defenders, 8) / 1000) == permille
    assert value_estimates.odds(0, 1, 8) == 0
    assert value_estimates.odds(1, 0, 8) == 1_000_000


def test_one_decided_roll_is_won_in_15_of_42() -> None:
    def clash(chance: Chance) -> int:
        red, green = chance.die(6), chance.die(8)
        return (red > green) - (red < green)

    won = {result: Fraction(0) for result in (-1, 0, 1)}
    for weight, result in every_outcome(clash):
        won[result] += weight
    assert won[1] / (won[1] + won[-1]) == Fraction(15, 42)
    assert value_estimates.odds(1, 1, 8) == 15 * 1_000_000 // 42


def test_a_sale_is_planned_with_the_stones_that_it_needs() -> None:
    state = table(goods={NA: {BLACK: 7, RED: 1}}, stones={NA: (6, 0)}, points=3)
    results = list(value_estimates.plans(state, A, NA, 3))
    assert [(plan.stones, plan.sales, plan.income) for plan in results] == [
        (1, 1, 7_000),
        (1, 2, 9_000),
    ]
    assert list(value_estimates.plans(state, A, Place.MARKET, 3)) == []


def wins(seed: int, seats: int) -> bool:
    """Whether greedy, on one seat among random players, wins alone."""
    chance = FastChance(seed)
    state: State = GAME.setup(GAME.info.complete({}), seats, chance).state
    bot_seat = Seat(seed % seats + 1)
    while (mover := state.mover) is not None:
        legal = GAME.plain(state, mover)
        if mover == bot_seat and len(legal) > 1:
            view = GAME.seen(state, frozenset((mover,)))
            move = GAME.bots["greedy"](view, mover, legal, chance)
        else:
            move = legal[chance.pick(len(legal))]
        state = GAME.play(state, mover, move, chance).state
    money = {seat: trader.money for seat, trader in state.seats.items()}
    best = max(money.values())
    return money[bot_seat] == best and list(money.values()).count(best) == 1


@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_random_players_in_nearly_all_games(seats: int) -> None:
    """Ninety of a hundred are asked; a benchmark plays the hundred, here are thirty."""
    assert sum(wins(seed, seats) for seed in range(30)) >= 28


@pytest.mark.rule("itc 13.1")
@pytest.mark.parametrize("seats", range(2, 7))
def test_games_of_greedy_players_last_about_as_long_as_those_of_the_text(seats: int) -> None:
    """The specification's trial had 7 to 16 rounds."""
    for seed in range(2):
        chance = FastChance(seed)
        state: State = GAME.setup(GAME.info.complete({}), seats, chance).state
        while (mover := state.mover) is not None:
            view = GAME.seen(state, frozenset((mover,)))
            move = GAME.bots["greedy"](view, mover, GAME.plain(state, mover), chance)
            state = GAME.play(state, mover, move, chance).state
        assert 7 <= state.round <= 16
        assert max(trader.money for trader in state.seats.values()) >= 200_000


def test_it_chooses_equally_with_the_same_chance() -> None:
    state = table(hands={A: [100, 104]}, stones={NA: (1, 2)}, die=Die.RED)
    view = GAME.seen(state, frozenset((A,)))
    moves = GAME.plain(state, A)
    first = [GAME.bots["greedy"](view, A, moves, FastChance(seed)) for seed in range(5)]
    assert first == [GAME.bots["greedy"](view, A, moves, FastChance(seed)) for seed in range(5)]
