"""The house bot `greedy`."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.state import State
from tests.rules.railroad_ink.scene import A, eyes, play, table
from tests.rules.railroad_ink.test_examples import TWO_NETWORKS
from tests.rules.scripted_chance import ScriptedChance


def choice(before: State, seat: Seat = A) -> str:
    """What greedy plays from what the seat sees."""
    view = GAME.seen(before, eyes(seat))
    move = GAME.bots["greedy"](view, seat, GAME.plain(before, seat), ScriptedChance(0))
    return GAME.grammar.format(move)


def test_it_joins_networks_by_a_special_route_in_the_end() -> None:
    before = but(table(TWO_NETWORKS, dice="rail_t road_t road_straight overpass"), round=7)
    assert choice(before) == "/special 2 B6 2"


def test_it_closes_open_ends_when_no_round_is_left() -> None:
    before = table("A4 road_straight 1", dice="road_t road_curve rail_t overpass")
    after = play(but(before, round=7), "/draw rail_t D1 3", "/draw overpass D2 1")
    assert choice(after).startswith("/draw road_")


def test_it_spares_special_routes_that_gain_little() -> None:
    before = table("", dice="rail_curve rail_curve rail_straight overpass")
    after = play(
        before,
        "/draw rail_curve A2 2",
        "/draw rail_curve A6 3",
        "/draw rail_straight D1 0",
        "/draw overpass B1 0",
    )
    assert choice(after) == "/done"


def wins(seed: int, seats: int) -> bool:
    """Whether greedy, on one seat among random players, wins alone."""
    chance = FastChance(seed)
    state: State = GAME.setup(GAME.info.complete({}), seats, chance).state
    bot_seat = Seat(seed % seats + 1)
    while movers := GAME.to_move(state):
        seat = min(movers)
        legal = GAME.plain(state, seat)
        if seat == bot_seat:
            view = GAME.seen(state, eyes(seat))
            move = GAME.bots["greedy"](view, seat, legal, chance)
        else:
            move = legal[chance.pick(len(legal))]
        state = GAME.play(state, seat, move, chance).state
    result = GAME.result(state)
    assert result is not None
    return [each.seat for each in result.standings if each.place == 1] == [bot_seat]


@pytest.mark.parametrize(("seats", "games"), [(2, 100), (4, 10)])
def test_it_beats_random_players_in_95_of_100_games(seats: int, games: int) -> None:
    assert sum(wins(seed, seats) for seed in range(games)) >= games * 95 // 100
