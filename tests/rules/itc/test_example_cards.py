"""Worked examples of cards, and of the end of turn and game."""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import but, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import CARDS
from bluebear.rules.itc.data.terms import ACard, Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.state import Phase
from tests.rules.itc.example import (
    NA,
    A,
    B,
    C,
    D,
    cards_at,
    goods_at,
    lines,
    money,
    next_turn,
    pick_action,
    refused,
    say,
    stones_at,
    table,
    with_dice,
)
from tests.rules.scripted_chance import ScriptedChance

BLACK, WHITE, GREEN = Good.BLACK, Good.WHITE, Good.GREEN
MARKET = Place.MARKET


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
    assert len(require(after.seats[A].under)) == 0
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
def test_x20_what_finds_no_room_replaces_a_cheaper_colour() -> None:
    full = {WHITE: 10}
    overflow = table(goods={MARKET: full, NA: {}}, loads={Route.BLUE: {51: "A110"}}, die=Die.BLUE)
    after = say(overflow, "/land 110 northamerica", draws=[0])
    assert goods_at(after, MARKET) == {BLACK: 5, WHITE: 10}
    removed = table(
        goods={MARKET: {BLACK: 10, **full}}, loads={Route.BLUE: {51: "A110"}}, die=Die.BLUE
    )
    after = say(removed, "/land 110 northamerica", draws=[0])
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
            GAME.play(over, seat, GAME.grammar.parse("/end"), ScriptedChance())
