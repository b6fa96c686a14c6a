"""The house bot `greedy`."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.state import City, State
from tests.rules.manhattan.scene import A, building_turn, choosing, eyes
from tests.rules.scripted_chance import ScriptedChance


def choice(table: State, seat: Seat) -> str:
    """What greedy plays from what the seat sees."""
    view = GAME.seen(table, eyes(seat))
    move = GAME.bots["greedy"](view, seat, GAME.plain(table, seat), ScriptedChance(0))
    return GAME.grammar.format(move)


def test_it_uses_up_all_sizes_evenly() -> None:
    assert choice(choosing(), A) == "/take 4 3 2 1 1 1"


def test_it_takes_over_what_turns_a_city() -> None:
    table = building_turn(
        {City.CAIRO: "A1 B1 .  . . B2  . . .", City.SYDNEY: "B9 . .  . . .  . . ."},
        hand=(2, 4, 4, 4),
        chosen=(1,),
    )
    assert choice(table, A) == "/build 1 cairo 2"


def wins(seed: int, seats: int) -> bool:
    """Whether greedy, on one seat among random players, wins alone."""
    chance = FastChance(seed)
    table: State = GAME.setup(GAME.info.complete({}), seats, chance).state
    bot_seat = Seat(seed % seats + 1)
    while (turn := table.turn) is not None:
        legal = GAME.plain(table, turn)
        if turn == bot_seat:
            view = GAME.seen(table, eyes(turn))
            move = GAME.bots["greedy"](view, turn, legal, chance)
        else:
            move = legal[chance.pick(len(legal))]
        table = GAME.play(table, turn, move, chance).state
    scores = {seat: builder.score for seat, builder in table.seats.items()}
    best = max(scores.values())
    return scores[bot_seat] == best and list(scores.values()).count(best) == 1


@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_random_players_in_95_of_100_games(seats: int) -> None:
    assert sum(wins(seed, seats) for seed in range(100)) >= 95
