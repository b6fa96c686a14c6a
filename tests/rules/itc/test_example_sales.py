"""Worked examples of sales, and of stones at the start."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import but
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.state import Phase, Selling, State
from tests.rules.itc.example import (
    NA,
    A,
    B,
    goods_at,
    lines,
    money,
    next_turn,
    refused,
    say,
    stones_at,
    table,
    with_dice,
)

BLACK, RED, GREEN, YELLOW, BLUE = Good.BLACK, Good.RED, Good.GREEN, Good.YELLOW, Good.BLUE
MARKET = Place.MARKET


# Sales.
def north_america(points: int, die: Die = Die.GREEN) -> State:
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
def test_x12_the_other_choice_is_to_put_four_stones() -> None:
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
def placing(placed: tuple[int, ...]) -> State:
    """Seat 1 is to place a stone of the set-up beside what stands in Africa."""
    before = table(2, stones={Place.AFRICA: placed}, die=None, points=0, round=0, start=A)
    return but(before, phase=Phase.PLACING)


@pytest.mark.rule("itc 6.5")
@pytest.mark.parametrize(
    ("stones", "other", "allowed"),
    [(2, 0, True), (3, 0, False), (3, 1, True), (4, 1, False), (4, 2, True), (4, 3, True)],
)
def test_x17_how_many_stones_one_may_be_ahead(stones: int, other: int, allowed: bool) -> None:
    before = placing((stones, other))
    assert ("africa" in lines(before, "stone")) is allowed
    if not allowed:
        assert refused(before, "/stone africa", "6.5") == "too_far_ahead"


@pytest.mark.rule("itc 6.4")
def test_x17_the_grey_market_is_refused_at_the_start() -> None:
    assert refused(placing((0, 0)), "/stone market", "6.4") == "no_market_yet"
