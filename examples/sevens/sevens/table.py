"""The cards, the state of the game, its moves, and the grammar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.slots import Choice, WordSlot
from bluebear.rules.core.visibility import Move, Node, Owner, Public, Seat

SUITS: Final = {"S": "スペード", "H": "ハート", "D": "ダイヤ", "C": "クラブ"}
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARDS: Final = [suit + rank for suit in SUITS for rank in RANKS]
ROWS: Final = [[s + r for r in half] for s in SUITS for half in (RANKS[5::-1], RANKS[7:])]
"""The cards in the order in which they are laid: down from each seven, and up from it."""


class Hand(Node):
    """The cards of one seat: all players see their number, only the seat itself the cards.

    `passes` are left; `score` is None until the seat has a rank.
    """

    cards: Owner[tuple[str, ...]]
    count: Public[int]
    passes: Public[int]
    score: Public[int | None]


class Table(Node):
    """The whole game. `laid` are the cards on the table, by suit and rank."""

    seats: Public[Keyed[Seat, Hand]]
    laid: Public[tuple[str, ...]]
    turn: Public[Seat]

    @property
    def playing(self) -> list[Seat]:
        """The seats without a rank."""
        return [seat for seat, hand in self.seats.items() if hand.score is None]

    def following(self, seat: Seat) -> Seat:
        """The next seat without a rank (Rule: sevens 2.1)."""
        return next((each for each in self.playing if each > seat), self.playing[0])

    @property
    def free(self) -> list[int]:
        """The scores that no seat has yet, lowest first (Rule: sevens 3.1)."""
        taken = [hand.score for hand in self.seats.values()]
        return [score for score in range(len(taken)) if score not in taken]

    def fitting(self) -> list[str]:
        """The cards that may be laid, in any hand (Rule: sevens 2.2)."""
        missing = ([card for card in row if card not in self.laid] for row in ROWS)
        return [cards[0] for cards in missing if cards]


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards by suit and rank."""
    return tuple(sorted(cards, key=CARDS.index))


class Lay(Move):
    """A card of the hand goes to its row."""

    card: Public[str]


class Pass(Move):
    """No card; one pass less."""


_CARD: Final = WordSlot("card", [Choice(card, (SUITS[card[0]] + card[1:],)) for card in CARDS])
_LAY: Final = Verb("lay", Lay, (_CARD,), ("出す",), ("l",))
GRAMMAR: Final = Grammar([_LAY, Verb("pass", Pass, (), ("パス",), ("p",))])
