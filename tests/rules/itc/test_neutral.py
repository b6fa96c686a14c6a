"""Neutral loads: how they enter, advance, arrive and get stranded."""

from __future__ import annotations

import pytest

from bluebear.rules.core.draft import freeze
from bluebear.rules.core.event_text import reveals_to
from bluebear.rules.core.visibility import Event
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Place, Route, TCard
from bluebear.rules.itc.rules.events import (
    NeutralEntered,
    NeutralsAdvanced,
    NeutralStranded,
    TheftPaid,
    TransportPaid,
    WentToMarket,
)
from bluebear.rules.itc.rules.movement import advance
from bluebear.rules.itc.rules.state import NEUTRAL, Space, State
from bluebear.rules.itc.rules.turn_context import Desk
from tests.rules.itc.example import (
    A,
    B,
    pick_action,
    pick_transports,
    play_lines,
    rolled,
    say,
    table,
)
from tests.rules.scripted_chance import ScriptedChance


def drawn(start: State, *cards: int, draws: tuple[int, ...] = ()) -> tuple[State, list[Event]]:
    """Red draws these cards; `draws` are theft rolls, from 0."""
    lying = rolled(start, red=len(cards), blue=1)
    after, events = play_lines(lying, "/use red", draws=[*pick_transports(lying, *cards), *draws])
    return after, events


def where(state: State, card: int) -> tuple[Route, int]:
    for route, spaces in state.routes.items():
        for at, load in spaces.items():
            if card in load.cards:
                return route, int(at)
    raise AssertionError(f"{card} lies nowhere")


@pytest.mark.rule("itc 10.4", "itc 5.3")
def test_a_neutral_card_enters_its_slower_route_on_the_left() -> None:
    after, events = drawn(table(), 1)
    assert where(after, 1) == (Route.GREY, 11)
    assert NeutralEntered(TCard(1), Route.GREY, 1) in events
    assert after.routes[Route.GREY][Space(11)].owner == NEUTRAL
    assert after.seats[A].hand == ()
    assert after.turn.points == 5


@pytest.mark.rule("itc 10.4")
def test_a_full_entry_leads_to_the_next_column_or_the_other_route() -> None:
    one, _ = drawn(table(loads={Route.GREY: {11: "A103"}}), 1)
    assert where(one, 1) == (Route.GREY, 12)
    other, _ = drawn(
        table(loads={Route.GREY: {11: "A103", 12: "B195"}, Route.RED: {11: "A100"}}), 1
    )
    assert where(other, 1) == (Route.RED, 12)


@pytest.mark.rule("itc 8.6")
def test_without_an_entry_a_neutral_card_is_lost_at_the_end_of_the_turn() -> None:
    full = {
        Route.GREY: {11: "A103", 12: "B195"},
        Route.RED: {11: "A100", 12: "B102", 13: "B180"},
    }
    after, events = drawn(table(loads=full), 1)
    assert NeutralStranded(TCard(1)) in events
    assert after.turn.stranded == (1,)
    assert after.places[Place.MARKET].goods == (0,) * 6
    ended, events = play_lines(after, "/end", draws=[pick_action(after, "1")])
    assert [event.card for event in events if isinstance(event, WentToMarket)] == [1]
    assert ended.places[Place.MARKET].goods == (2, 1, 0, 0, 0, 0)
    assert TCard(1) in ended.used_transports


@pytest.mark.rule("itc 8.5")
def test_however_many_neutral_cards_come_the_rest_advance_once_and_before() -> None:
    start = table(loads={Route.GREY: {11: "n05"}, Route.BLUE: {21: "n07"}})
    after, events = drawn(start, 1, 13, 100)
    assert [type(event) for event in events].count(NeutralsAdvanced) == 1
    assert where(after, 5) == (Route.GREY, 21)
    assert where(after, 7) == (Route.BLUE, 31)
    assert (where(after, 1), where(after, 13)) == ((Route.GREY, 11), (Route.GREY, 12))


def test_the_order_of_two_neutral_cards_is_announced_as_laid_open_with_them() -> None:
    one, events = drawn(table(), 1, 7)
    other, events_of_other = drawn(table(), 7, 1)
    assert {where(one, 1)[0], where(one, 7)[0]} == {Route.GREY, Route.BLUE}
    assert GAME.tree.view(one, frozenset()) == GAME.tree.view(other, frozenset())
    assert events != events_of_other
    quiet, quiet_of_other = (
        [event for event in each if not reveals_to(event, frozenset())]
        for each in (events, events_of_other)
    )
    assert quiet == quiet_of_other


@pytest.mark.rule("itc 8.5")
def test_without_a_neutral_card_nothing_advances() -> None:
    after, _ = drawn(table(loads={Route.GREY: {11: "n05"}}), 100, 101)
    assert where(after, 5) == (Route.GREY, 11)


def advanced(start: State, *draws: int) -> State:
    draft = GAME.tree.draft(start)
    advance(Desk(draft, ScriptedChance(*draws), list[Event]().append))
    return freeze(draft)


@pytest.mark.rule("itc 10.1")
def test_a_blocked_neutral_card_moves_left_else_right_else_stays() -> None:
    def red(loads: dict[int, str]) -> State:
        return advanced(table(loads={Route.RED: {22: "n02", **loads}}))

    assert where(red({}), 2) == (Route.RED, 32)
    assert where(red({32: "A100"}), 2) == (Route.RED, 31)
    assert where(red({32: "A100", 31: "B102"}), 2) == (Route.RED, 33)
    assert where(red({32: "A100", 31: "B102", 33: "B103"}), 2) == (Route.RED, 22)


@pytest.mark.rule("itc 10.1")
def test_cards_further_up_and_further_left_go_first() -> None:
    column = advanced(table(loads={Route.GREY: {11: "n01", 21: "n05", 31: "n09"}}))
    assert [where(column, card)[1] for card in (9, 5, 1)] == [41, 31, 21]
    # Both want the only free space of the next row; the left one takes it.
    row = {21: "n02", 22: "n06", 31: "A100", 33: "B102"}
    both = advanced(table(loads={Route.RED: row}))
    assert (where(both, 2)[1], where(both, 6)[1]) == (32, 22)


@pytest.mark.rule("itc 10.2", "itc 5.2")
def test_from_the_top_row_it_arrives_and_no_person_is_paid_for_it() -> None:
    start = table(
        loads={Route.GREY: {71: "n01"}},
        stones={Place.AFRICA: (1, 0), Place.MARKET: (0, 1)},
    )
    after = advanced(start, 0)
    assert after.places[Place.AFRICA].goods == (2, 1, 0, 0, 0, 0)
    assert [trader.money for trader in after.seats.values()] == [0, 0]
    assert TCard(1) in after.used_transports


@pytest.mark.rule("itc 10.2", "itc 12.3", "itc 5.1")
def test_a_theft_from_a_neutral_load_takes_the_last_good_and_pays_the_controller() -> None:
    start = table(
        loads={Route.GREY: {71: "n01"}},
        stones={Place.AFRICA: (1, 0), Place.MARKET: (0, 1)},
        kept={A: ["4"]},
    )
    after, events = play_lines(start, "/play 4", draws=[5])
    assert after.places[Place.AFRICA].goods == (2, 0, 0, 0, 0, 0)
    assert after.places[Place.MARKET].goods == (0, 1, 0, 0, 0, 0)
    assert TheftPaid(B, 2_500) in events
    assert after.seats[B].money == 2_500
    assert not any(isinstance(event, TransportPaid) for event in events)


@pytest.mark.rule("itc 10.3")
def test_what_its_continent_refuses_passes_to_the_grey_market() -> None:
    start = table(loads={Route.GREY: {71: "n04"}}, stones={Place.AFRICA: (1, 0)})
    after = advanced(start, 0)
    assert after.places[Place.AFRICA].goods == (2, 0, 0, 0, 0, 0)
    assert after.places[Place.MARKET].goods == (0, 0, 0, 0, 2, 0)


@pytest.mark.rule("itc 12.1", "itc 10.2")
def test_a_neutral_arrival_does_not_count_as_a_landing() -> None:
    start = table(
        loads={Route.GREY: {71: "n01"}, Route.RED: {61: "A100"}},
        stones={Place.AFRICA: (1, 0)},
        kept={A: ["4"]},
        die=Die.RED,
    )
    after = say(start, "/play 4", "/land 100 africa", draws=[0, 0])
    assert after.turn.landed == (Place.AFRICA,)


@pytest.mark.rule("itc 10.1")
def test_loads_of_players_do_not_advance() -> None:
    start = table(loads={Route.RED: {22: "A100", 21: "n02"}})
    after = advanced(start)
    assert where(after, 100) == (Route.RED, 22)
