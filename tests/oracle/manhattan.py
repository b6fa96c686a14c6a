"""Manhattan, implemented independently from the rule text; paragraphs as in its `rules.md`.

Where the text leaves room, this reading decides:

| question | reading |
|---|---|
| what a player without a legal turn may still draw (4.7) | any card that is in no other hand |
| when the exchange happens (4.7) | as soon as it is their turn, before any player decides |
| a hand of four that ends the deck (4.6) | the rest of the deck, then from the discards |
| a forced choice (3.3) | made when the turn to choose comes, in any round |
| the next place after a shared one (6.3) | as many places are skipped as players share |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations_with_replacement, product
from typing import Any, ClassVar, Final, TypeAlias

from tests.oracle.differential import Reports

CITIES: Final = ("newyork", "saopaulo", "frankfurt", "cairo", "hongkong", "sydney")
"""Rule: manhattan 1.2."""

POSITIONS: Final = range(1, 10)
SIZES: Final = (4, 3, 2, 1)

BLOCKS: Final = {1: 11, 2: 6, 3: 4, 4: 3}
"""How many blocks of each size a player owns (Rule: manhattan 1.4)."""

CARDS_OF_A_POSITION: Final = 5
HAND: Final = 4

Site: TypeAlias = tuple[str, int]
Block: TypeAlias = tuple[int, int]
"""The seat whose colour it is, and its floors."""


class Manhattan:
    """One game: the piles of blocks as they were put down, and what is in each hand."""

    luck: ClassVar[Collection[str]] = ("began", "dealt", "drew")

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        self.rounds, self.per_round = (6, 4) if options["sixrounds"] else (4, 6)
        self.is_turned = bool(options["turned_cards"])
        self.seats = list(range(1, seats + 1))
        self.stock = {seat: Counter(BLOCKS) for seat in self.seats}
        self.chosen: dict[int, Counter[int]] = {seat: Counter() for seat in self.seats}
        self.hands: dict[int, Counter[int]] = {seat: Counter() for seat in self.seats}
        self.deck = Counter(dict.fromkeys(POSITIONS, CARDS_OF_A_POSITION))
        self.discards: Counter[int] = Counter()
        self.piles: dict[Site, list[Block]] = {site: [] for site in product(CITIES, POSITIONS)}
        self.score = dict.fromkeys(self.seats, 0)
        self.round = 1
        self.reports = list(reports)
        self.starter: int = self._chance("began")["seat"]
        for seat in self.seats:
            self._deal(seat)
        self.to_choose = self._clockwise()
        self.to_build: list[int] = []
        self._go_on()

    def movers(self) -> AbstractSet[int]:
        """Rule: manhattan 3.1, 4.1."""
        return set((self.to_choose or self.to_build)[:1])

    def legal(self, seat: int) -> AbstractSet[str]:
        """Rule: manhattan 3.2, 4.1."""
        if self.to_choose:
            return {f"/take {' '.join(map(str, choice))}" for choice in self._choices(seat)}
        return {
            f"/build {block} {city} {position}"
            for card, block, city in product(self.hands[seat], self.chosen[seat], CITIES)
            for position in [self._intended_card(seat, card)]
            if self._may_build(seat, block, (city, position))
        }

    def play(self, seat: int, line: str, reports: Sequence[Reports]) -> None:
        """Rule: manhattan 3.1, 4.1, 4.5."""
        self.reports = list(reports)
        verb, *arguments = line.split()
        if verb == "/take":
            self._choose(seat, tuple(map(int, arguments)))
        else:
            size, city, position = arguments
            self._build(seat, int(size), (city, int(position)))
        self._go_on()
        if self.reports:
            raise ValueError(f"chance brought more than the rules ask for: {self.reports}")

    def points(self) -> Mapping[int, int]:
        """The points of the rounds that are scored (Rule: manhattan 5.4)."""
        return self.score

    def ranks(self) -> Mapping[int, int]:
        """One place behind each who has more; equal points share it (Rule: manhattan 6.2, 6.3)."""
        scores = self.score.values()
        return {
            seat: 1 + sum(more > score for more in scores) for seat, score in self.score.items()
        }

    def _chance(self, event: str) -> Reports:
        form = self.reports.pop(0)
        if form["event"] != event:
            raise ValueError(f"{event} was due, not {form}")
        return form

    def _clockwise(self) -> list[int]:
        """All seats, the start player first (Rule: manhattan 3.1)."""
        before = self.starter - 1
        return self.seats[before:] + self.seats[:before]

    def _choices(self, seat: int) -> list[tuple[int, ...]]:
        """Rule: manhattan 3.2."""
        return [
            choice
            for choice in combinations_with_replacement(SIZES, self.per_round)
            if all(choice.count(size) <= self.stock[seat][size] for size in SIZES)
        ]

    def _choose(self, seat: int, choice: tuple[int, ...]) -> None:
        """Rule: manhattan 3.1."""
        self.stock[seat].subtract(choice)
        self.chosen[seat] = Counter(choice)
        self.to_choose.remove(seat)

    def _intended_card(self, seat: int, card: int) -> int:
        """The position that a seat reads from a card (Rule: manhattan 1.6, 9.2).

        A quarter turn clockwise brings the top row to the right column.
        """
        row, column = divmod(card - 1, 3)
        for _ in range(seat - 1 if self.is_turned else 0):
            row, column = column, 2 - row
        return 3 * row + column + 1

    def _may_build(self, seat: int, block: int, site: Site) -> bool:
        """Rule: manhattan 4.2, 4.3."""
        owner = self._owner(site)
        if owner is None or owner == seat:
            return True
        return self._floors_of(site, seat) + block >= self._floors_of(site, owner)

    def _owner(self, site: Site) -> int | None:
        """Rule: manhattan 4.4."""
        return self.piles[site][-1][0] if self.piles[site] else None

    def _floors_of(self, site: Site, seat: int) -> int:
        return sum(floors for owner, floors in self.piles[site] if owner == seat)

    def _height(self, site: Site) -> int:
        return sum(floors for _, floors in self.piles[site])

    def _build(self, seat: int, block: int, site: Site) -> None:
        """Rule: manhattan 4.1, 4.5."""
        (card,) = (card for card in POSITIONS if self._intended_card(seat, card) == site[1])
        self._pay(self.hands[seat], card)
        self._pay(self.chosen[seat], block)
        self.piles[site].append((seat, block))
        self.discards[card] += 1
        drawn = self._chance("drew")
        if drawn["seat"] != seat:
            raise ValueError(f"seat {seat} was to draw a card: {drawn}")
        self._draw(seat, drawn["card"])
        self.to_build.remove(seat)

    def _pay(self, in_hand: Counter[int], what: int) -> None:
        """One less of it; what is not held any more is not listed either."""
        if not in_hand[what]:
            raise ValueError(f"{what} is not among {in_hand}")
        in_hand[what] -= 1
        if not in_hand[what]:
            del in_hand[what]

    def _draw(self, seat: int, card: int) -> None:
        """The card that chance brought comes from the deck (Rule: manhattan 4.5, 4.6)."""
        if not self.deck.total():
            self.deck, self.discards = self.discards, Counter()
        self._pay(self.deck, card)
        self.hands[seat][card] += 1

    def _deal(self, seat: int) -> None:
        """Rule: manhattan 2.1, 4.7: four cards, those that were left in the deck first."""
        form = self._chance("dealt")
        left = Counter(self.deck) if self.deck.total() < HAND else Counter()
        cards: Counter[int] = Counter(form["cards"])
        if form["seat"] != seat or cards.total() != HAND or not left <= cards:
            raise ValueError(f"seat {seat} was to draw {HAND} cards, {left} among them: {form}")
        for card in [*left.elements(), *(cards - left).elements()]:
            self._draw(seat, card)

    def _go_on(self) -> None:
        """What happens without a decision, until there is one or the game is over."""
        while self.round <= self.rounds:
            if self.to_choose:
                seat = self.to_choose[0]
                choices = self._choices(seat)
                if len(choices) > 1:
                    return
                self._choose(seat, choices[0])
            elif self.to_build:
                seat = self.to_build[0]
                if self.legal(seat):
                    return
                self._help(seat)
            elif any(self.chosen.values()):
                self.to_build = self._clockwise()
            else:
                self._end_round()

    def _help(self, seat: int) -> None:
        """A player without a legal card gets a new hand, or a block less (Rule: manhattan 4.7)."""
        if self._any_card_helps(seat):
            self.discards += self.hands[seat]
            self.hands[seat] = Counter()
            self._deal(seat)
        else:
            self._pay(self.chosen[seat], min(self.chosen[seat]))
            self.to_build.remove(seat)

    def _any_card_helps(self, seat: int) -> bool:
        """Whether deck, discards or the shown hand have a card for it (Rule: manhattan 4.7)."""
        within_reach = self.deck + self.discards + self.hands[seat]
        return any(
            self._may_build(seat, block, (city, self._intended_card(seat, card)))
            for card, block, city in product(within_reach, self.chosen[seat], CITIES)
        )

    def _end_round(self) -> None:
        """Rule: manhattan 5, 6.1, 6.2."""
        for owner in filter(None, map(self._owner, self.piles)):
            self.score[owner] += 1
        for city in CITIES:
            owners = [self._owner((city, position)) for position in POSITIONS]
            counts = {seat: owners.count(seat) for seat in self.seats}
            first = [seat for seat in self.seats if counts[seat] == max(counts.values())]
            if len(first) == 1:
                self.score[first[0]] += 2
        highest = max(map(self._height, self.piles))
        tallest = [site for site in self.piles if self._height(site) == highest]
        if len(tallest) == 1 and (holder := self._owner(tallest[0])):
            self.score[holder] += 3
        self.starter = self.starter % len(self.seats) + 1
        self.round += 1
        self.to_choose = self._clockwise() if self.round <= self.rounds else []
