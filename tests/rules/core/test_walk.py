"""Which positions of a game does the conformance kit look into?"""

from __future__ import annotations

from bluebear.rules.core.conformance.random_play import ALL_CHECKED, is_checked


def test_the_beginning_of_a_game_is_checked_completely_and_a_long_one_here_and_there() -> None:
    looked_into = [number for number in range(100) if is_checked(number)]
    assert looked_into[:ALL_CHECKED] == list(range(ALL_CHECKED))
    assert looked_into[ALL_CHECKED:] == [
        *range(26, 50, 2),
        *range(51, 75, 3),
        *range(76, 100, 4),
    ]
