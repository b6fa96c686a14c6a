"""Does the declared bound on the number of moves of I.T.C. hold for the worst that can be?"""

from __future__ import annotations

from math import comb

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import CARDS, LIMITS, PLAYER_CARDS, ROUTE
from bluebear.rules.itc.data.terms import CONTINENTS, Die, Place, Route
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import A, B, C, rolled, table


def crowded() -> State:
    """The middle of a game: loads on every route, one of them neutral, goods, and many cards."""
    return table(
        3,
        die=Die.RED,
        points=3,
        goods={Place.ASIA: dict.fromkeys(CARDS[PLAYER_CARDS[0]].goods, 2)},
        stones={Place.ASIA: (3, 2, 1), Place.EUROPE: (1, 0, 2), Place.MARKET: (0, 0, 2)},
        loads={
            Route.GREY: {11: "B103", 21: "A195+205"},
            Route.RED: {22: "A100", 32: "n02", 61: "C102"},
            Route.BLUE: {51: "A104?"},
            Route.GREEN: {41: "B170x"},
        },
        hands={A: [210, 211, 300]},
        kept={A: ["1", "2", "7", "12-asia"], B: ["4"], C: ["18"]},
    )


def sequences(state: State, depth: int) -> list[int]:
    """How many lines, pairs of lines and so on there are; draws do not change the count here."""
    counts = [0] * depth
    level = [state]
    for at in range(depth):
        following: list[State] = []
        for each in level:
            mover = each.mover
            assert mover is not None
            moves = list(GAME.legal(each, mover))
            counts[at] += len(moves)
            if at + 1 < depth:
                following += [GAME.play(each, mover, move, FastChance(1)).state for move in moves]
        level = following
    return counts


def test_the_middle_of_a_game_continues_in_so_many_forms() -> None:
    assert sequences(crowded(), 2) == [66, 3626]
    assert sequences(rolled(crowded(), blue=3, green=2), 2) == [25, 390]


def most_moves() -> int:
    """More moves than any position can have, added up kind by kind.

    A hand has at most its limit of transport cards when a turn begins, for a card above it is the
    drawn action card; a red die that leaves a point draws five.
    """
    hand = LIMITS.hand + LIMITS.red_points - 1
    columns = sorted(facts.columns for facts in ROUTE.values())
    entries = sum(columns[-2:])
    units = LIMITS.loads_per_route * len(ROUTE)
    spaces = sum(facts.columns * facts.rows for facts in ROUTE.values())
    behind = spaces - sum(columns)
    positions, seats = len(CONTINENTS), GAME.info.seats.max
    return sum(
        (
            hand * entries,  # load
            2 * hand * entries,  # hide
            comb(hand, 2) * entries,  # mega
            units * max(2, columns[-1]),  # move, express
            units * (positions + 6) + 1,  # land, drop, keep
            2 * (positions + 1) + 2,  # stone, sell, attack, end
            7 + 2 * positions,  # play, rob, unrest
            (seats - 1) * positions * (positions - 1),  # transfer
            positions * positions,  # shift
            2 * behind,  # obstacle
            positions * positions // 4 + positions,  # resettle, fetch
            positions * seats + seats,  # organize, recruit
        )
    )


def test_the_declared_bound_holds_for_the_worst_that_can_be() -> None:
    assert most_moves() <= GAME.info.legal_bound


def test_a_large_hand_stays_below_the_bound() -> None:
    red_and_blue = [card for card in PLAYER_CARDS if CARDS[card].routes == (Route.RED, Route.BLUE)]
    full = table(
        6,
        die=Die.RED,
        points=1,
        hands={A: red_and_blue[:11]},
        kept={A: ["1", "2", "10", "18"]},
        stones=dict.fromkeys(CONTINENTS, (1,) * 6),
    )
    legal = list(GAME.legal(full, A))
    assert 300 < len(legal) <= GAME.info.legal_bound
    before = but(full, phase=Phase.DICE)
    assert len(list(GAME.legal(before, A))) < 200
