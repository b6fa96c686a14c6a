"""The action cards, each by its number (Rule: itc 11.11 and on)."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Event, but
from bluebear.rules.itc.data.terms import ACard, Die, Good, Kind, Place, Route, TCard
from bluebear.rules.itc.rules.events import (
    AtOnce,
    Delivered,
    MarketTaken,
    NothingDelivered,
    Played,
    SetBack,
    StoneLost,
)
from bluebear.rules.itc.rules.state import Organizing, Phase, Resettling, Space, State
from tests.rules.itc.example import (
    NA,
    A,
    B,
    C,
    cards_at,
    goods_at,
    lines,
    pick_action,
    play_lines,
    refused,
    rolled,
    say,
    stones_at,
    table,
)

AFRICA, ASIA, EUROPE, MARKET = Place.AFRICA, Place.ASIA, Place.EUROPE, Place.MARKET


def drawn(start: State, code: str) -> tuple[State, list[Event]]:
    """The player on turn ends it, and the next seat draws this card."""
    return play_lines(start, "/end", seat=start.turn.seat, draws=[pick_action(start, code)])


@pytest.mark.rule("itc 11.1", "itc 11.2")
def test_a_played_card_passes_to_the_discards_and_costs_no_point() -> None:
    start = table(kept={A: ["6", "4", "4"]}, points=3)
    after, events = play_lines(start, "/play 4")
    assert events == [Played(A, ACard("4"))]
    assert after.turn.points == 3
    assert after.used_actions[ACard("4")] == 1
    assert (after.seats[A].kept, after.seats[A].actions) == (("4", "6"), 2)
    assert refused(after, "/play 4", "11.1") == "kind_played"
    assert say(after, "/play 6").turn.played == (Kind.NEUTRAL_PUSH, Kind.GANG_PURGE)


@pytest.mark.rule("itc 11.1")
def test_only_cards_in_hand_are_played() -> None:
    assert refused(table(), "/play 4", "11.1") == "no_actions"
    start = table(kept={A: ["11-asia"]})
    assert refused(start, "/play 4", "11.1") == "no_action_card"
    assert refused(start, "/rob africa", "11.1") == "no_action_card_of"


@pytest.mark.rule("itc 11.1", "itc 11.30")
def test_cards_done_at_once_do_not_count_for_the_limit_of_one() -> None:
    start = table(mover=B)
    after, events = drawn(start, "20-asia")
    assert AtOnce(A, ACard("20-asia")) in events
    assert after.turn.played == ()
    assert after.seats[A].kept == ()
    assert after.used_actions[ACard("20-asia")] == 1


@pytest.mark.rule("itc 11.4", "itc 11.30")
def test_20_delivers_four_of_the_cheapest_colour_that_is_missing() -> None:
    # Asia refuses red; black and white lie there already.
    start = table(mover=B, goods={ASIA: {Good.BLACK: 1, Good.WHITE: 3}})
    after, events = drawn(start, "20-asia")
    assert goods_at(after, ASIA) == {Good.BLACK: 1, Good.WHITE: 3, Good.GREEN: 4}
    assert Delivered(ASIA, Good.GREEN, 4) in events
    assert after.places[ASIA].fresh == (0,) * 6


@pytest.mark.rule("itc 11.4")
def test_a_delivery_can_be_sold_in_the_same_turn() -> None:
    start = table(mover=B, stones={ASIA: (4, 0)})
    after, _ = drawn(start, "20-asia")
    acting = but(after, phase=Phase.ACTING, turn=but(after.turn, used=Die.GREEN, points=1))
    assert say(acting, "/sell asia black").seats[A].money == 4_000


@pytest.mark.rule("itc 11.4")
def test_where_every_accepted_colour_lies_nothing_is_delivered() -> None:
    every = dict.fromkeys((Good.BLACK, Good.WHITE, Good.GREEN, Good.YELLOW, Good.BLUE), 1)
    start = table(mover=B, goods={ASIA: every})
    after, events = drawn(start, "20-asia")
    assert goods_at(after, ASIA) == every
    assert NothingDelivered(ASIA) in events


@pytest.mark.rule("itc 11.15", "itc 11.4")
def test_5_delivers_three_goods_to_each_of_two_continents() -> None:
    start = table(mover=B, goods={AFRICA: {Good.BLACK: 1}})
    after, events = drawn(start, "5-africa-asia")
    assert goods_at(after, AFRICA) == {Good.BLACK: 1, Good.WHITE: 3}
    assert goods_at(after, ASIA) == {Good.BLACK: 3}
    assert [event for event in events if isinstance(event, Delivered)] == [
        Delivered(AFRICA, Good.WHITE, 3),
        Delivered(ASIA, Good.BLACK, 3),
    ]


@pytest.mark.rule("itc 11.12")
def test_2_moves_a_stone_of_another_player_between_continents() -> None:
    start = table(3, stones={ASIA: (1, 2, 0)}, kept={A: ["2"]})
    positions = ("africa", "australia", "europe", "northamerica", "southamerica")
    assert lines(start, "transfer") == [f"2 asia {position}" for position in positions]
    after = say(start, "/transfer 2 asia europe")
    assert stones_at(after, ASIA) == (1, 1, 0)
    assert stones_at(after, EUROPE) == (0, 1, 0)
    assert refused(start, "/transfer 1 asia europe", "11.12") == "own_stone"
    assert refused(start, "/transfer 3 asia europe", "11.12") == "no_stone_there"
    assert refused(start, "/transfer 6 asia europe", "1.1") == "nobody_there"
    assert refused(start, "/transfer 2 asia asia", "11.12") == "same_place"


@pytest.mark.rule("itc 11.13")
def test_3_moves_a_players_stone_and_a_controllers_one_to_the_grey_market() -> None:
    start = table(stones={ASIA: (1, 1), MARKET: (0, 1)}, kept={A: ["3"]})
    assert refused(start, "/shift asia market", "14.6") == "not_controller"
    assert refused(start, "/shift europe asia", "11.13") == "no_stone_there"
    assert stones_at(say(start, "/shift asia europe"), EUROPE) == (1, 0)
    controls = table(stones={ASIA: (1, 1), MARKET: (1, 0)}, kept={A: ["3"]})
    assert stones_at(say(controls, "/shift asia market"), MARKET) == (2, 0)


@pytest.mark.rule("itc 11.14")
def test_4_advances_all_neutral_loads() -> None:
    start = table(loads={Route.GREY: {11: "n01"}, Route.BLUE: {21: "n07"}}, kept={A: ["4"]})
    after = say(start, "/play 4")
    assert cards_at(after, Route.GREY, 21) == (1,)
    assert cards_at(after, Route.BLUE, 31) == (7,)


@pytest.mark.rule("itc 11.16", "itc 12.8")
def test_6_takes_one_good_of_every_colour_from_the_grey_market() -> None:
    start = table(goods={MARKET: {Good.BLACK: 2, Good.BLUE: 1}}, kept={A: ["6"]})
    market = but(start.places[MARKET], fresh=(1, 0, 0, 0, 0, 0))
    fresh = but(start, places=start.places.put(MARKET, market))
    after = say(fresh, "/play 6")
    assert goods_at(after, MARKET) == {Good.BLACK: 1}
    assert after.places[MARKET].fresh == (1, 0, 0, 0, 0, 0), "the ordinary one goes first"


@pytest.mark.rule("itc 11.17")
def test_7_sets_any_load_one_row_back() -> None:
    loads = {Route.RED: {22: "B100", 32: "A102", 13: "B103", 41: "n02"}}
    start = table(loads=loads, kept={A: ["7"]})
    assert lines(start, "obstacle") == ["100 straight", "102 left", "102 right", "n02 straight"]
    after, events = play_lines(start, "/obstacle 102 left")
    assert events[1] == SetBack(TCard(102), Route.RED, 2, 1)
    assert cards_at(after, Route.RED, 21) == (102,)
    assert cards_at(say(start, "/obstacle n02 straight"), Route.RED, 31) == (2,)
    assert refused(start, "/obstacle 103 straight", "11.17") == "in_first_row"
    assert refused(start, "/obstacle 102 straight", "11.17") == "not_that_side"
    assert refused(start, "/obstacle 195 straight", "11.17") == "not_loaded"


@pytest.mark.rule("itc 11.17", "itc 11.7")
def test_7_moves_a_pair_as_one_and_needs_a_free_space() -> None:
    pair = table(loads={Route.GREY: {31: "B195+205"}}, kept={A: ["7"]})
    assert cards_at(say(pair, "/obstacle 195 straight"), Route.GREY, 21) == (195, 205)
    assert refused(pair, "/obstacle 205 straight", "11.7") == "lower_answers"
    walled = {Route.GREY: {31: "B195", 21: "A103", 22: "n01"}}
    start = table(loads=walled, kept={A: ["7"]})
    assert refused(start, "/obstacle 195 straight", "11.17") == "nothing_free_behind"


@pytest.mark.rule("itc 11.18")
def test_8_gives_a_point_that_pays_for_a_sale_on_a_continent_only() -> None:
    goods = {ASIA: {Good.BLACK: 2, Good.WHITE: 1}, MARKET: {Good.BLACK: 1}}
    stones = {ASIA: (3, 0), MARKET: (1, 0)}
    start = table(points=1, goods=goods, stones=stones, kept={A: ["8", "8"]})
    more = say(start, "/play 8")
    assert (more.turn.points, more.turn.extra) == (1, 1)
    once = say(more, "/sell asia black")
    assert (once.turn.points, once.turn.extra) == (1, 0), "the extra point is used first"
    spent = say(more, "/stone europe")
    assert (spent.turn.points, spent.turn.extra) == (0, 1)
    assert refused(spent, "/sell market black", "8.3") == "no_points"
    assert refused(spent, "/stone asia", "8.3") == "no_points"
    assert say(spent, "/sell asia black").turn.extra == 0
    assert refused(more, "/play 8", "11.1") == "kind_played"


@pytest.mark.rule("itc 11.18")
def test_8_is_not_played_with_blue_or_before_a_die_is_chosen() -> None:
    blue = table(die=Die.BLUE, kept={A: ["8"]})
    assert refused(blue, "/play 8", "11.18") == "needs_green_or_red"
    lying = rolled(table(kept={A: ["8"]}), blue=1, green=2)
    assert refused(lying, "/play 8", "11.18") == "needs_green_or_red"
    assert lines(table(die=Die.RED, points=0, kept={A: ["8"]}), "play") == ["8"]


@pytest.mark.rule("itc 11.21", "itc 12.10", "itc 12.8")
def test_11_sends_the_dearest_good_to_the_grey_market_and_pays_no_person() -> None:
    goods = {NA: {Good.BLACK: 3, Good.YELLOW: 2}}
    start = table(goods=goods, stones={MARKET: (0, 1)}, kept={A: ["11-northamerica"]})
    assert lines(start, "rob") == ["northamerica"]
    after = say(start, "/rob northamerica")
    assert goods_at(after, NA) == {Good.BLACK: 3, Good.YELLOW: 1}
    assert after.places[MARKET].goods == after.places[MARKET].fresh == (0, 0, 0, 0, 1, 0)
    assert after.seats[B].money == 0


@pytest.mark.rule("itc 11.22")
def test_12_costs_all_people_with_the_most_stones_one() -> None:
    start = table(3, stones={NA: (2, 3, 3)}, kept={A: ["12-northamerica"]})
    after, events = play_lines(start, "/unrest northamerica")
    assert stones_at(after, NA) == (2, 2, 2)
    assert events[1:] == [StoneLost(B, NA), StoneLost(C, NA)]
    assert after.seats[B].stock == 40 - 2


@pytest.mark.rule("itc 11.31")
def test_4_6_11_and_12_are_played_with_nothing_to_act_on() -> None:
    retained = ["4", "6", "11-asia", "12-asia"]
    start = table(kept={A: retained})
    after = say(start, "/play 4", "/play 6", "/rob asia", "/unrest asia")
    assert (after.places, after.routes) == (start.places, start.routes)
    assert sum(after.used_actions.values()) == 4


@pytest.mark.rule("itc 11.31")
def test_2_3_7_16_and_17_need_a_target() -> None:
    start = table(kept={A: ["2", "3", "7", "16", "17"]}, stones={MARKET: (1, 0)})
    for verb in ("transfer", "shift", "obstacle", "resettle", "organize"):
        assert lines(start, verb) == []
    assert refused(start, "/transfer 2 asia europe", "11.12") == "no_stone_there"
    assert refused(start, "/shift asia europe", "11.13") == "no_stone_there"
    assert refused(start, "/obstacle 100 straight", "11.17") == "not_loaded"
    assert refused(start, "/resettle asia europe", "11.26") == "no_stone_there"
    assert refused(start, "/organize asia 1", "11.27") == "no_stone_there"


@pytest.mark.rule("itc 11.23", "itc 14.4")
def test_13_attacks_for_no_point_besides_the_normal_attack() -> None:
    start = table(points=1, stones={MARKET: (0, 1)}, kept={A: ["13"]})
    # Red 1 against green 8, three times: the attack fails.
    lost = say(start, "/attack", draws=[0, 7] * 3)
    after, events = play_lines(lost, "/play 13", draws=[5, 0])
    assert MarketTaken(A, 3) in events
    assert stones_at(after, MARKET) == (3, 0)
    controls = table(stones={MARKET: (1, 0)}, kept={A: ["13"]})
    assert refused(controls, "/play 13", "14.4") == "controls_already"
    assert lines(controls, "play") == []


@pytest.mark.rule("itc 11.24")
def test_14_rolls_all_three_dice_instead_of_two() -> None:
    start = but(table(die=None, points=0, kept={A: ["14"]}), phase=Phase.DICE)
    after = say(start, "/play 14", draws=[1, 2, 3])
    assert dict(after.turn.dice.items()) == {Die.BLUE: 2, Die.GREEN: 3, Die.RED: 4}
    assert lines(after, "use") == ["blue", "green", "red"]
    late = table(kept={A: ["14"]})
    assert refused(late, "/play 14", "11.24") == "only_before_rolling"


@pytest.mark.rule("itc 11.25")
def test_15_waits_for_the_blue_die() -> None:
    lying = rolled(table(kept={A: ["15"]}), blue=2, red=1)
    assert refused(lying, "/play 15", "11.25") == "needs_blue"
    assert say(lying, "/use blue", "/play 15").turn.points == 5


@pytest.mark.rule("itc 11.26")
def test_16_moves_up_to_five_stones_to_a_continent_without_the_players() -> None:
    start = table(stones={ASIA: (4, 1), EUROPE: (3, 0)}, kept={A: ["16"]})
    assert refused(start, "/resettle asia europe", "11.26") == "not_new"
    first = say(start, "/resettle africa asia")
    assert first.turn.busy == Resettling(AFRICA, 4)
    assert lines(first, "fetch") == ["asia", "europe"]
    after = say(first, "/fetch asia", "/fetch europe", "/fetch europe", "/fetch europe")
    assert stones_at(after, AFRICA) == (5, 0)
    assert (stones_at(after, ASIA), stones_at(after, EUROPE)) == ((2, 1), (0, 0))
    assert after.turn.busy is None
    assert refused(after, "/fetch asia", "11.26") == "no_resettling"


@pytest.mark.rule("itc 11.26")
def test_16_is_over_when_something_else_is_done() -> None:
    start = table(stones={ASIA: (4, 1)}, kept={A: ["16"]})
    first = say(start, "/resettle africa asia")
    assert refused(first, "/fetch africa", "11.26") == "same_place"
    assert refused(first, "/fetch europe", "11.26") == "no_stone_there"
    assert refused(say(first, "/stone asia"), "/fetch asia", "11.26") == "no_resettling"


@pytest.mark.rule("itc 11.27", "itc 14.6")
def test_17_moves_a_players_stone_and_recruits_those_of_the_rest() -> None:
    start = table(4, stones={ASIA: (1, 2, 1, 1), MARKET: (1, 0, 0, 0)}, kept={A: ["17"]})
    assert lines(start, "organize") == ["asia 1", "asia 2", "asia 3", "asia 4"]
    state = say(start, "/organize asia 1")
    assert state.turn.busy == Organizing(ASIA, (A,))
    assert stones_at(state, MARKET) == (2, 0, 0, 0)
    assert state.seats[A].stock == 38
    two = say(state, "/recruit 2")
    assert stones_at(two, MARKET) == (3, 0, 0, 0)
    assert stones_at(two, ASIA) == (0, 1, 1, 1)
    assert (two.seats[A].stock, two.seats[B].stock) == (37, 39)
    assert refused(two, "/recruit 2", "11.27") == "colour_taken"
    three = say(two, "/recruit 3")
    assert three.turn.busy is None
    assert refused(three, "/recruit 4", "11.27") == "no_organizing"


@pytest.mark.rule("itc 11.27", "itc 14.6")
def test_17_is_for_the_controller_and_takes_stones_from_his_stock() -> None:
    other = table(stones={ASIA: (1, 2), MARKET: (0, 1)}, kept={A: ["17"]})
    assert refused(other, "/organize asia 1", "14.6") == "not_controller"
    poor = table(stones={ASIA: (39, 2), MARKET: (1, 0)}, kept={A: ["17"]})
    assert refused(poor, "/organize asia 2", "1.6") == "no_stones"
    assert lines(poor, "organize") == ["asia 1"]


@pytest.mark.rule("itc 11.28")
def test_18_loads_two_cards_together() -> None:
    start = table(die=Die.BLUE, hands={A: [195, 205]}, kept={A: ["18"]})
    after = say(start, "/mega 195 205 grey 2")
    assert after.routes[Route.GREY][Space(12)].cards == (195, 205)
    assert after.turn.played == (Kind.MEGA,)


@pytest.mark.rule("itc 11.29")
def test_19_rolls_all_dice_of_the_turn_again() -> None:
    lying = rolled(table(kept={A: ["19", "19"]}), blue=1, red=6)
    after = say(lying, "/play 19", draws=[4, 0])
    assert dict(after.turn.dice.items()) == {Die.BLUE: 5, Die.RED: 1}
    assert refused(after, "/play 19", "11.1") == "kind_played"
    late = table(kept={A: ["19"]})
    assert refused(late, "/play 19", "11.29") == "only_after_rolling"
    three = rolled(table(kept={A: ["19"]}), blue=1, green=1, red=1)
    assert len(say(three, "/play 19", draws=[1, 1, 1]).turn.dice) == 3


@pytest.mark.rule("itc 11.1", "itc 7.4")
@pytest.mark.parametrize("phase", [Phase.DICE, Phase.ROLLED, Phase.ACTING])
def test_any_time_is_any_time_of_the_players_turn(phase: Phase) -> None:
    start = table(kept={A: ["6", "3"], B: ["6"]}, stones={ASIA: (1, 1)})
    if phase is Phase.ROLLED:
        start = rolled(start, blue=1, red=1)
    else:
        start = but(start, phase=phase)
    assert lines(start, "play") == ["6"]
    assert stones_at(say(start, "/play 6", "/shift asia europe"), EUROPE) == (1, 0)
    assert refused(start, "/play 6", "7.2", seat=B) == "not_your_turn"
