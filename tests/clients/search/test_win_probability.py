"""What the end of a playout is worth."""

from __future__ import annotations

import pytest

from bluebear.clients.bots.search.common_dice import Dice
from bluebear.clients.bots.search.win_probability import chance_of, value_of
from bluebear.rules.core.search_model import PlayoutEnd
from bluebear.rules.core.visibility import Seat

A, B, C = Seat(1), Seat(2), Seat(3)


def test_the_chances_of_all_seats_are_one_together() -> None:
    rest = PlayoutEnd(((500, 20), (480, 90), (300, 0)), spread=150)
    assert sum(chance_of(rest, seat) for seat in (A, B, C)) == pytest.approx(1)
    assert chance_of(rest, B) > chance_of(rest, A) > chance_of(rest, C)


def test_an_even_position_is_an_even_chance() -> None:
    rest = PlayoutEnd(((700,), (700,)), spread=100)
    assert chance_of(rest, A) == value_of(rest, A) == pytest.approx(0.5)


def test_a_game_that_is_over_is_won_lost_or_shared() -> None:
    rest = PlayoutEnd(((5,), (5,), (1,)), spread=100, first=(A, B))
    assert [chance_of(rest, seat) for seat in (A, B, C)] == [0.5, 0.5, 0.0]


def test_a_lost_game_is_still_better_lost_by_less() -> None:
    far, near = (PlayoutEnd(((lost,), (9000,)), 100, first=(B,)) for lost in (1000, 8000))
    assert value_of(near, A) > value_of(far, A)
    assert value_of(near, A) < 0.05


def test_no_lead_is_too_large() -> None:
    rest = PlayoutEnd(((0,), (10**9,)), spread=1)
    assert chance_of(rest, A) == pytest.approx(0)
    assert chance_of(rest, B) == pytest.approx(1)


def test_who_plays_alone_wants_more() -> None:
    more, less = (value_of(PlayoutEnd(((points,),), 500, first=(A,)), A) for points in (4700, 3100))
    assert more > less


def test_dice_for_the_same_thing_are_the_same_whatever_was_rolled_before() -> None:
    one, other = Dice(7), Dice(7)
    one.turn_to((1, 2))
    for _ in range(5):
        one.die()
    rolled = []
    for dice in (one, other):
        dice.turn_to((2, 2))
        rolled.append([dice.die() for _ in range(20)])
    assert rolled[0] == rolled[1]


def test_what_is_rolled_for_again_is_rolled_anew() -> None:
    dice = Dice(7)
    rolled = []
    for _ in range(2):
        dice.turn_to((1, 2))
        rolled.append([dice.die() for _ in range(20)])
    assert rolled[0] != rolled[1]
