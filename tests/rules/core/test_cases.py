"""With which options and how many seats does the conformance kit play a game?"""

from __future__ import annotations

import itertools

from msgspec.structs import replace

from bluebear.rules.core.conformance.case import cases, pairwise
from tests.games.sealed import SealedGame


def test_cases_are_all_seats_and_every_telling_option() -> None:
    listed = [str(case) for case in cases(SealedGame())]
    assert listed == [
        f"sealed seats={seats} rounds={rounds}" for rounds in (3, 1, 5) for seats in (2, 3, 4)
    ]


def test_every_two_choices_meet_in_a_few_rows() -> None:
    for counts in ((3, 2, 2, 2, 2, 2, 3, 1, 5), (4, 2, 2, 2, 3, 1, 5), (2,) * 12, (6, 3)):
        rows = pairwise(counts)
        assert rows[0] == (0,) * len(counts)
        assert rows == sorted(set(rows))
        for first, second in itertools.combinations(range(len(counts)), 2):
            met = {(row[first], row[second]) for row in rows}
            assert met == set(itertools.product(range(counts[first]), range(counts[second])))
        most, second_most = sorted(counts)[-1:-3:-1]
        assert len(rows) <= most * second_most + 8


def test_every_two_values_of_options_and_seats_are_played_together() -> None:
    game = SealedGame()
    option = game.info.options["rounds"]
    many = [f"rounds{at}" for at in range(5)]
    game.info = replace(game.info, option=tuple(replace(option, name=each) for each in many))
    listed = list(cases(game))
    for first, second in itertools.combinations(many, 2):
        values = {(case.options[first], case.options[second]) for case in listed}
        assert values == set(itertools.product((3, 1, 5), repeat=2))
        assert {(case.options[first], case.seats) for case in listed} == set(
            itertools.product((3, 1, 5), (2, 3, 4))
        )


def test_of_many_numbers_of_seats_the_lowest_and_the_highest_are_played() -> None:
    game = SealedGame()
    game.info = replace(game.info, option=(), seats=replace(game.info.seats, min=1, max=12))
    assert [case.seats for case in cases(game)] == [1, 2, 3, 4, 12]
    game.info = replace(game.info, seats=replace(game.info.seats, min=2, max=6))
    assert [case.seats for case in cases(game)] == [2, 3, 4, 5, 6]
