"""The house bot `careful`: it counts its own dice and expects the average from all others."""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Move, Seat, require
from liars_dice.table import Bid, Doubt, Table


def careful(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    """The safest bid, or a doubt if that is safer still."""
    dice = require(view.seats[seat].dice)

    def lacking(bid: Bid) -> int:
        """How many dice, in sixths, a bid lacks on average."""
        sixths = 2 if view.wild and bid.face != 1 else 1
        return 6 * (bid.count - view.matching(dice, bid.face)) - sixths * (view.dice - len(dice))

    last = Bid(view.count, view.face)
    best = min((move for move in moves if isinstance(move, Bid)), key=lacking, default=None)
    if best is None or (last.count and lacking(last) + lacking(best) > 0):
        return Doubt()
    return best
