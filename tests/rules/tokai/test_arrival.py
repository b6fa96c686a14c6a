"""Arrival and purchases: sections 8 and 9."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.rules.core.visibility import but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.events import (
    Arrived,
    Bought,
    BoughtNothing,
    DestinationSet,
    ThroughGot,
)
from bluebear.rules.tokai.rules.network import payoff
from bluebear.rules.tokai.rules.state import Phase, State
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    C,
    all_but,
    dice,
    events_of,
    lines,
    misunderstood,
    names,
    play,
    reason,
    refusal,
    sentence,
    table,
    traveller,
    turn_of_a,
    typed,
)


def arriving(cash: int = 20, **changes: Any) -> State:  # Any: fields of the table
    """A one step before Nagoya, with a roll of 5."""
    rider = traveller("otai", "owari_hoshinomiya", "biwajima", to="nagoya", cash=cash)
    return table(rider, roll=5, **changes)


def arrived(cash: int = 20, **changes: Any) -> State:  # Any: fields of the table
    """A has just arrived at Nagoya; 4,000 yen are part of the cash."""
    return table(traveller("nagoya", cash=cash), phase=Phase.BUY, **changes)


def is_rash(made: State, line: str) -> bool:
    """Whether a line of A's is a probable mistake."""
    return GAME.is_rash(made, A, GAME.grammar.parse(line))


@pytest.mark.rule("tokai 8.1")
def test_arriving_pays_for_the_two_ends_of_the_trip() -> None:
    made, events = play(arriving(), A, "/go jr_tokaido nagoya")
    assert events_of(events, Arrived) == [Arrived(A, PointId("nagoya"), 4, 24)]
    assert (
        sentence(events[-1]) == "Seat 1 arrives at Nagoya and earns 4,000 yen: 24,000 yen in cash."
    )
    assert (
        sentence(events[-1], JA) == "席1が名古屋に到着、4,000円の収益を得ました(所持金24,000円)。"
    )
    assert made.seats[A].payoff == 0


@pytest.mark.rule("tokai 8.1", "tokai 8.2")
def test_fujigaoka_and_okazaki_pay_17000_yen_both_routes() -> None:
    """X-16."""
    assert payoff(PointId("fujigaoka"), PointId("okazaki")) == 17
    assert payoff(PointId("okazaki"), PointId("fujigaoka")) == 17


@pytest.mark.rule("tokai 9.1")
def test_one_property_may_be_bought_on_arrival() -> None:
    made = arrived(owners={"aonami": B})
    choices = lines(made, A)
    assert "/buy linimo" in choices
    assert "/buy express" in choices
    assert "/buy none" in choices
    assert "/buy aonami" not in choices
    assert "/buy subway_meijo" not in choices  # 26,000 yen
    made, events = play(made, A, "/買う リニモ", dice(1, 2))
    assert events_of(events, Bought) == [Bought(A, LineId("linimo"), 8, 12)]
    assert made.owners[LineId("linimo")] == A
    assert made.active == B


@pytest.mark.rule("tokai 9.1")
def test_nothing_need_be_bought() -> None:
    made, events = play(arrived(), A, "/buy none", dice(1, 2))
    assert events[0] == BoughtNothing(A)
    assert made.seats[A].cash == 20


@pytest.mark.rule("tokai 9.1")
def test_what_is_owned_cannot_be_bought() -> None:
    made = arrived(owners={"aonami": B, "linimo": A})
    assert reason(refusal(made, A, "/buy aonami")) == "The Aonami Line belongs to Seat 2."
    assert refusal(made, A, "/buy linimo").code == "is_yours"


@pytest.mark.rule("tokai 9.2")
def test_the_price_must_be_in_hand() -> None:
    refused = refusal(arrived(cash=7), A, "/buy linimo")
    assert reason(refused) == "Linimo costs 8,000 yen; you have 7,000 yen."
    assert reason(refused, JA) == "リニモは8,000円です。所持金は7,000円しかありません。"


@pytest.mark.rule("tokai 9.2")
def test_no_player_is_prompted_who_can_buy_nothing() -> None:
    made, events = play(arriving(cash=0), A, "/go jr_tokaido nagoya", dice(1, 2))
    assert "Arrived" in names(events)
    assert (made.seats[A].cash, made.active) == (3, B)


@pytest.mark.rule("tokai 9.2")
def test_a_purchase_that_takes_the_fare_is_rash_but_allowed() -> None:
    made = arrived(cash=9, dues=[(int(B), 5)], owners={"aonami": A})
    assert is_rash(made, "/buy subway_kamiiida")
    assert not is_rash(made, "/buy none")
    assert not is_rash(arrived(cash=10, dues=[(int(B), 5)]), "/buy subway_kamiiida")
    made, _ = play(made, A, "/buy subway_kamiiida")
    assert made.phase is Phase.SELL


@pytest.mark.rule("tokai 9.2")
def test_it_is_not_rash_while_an_extra_half_may_bring_money_or_the_game_ends() -> None:
    coming = arrived(cash=9, dues=[(int(B), 5)], granted=True)
    assert not is_rash(coming, "/buy subway_kamiiida")
    last = arrived(cash=9, dues=[(int(B), 5)], owners=all_but("subway_kamiiida"))
    assert not is_rash(last, "/buy subway_kamiiida")


@pytest.mark.rule("tokai 9.2", "tokai 17.1")
def test_the_last_line_leaves_no_extra_half_to_earn_the_fare_that_is_settled() -> None:
    last = arrived(cash=9, dues=[(int(B), 5)], owners=all_but("subway_kamiiida"), granted=True)
    assert not is_rash(last, "/buy subway_kamiiida")
    assert is_rash(but(last, settlelast=True), "/buy subway_kamiiida")
    assert not is_rash(but(last, settlelast=True), "/buy none")


@pytest.mark.rule("tokai 9.3", "tokai 11.2.7")
def test_one_express_ticket_is_enough_and_cannot_be_sold() -> None:
    made = table(traveller("nagoya", cash=20, express=True), phase=Phase.BUY)
    assert "/buy express" not in lines(made, A)
    assert refusal(made, A, "/buy express").code == "has_ticket"
    short = table(
        traveller("nagoya", cash=1, express=True),
        phase=Phase.SELL,
        dues=[(int(B), 5)],
        owners={"linimo": A},
    )
    assert lines(short, A) == ["/sell linimo auction", "/sell linimo bank"]
    refused = misunderstood(short, A, "/sell express bank")
    assert (refused.code, refused.rule) == ("ticket_not_sold", "11.2.7")
    assert reason(refused, JA) == "急行券は売れません。自分の路線を指定してください。"
    assert misunderstood(short, A, "/売る 急行券 銀行").code == "ticket_not_sold"


@pytest.mark.rule("tokai 9.3")
def test_nothing_is_sold_but_to_pay_a_fare() -> None:
    made = arrived(owners={"linimo": A})
    assert refusal(made, A, "/sell linimo bank").code == "now_buy"


@pytest.mark.rule("tokai 9.4", "tokai 12.1")
def test_buying_the_last_line_ends_the_game() -> None:
    made = arrived(cash=9, owners=all_but("subway_kamiiida"))
    made, events = play(made, A, "/buy subway_kamiiida")
    assert names(events) == ["Bought", "LastLineSold", "GameOver"]
    assert made.phase is Phase.OVER


@pytest.mark.rule("tokai 9.5", "tokai 11.6")
def test_all_players_on_a_line_that_is_bought_gets_a_through_ticket() -> None:
    made = table(
        traveller("nagoya", cash=30),
        traveller("kozoji", to="nagoya"),
        traveller("inuyama", to="nagoya"),
        phase=Phase.BUY,
    )
    made, events = play(made, A, "/buy aichi_loop", dice(1, 2))
    assert events_of(events, ThroughGot) == [ThroughGot(B, LineId("aichi_loop"), A)]
    assert made.seats[B].through == ("aichi_loop",)
    assert made.seats[C].through == ()


@pytest.mark.rule("tokai 9.6")
def test_the_next_trip_begins_where_one_has_arrived() -> None:
    made, _ = play(arriving(), A, "/go jr_tokaido nagoya")
    assert made.seats[A].origin == "nagoya"
    made, events = turn_of_a(made.seats[A], 3, 4, 5, 5, 4, 3, 1, 2)
    assert events_of(events, DestinationSet) == [
        DestinationSet(A, PointId("nagoya"), PointId("akaike"), made.seats[A].payoff)
    ]


@pytest.mark.rule("tokai 9.1")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/buy express", "/buy express"),
        ("/買う 急行券", "/buy express"),
        ("/buy ticket", "/buy express"),
        ("/買う なし", "/buy none"),
        ("/buy no", "/buy none"),
        ("/buy lin", "/buy linimo"),
        ("/買う 城北線", "/buy johoku"),
    ],
)
def test_properties_go_by_many_names(text: str, line: str) -> None:
    assert typed(arrived(), A, text) == [line]


@pytest.mark.rule("tokai 9.1")
def test_a_property_that_is_none_is_answered_with_the_nearest() -> None:
    refused = misunderstood(arrived(), A, "/buy linomo")
    assert refused.candidates[0] == "linimo"
