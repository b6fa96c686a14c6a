"""Clocks: deadlines in the state, never ticks.

By days every turn begins with the whole bank, and a vacation puts its beginning off.

A seat's `bank` is what it has left in ms. While it is to move it has a `deadline`; when it stops
being to move, what is left goes back into the bank with the increment.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import TURN_LEAST_MS
from bluebear.server.room.fold_context import Step
from bluebear.server.room.options import by_days, choice, clock_setting
from bluebear.server.room.state import Chair, Phase, Room, Table


def clock_of(table: Table) -> tuple[int, int] | None:
    """Bank and increment in ms; None when the room plays without clocks."""
    text = table.options.get("clock")
    return None if text is None else clock_setting(text)


def start_clocks(step: Step) -> None:
    """Fill every seat's bank at the start of a game; empty it when there is no clock."""
    setting = clock_setting(choice(step.table, "clock"))
    for seat in step.table.seats:
        chair = step.chair(seat)
        chair.bank = None if setting is None else setting[0]
        chair.deadline, chair.timeouts = None, 0
    step.table.turn = ()


def move_clocks(table: Table, before: tuple[int, ...], now: int, *, undone: bool = False) -> None:
    """Stop the clocks of seats that are done, start those of seats that began to be to move.

    `table` is a draft, `before` the seats that were to move until now.
    Where that comes from an undo, no increment is earned, and who is to move again gives back the
    one of the turn that is not over any more; otherwise moving and undoing would make time.
    """
    setting = clock_of(table)
    if setting is None:
        return
    turn = table.turn
    earned, given_back = (0, setting[1]) if undone else (setting[1], 0)
    whole = by_days(table) and not undone
    for seat, chair in table.seats.items():
        if seat in turn and seat not in before:
            bank = setting[0] if whole else chair.bank or 0
            left = max(bank - given_back, TURN_LEAST_MS)
            table.seats[seat].deadline = runs_from(chair, now) + left
        elif seat in before and seat not in turn and chair.deadline is not None:
            left = max(0, chair.deadline - runs_from(chair, now)) + earned
            changed = table.seats[seat]
            changed.bank, changed.deadline = left, None


def runs_from(chair: Chair, now: int) -> int:
    """When a seat's clock runs: now, or after its owner's vacation."""
    return max(now, chair.away_until or 0)


def restart_clock(step: Step, seat: Seat) -> None:
    """After a time-out that left the seat with a further decision: the least time again."""
    chair = step.chair(seat)
    if seat in step.table.turn and chair.deadline is not None:
        chair.deadline = step.now + TURN_LEAST_MS


def shift_clocks(step: Step, by: int) -> None:
    """Move the deadline of every seat by some ms."""
    for seat, chair in step.table.seats.items():
        if chair.deadline is not None:
            step.chair(seat).deadline = chair.deadline + by


def shift_votes(step: Step, by: int) -> None:
    """Move the deadline of every vote by some ms."""
    for number in step.table.votes:
        step.table.votes[number].deadline += by


def waking_deadline(room: Room) -> int | None:
    """When a room that sleeps wants to be woken, in ms: only one that is played by days does."""
    table = room.table
    if not by_days(table):
        return None
    if table.phase is Phase.PLAYING and any(
        table.seats[Seat(seat)].bot is not None for seat in table.turn
    ):
        return room.at
    return next_deadline(room)


def next_deadline(room: Room) -> int | None:
    """When the room next wants to be woken, in ms; None if never."""
    table = room.table
    times = [vote.deadline for vote in table.votes.values()]
    if table.phase is Phase.PLAYING:
        times += [c.deadline for c in table.seats.values() if c.deadline is not None]
    return min(times, default=None)
