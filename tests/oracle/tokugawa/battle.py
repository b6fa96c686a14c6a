"""An attack of Tokugawa under way, from its declaration to the advance (Rule: tokugawa 7 to 9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.tokugawa.board import CAPITALS, NEIGHBOURS, PROVINCE
from tests.oracle.tokugawa.table import Table, rival

SUPPORT_FEE = 1
REWARD = 2
"""For each supporter of the winner. Rule: tokugawa 9.3."""


@dataclass
class Battle:
    """The attacker and the defender, their supporters, and the dice thrown."""

    table: Table
    seat: int
    start: str
    town: str
    by_sea: bool
    weather: int
    supporters: dict[int, list[str]] = field(default_factory=lambda: {1: [], 2: []})
    dice: dict[int, int] = field(default_factory=dict)
    thrown_again: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})

    @property
    def defender(self) -> int:
        """The seat that is attacked."""
        return rival(self.seat)

    def helpers(self, seat: int) -> list[str]:
        """Who may still support a seat. Rule: tokugawa 7.4."""
        if self.table.koku[seat] < SUPPORT_FEE:
            return []
        return [
            town
            for town in NEIGHBOURS[self.town]
            if town in self.table.men
            and self.table.men[town].seat == seat
            and town != self.start
            and town not in self.supporters[seat]
        ]

    def support(self, seat: int, town: str) -> None:
        """Rule: tokugawa 7.4."""
        self.table.pay(seat, SUPPORT_FEE, self.town)
        self.supporters[seat].append(town)

    def rerolls(self, seat: int) -> int:
        """So many times a seat may still throw again. Rule: tokugawa 8.1."""
        return len(self.supporters[seat]) - self.thrown_again[seat]

    def is_won(self) -> bool:
        """Whether the attack succeeds. Rule: tokugawa 9.1."""
        attack = self.dice[self.seat] + self.table.attack_strength(self.start, self.weather)
        defence = self.dice[self.defender] + self.table.defence_strength(self.town)
        return attack >= defence

    def reward(self, winner: int) -> None:
        """Rule: tokugawa 9.3."""
        self.table.draw(winner, REWARD * len(self.supporters[winner]), PROVINCE[self.town])

    def is_on_capital(self) -> bool:
        """Whether a capital was attacked."""
        return self.town in CAPITALS

    def hit_capital(self) -> bool:
        """The success against a capital; whether it falls. Rule: tokugawa 9.10, 9.6, 9.8."""
        capital = self.table.men[self.town]
        self.table.men[self.start].weak = False
        self.table.destroy_gardens(PROVINCE[self.town])
        falls, capital.weak = capital.weak, True
        return falls

    def retreats(self) -> list[str]:
        """Where the beaten samurai may go; none if it is removed. Rule: tokugawa 9.4."""
        if self.table.men[self.town].weak:
            return []
        return self.table.empty(NEIGHBOURS[self.town])

    def retreat(self, town: str | None) -> None:
        """The beaten one goes there, or is removed. Rule: tokugawa 9.4, 9.11."""
        beaten = self.table.men.pop(self.town)
        if town is not None:
            beaten.weak = True
            self.table.men[town] = beaten
            self.table.arrive(beaten.seat, town)

    def advance(self) -> None:
        """The attacker takes the town. Rule: tokugawa 9.5 to 9.9."""
        self.table.men[self.start].weak = False
        self.table.walk(self.start, self.town, by_sea=self.by_sea)
        self.table.destroy_gardens(PROVINCE[self.town])
