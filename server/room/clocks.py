"""Clocks of a game: deadlines in the state, never ticks.

A seat's `bank` is its remaining time in ms. While the seat is to move it has a `deadline`; after
its move the remaining time and the increment go back into the bank. In a correspondence game each
turn begins with a full bank, after the player's vacation.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import TURN_LEAST_MS
from bluebear.server.room.fold_context import Step
from bluebear.server.room.options import choice, clock_setting
from bluebear.server.room.state import Chair, Table, by_days


def clock_of(table: Table) -> tuple[int, int] | None:
    """Bank and increment in ms; None if the room plays without clocks."""
    text = table.options.get("clock")
    return None if text is None else clock_setting(text)


def start_clocks(step: Step) -> None:
    """Fill each seat's bank at the start of a game; None where there is no clock."""
    setting = clock_setting(choice(step.table, "clock"))
    for seat in step.table.seats:
        chair = step.chair(seat)
        chair.bank = None if setting is None else setting[0]
        chair.deadline, chair.timeouts = None, 0
    step.table.turn = ()


def move_clocks(table: Table, before: tuple[int, ...], now: int, *, undone: bool = False) -> None:
    """Stop the clocks of seats that have moved and start those of seats that are to move now.

    `table` is a draft, `before` the seats that were to move until now, `now` in ms. After an undo
    no increment is added, and a seat that is to move again returns the increment of the undone
    turn: otherwise moving and undoing would create time.
    """
    setting = clock_of(table)
    if setting is None:
        return
    turn = table.turn
    earned, given_back = (0, setting[1]) if undone else (setting[1], 0)
    is_refilled = by_days(table) and not undone
    for seat, chair in table.seats.items():
        if seat in turn and seat not in before:
            bank = setting[0] if is_refilled else chair.bank or 0
            left = max(bank - given_back, TURN_LEAST_MS)
            table.seats[seat].deadline = runs_from(chair, now) + left
        elif seat in before and seat not in turn and chair.deadline is not None:
            left = max(0, chair.deadline - runs_from(chair, now)) + earned
            changed = table.seats[seat]
            changed.bank, changed.deadline = left, None


def runs_from(chair: Chair, now: int) -> int:
    """When a seat's clock starts (ms): `now`, or at the end of its owner's vacation."""
    return max(now, chair.away_until or 0)


def restart_clock(step: Step, seat: Seat) -> None:
    """Give a seat that is to move again after a time-out the least time (`TURN_LEAST_MS`)."""
    chair = step.chair(seat)
    if seat in step.table.turn and chair.deadline is not None:
        chair.deadline = step.now + TURN_LEAST_MS


def shift_clocks(step: Step, by: int) -> None:
    """Move the deadline of every seat by `by` ms."""
    for seat, chair in step.table.seats.items():
        if chair.deadline is not None:
            step.chair(seat).deadline = chair.deadline + by


def shift_votes(step: Step, by: int) -> None:
    """Move the deadline of every vote by `by` ms."""
    for number in step.table.votes:
        step.table.votes[number].deadline += by
