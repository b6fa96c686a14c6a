"""How long may a bot think? By the room's clock, never no time, with something for the network."""

from __future__ import annotations

import pytest

from bluebear.clients.bots.time_budget import LEAST_SECONDS, MARGIN_SECONDS, clock_for
from bluebear.clients.sdk import MoveClock, RoomId, RoomView, Seat
from bluebear.protocol import Branch, Version

NOW = 1_000_000


def room(clock: str, deadline: int | None) -> RoomView:
    chair: Branch = {"name": "Robo"} | ({} if deadline is None else {"deadline": deadline})
    table: Branch = {"options": {"clock": clock} if clock else {}, "seats": {"1": chair}}
    return RoomView(
        id=RoomId("5"),
        game="counting",
        hash="h",
        version=Version(3),
        view={"room": table, "game": {}},
        eyes=frozenset({Seat(1)}),
    )


def given(clock: str, left: float | None, seconds: float = 10.0) -> MoveClock:
    deadline = None if left is None else NOW + int(left * 1000)
    return clock_for(room(clock, deadline), Seat(1), NOW, seconds)


@pytest.mark.parametrize("clock", ["", "off"])
def test_without_a_clock_it_is_what_the_owner_gives(clock: str) -> None:
    assert given(clock, None) == MoveClock(10.0, None)


def test_a_clock_by_days_leaves_no_person_waiting_for_days() -> None:
    assert given("3d", 3 * 24 * 3600.0) == MoveClock(10.0, None)


def test_a_decision_has_a_share_of_what_is_left_and_the_increment() -> None:
    assert given("300+2", 200.0) == MoveClock(200 / 40 + 2, 200.0)


def test_the_owner_s_bound_holds_with_a_clock_too() -> None:
    assert given("3000+60", 3000.0, seconds=1.0) == MoveClock(1.0, 3000.0)


def test_what_the_network_needs_is_withheld() -> None:
    assert given("60+30", 2.0).move == 2.0 - MARGIN_SECONDS


@pytest.mark.parametrize("left", [MARGIN_SECONDS, 0.0, -40.0])
def test_no_person_is_given_no_time(left: float) -> None:
    # After a restart a deadline may have passed: lichess-bot #1101 and what followed from it.
    assert given("60+0", left) == MoveClock(LEAST_SECONDS, max(0.0, left))
    assert given("", None, seconds=0.0).move == LEAST_SECONDS
