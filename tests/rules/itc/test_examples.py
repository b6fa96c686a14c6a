"""Worked examples of the rules, by name with their numbers: dice and arrivals."""

from __future__ import annotations

import pytest

from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.state import State
from tests.rules.itc.example import (
    NA,
    A,
    B,
    cards_at,
    goods_at,
    lines,
    money,
    pick_transports,
    refused,
    rolled,
    say,
    table,
)

BLACK, WHITE, RED, GREEN = Good.BLACK, Good.WHITE, Good.RED, Good.GREEN
MARKET = Place.MARKET


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
def arriving(load: str, route: Route = Route.BLUE, *, stones: int = 1) -> State:
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
    retained = say(marked, "/keep 170")
    assert money(say(retained, "/land 170 northamerica", draws=[0])) == 20_500
    after = say(marked, "/land 170 northamerica", draws=[0])
    assert goods_at(after, NA) == {RED: 1, GREEN: 2}
    assert goods_at(after, MARKET) == {GREEN: 2}
    assert money(after) == 20_500 - 2 * 3_500


@pytest.mark.rule("itc 12.3")
def test_the_carrier_who_controls_the_grey_market_is_paid_for_their_loss() -> None:
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
