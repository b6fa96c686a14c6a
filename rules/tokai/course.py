"""What comes next when nobody has to decide: the steps of the game's course."""

from __future__ import annotations

from enum import Enum, auto


class Next(Enum):
    """The next step, or a decision of the table's phase."""

    DECISION = auto()
    START = auto()
    """The next seat rolls its start city (Rule: tokai 4.1)."""
    TURN = auto()
    """The active seat's turn begins (Rule: tokai 5.1)."""
    HALF = auto()
    """A half begins with its destination, where there is none (Rule: tokai 6.1)."""
    ROLL = auto()
    """The roll for the movement (Rule: tokai 7.1)."""
    STRAND = auto()
    """The roll has no legal movement (Rule: tokai 7.2.6)."""
    LAST_LINE = auto()
    """The last unowned line was bought (Rule: tokai 12.1)."""
    HALF_END = auto()
    """The half is over; an extra one may follow (Rule: tokai 10.1)."""
    SETTLE = auto()
    """The fare of the turn is due (Rule: tokai 11.1)."""
    TURN_END = auto()
    """The turn is over."""
