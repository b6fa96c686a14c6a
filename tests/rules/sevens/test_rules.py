"""Sevens, paragraph by paragraph."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from sevens import GAME
from sevens.table import CARDS, Hand, Lay, Pass, Table, in_order
from tests.rules.scripted_chance import ScriptedChance

A, B, C = (Seat(number) for number in (1, 2, 3))


def table(*hands: str, passes: int = 3, without: str = "") -> Table:
    """A's turn; the cards that no hand has are laid, or missing where a test needs a gap."""
    seats = {
        Seat(seat): Hand(in_order(cards.split()), len(cards.split()), passes, None)
        for seat, cards in enumerate(hands, start=1)
    }
    away = {*" ".join((*hands, without)).split()}
    return Table(Keyed(seats), tuple(card for card in CARDS if card not in away), A)


def play(state: Table, seat: Seat, move: Move) -> Outcome[Table]:
    return GAME.play(state, seat, move, FastChance(1))


def played(state: Table, *moves: Move) -> Table:
    """The state after moves of the seats whose turn it is."""
    for move in moves:
        state = play(state, state.turn, move).state
    return state


def refused(state: Table, seat: Seat, move: Move) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        play(state, seat, move)
    return caught.value


def dealt(seats: int) -> Outcome[Table]:
    """The set-up with the deck in the order of `CARDS`."""
    return GAME.setup(GAME.info.complete({}), seats, ScriptedChance(*range(51, 0, -1)))


@pytest.mark.rule("sevens 1.1")
def test_all_cards_are_dealt() -> None:
    made = dealt(5)
    events = [
        event_view(event, frozenset({Seat(seat)})) for seat in range(1, 6) for event in made.events
    ]
    hands = [event["cards"] for event in events if event and event["event"] == "dealt"]
    assert [len(hand) for hand in hands] == [11, 11, 10, 10, 10]
    assert sorted(card for hand in hands for card in hand) == sorted(CARDS)
    assert hands[0][:4] == ["SA", "S6", "SJ", "H3"]


@pytest.mark.rule("sevens 1.2")
def test_a_hand_is_secret_and_its_size_is_not() -> None:
    state = dealt(3).state
    seen = GAME.seen(state, frozenset({A})).seats
    assert seen[A].cards == state.seats[A].cards
    assert (seen[B].cards, seen[B].count) == (None, len(state.seats[B].cards or ()))


@pytest.mark.rule("sevens 1.3")
def test_the_sevens_are_laid_and_one_of_them_says_who_begins() -> None:
    made = dealt(3)
    assert made.state.laid == ("S7", "H7", "D7", "C7")
    assert not {*made.state.laid} & {
        c for hand in made.state.seats.values() for c in hand.cards or ()
    }
    assert CARDS.index("D7") % 3 == 2
    assert made.to_move == {C}
    assert event_view(made.events[-1], frozenset()) == {"event": "began", "seat": 3}


@pytest.mark.rule("sevens 2.1")
def test_seats_take_turns_and_those_with_a_rank_are_skipped() -> None:
    state = table("S2 S3 SA", "H2", "D2", passes=1)
    assert played(state, Pass()).turn == B
    ranked = played(state, Pass(), Lay("H2"), Pass())
    assert ranked.turn == A
    assert played(ranked, Lay("S3")).turn == C
    refusal = refused(state, B, Pass())
    assert (refusal.code, refusal.rule) == ("not_your_turn", "2.1")


@pytest.mark.rule("sevens 2.2")
def test_a_card_continues_a_row_from_its_seven() -> None:
    state = table("S2 S3 SK", "SQ HK", "C8 C9")
    assert state.fitting() == ["S3", "SQ", "HK", "C8"]
    assert GAME.legal(state, A) == [Lay("S3"), Pass()]
    for card, code in (("S2", "does_not_fit"), ("SK", "does_not_fit"), ("HK", "not_in_hand")):
        refusal = refused(state, A, Lay(card))
        assert (refusal.code, refusal.rule) == (code, "2.2")
    after = played(state, Lay("S3"), Lay("SQ"))
    assert after.fitting() == ["S2", "SK", "HK", "C8"]
    assert after.seats[B].cards == ("HK",)


@pytest.mark.rule("sevens 2.3")
def test_a_seat_may_pass_with_a_card_that_fits() -> None:
    after = played(table("S3", "H3", "D3"), Pass())
    assert (after.seats[A].passes, after.seats[A].cards) == (2, ("S3",))
    assert (
        GAME.setup(GAME.info.complete({"passes": 5}), 3, FastChance(1)).state.seats[A].passes == 5
    )


@pytest.mark.rule("sevens 2.4")
def test_one_pass_too_many_lays_all_cards() -> None:
    made = play(table("S2 S5", "S6", "D3 SA", passes=0, without="S4"), A, Pass())
    assert made.state.seats[A] == Hand((), 0, 0, 0)
    assert {"S2", "S5"} <= {*made.state.laid}
    assert event_view(made.events[0], frozenset())["cards"] == ["S2", "S5"]  # type: ignore[index]
    assert played(made.state, Lay("S6")).fitting() == ["S4", "D3"]


@pytest.mark.rule("sevens 3.1", "sevens 3.2", "sevens 3.3")
def test_ranks_are_taken_from_both_ends() -> None:
    state = table("S3", "H3", "D3", "C2 C3", passes=0)
    done = played(state, Lay("S3"), Pass(), Lay("D3"))
    assert GAME.to_move(done) == frozenset()
    result = GAME.result(done)
    assert result is not None
    assert [(each.place, each.score) for each in result.standings] == [
        (1, 3),
        (4, 0),
        (2, 2),
        (3, 1),
    ]
    assert refused(done, Seat(4), Pass()).rule == "3.2"


@pytest.mark.parametrize(
    ("hand", "move"),
    [("S6 H8", Lay("H8")), ("S6 H8 H9 HK", Lay("H8")), ("S4", Pass())],
)
def test_opener_lays_what_has_most_of_its_cards_behind_it(hand: str, move: Move) -> None:
    without = " ".join(card for card in CARDS if card[1:] != "7")
    state = table(hand, "", "", without=without)
    view = GAME.seen(state, frozenset({A}))
    assert GAME.bots["opener"](view, A, GAME.plain(state, A), FastChance(1)) == move
