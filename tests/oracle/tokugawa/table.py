"""What lies on Tokugawa's table: samurai, buildings, koku; and what can be read off it.

Stocks are not kept: what is not on the board is in stock. A building knows the turn in which it was
built; whether a castle is completed or a shrine usable follows from that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tests.oracle.tokugawa.board import (
    BANK_KOKU,
    BUILDINGS,
    CAPITALS,
    CARDS,
    NEEDED,
    NEIGHBOURS,
    PORTS,
    PROVINCE,
    PROVINCES,
    ROAD,
    SAMURAI,
    START_KOKU,
    TERRAINS,
    TOWNS,
)

SEATS: Final = (1, 2)

MAJORITY: Final = 5
"""Rule: tokugawa 11.3."""


def rival(seat: int) -> int:
    """The other of the two."""
    return 3 - seat


@dataclass
class Man:
    """A samurai on the board, or a capital, which counts as one. Rule: tokugawa 3.4."""

    seat: int
    kind: str
    forged: bool = False
    weak: bool = False
    """Weakened; of a capital: turned to its back."""

    def strength(self) -> int:
        """With what a weakened one loses. Rule: tokugawa 1.6, 8.2, 8.3."""
        front = 2 if self.kind == "capital" else SAMURAI[self.kind].strength
        return front + self.forged - self.weak


@dataclass
class Thing:
    """A building or a ship on the board."""

    seat: int
    kind: str
    town: str
    built: int
    """In which turn of the game."""


@dataclass
class Table:
    """Everything that is not a decision under way."""

    men: dict[str, Man] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    koku: dict[int, int] = field(default_factory=lambda: dict.fromkeys(SEATS, START_KOKU))
    banks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PROVINCES, BANK_KOKU))
    taken: dict[int, list[str]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    turn: int = 0
    """The number of this turn, counted over both seats from 1."""
    run_up: bool = False
    """Whether an attack may come over several roads of one terrain. Rule: tokugawa 7.6."""

    def capital(self, seat: int) -> str:
        """Where a seat has its capital."""
        return next(town for town in CAPITALS if self.men[town].seat == seat)

    def samurai(self, seat: int) -> list[str]:
        """The towns with a samurai of a seat, without its capital."""
        return [t for t, man in self.men.items() if man.seat == seat and man.kind != "capital"]

    def empty(self, towns: Iterable[str]) -> list[str]:
        """Those with neither a samurai nor a capital. Rule: tokugawa 5.7."""
        return [town for town in towns if town not in self.men]

    def count(self, kind: str, seat: int | None = None) -> int:
        """So many buildings of a kind are on the board, of a seat or of both."""
        return sum(x.kind == kind and seat in (None, x.seat) for x in self.things)

    def has(self, seat: int, kind: str, town: str) -> bool:
        """Whether a building of the seat is on a town, usable or not."""
        return any((x.seat, x.kind, x.town) == (seat, kind, town) for x in self.things)

    def pay(self, seat: int, koku: int, town: str) -> None:
        """To the bank of the town's province. Rule: tokugawa 1.4."""
        if self.koku[seat] < koku:
            raise ValueError(f"seat {seat} cannot pay {koku} koku")
        self.koku[seat] -= koku
        self.banks[PROVINCE[town]] += koku

    def draw(self, seat: int, koku: int, province: str) -> None:
        """From the bank, which pays what it has, if that is less. Rule: tokugawa 5.4, 9.3."""
        paid = min(koku, self.banks[province])
        self.banks[province] -= paid
        self.koku[seat] += paid

    def tax(self, seat: int, province: str) -> int:
        """What a province owes a seat, 0 if nothing. Rule: tokugawa 5.1 to 5.3."""
        ours, theirs = (
            sum(man.seat == who and PROVINCE[town] == province for town, man in self.men.items())
            for who in (seat, rival(seat))
        )
        if ours <= theirs:
            return 0
        garden = any(
            x.seat == seat and x.kind == "garden" and PROVINCE[x.town] == province
            for x in self.things
        )
        return ours - theirs + garden

    def can_levy(self, seat: int, kind: str) -> bool:
        """Whether it is in stock and can be paid. Rule: tokugawa 5.5."""
        out = sum(self.men[town].kind == kind for town in self.samurai(seat))
        return out < SAMURAI[kind].chips and self.koku[seat] >= SAMURAI[kind].cost

    def reached(self, seat: int, start: str, terrain: str) -> set[str]:
        """The empty towns at the end of roads of one terrain. Rule: tokugawa 6.2."""
        return set(self.empty(self._passed(seat, start, terrain)))

    def _passed(self, seat: int, start: str, terrain: str) -> set[str]:
        seen, edge = {start}, [start]
        while edge:
            here = edge.pop()
            for town in NEIGHBOURS[here]:
                man = self.men.get(town)
                is_free = man is None or man.seat == seat
                if ROAD[here, town] == terrain and is_free and town not in seen:
                    seen.add(town)
                    edge.append(town)
        return seen

    def terrain_to(self, seat: int, start: str, town: str) -> str | None:
        """The terrain over which a samurai attacks by road. Rule: tokugawa 7.1, 7.3, 7.6."""
        if not self.run_up:
            return ROAD.get((start, town))
        for terrain in sorted(TERRAINS, key=NEEDED.__getitem__):
            passed = self._passed(seat, start, terrain)
            if any(ROAD[town, here] == terrain for here in passed.intersection(NEIGHBOURS[town])):
                return terrain
        return None

    def has_built_limit(self, seat: int, kind: str, town: str) -> bool:
        """Whether no further building of this kind may stand there. Rule: tokugawa 10.1."""
        building = BUILDINGS[kind]
        if self.count(kind, None if building.common else seat) >= building.chips:
            return True
        if kind == "castle" and any(
            x.kind == "castle" and x.seat == seat and PROVINCE[x.town] == PROVINCE[town]
            for x in self.things
        ):
            return True
        return kind != "ship" and any(x.kind == kind and x.town == town for x in self.things)

    def arrive(self, seat: int, town: str) -> None:
        """A samurai has come to a town where the enemy may have left something.

        Rule: tokugawa 5.8, 9.7, 9.9.
        """
        self.things = [
            x for x in self.things if x.town != town or x.seat == seat or x.kind == "ship"
        ]
        for ship in [x for x in self.things if x.town == town and x.seat != seat]:
            if self.count("ship", seat) < BUILDINGS["ship"].chips:
                ship.seat = seat
            else:
                self.things.remove(ship)

    def walk(self, start: str, end: str, *, by_sea: bool) -> None:
        """A samurai goes to a town, by sea with a ship of its owner. Rule: tokugawa 6.6, 9.5."""
        man = self.men.pop(start)
        if by_sea:
            next(
                x for x in self.things if (x.seat, x.kind, x.town) == (man.seat, "ship", start)
            ).town = end
        self.men[end] = man
        self.arrive(man.seat, end)

    def destroy_gardens(self, province: str) -> None:
        """Of both sides. Rule: tokugawa 9.8."""
        self.things = [x for x in self.things if x.kind != "garden" or PROVINCE[x.town] != province]

    def attack_strength(self, town: str, weather: int) -> int:
        """The attacker's bonus to their dice on this town. Rule: tokugawa 8.2."""
        man = self.men[town]
        shrine = any(
            x.town == town and x.seat == man.seat and x.kind == "shrine" and x.built < self.turn
            for x in self.things
        )
        return man.strength() + shrine + weather

    def defence_strength(self, town: str) -> int:
        """The defender's bonus to their dice on this town. Rule: tokugawa 8.3, 4.2."""
        man, sum_ = self.men[town], 0
        for x in self.things:
            if x.town == town and x.seat == man.seat:
                # The owner's next turn after that of the building is the second from it.
                castle = x.kind == "castle" and self.turn >= x.built + 2
                sum_ += 2 * castle + (x.kind == "wall") + (x.kind == "shrine")
        return man.strength() + sum_

    def fulfils(self, seat: int, card: str) -> bool:
        """Rule: tokugawa 10.3."""
        harbours = {x.town for x in self.things if x.kind == "ship" and x.seat == seat}
        men = set(self.samurai(seat))
        return set(CARDS[card].towns) <= men and len(harbours & PORTS) >= CARDS[card].ships

    def contract_points(self, seat: int) -> int:
        """Rule: tokugawa 10.4."""
        return sum(CARDS[card].points() for card in self.taken[seat])

    def victory_points(self, seat: int) -> int:
        """Rule: tokugawa 11.3."""
        return self.contract_points(seat) + sum(
            MAJORITY for ours, theirs in self._majorities(seat) if ours > theirs
        )

    def _majorities(self, seat: int) -> list[tuple[int, int]]:
        """Koku, samurai and buildings of a seat, each beside those of the other."""
        other = rival(seat)
        counted = {
            who: sum(x.seat == who and x.kind != "wall" for x in self.things) for who in SEATS
        }
        return [
            (self.koku[seat], self.koku[other]),
            (len(self.samurai(seat)), len(self.samurai(other))),
            (counted[seat], counted[other]),
        ]


def towns_to_fill(table: Table, seat: int) -> list[str]:
    """Where a samurai may be placed at the start. Rule: tokugawa 3.5."""
    enemy = table.capital(rival(seat))
    contents = {PROVINCE[town] for town in table.samurai(seat)} | {PROVINCE[enemy]}
    return [
        town
        for town in table.empty(TOWNS)
        if PROVINCE[town] not in contents and town not in NEIGHBOURS[enemy]
    ]
