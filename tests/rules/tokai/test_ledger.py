"""A fare keeper with separate books, who reads only the announced events.

Owners, through tickets and dues are recorded step by step as the rule text defines them, without
any code of the game, and must agree with the game after every move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game_info import OptionValue
from bluebear.rules.core.visibility import Event, Seat
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.rules.events import (
    AuctionWon,
    Bought,
    LinesReturned,
    PaidBank,
    PaidOwner,
    Prebought,
    Rode,
    SetOff,
    SoldToBank,
    Started,
    Stranded,
    TurnBegan,
    WentBack,
    WentBankrupt,
)
from bluebear.rules.tokai.rules.network import ATLAS
from bluebear.rules.tokai.rules.state import State
from tests.rules.tokai.scene import eyes

STATIONS: Final[Mapping[str, Collection[str]]] = {line.id: line.points for line in ATLAS.lines}
BANK: Final = 0


class Keeper:
    """The books of one game."""

    def __init__(self, seats: int, through: int) -> None:
        self.owner: dict[str, int] = {}
        self.tickets: dict[int, set[str]] = {seat: set() for seat in range(1, seats + 1)}
        self.at: dict[int, str] = {}
        self.dues: dict[int, int] = {}
        self.paid: dict[int, int] = {}
        self._legs: list[Rode] = []
        self._started = False
        self._fell = False
        self._set_off = 0
        self._shinkansen_through = through

    def hear(self, event: Event) -> None:
        """Something happened: where pawns are, who owns what, what was paid, who is out."""
        match event:
            case Started(seat=seat, point=point):
                self.at[seat] = point
            case TurnBegan():
                self._turn()
            case Rode():
                self._legs.append(event)
                if event.left == 0:
                    self._ride(event.seat)
            case WentBack():
                self._legs.pop()
            case Stranded(seat=seat):
                assert self.paid == {}
                self._out(seat)
            case WentBankrupt(seat=seat, missing=missing):
                self._bankrupt(seat, missing)
            case _:
                self._owns(event)
                self._pays(event)

    def _owns(self, event: Event) -> None:
        match event:
            case Prebought(seat=seat, lines=lines):
                self.owner.update(dict.fromkeys(lines, seat))
            case Bought(seat=seat, line=line):
                self.owner[line] = seat
                self._give(line)
            case SoldToBank(line=line):
                self._free(line)
            case LinesReturned(lines=lines):
                for line in lines:
                    self._free(line)
            case _:
                pass

    def _pays(self, event: Event) -> None:
        match event:
            case PaidBank(amount=amount):
                self.paid[BANK] = amount
            case PaidOwner(other=other, amount=amount):
                self.paid[other] = amount
            case AuctionWon(seat=winner, line=line, price=price):
                self._set_off = min(price, self.dues.get(winner, 0))
                self.owner[line] = winner
                self.tickets[winner].discard(line)
            case SetOff(other=other, amount=amount):
                assert amount == self._set_off > 0
                self.dues[other] -= amount
                self._set_off = 0
            case _:
                pass

    def _bankrupt(self, seat: int, missing: int) -> None:
        """Each creditor is paid in full, in the order of the route, until the money ends."""
        owed = {payee: due for payee, due in self.dues.items() if due}
        assert missing == sum(owed.values()) - sum(self.paid.values()) > 0
        assert list(self.paid) == list(owed)[: len(self.paid)]
        assert [self.paid[p] == owed[p] for p in self.paid][:-1] == [True] * (len(self.paid) - 1)
        self._out(seat)

    def turn_ends(self) -> None:
        """Pay what is owed by the players who are still in the game."""
        if not self._fell:
            assert self._set_off == 0
            assert self.paid == {payee: due for payee, due in self.dues.items() if due}

    def _turn(self) -> None:
        if not self._started:
            self._started = True
            for line in self.owner:
                self._give(line)
        self.dues, self.paid, self._fell = {}, {}, False

    def _give(self, line: str) -> None:
        for seat, point in self.at.items():
            if seat != self.owner[line] and point in STATIONS[line]:
                self.tickets[seat].add(line)

    def _free(self, line: str) -> None:
        del self.owner[line]
        for contents in self.tickets.values():
            contents.discard(line)

    def _out(self, seat: int) -> None:
        self._fell = True
        self.tickets[seat].clear()
        del self.at[seat]

    def _ride(self, seat: int) -> None:
        for leg in self._legs:
            for _ in range(leg.steps):
                payee, rate = self._rate(seat, leg.line)
                self.tickets[seat] &= {leg.line}
                self.dues[payee] = max(self.dues.get(payee, 0), rate)
            self.at[seat] = leg.point
        self._legs = []

    def _rate(self, seat: int, line: str) -> tuple[int, int]:
        fast = line == "jr_shinkansen"
        owner = self.owner.get(line)
        if owner is None:
            return BANK, 6 if fast else 1
        if owner == seat:
            return BANK, 2 if fast else 1
        if line in self.tickets[seat]:
            return owner, self._shinkansen_through if fast else 1
        return owner, 10 if fast else 5

    def agrees(self, made: State) -> None:
        """The books and the table say the same."""
        assert dict(made.owners.items()) == self.owner
        for seat, one in made.seats.items():
            assert set(one.through) == self.tickets[seat]
            if one.trail:
                assert one.trail[-1] == self.at.get(seat)
        still = {payee: amount for payee, amount in self.dues.items() if amount}
        if made.dues:
            assert [(due.payee, due.amount) for due in made.dues] == list(still.items())


def events_of_game(
    seed: int, seats: int, options: dict[str, OptionValue], clever: Sequence[int]
) -> Iterator[tuple[State, Event | None]]:
    """Everything that happens in a game, and the table after each move."""
    chance = FastChance(seed)
    made = GAME.setup(GAME.info.complete(options), seats, chance).state
    while deciding := sorted(GAME.to_move(made)):
        seat = deciding[0]
        moves = GAME.plain(made, seat)
        if seat in clever:
            view = GAME.seen(made, eyes(seat))
            move = GAME.bots["greedy"](view, seat, moves, chance)
        else:
            move = moves[chance.pick(len(moves))]
        after = GAME.play(made, seat, move, chance)
        made = after.state
        yield from ((made, event) for event in after.events)
        yield made, None


@pytest.mark.rule(
    "tokai 11.2", "tokai 11.3", "tokai 11.4", "tokai 11.5", "tokai 11.6", "tokai 11.7"
)
@pytest.mark.rule("tokai 11.9", "tokai 11.10", "tokai 11.2.6", "tokai 14.1.1")
@pytest.mark.parametrize(
    ("seed", "seats", "through"),
    [(1, 2, 1), (2, 3, 1), (3, 4, 2), (4, 5, 6), (5, 6, 1)],
)
def test_the_books_of_a_fare_keeper_agree(seed: int, seats: int, through: int) -> None:
    keeper = Keeper(seats, through)
    options: dict[str, OptionValue] = {"through": str(through), "settlelast": bool(seed % 2)}
    turns = 0
    for made, event in events_of_game(seed, seats, options, clever=[Seat(1), Seat(4)]):
        if event is None:
            keeper.agrees(made)
            continue
        if isinstance(event, TurnBegan):
            keeper.turn_ends()
            turns += 1
        keeper.hear(event)
    assert turns > 10
