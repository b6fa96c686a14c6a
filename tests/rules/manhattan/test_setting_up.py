"""Material and set-up: sections 1 and 2 of the rules."""

from __future__ import annotations

from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import Began, Dealt
from bluebear.rules.manhattan.rules.state import FLOORS, SITES, City, Phase, State
from tests.rules.manhattan.scene import A, B, C, D, board, building_turn, eyes, lines, typed
from tests.rules.scripted_chance import ScriptedChance

IN_ORDER: Final = [0] * 16
"""Draws that always take the lowest card that is left."""


def new_game(seats: int, *picks: int) -> State:
    table: State = GAME.setup(GAME.info.complete({}), seats, ScriptedChance(*picks)).state
    return table


@pytest.mark.rule("manhattan 1.1")
def test_two_to_four_sit_down() -> None:
    assert (GAME.info.seats.min, GAME.info.seats.max) == (2, 4)


@pytest.mark.rule("manhattan 1.2")
@pytest.mark.parametrize(
    "names",
    [
        "newyork saopaulo frankfurt cairo hongkong sydney",
        "ニューヨーク サンパウロ フランクフルト カイロ 香港 シドニー",
        "N P F C H S",
        "new sao fra cai hon syd",
        "Ｎ sãopaulo フラン カ 香 シ",
    ],
)
def test_six_cities_have_names_short_names_and_prefixes(names: str) -> None:
    table = building_turn()
    received = [typed(table, A, f"/build 1 {name} 1").split()[2] for name in names.split()]
    assert received == ["newyork", "saopaulo", "frankfurt", "cairo", "hongkong", "sydney"]


@pytest.mark.rule("manhattan 1.2")
def test_every_city_has_nine_sites() -> None:
    open_everywhere = lines(building_turn(hand=(1, 2, 3, 4)), A)
    assert len(open_everywhere) == len(City) * 4
    assert len(SITES) == 9


@pytest.mark.rule("manhattan 1.3")
def test_sites_are_drawn_in_reading_order() -> None:
    table = building_turn(
        {City.FRANKFURT: "A1 A2 A3  A4 A5 A6  A7 A8 A9"},
    )
    drawn = [line[49:].rstrip() for line in board(table).splitlines()[3:9]]
    assert drawn == [
        "Frankfurt (F)",
        "+-----+-----+-----+",
        "|A1   |A2   |A3   |",
        "|A4   |A5   |A6   |".replace("A5   ", "A5*  ").replace("A6   ", "A6*  "),
        "|A7*  |A8*  |A9*  |",
        "+-----+-----+-----+",
    ]


@pytest.mark.rule("manhattan 1.4")
def test_all_players_have_twenty_four_blocks_of_forty_seven_floors() -> None:
    table = new_game(2, 0, *IN_ORDER[:8])
    assert [builder.stock for builder in table.seats.values()] == [(11, 6, 4, 3)] * 2
    assert FLOORS == 47


@pytest.mark.rule("manhattan 1.5")
def test_there_are_five_cards_of_each_position() -> None:
    table = new_game(2, 0, *IN_ORDER[:8])
    hands = [builder.hand for builder in table.seats.values()]
    assert hands == [(1, 1, 1, 1), (1, 2, 2, 2)]
    assert table.deck == (0, 2, 5, 5, 5, 5, 5, 5, 5)


@pytest.mark.rule("manhattan 1.5")
def test_a_card_opens_its_position_in_any_city() -> None:
    table = building_turn(hand=(7, 7, 7, 7))
    assert lines(table, A) == [f"/build 1 {city} 7" for city in sorted(City)]


@pytest.mark.rule("manhattan 1.6")
def test_all_seats_see_the_cards_in_one_orientation() -> None:
    table = building_turn(hand=(8, 8, 8, 8), turn=D, seats=4)
    assert {line.split()[-1] for line in lines(table, D)} == {"8"}


@pytest.mark.rule("manhattan 2.1")
def test_all_players_are_dealt_four_cards_that_only_he_sees() -> None:
    table = new_game(4, 0, *IN_ORDER)
    seen = GAME.tree.view(table, eyes(B))["seats"]
    assert seen["2"]["hand"] == [1, 2, 2, 2]
    assert [key for key, section in seen.items() if "hand" in section] == ["2"]


@pytest.mark.rule("manhattan 2.1")
def test_each_seat_alone_is_shown_its_cards() -> None:
    made = GAME.setup(GAME.info.complete({}), 2, ScriptedChance(0, *IN_ORDER[:8]))
    assert [event for event in made.events if isinstance(event, Dealt)] == [
        Dealt(A, require(made.state.seats[A].hand)),
        Dealt(B, require(made.state.seats[B].hand)),
    ]


@pytest.mark.rule("manhattan 2.2")
@pytest.mark.parametrize(("pick", "seat"), [(0, A), (1, B), (2, C), (3, D)])
def test_chance_names_the_start_player(pick: int, seat: Seat) -> None:
    made = GAME.setup(GAME.info.complete({}), 4, ScriptedChance(pick, *IN_ORDER))
    assert made.events[0] == Began(seat, rounds=4, blocks=6)
    assert GAME.to_move(made.state) == eyes(seat)


@pytest.mark.rule("manhattan 2.3")
def test_a_game_begins_with_nothing_built_and_no_points() -> None:
    table: State = GAME.setup(GAME.info.complete({}), 3, FastChance(1)).state
    assert table.phase is Phase.CHOOSING
    assert [len(buildings) for buildings in table.cities.values()] == [0] * 6
    assert [builder.score for builder in table.seats.values()] == [0, 0, 0]


@pytest.mark.rule("manhattan 2.3")
def test_stocks_blocks_floors_and_scores_are_open_to_all() -> None:
    table = building_turn({City.CAIRO: "A1B3 . .  . . .  . . ."}, chosen=(4, 2))
    seen = GAME.tree.view(table, eyes())
    assert seen["cities"]["cairo"] == {"1": [[1, 3], 2]}
    assert seen["seats"]["1"] == {
        "stock": [11, 6, 4, 3],
        "chosen": [4, 2],
        "lost": 0,
        "score": 0,
        "points": [0, 0, 0],
    }
