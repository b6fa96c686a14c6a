"""The whole table of a game of I.T.C. at one moment, the running turn included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from tests.oracle.differential import Reports
from tests.oracle.itc.cards import ACTIONS, NEUTRALS, TRANSPORTS, number_of
from tests.oracle.itc.positions import Positions
from tests.oracle.itc.traffic import Traffic

T = TypeVar("T", int, str)


class Pile(Generic[T]):
    """Cards face down in an order hidden from all players, and the used ones."""

    def __init__(self, cards: Iterable[T]) -> None:
        self.left: Counter[T] = Counter(list(cards))
        self.used: Counter[T] = Counter()

    def size(self) -> int:
        return self.left.total() + self.used.total()

    def draw(self, cards: Sequence[T]) -> None:
        """These came, all at once: the discards only when the pile was empty (Rule: itc 8.7)."""
        wanted = Counter(cards)
        if wanted.total() > self.left.total():
            if not self.left <= wanted:
                raise ValueError(f"{cards} were drawn although {self.left} lay on top")
            wanted -= self.left
            self.left, self.used = self.used, Counter()
        if not wanted <= self.left:
            raise ValueError(f"{cards} are not all in the pile")
        self.left -= wanted

    def discard(self, cards: Iterable[T]) -> None:
        self.used.update(cards)

    def merge(self) -> None:
        """Pile and discards are shuffled together (Rule: itc 11.5)."""
        self.left, self.used = self.left + self.used, Counter()


class Sale(NamedTuple):
    """The running sale on a continent, and the stones spent in it (Rule: itc 14.2)."""

    continent: str
    spent: int


class Settling(NamedTuple):
    """Card 16 as far as it was carried out (Rule: itc 11, card 16)."""

    continent: str
    moved: int


class Recruiting(NamedTuple):
    """Card 17 as far as it was carried out (Rule: itc A36)."""

    continent: str
    seats: tuple[int, ...]


@dataclass
class Turn:
    """What is true until a turn ends."""

    seat: int
    stage: str = "dice"
    """`dice`, `rolled`, `act`, `discard`."""
    dice: tuple[str, ...] = ()
    rolled: dict[str, int] = field(default_factory=dict)
    die: str = ""
    points: int = 0
    sale_points: int = 0
    """The points of card 8."""
    played: set[int] = field(default_factory=set)
    landed: set[str] = field(default_factory=set)
    has_attacked: bool = False
    stranded: list[str] = field(default_factory=list)
    """Goods of neutral cards without a space (Rule: itc 8.6)."""
    sale: Sale | None = None
    settling: Settling | None = None
    recruiting: Recruiting | None = None

    def transport(self) -> int:
        """Points for loads (Rule: itc 8.2, 8.4)."""
        return self.points if self.die in ("blue", "red") else 0

    def inland(self) -> int:
        """Points for stones, sales and attacks (Rule: itc 8.3, 8.4)."""
        return self.points if self.die in ("green", "red") else 0


class Table:
    """Everything that lies on the table or is held in a hand."""

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        self.goal = int(options["goal"])
        self.max_rounds = int(options["max_rounds"])
        self.has_attack_limit = bool(options["attack_limit"])
        self.pays_transport = bool(options["transport_pay"])
        self.moves_loaded = bool(options.get("move_loaded"))
        self.has_express_blue = bool(options.get("express_blue"))
        self.seats = list(range(1, seats + 1))
        self.positions = Positions(self.seats)
        self.traffic = Traffic()
        self.transports: Pile[int] = Pile(TRANSPORTS)
        self.actions: Pile[str] = Pile(ACTIONS.elements())
        self.in_hand: dict[int, list[int]] = {seat: [] for seat in self.seats}
        self.actions_in_hand: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.money = dict.fromkeys(self.seats, 0)
        self.is_last_round = False
        self.reports = list(reports)
        self.turn: Turn | None = None

    def chance(self, *names: str) -> Reports:
        """What chance brought next; it must be one of these. Raises ValueError otherwise."""
        if not self.reports or self.reports[0]["event"] not in names:
            raise ValueError(f"{' or '.join(names)} was due: {self.reports[:1]}")
        return self.reports.pop(0)

    def after(self, seat: int, steps: int = 1) -> int:
        """The seat so many places further clockwise."""
        return (seat - 1 + steps) % len(self.seats) + 1

    def pay(self, seat: int, amount: int) -> None:
        """Rule: itc 13.1: a player who reaches the goal makes the round the last."""
        self.money[seat] += amount
        if self.money[seat] >= self.goal:
            self.is_last_round = True

    def deal(self, seat: int, cards: Sequence[int]) -> None:
        """Rule: itc 6.1: neutral cards are put back."""
        if len(cards) != 2 or any(card in NEUTRALS for card in cards):
            raise ValueError(f"{cards} are not two player cards")
        self.transports.draw(cards)
        self.in_hand[seat] += cards

    def holds(self, seat: int, number: int) -> list[str]:
        """The action cards of a number in a hand."""
        return [card for card in self.actions_in_hand[seat] if number_of(card) == number]
