"""The measure of fairness itself: what is even passes, what is bent does not."""

from __future__ import annotations

import pytest

from tests.rules.core.fairness import chi_square, p_of_dice, p_of_positions, p_value


@pytest.mark.parametrize(
    ("square", "freedom", "p"), [(11.07, 5, 0.05), (30.14, 19, 0.05), (20.52, 5, 0.001)]
)
def test_the_approximation_is_that_of_the_tables(square: float, freedom: int, p: float) -> None:
    assert p_value(square, freedom) == pytest.approx(p, rel=0.15)


def test_dice_and_cards_are_even() -> None:
    assert 0.001 < p_of_dice(6, 20_000) < 0.999
    assert 0.001 < p_of_positions(400) < 0.999


def test_a_bent_die_is_seen() -> None:
    throws = 100_000
    bent = [throws // 6] * 5 + [throws // 6 + throws // 100]
    assert p_value(chi_square(bent), 5) < 0.001
