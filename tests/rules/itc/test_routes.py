"""Own loads: loading, steps, landing, express and mega transport beyond the worked examples."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import but, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import ACard, Die, Place, Route, TCard
from bluebear.rules.itc.rules.events import (
    LoadedMega,
    LoadedOver,
    Played,
    Stepped,
    TransportPaid,
    Uncovered,
)
from bluebear.rules.itc.rules.state import Space, Under
from tests.rules.itc.example import (
    A,
    cards_at,
    lines,
    next_turn,
    play_lines,
    refused,
    say,
    table,
)

BLUE = Die.BLUE


@pytest.mark.rule("itc 9.1")
def test_a_card_reaches_any_free_space_of_the_first_row() -> None:
    start = table(die=BLUE, hands={A: [195]}, loads={Route.RED: {12: "B100"}})
    assert lines(start, "load") == ["195 grey 1", "195 grey 2", "195 red 1", "195 red 3"]
    assert refused(start, "/load 195 red 2", "9.1") == "column_taken"
    after = say(start, "/load 195 red 3")
    assert cards_at(after, Route.RED, 13) == (195,)
    assert after.routes[Route.RED][Space(13)].owner == A
    assert (after.seats[A].hand, after.seats[A].stock, after.turn.points) == ((), 39, 5)


@pytest.mark.rule("itc 9.1")
def test_a_full_first_row_takes_no_card() -> None:
    start = table(die=BLUE, hands={A: [195]}, loads={Route.GREY: {11: "B103", 12: "n01"}})
    assert refused(start, "/load 195 grey 1", "9.1") == "entry_full"


@pytest.mark.rule("itc 9.1")
def test_only_cards_in_hand_are_loaded() -> None:
    assert refused(table(die=BLUE), "/load 195 red 1", "8.8") == "no_transports"
    start = table(die=BLUE, hands={A: [100]})
    assert refused(start, "/load 195 red 1", "9.1") == "not_in_hand"


@pytest.mark.rule("itc 9.1")
def test_a_card_loaded_in_this_turn_moves_in_the_next() -> None:
    start = say(table(die=BLUE, hands={A: [195]}), "/load 195 red 1")
    assert refused(start, "/move 195 straight", "9.1") == "just_loaded"
    assert start.routes[Route.RED][Space(11)].fresh
    assert not next_turn(start).routes[Route.RED][Space(11)].fresh


@pytest.mark.rule("itc 9.9")
def test_two_cards_of_a_player_lie_on_a_route_at_most() -> None:
    loads = {Route.RED: {21: "A100", 31: "A102", 11: "B103"}}
    start = table(die=BLUE, hands={A: [195]}, loads=loads)
    assert refused(start, "/load 195 red 2", "9.9") == "route_limit"
    assert lines(start, "load") == ["195 grey 1", "195 grey 2"]
    pair = table(die=BLUE, hands={A: [195]}, loads={Route.RED: {21: "A100+102"}})
    assert refused(pair, "/load 195 red 2", "9.9") == "route_limit"


@pytest.mark.rule("itc 1.6")
def test_without_stones_in_stock_nothing_is_loaded_placed_or_attacked() -> None:
    stones = {Place.ASIA: (39, 0), Place.MARKET: (0, 1)}
    start = table(die=Die.RED, hands={A: [195, 205]}, kept={A: ["18", "13"]}, stones=stones)
    last = say(start, "/stone asia")
    for line in ("/load 195 red 1", "/stone asia", "/attack", "/play 13"):
        assert refused(last, line, "1.6") == "no_stones"
    assert lines(last, "load") == lines(last, "mega") == lines(last, "stone") == []
    assert refused(start, "/mega 195 205 grey 1", "1.6") == "no_stones"
    assert say(start, "/load 195 red 1").seats[A].stock == 0


@pytest.mark.rule("itc 9.7")
def test_a_load_moves_straight_where_it_can() -> None:
    start = table(die=BLUE, loads={Route.RED: {22: "A100"}})
    assert lines(start, "move") == ["100 straight"]
    assert refused(start, "/move 100 left", "9.7") == "straight_is_free"
    after, events = play_lines(start, "/move 100 straight")
    assert cards_at(after, Route.RED, 32) == (100,)
    assert events == [Stepped(A, TCard(100), Route.RED, 3, 2)]


@pytest.mark.rule("itc 9.7")
def test_a_load_moves_diagonally_only_where_it_is_blocked() -> None:
    loads = {Route.RED: {22: "A100", 32: "B102"}}
    start = table(die=BLUE, loads=loads)
    assert lines(start, "move") == ["100 left", "100 right"]
    assert cards_at(say(start, "/move 100 left"), Route.RED, 31) == (100,)
    assert cards_at(say(start, "/move 100 right"), Route.RED, 33) == (100,)
    half = table(die=BLUE, loads={Route.RED: {**loads[Route.RED], 31: "n02"}})
    assert refused(half, "/move 100 left", "9.7") == "side_taken"
    assert lines(half, "move") == ["100 right"]


@pytest.mark.rule("itc 9.7")
def test_a_load_stays_on_its_route_and_before_a_wall_of_the_rest() -> None:
    edge = table(die=BLUE, loads={Route.GREY: {12: "A103", 22: "B195"}, Route.RED: {}})
    assert lines(edge, "move") == ["103 left"]
    walled = table(die=BLUE, loads={Route.GREY: {12: "A103", 21: "n01", 22: "B195"}})
    assert refused(walled, "/move 103 left", "9.7") == "way_blocked"


@pytest.mark.rule("itc 9.7")
def test_no_player_moves_the_loads_of_the_rest() -> None:
    start = table(die=BLUE, loads={Route.RED: {11: "B100"}})
    assert refused(start, "/move 100 straight", "9.7") == "not_your_load"
    assert refused(start, "/move 102 straight", "9.7") == "not_loaded"


@pytest.mark.rule("itc 2.3")
def test_a_space_holds_one_card_or_one_pair() -> None:
    start = table(
        die=BLUE, hands={A: [195, 205]}, kept={A: ["18"]}, loads={Route.GREY: {11: "B103"}}
    )
    assert lines(start, "load") == [
        "195 grey 2",
        "195 red 1",
        "195 red 2",
        "195 red 3",
        *_blue(205),
    ]
    assert lines(start, "mega") == ["195 205 grey 2"]
    assert cards_at(say(start, "/mega 195 205 grey 2"), Route.GREY, 12) == (195, 205)


def _blue(card: int) -> list[str]:
    return [f"{card} blue {column}" for column in (1, 2, 3)] + [f"{card} grey 2"]


@pytest.mark.rule("itc 9.8")
def test_landing_begins_in_the_top_row_and_costs_a_point() -> None:
    start = table(
        die=BLUE, points=2, loads={Route.GREEN: {31: "A170"}}, stones={Place.ASIA: (1, 0)}
    )
    assert refused(start, "/land 170 asia", "9.8") == "not_at_top"
    assert refused(start, "/drop 170 green", "9.8") == "not_at_top"
    at_top = say(start, "/move 170 straight")
    assert refused(at_top, "/move 170 straight", "9.8") == "lands_next"
    assert lines(at_top, "land") == [
        f"170 {position}"
        for position in ("africa", "asia", "australia", "europe", "northamerica", "southamerica")
    ]
    after = say(at_top, "/land 170 asia", draws=[0])
    assert after.turn.points == 0
    assert TCard(170) in after.used_transports


@pytest.mark.rule("itc 11.11", "itc 16.3", "itc 11.2")
def test_what_lies_under_a_load_is_visible_to_its_owner_only() -> None:
    start = table(die=BLUE, hands={A: [195]}, kept={A: ["1", "10"]})
    after, events = play_lines(start, "/hide 195 red 1 smuggling")
    assert events == [LoadedOver(A, TCard(195), Route.RED, 1, Under.SMUGGLING)]
    assert after.routes[Route.RED][Space(11)].under is Under.HIDDEN
    assert dict(require(after.seats[A].under).items()) == {TCard(195): Under.SMUGGLING}
    assert after.seats[A].kept == ("10",)
    assert ACard("1") not in after.used_actions


@pytest.mark.rule("itc 11.1")
def test_two_cards_of_one_number_do_not_go_under_loads_in_one_turn() -> None:
    start = table(die=BLUE, hands={A: [195, 205]}, kept={A: ["1", "1", "10"]})
    once = say(start, "/hide 195 red 1 smuggling")
    assert refused(once, "/hide 205 blue 1 smuggling", "11.1") == "kind_played"
    assert all("express" in line for line in lines(once, "hide"))
    both = say(once, "/hide 205 blue 1 express")
    assert dict(require(both.seats[A].under).items()) == {
        195: Under.SMUGGLING,
        205: Under.EXPRESS,
    }


@pytest.mark.rule("itc 11.1")
def test_a_card_under_a_load_must_be_in_the_hand() -> None:
    start = table(die=BLUE, hands={A: [195]}, kept={A: ["10"]})
    assert refused(start, "/hide 195 red 1 smuggling", "11.1") == "no_action_card"
    none = table(die=BLUE, hands={A: [195]})
    assert refused(none, "/hide 195 red 1 express", "11.1") == "no_actions"


@pytest.mark.rule("itc 15.6")
def test_by_an_option_a_card_moves_in_the_turn_in_which_it_was_loaded() -> None:
    options = {"move_loaded": True}
    before = table(die=BLUE, points=3, hands={A: [195]}, options=options)
    after = say(say(before, "/load 195 red 1"), "/move 195 straight")
    assert after.turn.points == 1
    assert cards_at(after, Route.RED, 21) == (195,)


@pytest.mark.rule("itc 15.6", "itc 11.6")
def test_a_loaded_card_jumps_at_once_by_the_same_option() -> None:
    before = table(
        die=BLUE, points=3, hands={A: [103]}, kept={A: ["10"]}, options={"move_loaded": True}
    )
    after = say(say(before, "/hide 103 grey 1 express"), "/express 103 1")
    assert cards_at(after, Route.GREY, 71) == (103,)


@pytest.mark.rule("itc 15.7")
@pytest.mark.parametrize("row", [1, 6])
def test_by_an_option_an_express_load_moves_and_lands_by_blue_only(row: int) -> None:
    loads = {Route.RED: {10 * row + 2: "A100x", 23: "A102"}}
    options = {"express_blue": True}
    verb, rest = ("move", "100 straight") if row == 1 else ("land", "100 asia")
    red = table(die=Die.RED, points=4, loads=loads, options=options)
    assert refused(red, f"/{verb} {rest}", "11.6") == "express_needs_blue"
    assert rest not in lines(red, verb)
    assert "102 straight" in lines(red, "move"), "another load moves by red"
    blue = table(die=BLUE, points=4, loads=loads, options=options)
    assert rest in lines(blue, verb)


@pytest.mark.rule("itc 15.6", "itc 15.7")
def test_readings_are_as_before_unless_chosen() -> None:
    assert not {"move_loaded", "express_blue"} & GAME.tree.dump(table()).keys()


@pytest.mark.rule("itc 11.6")
def test_express_leads_to_the_same_column_or_else_to_any_free_one() -> None:
    start = table(die=BLUE, loads={Route.RED: {22: "A100x"}})
    assert lines(start, "express") == ["100 2"]
    assert refused(start, "/express 100 1", "11.6") == "jump_column"
    taken = table(die=BLUE, loads={Route.RED: {22: "A100x", 62: "B102"}})
    assert lines(taken, "express") == ["100 1", "100 3"]
    full = {22: "A100x", 61: "B102", 62: "B103", 63: "n02"}
    start = table(die=BLUE, loads={Route.RED: full})
    assert refused(start, "/express 100 1", "11.6") == "top_full"
    at_top = table(die=BLUE, loads={Route.RED: {62: "A100x"}})
    assert refused(at_top, "/express 100 2", "9.8") == "lands_next"


@pytest.mark.rule("itc 11.6")
def test_an_express_load_steps_with_red_points_and_jumps_with_blue_ones_only() -> None:
    start = table(die=Die.RED, loads={Route.RED: {22: "A100x", 11: "A102"}})
    assert refused(start, "/express 100 2", "11.6") == "express_needs_blue"
    assert cards_at(say(start, "/move 100 straight"), Route.RED, 32) == (100,)
    blue = but(start, turn=but(start.turn, used=BLUE))
    assert refused(blue, "/express 102 1", "11.6") == "no_express"


@pytest.mark.rule("itc 12.7", "itc 11.6")
def test_an_express_card_that_was_not_used_is_shown_and_does_nothing() -> None:
    start = table(die=BLUE, loads={Route.RED: {61: "A100x"}}, stones={Place.ASIA: (1, 0)})
    after, events = play_lines(start, "/land 100 asia", draws=[0])
    assert Uncovered(A, TCard(100), Under.EXPRESS) in events
    assert after.seats[A].money == 14_000
    assert after.used_actions[ACard("10")] == 1
    assert len(require(after.seats[A].under)) == 0


@pytest.mark.rule("itc 11.7")
def test_a_pair_is_one_load_of_two_cards_and_two_stones() -> None:
    start = table(die=BLUE, points=3, hands={A: [195, 205]}, kept={A: ["18"]})
    after, events = play_lines(start, "/mega 195 205 grey 1")
    assert events == [
        Played(A, ACard("18")),
        LoadedMega(A, (TCard(195), TCard(205)), Route.GREY, 1),
    ]
    assert (after.turn.points, after.seats[A].stock, after.seats[A].hand) == (2, 38, ())
    assert after.used_actions[ACard("18")] == 1


@pytest.mark.rule("itc 11.7", "itc 17.2")
def test_a_pair_moves_for_one_point_and_is_named_by_its_lower_index() -> None:
    start = table(die=BLUE, points=3, loads={Route.GREY: {11: "A195+205"}})
    assert lines(start, "move") == ["195 straight"]
    assert refused(start, "/move 205 straight", "11.7") == "lower_answers"
    after = say(start, "/move 195 straight", "/move 195 straight")
    assert cards_at(after, Route.GREY, 31) == (195, 205)
    assert after.turn.points == 1


@pytest.mark.rule("itc 11.7", "itc 12.6")
def test_a_pair_lands_for_one_point_card_by_card_the_lower_one_first() -> None:
    start = table(die=BLUE, loads={Route.GREY: {71: "A195+205"}}, stones={Place.AFRICA: (1, 0)})
    after, events = play_lines(start, "/drop 195 white", "/land 195 africa", draws=[0, 5])
    paid = [event for event in events if isinstance(event, TransportPaid)]
    # 195 has two yellow, which Africa refuses, and of its three white one is dropped.
    assert paid[0] == TransportPaid(A, TCard(195), 31_000 - 2 * 4_500 - 2_500)
    # 205 loses a white one to the theft; five of eight white spaces are left for four white ones.
    assert paid[1] == TransportPaid(A, TCard(205), 30_500)
    assert after.seats[A].stock == 39
    assert after.turn.points == 5


@pytest.mark.rule("itc 11.7")
def test_a_pair_is_named_in_order_and_needs_its_card_and_a_common_route() -> None:
    start = table(die=BLUE, hands={A: [170, 195, 205]}, kept={A: ["18"]})
    assert refused(start, "/mega 205 195 grey 1", "11.7") == "lower_first"
    assert refused(start, "/mega 195 205 red 1", "4.7") == "wrong_route"
    assert refused(start, "/mega 170 205 green 1", "4.7") == "wrong_route"
    bare = table(die=BLUE, hands={A: [195, 205]})
    assert refused(bare, "/mega 195 205 grey 1", "11.1") == "no_actions"
    one_there = table(
        die=BLUE, hands={A: [195, 205]}, kept={A: ["18"]}, loads={Route.GREY: {21: "A103"}}
    )
    assert refused(one_there, "/mega 195 205 grey 1", "9.9") == "route_limit"


@pytest.mark.rule("itc 12.1")
def test_on_six_continents_one_can_land_in_a_turn_and_no_more() -> None:
    loads = {
        Route.GREEN: {41: "A170", 42: "A171"},
        Route.BLUE: {51: "A104", 52: "A101"},
        Route.RED: {61: "A100", 62: "A102"},
        Route.GREY: {71: "A205"},
    }
    start = table(die=BLUE, points=9, loads=loads)
    positions = ("africa", "asia", "australia", "europe", "northamerica", "southamerica")
    cards = (170, 171, 104, 101, 100, 102)
    landings = [f"/land {card} {position}" for card, position in zip(cards, positions, strict=True)]
    after = say(start, *landings, draws=[0] * 6)
    assert refused(after, "/land 205 asia", "12.1") == "landed_everywhere"
    assert lines(after, "land") == lines(after, "drop") == []


@pytest.mark.rule("itc 12.2")
def test_only_goods_of_the_load_are_dropped_and_another_act_forgets_them() -> None:
    start = table(
        die=Die.RED,
        loads={Route.BLUE: {51: "A170"}},
        stones={Place.ASIA: (1, 0), Place.AFRICA: (1, 0)},
    )
    assert refused(start, "/drop 170 black", "12.2") == "no_such_good"
    marked = say(start, "/drop 170 red")
    assert refused(marked, "/drop 170 red", "12.2") == "no_such_good"
    assert refused(start, "/keep 170", "12.2") == "nothing_dropped"
    other = say(marked, "/stone africa")
    assert other.turn.busy is None
    assert say(other, "/land 170 africa", draws=[0]).seats[A].money == 20_500


@pytest.mark.rule("itc 12.2")
def test_a_theft_precedes_goods_that_were_to_be_dropped() -> None:
    start = table(die=BLUE, loads={Route.BLUE: {51: "A170"}}, stones={Place.AFRICA: (0, 1)})
    drops = ["/drop 170 green"] * 4
    after = say(start, *drops, "/land 170 africa", draws=[5])
    # One green is stolen, the three that are left are dropped, the red one is delivered.
    assert after.seats[A].money == 17_000 - 3 * 3_500
    assert after.places[Place.MARKET].goods == (0, 0, 0, 4, 0, 0)
    assert after.places[Place.AFRICA].goods == (0, 0, 1, 0, 0, 0)
