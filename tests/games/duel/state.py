"""The state, the moves and the events of Duel; its phase is a node of one of five classes."""

from __future__ import annotations

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Move, Node, Public, Seat


class Fighter(Node):
    lives: Public[int]
    coins: Public[int]


class Auction(Node):
    """`still`: the seats that have not passed, the next to decide first."""

    still: Public[tuple[Seat, ...]]
    high: Public[int]


class Strike(Node):
    seat: Public[Seat]


class Answer(Node):
    seat: Public[Seat]
    other: Public[Seat]
    roll: Public[int]


class Again(Node):
    seat: Public[Seat]
    other: Public[Seat]
    roll: Public[int]
    parry: Public[int]


class Over(Node):
    pass


Phase = Auction | Strike | Answer | Again | Over


class Ring(Node):
    seats: Public[Keyed[Seat, Fighter]]
    phase: Public[Auction | Strike | Answer | Again | Over]
    first: Public[Seat]
    round: Public[int]
    rounds: Public[int]
    rerolls: Public[bool]


class Bid(Move):
    coins: Public[int]


class Pass(Move):
    pass


class Attack(Move):
    target: Public[Seat]


class Parry(Move):
    pass


class Duck(Move):
    pass


class Reroll(Move):
    pass


class Stand(Move):
    pass
