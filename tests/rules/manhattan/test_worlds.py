"""The worlds that Manhattan's rarest rule makes."""

from __future__ import annotations

from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.conformance.random_play import Position
from bluebear.rules.core.conformance.two_worlds import check_position_in_worlds
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Eyes, Seat, but
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.state import City, State
from tests.rules.manhattan.scene import A, B, C, D, building_turn, eyes

FOUR: Final = read_case(GAME, ["seats=4"])


def near_the_edge(turn: Seat) -> State:
    """A, who comes after D, can build on site 1 of each city only, so A's cards decide."""
    table = building_turn(
        dict.fromkeys(City, ". B2 C2  D2 B2 C2  D2 B2 C2"),
        turn=turn,
        start=D,
        hand=(1, 3, 6, 7),
        other_hands=(1, 2, 5, 9),
        chosen=(1,),
        seats=4,
    )
    # Floors that D, who began, has not before it any more are still in its stock.
    stock_of_d = (0 if turn == D else 1, 1, 4, 2)
    stocks = {A: (10, 6, 4, 3), B: (0, 0, 2, 1), C: (0, 0, 2, 1), D: stock_of_d}
    builders = {
        seat: but(seat_state, stock=stocks[seat]) for seat, seat_state in table.seats.items()
    }
    return but(table, seats=Keyed(builders))


@pytest.mark.rule("manhattan 4.7")
@pytest.mark.parametrize("viewer", [eyes(A), eyes(B), eyes(D), eyes()], ids=str)
@pytest.mark.parametrize("turn", [A, D])
def test_a_hopeless_hand_tells_no_person_anything_before_it_is_shown(
    turn: Seat, viewer: Eyes
) -> None:
    at = Position(FOUR, seed=1, number=0, state=near_the_edge(turn), counter=0, events=())
    chance = FastChance(1)
    for _ in range(20):
        check_position_in_worlds(at, viewer, chance, tries=3)
