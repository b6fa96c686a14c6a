"""A card that was hidden cannot be followed: see `following`, which does more of it by command."""

from __future__ import annotations

import random

import pytest

from tests.leak.card_tracker import PILES, Pile, p_of_positions, position_of, positions
from tests.rules.core.fairness import P_LEAST

GAMES = {"deck": 12, "transport cards": 3, "action cards": 3}


@pytest.mark.parametrize("pile", PILES, ids=lambda pile: pile.name)
def test_cards_leave_a_pile_from_any_position_of_it(pile: Pile) -> None:
    draws, alone, pairs = p_of_positions(list(positions(pile, GAMES[pile.name], seed=1)))
    assert draws > 60
    assert min(alone, pairs) >= P_LEAST


def test_the_position_of_a_card_is_somewhere_among_its_copies() -> None:
    before, chance = [(3, 1), (8, 2), (5, 1)], random.Random(1)

    def position_after(after: list[tuple[int, int]]) -> float:
        result = position_of(before, after, chance)
        assert result is not None
        return result

    assert 0.25 <= position_after([(3, 1), (8, 1), (5, 1)]) < 0.75
    assert 0.0 <= position_after([(8, 2), (5, 1)]) < 0.25
    assert 0.75 <= position_after([(3, 1), (8, 2)]) < 1.0
    assert {position_after([(3, 1), (8, 1)]) < 0.75 for _ in range(20)} == {True, False}
    assert position_of(before, before, chance) is None
    assert position_of([(3, 1)], [(8, 2), (5, 1)], chance) is None


def test_a_draw_from_the_top_or_beside_the_last_one_is_noticed() -> None:
    chance = random.Random(1)
    top = [[chance.random() ** 2 for _ in range(40)] for _ in range(20)]
    assert p_of_positions(top)[1] < P_LEAST
    beside = [[each, each] for each in (chance.random() for _ in range(400))]
    assert p_of_positions(beside)[2] < P_LEAST
    even = [[chance.random() for _ in range(40)] for _ in range(20)]
    assert min(p_of_positions(even)[1:]) >= P_LEAST
