"""Each viewer gets exactly the visible fields of an event, as data and as text."""

from __future__ import annotations

from typing import ClassVar

import pytest

from bluebear.rules.core.event_text import event_form, event_text, event_view, revealed, reveals_to
from bluebear.rules.core.visibility import Event, Hidden, Owner, Public, Seat, Visibility
from tests.rules.core.phrase_texts import phrases_of

OWNER = frozenset({Seat(1)})
OTHER = frozenset({Seat(2)})
NO_SEATS = frozenset[Seat]()


class CardDrawn(Event):
    seat: Public[Seat]
    left: Public[int | None]
    card: Owner[int]
    under: Hidden[int]


class Peeked(Event):
    sight: ClassVar[Visibility] = Visibility.OWNER
    seat: Public[Seat]
    card: Public[int]


class Cut(Event):
    sight: ClassVar[Visibility] = Visibility.HIDDEN
    at: Hidden[int]


class RoundScored(Event):
    best: Public[int]


PHRASES = phrases_of("""
        [event.card_drawn]
        en = "{seat} draws {card}, {left} left."
        ja = "{seat}は{card}を引きました。残り{left}。"
        [event.card_drawn_unseen]
        en = "{seat} draws, {left} left."
        ja = "{seat}は引きました。残り{left}。"
        [event.peeked]
        en = "{seat} sees {card}."
        ja = "{seat}は{card}を見ました。"
        [event.round_scored]
        en = "Best: {best}."
        ja = "最高: {best}。"
        """)
DRAWN = CardDrawn(seat=Seat(1), left=3, card=9, under=4)


def test_the_owner_hears_the_card() -> None:
    assert event_text(PHRASES, DRAWN, OWNER, lang="en") == "Seat 1 draws 9, 3 left."
    assert event_view(DRAWN, OWNER) == {"event": "card_drawn", "seat": 1, "left": 3, "card": 9}


@pytest.mark.parametrize("eyes", [OTHER, NO_SEATS])
def test_other_people_hear_that_there_was_one(eyes: frozenset[Seat]) -> None:
    assert event_text(PHRASES, DRAWN, eyes, lang="ja") == "席1は引きました。残り3。"
    assert event_view(DRAWN, eyes) == {"event": "card_drawn", "seat": 1, "left": 3}


def test_what_is_none_is_no_data() -> None:
    drawn = CardDrawn(seat=Seat(1), left=None, card=9, under=4)
    assert event_view(drawn, NO_SEATS) == {"event": "card_drawn", "seat": 1}


def test_an_event_of_one_seat_is_for_it_alone() -> None:
    peeked = Peeked(seat=Seat(1), card=9)
    assert event_text(PHRASES, peeked, OWNER, lang="en") == "Seat 1 sees 9."
    assert event_text(PHRASES, peeked, OTHER, lang="en") is None
    assert event_view(peeked, OTHER) is None


def test_a_hidden_event_is_for_no_player() -> None:
    all_seats = OWNER | OTHER
    assert event_view(Cut(at=3), all_seats) is None
    assert event_text(PHRASES, Cut(at=3), all_seats, lang="en") is None


def test_a_public_event_is_the_same_for_all() -> None:
    reported = {
        event_text(PHRASES, RoundScored(best=3), eyes, lang="en") for eyes in (OWNER, NO_SEATS)
    }
    assert reported == {"Best: 3."}


def test_an_event_is_named_after_its_class() -> None:
    form = event_form(CardDrawn)
    assert (form.name, form.key) == ("card_drawn", "event.card_drawn")
    assert form.unseen_key == "event.card_drawn_unseen"
    assert event_form(RoundScored).unseen_key is None


class Dealt(Event):
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    card: Owner[int]


class Opened(Event):
    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[int]


def test_an_event_reveals_to_the_eyes_that_its_flag_names() -> None:
    events = [Dealt(Seat(1), 7), Opened(Seat(1), 7), RoundScored(9)]
    assert [reveals_to(event, OWNER) for event in events] == [True, True, False]
    assert [reveals_to(event, OTHER) for event in events] == [False, True, False]
    dealt = {"event": "dealt", "seat": 1, "card": 7}
    opened = {"event": "opened", "seat": 1, "card": 7}
    assert revealed(events, OWNER) == [dealt, opened]
    assert revealed(events, OTHER) == revealed(events, NO_SEATS) == [opened]
