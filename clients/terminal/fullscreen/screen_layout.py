"""Layout of the screen: a pure function of the state and the window's size.

From the top: the short form of the board, a bar with the room and (in narrow windows) its seats,
the log, and the status line. The input line below is not drawn here. In wide windows the seats are
at the side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bluebear.clients.terminal.fullscreen.seats import SeatFacts
from bluebear.clients.terminal.fullscreen.wrap import columns, cut, filled, wrapped

Run = tuple[str, str]
"""A style and a text."""
Row = list[Run]

SIDE_FROM: Final = 98
"""Minimum columns for seats at the side: a board has 80, a name with its clock about 17."""
_BOARD: Final = 80
_SIDE_MOST: Final = 30
_LOG_LEAST: Final = 3
_LOG_SHARE: Final = 6
"""The log gets at least this fraction (1/n) of the window's lines."""
_FRAME: Final = 2
"""The bar and the status line."""
SEAT_STYLES: Final = 6
"""Number of colours of seats; they repeat from the seventh seat."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The symbols of the screen."""

    turn: str
    side: str


LINED: Final = Glyphs(turn=">", side="│")
ASCII: Final = Glyphs(turn=">", side="|")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenState:
    """All that is shown. `log` is oldest first, scrolled back by `back` lines."""

    title: str
    hint: str
    your_turn: bool = False
    seats: Sequence[SeatFacts] = ()
    board: Sequence[str] = ()
    log: Sequence[str] = ()
    back: int = 0
    bar_hint: str = ""
    signs: Glyphs = LINED


def left_columns(width: int) -> int:
    """The columns of board and log."""
    return width - _side_columns(width)


def board_room(height: int) -> int:
    """The maximum lines of a board if `height` lines are above the input line."""
    return max(0, height - _FRAME - max(_LOG_LEAST, height // _LOG_SHARE))


def rows(facts: ScreenState, width: int, height: int) -> list[Row]:
    """The rows of the screen above the input line, from top to bottom."""
    side = _side_columns(width)
    left = width - side
    board = [[("class:board", cut(line, left))] for line in facts.board[: board_room(height)]]
    log = _log(facts, left, height - len(board) - _FRAME)
    body = [*board, _bar(facts, left, seats=not side), *log]
    if side:
        panel = _panel(facts, side - 2)
        body = [
            _beside(row, left, panel[at] if at < len(panel) else [], facts.signs.side)
            for at, row in enumerate(body)
        ]
    return [*body, _hint(facts, width)][:height]


def log_height(log: Sequence[str], width: int) -> int:
    """The number of lines of a wrapped log."""
    return sum(len(wrapped(text, width)) for text in log)


def _side_columns(width: int) -> int:
    return 0 if width < SIDE_FROM else min(_SIDE_MOST, width - _BOARD)


def _log(facts: ScreenState, width: int, height: int) -> list[Row]:
    """The newest lines of the log, or the lines scrolled back to."""
    height = max(0, height)
    lines: list[str] = []
    for text in reversed(facts.log):
        lines[:0] = wrapped(text, width)
        if len(lines) >= height + facts.back:
            break
    end = max(min(height, len(lines)), len(lines) - facts.back)
    shown = lines[max(0, end - height) : end]
    drawn = [_named(line, facts.seats) for line in shown]
    return [*([[]] * (height - len(drawn))), *drawn]


def _named(line: str, seats: Sequence[SeatFacts]) -> Row:
    """A line of the log, with seats' names in their colours."""
    names = {seat.name: style_of(seat.number) for seat in seats if seat.name}
    if not names:
        return [("", line)]
    longest_first = sorted(names, key=len, reverse=True)
    fragments = re.split(f"({'|'.join(map(re.escape, longest_first))})", line)
    return [(names.get(fragment, ""), fragment) for fragment in fragments if fragment]


def style_of(seat: int) -> str:
    """The style of a seat's name."""
    return f"class:seat{(seat - 1) % SEAT_STYLES + 1}"


def _bar(facts: ScreenState, width: int, *, seats: bool) -> Row:
    """The room, and the seats if they are not at the side."""
    right = f" {facts.bar_hint} " if facts.bar_hint else ""
    runs = [f" {facts.title} "]
    if seats:
        runs += [_short(seat, facts.signs) for seat in facts.seats]
    text = filled("  ".join(runs), width - columns(right)) + right
    return [("class:bar", filled(text, width))]


def _short(seat: SeatFacts, signs: Glyphs) -> str:
    mark = signs.turn if seat.moves else ""
    return " ".join(filter(None, (f"{mark}{seat.number} {seat.name}", seat.clock)))


def _panel(facts: ScreenState, width: int) -> list[Row]:
    """The seats, one a line, with a mark at each seat to move."""
    return [_seat(seat, width, facts.signs) for seat in facts.seats]


def _seat(seat: SeatFacts, width: int, signs: Glyphs) -> Row:
    mark = signs.turn if seat.moves else " "
    note = f" {seat.clock}" if seat.clock else " ..." if seat.away else ""
    head = f"{mark}{seat.number} "
    name = filled(seat.name, max(0, width - columns(head) - columns(note)))
    style = style_of(seat.number) + (" class:own" if seat.in_eyes else "")
    return [("class:turn" if seat.moves else "", head), (style, name), ("", note)]


def _beside(row: Row, left: int, panel: Row, bar: str) -> Row:
    used = sum(columns(text) for _, text in row)
    return [*row, ("", " " * (left - used)), ("class:frame", bar + " "), *panel]


def _hint(facts: ScreenState, width: int) -> Row:
    style = "class:turn" if facts.your_turn else "class:hint"
    return [(style, cut(facts.hint, width))]


def plain_text(drawn: Sequence[Row]) -> Iterator[str]:
    """The rows without their styles."""
    return ("".join(text for _, text in row).rstrip() for row in drawn)
