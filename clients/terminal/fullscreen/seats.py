"""Seats, turn and clocks of a room, read from its view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, cast

from bluebear.clients.sdk import RoomView

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """One seat as shown. `clock` is empty if the table has none."""

    number: int
    name: str
    moves: bool
    in_eyes: bool
    bot: bool = False
    away: bool = False
    clock: str = ""


def seats_of(room: RoomView, now: int) -> list[SeatFacts]:
    """The seats of a room in order; `now` is the server's clock in ms."""
    table = cast("dict[str, Any]", room.view.get("room", {}))  # Any: a view is a plain tree
    chairs = cast("dict[str, dict[str, Any]]", table.get("seats", {}))
    turn, eyes = room.turn, room.eyes
    stopped = table.get("paused_at")
    at = stopped if isinstance(stopped, int) else now
    return [
        SeatFacts(
            number=int(number),
            name=str(chair.get("name", "")),
            moves=int(number) in turn,
            in_eyes=int(number) in eyes,
            bot=chair.get("bot") is not None,
            away=chair.get("bot") is None and chair.get("name") in room.away,
            clock=clock_of(chair, at),
        )
        for number, chair in sorted(chairs.items(), key=lambda item: int(item[0]))
    ]


def names_to_move(seats: Iterable[SeatFacts], absent: str) -> str:
    """The names of the seats to move; with `absent`, and their time, where they are away."""
    return ", ".join(
        f"{seat.name} ({', '.join(filter(None, (absent, seat.clock)))})" if seat.away else seat.name
        for seat in seats
        if seat.moves
    )


def ticks(room: RoomView) -> bool:
    """Whether a clock of the room is running."""
    table = cast("dict[str, Any]", room.view.get("room", {}))
    if table.get("paused_at") is not None:
        return False
    return any(chair.get("deadline") is not None for chair in table.get("seats", {}).values())


def clock_of(chair: dict[str, Any], now: int) -> str:
    """The remaining time of a seat: `4:05`, `1:02:03`, `2d 3h`; empty without a clock."""
    deadline, bank = chair.get("deadline"), chair.get("bank")
    left = deadline - now if isinstance(deadline, int) else bank
    if not isinstance(left, int):
        return ""
    seconds = max(0, left) // 1000
    if seconds >= _DAY:
        return f"{seconds // _DAY}d {seconds % _DAY // _HOUR}h"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE}:{seconds % _MINUTE:02}"
    return f"{seconds // _HOUR}:{seconds // _MINUTE % _MINUTE:02}:{seconds % _MINUTE:02}"
