"""What happens in a game of Railroad Ink, as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Event, Owner, Public, Seat, SeatEvent, Visibility
from bluebear.rules.railroad_ink.rules.pieces import Piece, Square
from bluebear.rules.railroad_ink.rules.state import Draft, Stroke


class Deed(StrEnum):
    """What a seat did on its own paper."""

    DRAW = "draw"
    SPECIAL = "special"
    ERASE = "erase"


class RoundBegan(Event):
    """The dice were rolled (Rule: railroad_ink 3.2)."""

    round: Public[int]
    dice: Public[tuple[Piece, ...]]


class Drawing(SeatEvent):
    """A seat drew its first piece of a round: all that others are told (Rule: railroad_ink 8.2).

    `squares` are those drawn or taken back, the named one first, and `details` the piece with the
    sides of its arms, or the pieces taken back.
    """

    deed: Owner[Deed]
    squares: Owner[tuple[Square, ...]]
    details: Owner[tuple[str, ...]]
    score: Owner[int]


class DrawingOn(SeatEvent):
    """A seat drew more, or took back: told to itself alone, in the fields of `Drawing`."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    deed: Public[Deed]
    squares: Public[tuple[Square, ...]]
    details: Public[tuple[str, ...]]
    score: Public[int]


class Finished(SeatEvent):
    """A seat is done with the round (Rule: railroad_ink 4.3)."""


class FinishedByItself(SeatEvent):
    """A seat is done because nothing is left to draw, which tells so (Rule: railroad_ink 12.3)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC


class Shown(SeatEvent):
    """A seat that is done sees what others who are done have drawn (Rule: railroad_ink 8.2).

    `drafts` are what the seat's part of the table has of them from now on.
    """

    sight: ClassVar[Visibility] = Visibility.OWNER
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seats: Public[tuple[Seat, ...]]
    drafts: Public[Keyed[Seat, Draft]]


class Revealed(SeatEvent):
    """The round is over, and what a seat has drawn is open (Rule: railroad_ink 8.1, 8.3).

    `strokes` are what was drawn in `squares`, in the same order.
    """

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    squares: Public[tuple[Square, ...]]
    strokes: Public[tuple[Stroke, ...]]
    score: Public[int]


class NothingRevealed(SeatEvent):
    """The round is over, and a seat had no room for any face (Rule: railroad_ink 6.1, 8.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    score: Public[int]


class Scored(SeatEvent):
    """What a seat's board is worth in the end, part by part (Rule: railroad_ink 9)."""

    exits: Public[int]
    road: Public[int]
    railway: Public[int]
    centre: Public[int]
    open_ends: Public[int]
    total: Public[int]


class GameOver(Event):
    """The last round is over (Rule: railroad_ink 4.4, 9.5)."""

    winner: Public[tuple[Seat, ...]]
    score: Public[int]
