"""Before the first turn: sections 2 to 4."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.visibility import Event, Seat, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.events import (
    Chose,
    Dealt,
    PlaysFirst,
    Prebought,
    RolledForOrder,
    Started,
    StartTaken,
    ThroughGot,
    TicketPrebought,
    Tied,
)
from bluebear.rules.tokai.rules.network import DEALT, DESTINATIONS, LINE_AT, LINES
from bluebear.rules.tokai.rules.setup import choices
from bluebear.rules.tokai.rules.state import Phase, State
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokai.scene import (
    A,
    B,
    C,
    dice,
    events_of,
    eyes,
    lines,
    misunderstood,
    names,
    outcome,
    owed,
    play,
    reason,
    refusal,
    sound,
    typed,
)

UNSHUFFLED: Final = tuple(range(len(DEALT) - 1, 0, -1))
"""What a shuffle draws that leaves everything in its place."""


def set_up(*order_dice: int, **options: object) -> Outcome[State]:
    """A game in which these dice fall for the order, and the lines are dealt as the map has them.

    A gets jr_kansai 21, jr_takayama 12, jr_taita 8, jr_taketoyo 9, jr_iida 7; B johoku 8,
    meitetsu_inuyama 28, meitetsu_komaki 13, meitetsu_hiromi 8, meitetsu_seto 17.
    """
    chance = ScriptedChance(*(face - 1 for face in order_dice), *UNSHUFFLED)
    made = GAME.setup(GAME.info.complete(dict(options)), len(order_dice) // 3, chance)  # type: ignore[arg-type]  # tests name real options
    assert not chance.left
    return made


def begun(**options: object) -> State:
    """Two seats, A first, hands dealt."""
    return sound(set_up(6, 6, 6, 1, 1, 1, **options).state)


def both_choose(table: State, *faces: int) -> tuple[State, list[Event]]:
    """A and B pick; then these dice fall for the start cities and A's first turn."""
    table, _ = play(table, A, "/prebuy jr_kansai")
    return play(table, B, "/prebuy meitetsu_inuyama", dice(*faces))


NAGOYA: Final = (1, 1, 2, 3, 3, 1)
"""Even 2 is Central; odd 6 there is Nagoya."""
TOYOTA: Final = (2, 4, 2, 2, 4, 2)
"""Even 6 is Mikawa; even 6 there is Toyota-shi."""
STARTS: Final = (*NAGOYA, *TOYOTA, *TOYOTA, 1, 2)
"""A starts at Nagoya, B at Toyota-shi, and A is bound for there with a roll of 3."""


@pytest.mark.rule("tokai 3.1", "tokai 2.1")
def test_the_highest_total_plays_first() -> None:
    made = set_up(1, 2, 3, 6, 5, 4, 2, 2, 2)
    rolls = [event for event in made.events if isinstance(event, RolledForOrder)]
    assert [(roll.seat, roll.total) for roll in rolls] == [(A, 6), (B, 15), (C, 6)]
    assert made.state.first == B
    assert PlaysFirst(B) in made.events


@pytest.mark.rule("tokai 3.2")
def test_those_who_share_the_highest_total_roll_again() -> None:
    chance = ScriptedChance(
        *(face - 1 for face in (6, 6, 6, 1, 1, 1, 6, 6, 6, 1, 1, 2, 1, 1, 3)), *UNSHUFFLED
    )
    made = GAME.setup(GAME.info.complete({}), 3, chance)
    assert Tied((A, C)) in made.events
    rolls = [event.seat for event in made.events if isinstance(event, RolledForOrder)]
    assert rolls == [A, B, C, A, C]
    assert made.state.first == C


@pytest.mark.rule("tokai 3.1.1")
def test_all_players_are_dealt_five_of_the_thirty_lines_up_to_30000_yen() -> None:
    made = GAME.setup(GAME.info.complete({}), 6, FastChance(3))
    hands = [event.lines for event in made.events if isinstance(event, Dealt)]
    assert [len(hand) for hand in hands] == [5] * 6
    dealt = [line for hand in hands for line in hand]
    assert sorted(dealt) == sorted(DEALT)
    assert max(LINES[LINE_AT[line]].price for line in dealt) == 30


@pytest.mark.rule("tokai 3.1.2")
def test_a_choice_costs_20000_to_40000_yen() -> None:
    """X-05, with the hand of faces 30, 28, 26, 20, 17."""
    table = begun()
    hand = tuple(
        map(
            LineId,
            (
                "meitetsu_inuyama",
                "meitetsu_seto",
                "kintetsu_nagoya",
                "subway_higashiyama",
                "subway_tsurumai",
            ),
        )
    )
    seat_state = but(table.seats[A], hand=hand)
    table = but(table, seats=table.seats.put(A, seat_state))
    for line, cash in {
        "/prebuy subway_higashiyama": 20,
        "/prebuy subway_higashiyama express": 15,
        "/prebuy meitetsu_seto subway_tsurumai": 13,
        "/prebuy meitetsu_seto express": 28,
    }.items():
        assert line in lines(table, A)
        after = outcome(but(table, openchoices=True), A, line).state
        assert after.seats[A].cash == cash
    for line in ("/prebuy meitetsu_seto", "/prebuy meitetsu_inuyama kintetsu_nagoya"):
        assert line not in lines(table, A)
        assert refusal(table, A, line).code == "cost_does_not_fit"


@pytest.mark.rule("tokai 3.1.2")
def test_a_refused_choice_says_what_it_costs_and_what_it_may() -> None:
    refused = refusal(begun(), A, "/prebuy jr_takayama jr_taita jr_taketoyo jr_iida express")
    assert "41,000 yen" in reason(refused)
    assert "from 20,000 yen to 40,000 yen" in reason(refused)


@pytest.mark.rule("tokai 3.1.2")
def test_only_what_was_dealt_can_be_picked() -> None:
    refused = refusal(begun(), A, "/prebuy jr_kansai johoku")
    assert reason(refused) == (
        "You were not dealt Johoku Line. You may pick from JR Kansai Main Line, "
        "JR Takayama Main Line, JR Taita Line, JR Taketoyo Line, JR Iida Line."
    )


@pytest.mark.rule("tokai 3.1.2")
def test_a_line_named_twice_and_a_mistyped_ticket_are_distinguished() -> None:
    refused = misunderstood(begun(), A, "/prebuy jr_kansai 関西本線")
    assert reason(refused) == "You have named the JR Kansai Main Line twice; once is enough."
    refused = misunderstood(begun(), A, "/prebuy jr_kansai expres")
    assert (refused.params["slot"], refused.candidates) == ("item", ("express",))
    assert typed(begun(), A, "/prebuy express jr_kansai") == ["/prebuy jr_kansai express"]


@pytest.mark.rule("tokai 3.1.2")
def test_lines_are_typed_in_any_order_and_language() -> None:
    table = begun()
    assert typed(table, A, "/事前購入 急行券 太多線 高山線") == [
        "/prebuy jr_takayama jr_taita express"
    ]


@pytest.mark.rule("tokai 3.1.3")
def test_one_begins_with_what_50000_yen_leave() -> None:
    table, events = both_choose(begun(), *STARTS)
    assert [table.seats[seat].cash for seat in (A, B)] == [29, 22]
    assert Prebought(A, (LineId("jr_kansai"),), 21, 29) in events


@pytest.mark.rule("tokai 3.1.3")
def test_the_express_ticket_belongs_to_the_sum() -> None:
    table = begun(openchoices=True)
    after, events = play(table, A, "/prebuy jr_takayama jr_taita express")
    assert after.seats[A].cash == 50 - 25
    assert after.seats[A].express
    assert events_of(events, TicketPrebought) == [TicketPrebought(A)]


@pytest.mark.rule("tokai 3.1.4")
def test_what_was_not_picked_is_unowned() -> None:
    table, _ = both_choose(begun(), *STARTS)
    assert dict(table.owners.items()) == {"jr_kansai": A, "meitetsu_inuyama": B}
    assert all(traveller.hand == () for traveller in table.seats.values())


@pytest.mark.rule("tokai 3.1.5", "tokai 15.1")
def test_a_choice_is_hidden_until_all_have_chosen() -> None:
    table, events = play(begun(), A, "/prebuy jr_kansai")
    assert names(events) == ["Chose"]
    seen_by_b = GAME.tree.view(table, eyes(B))
    assert "basket" not in seen_by_b["seats"]["1"]
    assert seen_by_b["seats"]["1"]["chosen"]
    assert "jr_kansai" in seen_by_b["seats"]["1"]["hand"]
    assert GAME.tree.view(table, eyes(A))["seats"]["1"]["basket"]["lines"] == ["jr_kansai"]
    assert event_view(events[0], eyes(B)) == {"event": "chose", "seat": A}
    line = GAME.grammar.parse("/prebuy jr_kansai")
    assert GAME.grammar.format(line, sees_owner=False) == "?"
    assert GAME.to_move(table) == {B}
    assert refusal(table, A, "/prebuy jr_kansai").code == "has_chosen"


@pytest.mark.rule("tokai 3.1.5")
def test_everything_is_shown_when_the_last_one_has_chosen() -> None:
    _, events = both_choose(begun(), *STARTS)
    assert names(events)[:3] == ["Chose", "Prebought", "Prebought"]
    assert isinstance(events[0], Chose)
    assert type(events[1]).reveals


@pytest.mark.rule("tokai 3.1.6")
def test_every_hand_admits_a_choice_even_without_the_ticket() -> None:
    """All 142,506 hands: what can be picked depends on the prices alone."""
    prices = tuple(LINES[LINE_AT[line]].price for line in DEALT)
    assert all(_has_choice(hand) for hand in combinations(sorted(prices), 5))


def _has_choice(hand: tuple[int, ...]) -> bool:
    total = 0
    for price in hand:  # ascending: the first sum of at least 20, or one dear line alone
        total += price
        if total >= 20:
            return total <= 40 or 20 <= price <= 40
    return False


@pytest.mark.rule("tokai 3.1.6")
def test_some_hands_are_looked_through_in_full() -> None:
    for seed in range(50):
        hand = FastChance(seed).shuffle(DEALT)[:5]
        assert any(not choice.express for choice in choices(hand))


@pytest.mark.rule("tokai 4.1", "tokai 4.4", "tokai 4.1.1")
def test_two_rolls_give_the_start_city_in_the_order_of_play() -> None:
    table = set_up(1, 1, 1, 6, 6, 6).state
    table, _ = play(table, A, "/prebuy jr_kansai")
    table, events = play(
        table,
        B,
        "/prebuy meitetsu_inuyama",
        # B: odd 7 is East, odd 9 Akaike; A: even 6 is Mikawa, even 6 Toyota-shi; then B's turn.
        dice(3, 4, 5, 5, 4, 3, *TOYOTA, *TOYOTA, 1, 2),
    )
    assert events_of(events, Started) == [
        Started(B, PointId("akaike")),
        Started(A, PointId("toyota_shi")),
    ]
    assert table.seats[B].trail == ("akaike",)
    assert table.active == B


@pytest.mark.rule("tokai 4.2")
def test_a_city_that_is_taken_is_rolled_again_from_the_region_on() -> None:
    """X-04."""
    table, events = both_choose(begun(), *NAGOYA, *NAGOYA, *TOYOTA, *TOYOTA, 1, 2)
    assert StartTaken(B, PointId("nagoya"), A) in events
    assert [table.seats[seat].origin for seat in (A, B)] == ["nagoya", "toyota_shi"]


@pytest.mark.rule("tokai 4.3")
def test_free_lets_one_name_any_start_city_that_is_not_taken() -> None:
    """X-03."""
    free = (3, 4, 5, 3, 4, 2)  # odd 7: East; even 7: free
    table, _ = both_choose(begun(), *NAGOYA, *free)
    assert (table.phase, table.active) == (Phase.START, B)
    assert len(lines(table, B)) == len(DESTINATIONS) - 1
    assert refusal(table, B, "/dest nagoya").code == "start_taken"
    assert misunderstood(table, B, "/dest sako").code == "no_destination"
    assert refusal(table, A, "/dest gifu").code == "not_your_turn"
    after, events = play(table, B, "/目的地 岐阜", dice(*TOYOTA, 1, 2))
    assert Started(B, PointId("gifu")) in events
    assert after.active == A


@pytest.mark.rule("tokai 4.5", "tokai 11.8")
def test_lines_bought_beforehand_through_a_start_city_are_ridden_on_through_tickets() -> None:
    table, events = both_choose(begun(), *NAGOYA, *TOYOTA, *TOYOTA, 1, 2)
    assert events_of(events, ThroughGot) == [ThroughGot(A, LineId("meitetsu_inuyama"), B)]
    assert table.seats[A].through == ("meitetsu_inuyama",)
    assert table.seats[B].through == ()
    assert owed(table) == {}


def test_no_player_can_do_anything_else_while_all_choose() -> None:
    refused = refusal(begun(), A, "/buy none")
    assert refused.code == "now_prebuy"
    assert GAME.to_move(begun()) == {Seat(1), Seat(2)}
