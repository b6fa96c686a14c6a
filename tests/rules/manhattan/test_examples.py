"""The worked examples: section 8 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules.scoring import points_of
from bluebear.rules.manhattan.rules.state import City, Points, Site
from tests.rules.manhattan.scene import (
    A,
    B,
    C,
    building,
    building_turn,
    cities,
    lines,
    play,
    refusal,
)

WHITE, BLUE, RED = A, B, C


@pytest.mark.rule("manhattan 8.1")
def test_white_with_one_floor_against_three_needs_a_block_of_two() -> None:
    picture = """
        .   .     .
        .   A1B3  .
        .   .     .
    """
    table = building_turn({City.CAIRO: picture}, hand=(5, 5, 5, 5), chosen=(4, 3, 2, 1))
    assert refusal(table, WHITE, "/build 1 cairo 5").rule == "4.3"
    for block in (2, 3, 4):
        after = play(table, WHITE, f"/build {block} cairo 5")
        assert after.cities[City.CAIRO][Site(5)].owner == WHITE


NINE_AND_FOUR = """
    .     .  .
    .     .  .
    B4A9  .  .
"""


@pytest.mark.rule("manhattan 8.2")
@pytest.mark.parametrize("block", [1, 2, 3, 4])
def test_nine_floors_against_four_cannot_be_lost(block: int) -> None:
    table = building_turn({City.CAIRO: NINE_AND_FOUR}, hand=(7,) * 4, chosen=(block,), turn=BLUE)
    no = refusal(table, BLUE, f"/build {block} cairo 7")
    assert (no.rule, no.params["needs"]) == ("4.3", 5)


@pytest.mark.rule("manhattan 8.3")
@pytest.mark.parametrize("block", [1, 2, 3, 4])
def test_the_owner_may_add_any_block(block: int) -> None:
    table = building_turn({City.CAIRO: NINE_AND_FOUR}, hand=(7,) * 4, chosen=(block,))
    after = play(table, WHITE, f"/build {block} cairo 7")
    assert after.cities[City.CAIRO][Site(7)].floors == (9 + block, 4)


@pytest.mark.rule("manhattan 8.4")
def test_four_cards_open_three_sites() -> None:
    table = building_turn(hand=(8, 9, 9, 6))
    assert {line.split()[-1] for line in lines(table, WHITE)} == {"6", "8", "9"}


@pytest.mark.rule("manhattan 8.5")
def test_two_buildings_each_give_no_person_the_city() -> None:
    picture = """
        A1  B1  .
        .   .   B2
        A4  .   .
    """
    worth = points_of(cities({City.FRANKFURT: picture}), 2)
    assert [each.cities for each in worth.values()] == [0, 0]


@pytest.mark.rule("manhattan 8.6")
def test_two_tallest_buildings_of_one_player_give_him_nothing() -> None:
    picture = """
        A10  .  B2A8
        .    .  .
        .    .  .
    """
    worth = points_of(cities({City.FRANKFURT: picture}), 2)
    assert worth[WHITE].tallest == 0


@pytest.mark.rule("manhattan 8.7")
def test_equal_floors_take_a_building_and_one_more_takes_it_back() -> None:
    table = building_turn(
        {City.CAIRO: "A3 . .  . . .  . . ."},
        hand=(1, 1, 1, 1),
        chosen=(3,),
        rest_chosen=(1,),
        turn=BLUE,
    )
    taken = play(table, BLUE, "/build 3 cairo 1")
    assert taken.cities[City.CAIRO][Site(1)] == building("A3B3")
    back = play(taken, WHITE, "/build 1 cairo 1")
    assert back.cities[City.CAIRO][Site(1)] == building("A3B3A1")


@pytest.mark.rule("manhattan 8.8")
@pytest.mark.parametrize(("seat", "least"), [(RED, 1), (WHITE, 1)])
def test_of_three_colours_only_the_owners_floors_count(seat: Seat, least: int) -> None:
    """Red needs 3 - 2 = 1, white 3 - 3 = 0, so any block at all."""
    table = building_turn(
        {City.CAIRO: "C2A3B3 . .  . . .  . . ."},
        hand=(1, 1, 1, 1),
        chosen=(4, 3, 2, 1),
        turn=seat,
        seats=3,
    )
    placed = table.cities[City.CAIRO][Site(1)]
    assert (placed.height, placed.needs(RED), placed.needs(WHITE)) == (8, 1, 0)
    assert f"/build {least} cairo 1" in lines(table, seat)


@pytest.mark.rule("manhattan 8.9")
def test_ten_points_and_four() -> None:
    worth = points_of(
        cities(
            {
                City.FRANKFURT: "A1 A1 B1  . . .  . . .",
                City.HONGKONG: ". . .  . . .  . . A3",
                City.NEWYORK: "B1 . .  . . .  . . .",
            }
        ),
        2,
    )
    assert worth[WHITE] == Points(buildings=3, cities=2 + 2, tallest=3)
    assert (worth[WHITE].total, worth[BLUE].total) == (10, 4)
