"""Where a refused word stands in its line, and what the candidates may stand for."""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import Refusal
from bluebear.server.commands.native import offers_of
from bluebear.server.commands.resolve import resolve
from tests.server.commands.fixtures import House, opened, playing


def seated() -> House:
    house = opened("duel")
    house.script("Ayu: /join 1")
    return house


def refused(house: House, line: str, name: str = "Ayu") -> Refusal:
    with pytest.raises(Refusal) as raised:
        resolve(house.scene(name), line)
    return raised.value


def marked(house: House, line: str) -> tuple[str, str | None]:
    """The part of a line that is marked, and what the candidates are."""
    refusal = refused(house, line)
    assert refusal.span is not None, refusal.code
    start, end = refusal.span
    assert 0 <= start <= end <= len(line)
    return line[start:end], offers_of(refusal)


@pytest.mark.parametrize(
    ("line", "term", "offers"),
    [
        ("/opton", "/opton", "word"),
        ("  ／opton clock", "／opton", "word"),
        ("/help opton", "opton", "word"),
        ("/lang fr", "fr", "word"),
        ("/lang  ｆｒ", "ｆｒ", "word"),
        ("/join one", "one", "range"),
        ("/join 1 2", "2", None),
        ("/option clok on", "clok", "word"),
        ("/option clock clock", "clock", "word"),
        ("/newroom", "", None),
        ("/newroom chess", "chess", "word"),
        ('/kick "No One"', '"No One"', None),
        (";ben hello", ";ben", None),
    ],
)
def test_the_wrong_term_of_a_command_is_marked(line: str, term: str, offers: str | None) -> None:
    assert marked(seated(), line) == (term, offers)


def test_of_two_equal_terms_the_one_that_was_refused_is_marked() -> None:
    assert refused(seated(), "/option clock clock").span == (14, 19)


@pytest.mark.parametrize(
    ("line", "term", "offers"),
    [
        ("/bid 99", "99", "range"),
        ("/bid  ９９ !", "９９", "range"),
        ("/bid three", "three", "range"),
        ("/bid 1 1", "1", None),
    ],
)
def test_the_wrong_term_of_a_move_is_marked(line: str, term: str, offers: str | None) -> None:
    assert marked(playing("duel"), line) == (term, offers)


def test_of_two_equal_numbers_of_a_move_the_second_is_marked() -> None:
    assert refused(playing("duel"), "/bid 1 1").span == (7, 8)


def test_what_is_left_out_of_a_move_has_its_position_at_the_end() -> None:
    house = playing("manhattan")
    room = house.scene("Ayu").room
    assert room is not None
    mover = next(chair.name for seat, chair in room.seats.items() if seat in room.table.turn)
    refusal = refused(house, "/take", mover)
    assert (refusal.code, refusal.span) == ("missing_argument", (5, 5))


def test_a_command_that_is_not_for_now_marks_nothing() -> None:
    house = playing("duel")
    with pytest.raises(Refusal) as raised:
        resolve(house.scene("Ayu"), "/start")
    assert raised.value.span is None


def test_a_password_is_never_marked() -> None:
    assert refused(seated(), "/newroom duel hidden word").span is None
