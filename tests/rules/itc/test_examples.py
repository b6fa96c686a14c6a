"""The worked examples of the rules, each by name with its numbers."""

from __future__ import annotations

import pytest

from rules.core.chance import Scripted
from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, but
from rules.itc import GAME
from rules.itc.data import CARDS
from rules.itc.state import Phase, Selling, Table
from rules.itc.terms import ACard, Die, Good, Place, Route, TCard
from tests.rules.itc.example import (
    NA,
    A,
    B,
    C,
    D,
    cards_at,
    goods_at,
    lines,
    next_turn,
    pick_action,
    pick_transports,
    refused,
    rolled,
    say,
    stones_at,
    table,
)

BLACK, WHITE, RED = Good.BLACK, Good.WHITE, Good.RED
GREEN, YELLOW, BLUE = Good.GREEN, Good.YELLOW, Good.BLUE
MARKET = Place.MARKET


def money(state: Table, seat: Seat = A) -> int:
    return state.seats[seat].money


# Dice.


@pytest.mark.rule("itc 8.4")
def test_x1_a_red_four_draws_four_cards_and_leaves_two_points() -> None:
    """Text: "red four: four cards must be drawn, the other two points are free"."""
    before = rolled(table(), red=4, green=2)
    after = say(before, "/use red", draws=pick_transports(before, 100, 200, 300, 245))
    assert after.seats[A].hand == (100, 200, 245, 300)
    assert after.turn.points == 2
    assert lines(after, "load")
    assert lines(after, "stone")
    assert lines(after, "attack") == [""]


@pytest.mark.rule("itc 8.4")
@pytest.mark.parametrize("number", range(1, 7))
def test_red_leaves_what_is_not_drawn(number: int) -> None:
    before = rolled(table(), red=number, blue=1)
    drawn = pick_transports(before, *(100, 101, 102, 103, 104, 105)[:number])
    assert say(before, "/use red", draws=drawn).turn.points == 6 - number


@pytest.mark.rule("itc 11.25")
def test_x26_infrastructure_adds_three_points_to_blue() -> None:
    before = table(die=Die.BLUE, points=2, kept={A: ["15"]})
    assert say(before, "/play 15").turn.points == 5
    green = table(die=Die.GREEN, points=2, kept={A: ["15"]})
    assert refused(green, "/play 15", "11.25") == "needs_blue"


# Arrivals.


def arriving(load: str, route: Route = Route.BLUE, *, stones: int = 1) -> Table:
    top = {Route.BLUE: 51, Route.GREEN: 41, Route.GREY: 71, Route.RED: 61}[route]
    return table(
        loads={route: {top: load}},
        stones={NA: (0, stones), MARKET: (0, 1)},
        die=Die.BLUE,
        points=2,
    )


@pytest.mark.rule("itc 12.5", "itc 12.6")
@pytest.mark.parametrize(("route", "income"), [(Route.BLUE, 20_500), (Route.GREEN, 17_000)])
def test_x2_four_green_and_one_red_arrive_in_north_america(route: Route, income: int) -> None:
    after = say(arriving("A170", route), "/land 170 northamerica", draws=[4])
    assert goods_at(after, NA) == {RED: 1, GREEN: 4}
    assert money(after) == income
    assert money(after, B) == 0
    assert after.seats[A].stock == 40


@pytest.mark.rule("itc 12.3", "itc 12.6")
@pytest.mark.parametrize(("route", "income"), [(Route.BLUE, 17_000), (Route.GREEN, 13_500)])
def test_x3_a_six_steals_one_green(route: Route, income: int) -> None:
    after = say(arriving("A170", route), "/land 170 northamerica", draws=[5])
    assert goods_at(after, NA) == {RED: 1, GREEN: 3}
    assert goods_at(after, MARKET) == {GREEN: 1}
    assert money(after) == income
    assert money(after, B) == 3_500


@pytest.mark.rule("itc 12.5", "itc 12.6", "itc 2.5")
def test_x21_refused_goods_go_to_the_grey_market_and_are_not_paid() -> None:
    arrived = say(arriving("A104"), "/land 104 northamerica", draws=[1])
    assert goods_at(arrived, MARKET) == {WHITE: 2}
    assert goods_at(arrived, NA) == {BLACK: 1, RED: 1}
    assert money(arrived) == 12_000 - 2 * 2_500 == 7_000
    robbed = say(arriving("A104"), "/land 104 northamerica", draws=[5])
    assert money(robbed) == 9_000 - 5_000 == 4_000
    assert money(robbed, B) == 3_000
    assert goods_at(robbed, MARKET) == {WHITE: 2, RED: 1}
    assert goods_at(robbed, NA) == {BLACK: 1}


@pytest.mark.rule("itc 12.4", "itc 12.10")
def test_x22_on_an_empty_continent_all_goods_go_to_the_grey_market() -> None:
    after = say(arriving("A104", stones=0), "/land 104 northamerica", draws=[1])
    assert goods_at(after, NA) == {}
    assert goods_at(after, MARKET) == {BLACK: 1, WHITE: 2, RED: 1}
    assert money(after) == 2_000
    assert money(after, B) == 0


@pytest.mark.rule("itc 12.1")
def test_x23_two_landings_of_a_turn_go_to_two_continents() -> None:
    before = table(
        loads={Route.BLUE: {51: "A170", 52: "A104"}},
        stones={NA: (1, 0), Place.AFRICA: (1, 0)},
        die=Die.BLUE,
    )
    once = say(before, "/land 170 northamerica", draws=[0])
    assert refused(once, "/land 104 northamerica", "12.1") == "landed_already"
    assert say(once, "/land 104 africa", draws=[0]).turn.landed == (Place.AFRICA, NA)


@pytest.mark.rule("itc 12.2", "itc 12.6", "itc 17.3")
def test_goods_may_be_sent_to_the_grey_market_on_purpose() -> None:
    before = arriving("A170")
    marked = say(before, "/drop 170 green", "/drop 170 green")
    kept = say(marked, "/keep 170")
    assert money(say(kept, "/land 170 northamerica", draws=[0])) == 20_500
    after = say(marked, "/land 170 northamerica", draws=[0])
    assert goods_at(after, NA) == {RED: 1, GREEN: 2}
    assert goods_at(after, MARKET) == {GREEN: 2}
    assert money(after) == 20_500 - 2 * 3_500


@pytest.mark.rule("itc 12.3")
def test_the_carrier_who_controls_the_grey_market_is_paid_for_his_own_loss() -> None:
    before = table(
        loads={Route.BLUE: {51: "A170"}},
        stones={NA: (1, 0), MARKET: (2, 0)},
        die=Die.BLUE,
    )
    assert money(say(before, "/land 170 northamerica", draws=[5])) == 17_000 + 3_500


@pytest.mark.rule("itc 4.7", "itc 9.1")
def test_x4_a_blue_green_card_is_loaded_on_blue_or_green_only() -> None:
    before = table(hands={A: [170]}, die=Die.BLUE)
    for route in ("grey", "red"):
        assert refused(before, f"/load 170 {route} 1", "4.7") == "wrong_route"
    assert {line.split()[1] for line in lines(before, "load")} == {"blue", "green"}
    assert cards_at(say(before, "/load 170 blue 3"), Route.BLUE, 13) == (170,)


# Jams. Seats: A yellow, B blue, C red, D green.


def jam(mover: Seat) -> Table:
    """Rows 3 and 2 of the red route are full as in the example; a seat has begun its turn."""
    before = table(
        4,
        loads={
            Route.RED: {
                31: "A100", 32: "B102", 33: "B103",
                21: "A110", 22: "C115", 23: "D120",
            }
        },
        stones={MARKET: (0, 0, 0, 1)},
        mover=Seat((mover - 2) % 4 + 1),
    )  # fmt: skip
    return next_turn(before)


def with_dice(state: Table, die: str, number: int) -> Table:
    """The mover rolls blue and green and uses one of them."""
    numbers = (number - 1, 0) if die == "blue" else (0, number - 1)
    mover = state.turn.seat
    return say(state, "/dice blue green", f"/use {die}", seat=mover, draws=numbers)


def lost(before: Table, after: Table) -> set[int]:
    """The cards that were on the red route and are discarded."""
    cards = {card for load in before.routes[Route.RED].values() for card in load.cards}
    return {int(card) for card in cards if card in after.used_transports}


@pytest.mark.rule("itc 9.2", "itc 9.4")
def test_x5_blue_moves_neither_and_loses_both() -> None:
    turn = jam(B)
    assert dict(turn.turn.duties.items()) == {Route.RED: (3,)}
    after = next_turn(with_dice(turn, "blue", 4))
    assert lost(turn, after) == {102, 103}
    assert after.seats[B].stock == turn.seats[B].stock + 2
    goods = sum(len(CARDS[TCard(card)].goods) for card in (102, 103))
    assert sum(after.places[MARKET].goods) == goods
    assert money(after, B) == money(after, D) == 0


@pytest.mark.rule("itc 9.3")
@pytest.mark.parametrize("card", [102, 103])
def test_x5_blue_moves_either_one_and_loses_nothing(card: int) -> None:
    turn = jam(B)
    moved = say(with_dice(turn, "blue", 4), f"/move {card} straight", seat=B)
    assert len(moved.turn.duties) == 0
    assert lost(turn, next_turn(moved)) == set()


@pytest.mark.rule("itc 9.4")
def test_x6_red_cannot_leave_its_row_and_loses_nothing() -> None:
    turn = jam(C)
    assert dict(turn.turn.duties.items()) == {Route.RED: (2,)}
    acting = with_dice(turn, "blue", 4)
    assert lines(acting, "move", C) == []
    assert lost(turn, next_turn(acting)) == set()


@pytest.mark.rule("itc 9.4")
def test_x7_yellow_blocks_two_rows_and_has_to_move_both() -> None:
    turn = jam(A)
    assert dict(turn.turn.duties.items()) == {Route.RED: (2, 3)}
    acting = with_dice(turn, "blue", 4)
    both = say(acting, "/move 100 straight", "/move 110 straight")
    assert lost(turn, next_turn(both)) == set()


@pytest.mark.rule("itc 9.4")
def test_x7_yellow_moves_only_the_first_and_loses_the_second() -> None:
    turn = jam(A)
    first = say(with_dice(turn, "blue", 4), "/move 100 straight")
    assert lost(turn, next_turn(first)) == {110}


@pytest.mark.rule("itc 9.4")
def test_x7_yellow_moves_neither_and_loses_both() -> None:
    turn = jam(A)
    assert lost(turn, next_turn(with_dice(turn, "blue", 4))) == {100, 110}


@pytest.mark.rule("itc 9.3", "itc 8.5")
def test_x8_a_neutral_advance_opens_the_row() -> None:
    before = table(loads={Route.GREY: {31: "A103", 32: "n1"}}, mover=B)
    turn = next_turn(before)
    assert dict(turn.turn.duties.items()) == {Route.GREY: (3,)}
    acting = say(turn, "/dice green red", draws=[0, 0])
    acting = say(acting, "/use red", draws=pick_transports(acting, 5))
    assert cards_at(acting, Route.GREY, 42) == (1,)
    assert len(acting.turn.duties) == 0
    assert 103 not in next_turn(acting).used_transports


@pytest.mark.rule("itc 9.4")
def test_x9_the_wrong_die_is_no_excuse() -> None:
    turn = jam(B)
    assert lost(turn, next_turn(with_dice(turn, "green", 8))) == {102, 103}


@pytest.mark.rule("itc 9.5", "itc 12.8")
def test_the_loser_of_a_jam_does_not_sell_its_goods_in_that_turn() -> None:
    after = next_turn(with_dice(jam(D), "green", 2))
    assert after.turn.seat == A
    assert money(after, D) == 0


# Sales.


def north_america(points: int, die: Die = Die.GREEN) -> Table:
    """The first selling example: A has six stones there, B five."""
    return table(
        goods={NA: {BLACK: 7, RED: 1, GREEN: 3, YELLOW: 8, BLUE: 4}},
        stones={NA: (6, 5)},
        die=die,
        points=points,
    )


SELL_THREE = (
    "/stone northamerica",
    "/sell northamerica black",
    "/sell northamerica red",
    "/sell northamerica green",
)


@pytest.mark.rule("itc 14.1", "itc 14.2")
def test_x10_one_stone_and_three_sales_bring_16500() -> None:
    before = north_america(4)
    assert refused(before, "/sell northamerica black", "14.2") == "too_few_stones"
    after = say(before, *SELL_THREE)
    assert money(after) == 7 * 1_000 + 1 * 2_000 + 3 * 2_500 == 16_500
    assert stones_at(after, NA) == (4, 5)
    assert goods_at(after, NA) == {YELLOW: 8, BLUE: 4}
    more = but(after, turn=but(after.turn, points=1))
    assert refused(more, "/sell northamerica yellow", "14.2") == "too_few_stones"


@pytest.mark.rule("itc 14.2")
def test_x11_what_that_opens_for_b() -> None:
    sold = say(north_america(4), *SELL_THREE)
    turn = with_dice(next_turn(sold), "green", 5)
    three = but(turn, turn=but(turn.turn, points=3))
    placed = say(three, *["/stone northamerica"] * 3, seat=B)
    assert lines(placed, "sell", B) == []
    assert refused(three, "/sell northamerica yellow", "14.2", B) == "too_few_stones"
    assert refused(three, "/sell northamerica blue", "14.2", B) == "cheapest_first"
    four = say(turn, *["/stone northamerica"] * 3, "/sell northamerica yellow", seat=B)
    assert money(four, B) == 24_000
    assert four.turn.points == 1
    assert money(say(four, "/sell northamerica blue", seat=B), B) == 24_000 + 16_000


@pytest.mark.rule("itc 14.1")
def test_x12_the_other_choice_is_to_place_four_stones() -> None:
    after = say(north_america(4), *["/stone northamerica"] * 2, "/stone asia", "/stone europe")
    assert stones_at(after, NA) == (8, 5)
    assert money(after) == 0
    assert after.turn.points == 0


@pytest.mark.rule("itc 14.2")
def test_x13_each_colour_takes_a_stone_and_a_point() -> None:
    before = table(
        goods={NA: {BLACK: 2, RED: 1, GREEN: 1, YELLOW: 1}}, stones={NA: (3, 0)}, points=4
    )
    after = say(before, *SELL_THREE[1:])
    assert money(after) == 2_000 + 2_000 + 2_500 == 6_500
    assert after.turn.points == 1
    assert stones_at(after, NA) == (0, 0)
    assert refused(after, "/sell northamerica yellow", "14.2") == "too_few_stones"
    first = say(before, *SELL_THREE)
    assert first.turn.points == 0
    assert refused(first, "/sell northamerica yellow", "8.3") == "no_points"


@pytest.mark.rule("itc 14.2")
@pytest.mark.parametrize("colour", ["red", "green", "yellow", "blue"])
def test_x14_cheaper_goods_are_sold_first(colour: str) -> None:
    before = say(north_america(4), *["/stone northamerica"] * 2)
    assert refused(before, f"/sell northamerica {colour}", "14.2") == "cheapest_first"
    assert lines(before, "sell") == ["northamerica black"]


@pytest.mark.rule("itc 12.8", "itc 14.2")
def test_x15_what_has_just_arrived_is_not_sold() -> None:
    before = table(
        goods={NA: {YELLOW: 1}},
        loads={Route.BLUE: {51: "A170"}},
        stones={NA: (5, 0)},
        die=Die.RED,
        points=3,
    )
    landed = say(before, "/land 170 northamerica", draws=[0])
    assert refused(landed, "/sell northamerica red", "14.2") == "cheapest_first"
    sold = say(landed, "/sell northamerica yellow")
    assert money(sold) == 20_500 + 3_000
    assert refused(sold, "/sell northamerica red", "14.2") == "nothing_to_sell"
    later = next_turn(sold)
    assert later.places[NA].fresh == (0, 0, 0, 0, 0, 0)


@pytest.mark.rule("itc 14.3")
def test_x16_eight_goods_of_the_grey_market_go_for_one_stone() -> None:
    before = table(goods={MARKET: {BLACK: 8}}, stones={MARKET: (1, 0)}, points=1)
    after = say(before, "/sell market black")
    assert money(after) == 8_000
    assert after.controller is None
    ashore = table(goods={NA: {BLACK: 8}}, stones={NA: (7, 0)}, points=1)
    assert refused(ashore, "/sell northamerica black", "14.2") == "too_few_stones"


@pytest.mark.rule("itc 14.2", "itc 11.18")
def test_a_running_sale_is_ended_by_other_acts_but_not_by_card_8() -> None:
    before = table(goods={NA: {BLACK: 3, RED: 3}}, stones={NA: (3, 0)}, kept={A: ["8"]})
    sold = say(before, "/sell northamerica black")
    assert sold.turn.busy == Selling(NA, 1)
    bonus = say(sold, "/play 8")
    assert money(say(bonus, "/sell northamerica red")) == 3_000 + 6_000
    placed = say(sold, "/stone asia")
    assert refused(placed, "/sell northamerica red", "14.2") == "too_few_stones"


# Setting up.


def placing(standing: tuple[int, ...]) -> Table:
    """Seat 1 is to place a stone of the set-up beside what stands in Africa."""
    before = table(2, stones={Place.AFRICA: standing}, die=None, points=0, round=0, start=A)
    return but(before, phase=Phase.PLACING)


@pytest.mark.rule("itc 6.5")
@pytest.mark.parametrize(
    ("own", "other", "allowed"),
    [(2, 0, True), (3, 0, False), (3, 1, True), (4, 1, False), (4, 2, True), (4, 3, True)],
)
def test_x17_how_many_stones_one_may_be_ahead(own: int, other: int, allowed: bool) -> None:
    before = placing((own, other))
    assert ("africa" in lines(before, "stone")) is allowed
    if not allowed:
        assert refused(before, "/stone africa", "6.5") == "too_far_ahead"


@pytest.mark.rule("itc 6.4")
def test_x17_the_grey_market_is_refused_at_the_start() -> None:
    assert refused(placing((0, 0)), "/stone market", "6.4") == "no_market_yet"


# Smuggling, inspections, express, mega.

TOPS = {Route.GREY: (71, 120), Route.RED: (61, 120), Route.BLUE: (51, 110), Route.GREEN: (41, 115)}
BONUS = {Route.GREY: 20_000, Route.RED: 15_000, Route.BLUE: 10_000, Route.GREEN: 5_000}


@pytest.mark.rule("itc 11.11", "itc 12.7")
@pytest.mark.parametrize("route", list(Route))
def test_x18_smuggling_adds_the_bonus_of_the_route(route: Route) -> None:
    at, card = TOPS[route]
    before = table(loads={route: {at: f"A{card}?"}}, stones={Place.AFRICA: (1, 0)}, die=Die.BLUE)
    after = say(before, f"/land {card} africa", draws=[0])
    assert money(after) == CARDS[TCard(card)].full[route] + BONUS[route]
    assert after.used_actions[ACard("1")] == 1
    robbed = say(before, f"/land {card} africa", draws=[5])
    assert money(robbed) == CARDS[TCard(card)].robbed[route] + BONUS[route]


@pytest.mark.rule("itc 11.5", "itc 11.19")
@pytest.mark.parametrize("route", list(Route))
def test_x18_an_inspection_costs_the_bonus_even_below_zero(route: Route) -> None:
    at, card = TOPS[route]
    before = table(loads={route: {at: f"A{card}?"}}, mover=B)
    after = say(before, "/end", seat=B, draws=[pick_action(before, f"9-{route}")])
    assert money(after) == -BONUS[route]
    assert len(after.seats[A].under) == 0
    assert cards_at(after, route, at) == (card,)
    assert sum(after.used_actions.values()) == 0


@pytest.mark.rule("itc 11.5")
def test_x19_an_inspection_of_another_route_changes_nothing() -> None:
    before = table(loads={Route.BLUE: {51: "A110?"}}, mover=B)
    after = say(before, "/end", seat=B, draws=[pick_action(before, "9-green")])
    assert money(after) == 0
    assert after.routes == before.routes
    assert after.seats[A].under == before.seats[A].under


@pytest.mark.rule("itc 12.9")
def test_x20_what_finds_no_room_takes_the_place_of_a_cheaper_colour() -> None:
    full = {WHITE: 10}
    overflow = table(goods={MARKET: full, NA: {}}, loads={Route.BLUE: {51: "A110"}}, die=Die.BLUE)
    after = say(overflow, "/land 110 northamerica", draws=[0])
    assert goods_at(after, MARKET) == {BLACK: 5, WHITE: 10}
    gone = table(
        goods={MARKET: {BLACK: 10, **full}}, loads={Route.BLUE: {51: "A110"}}, die=Die.BLUE
    )
    after = say(gone, "/land 110 northamerica", draws=[0])
    assert goods_at(after, MARKET) == {BLACK: 10, WHITE: 10}


@pytest.mark.rule("itc 11.7", "itc 11.28")
def test_x24_a_mega_pair_adds_up_to_at_most_400() -> None:
    allowed = table(hands={A: [195, 205, 210]}, kept={A: ["18"]}, die=Die.BLUE)
    loaded = say(allowed, "/mega 195 205 grey 1")
    assert cards_at(loaded, Route.GREY, 11) == (195, 205)
    assert loaded.turn.points == allowed.turn.points - 1
    assert loaded.seats[A].stock == 38
    too_dear = table(hands={A: [185, 195, 205, 196, 220]}, kept={A: ["18"]}, die=Die.BLUE)
    assert refused(too_dear, "/mega 205 220 blue 1", "11.7") == "mega_too_dear"
    assert refused(too_dear, "/mega 196 205 blue 1", "11.7") == "mega_too_dear"


@pytest.mark.rule("itc 11.7", "itc 12.3")
def test_x24_a_mega_pair_has_two_theft_rolls() -> None:
    before = table(
        loads={Route.GREY: {71: "A195+205"}}, stones={Place.AFRICA: (1, 0)}, die=Die.BLUE
    )
    after = say(before, "/land 195 africa", draws=[5, 0])
    # Africa refuses yellow: of 195 one yellow was stolen, the other one is not paid.
    assert money(after) == 26_500 - 4_500 + 33_000 - 0
    assert goods_at(after, Place.AFRICA) == {BLACK: 5, WHITE: 7, GREEN: 1}


@pytest.mark.rule("itc 11.6", "itc 11.20")
def test_x30_express_waits_for_a_later_turn_and_the_blue_die() -> None:
    before = table(hands={A: [103]}, kept={A: ["10"]}, die=Die.BLUE, points=4)
    loaded = say(before, "/hide 103 grey 1 express")
    assert loaded.turn.points == 3
    assert refused(loaded, "/express 103 1", "9.1") == "just_loaded"
    later = table(loads={Route.GREY: {11: "A103x", 21: "B120"}}, die=Die.RED, points=4)
    assert refused(later, "/express 103 1", "11.6") == "express_needs_blue"
    blue = table(loads={Route.GREY: {11: "A103x", 21: "B120"}}, die=Die.BLUE, points=4)
    jumped = say(blue, "/express 103 1")
    assert jumped.turn.points == 3
    assert cards_at(jumped, Route.GREY, 71) == (103,)
    assert jumped.used_actions[ACard("10")] == 1


# The turn's end, and the game's.


@pytest.mark.rule("itc 11.3")
def test_x28_of_eight_cards_two_are_discarded_whatever_they_are() -> None:
    before = table(hands={A: [100, 101, 102, 103]}, kept={A: ["2", "3", "12-asia", "11-asia"]})
    discarding = say(before, "/end")
    assert discarding.phase is Phase.DISCARDING
    assert len(lines(discarding, "discard")) == 8
    once = say(discarding, "/discard 12-asia")
    draws = [pick_action(once, "1")]
    after = say(once, "/discard 100", draws=draws)
    assert after.turn.seat == B
    assert after.seats[A].cards == 6
    assert 100 in after.used_transports


@pytest.mark.rule("itc 11.1")
def test_x29_a_second_card_of_a_number_is_refused() -> None:
    before = table(stones={Place.ASIA: (1, 2)}, kept={A: ["12-asia", "12-africa"]})
    once = say(before, "/unrest asia")
    assert stones_at(once, Place.ASIA) == (1, 1)
    assert refused(once, "/unrest africa", "11.1") == "kind_played"


@pytest.mark.rule("itc 13.1", "itc 7.3")
def test_x25_the_round_in_which_the_goal_is_reached_is_played_to_its_end() -> None:
    before = table(
        4,
        goods={MARKET: {BLACK: 1}},
        stones={MARKET: (0, 1)},
        money={B: 199_000, C: 150_000},
        mover=B,
    )
    reached = say(before, "/sell market black", seat=B)
    assert money(reached, B) == 200_000
    assert reached.last
    third = next_turn(reached)
    assert third.turn.seat == C
    fourth = next_turn(with_dice(third, "green", 1))
    assert fourth.turn.seat == D
    over = say(with_dice(fourth, "green", 1), "/end", seat=D)
    assert over.phase is Phase.OVER
    result = GAME.result(over)
    assert result is not None
    assert [each.place for each in result.standings] == [3, 1, 2, 3]


@pytest.mark.rule("itc 13.1", "itc 11.5")
def test_the_last_round_stays_the_last_when_the_money_is_lost_again() -> None:
    before = table(loads={Route.GREY: {71: "A120?"}}, money={A: 205_000}, last=True)
    fined = say(before, "/end", draws=[pick_action(before, "9-grey")])
    assert money(fined) == 185_000
    over = say(with_dice(fined, "green", 1), "/end", seat=B)
    assert over.phase is Phase.OVER


def test_nothing_is_played_when_the_game_is_over() -> None:
    over = but(table(), phase=Phase.OVER)
    for seat in (A, B):
        assert list(GAME.legal(over, seat)) == []
        with pytest.raises(NotAllowed):
            GAME.play(over, seat, GAME.grammar.parse("/end"), Scripted())
