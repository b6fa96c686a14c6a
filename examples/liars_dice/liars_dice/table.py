"""The state of the game, its moves, and the grammar."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.slots import NumberSlot
from bluebear.rules.core.visibility import Move, Node, Owner, Public, Seat


class Cup(Node):
    """The dice of one seat: all players see their number, only the seat their values."""

    count: Public[int]
    dice: Owner[tuple[int, ...]]


class Table(Node):
    """The whole game. The bid is `count` dice of `face`, by `bidder`; 0 of 0 before the first."""

    seats: Public[Keyed[Seat, Cup]]
    turn: Public[Seat]
    bidder: Public[Seat]
    count: Public[int]
    face: Public[int]
    wild: Public[bool]

    @property
    def dice(self) -> int:
        """How many dice are in play."""
        return sum(cup.count for cup in self.seats.values())

    def following(self, seat: Seat) -> Seat:
        """The next seat that has dice (Rule: liars_dice 2.1)."""
        seats = list(self.seats)
        return next(each for each in seats[seat:] + seats[:seat] if self.seats[each].count)

    def matching(self, dice: tuple[int, ...], face: int) -> int:
        """How many of some dice count as a face (Rule: liars_dice 1.2)."""
        return sum(die == face or (self.wild and die == 1) for die in dice)


def roll(count: int, chance: Chance) -> tuple[int, ...]:
    """The values of `count` rolled dice, sorted (Rule: liars_dice 1.1)."""
    return tuple(sorted(chance.die() for _ in range(count)))


class Bid(Move):
    """At least `count` of all dice show the face."""

    count: Public[int]
    face: Public[int]


class Doubt(Move):
    """The last bid is wrong."""


_SLOTS: Final = (NumberSlot("count", 1, 30), NumberSlot("face", 1, 6))
_BID: Final = Verb("bid", Bid, _SLOTS, ("宣言",), ("b",))
GRAMMAR: Final = Grammar([_BID, Verb("doubt", Doubt, (), ("liar", "ダウト"), ("d",))])
