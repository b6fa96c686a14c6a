"""The rules of the game: the methods of the contract in `bluebear.rules.core.game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game, Player
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Eyes, Move, Seat, but, require
from liars_dice import events
from liars_dice.bot import careful
from liars_dice.table import GRAMMAR, Bid, Cup, Doubt, Table, roll


class DiceTexts(GameTexts[Table]):
    areas = (Choice("hand", ("手元",)),)

    def row(self, seat: Seat) -> str:
        """The dice of one seat, as the view shows them."""
        cup = self.view.seats[seat]
        return self.say("seat", seat=seat, dice=cup.dice or (CONCEALED,) * cup.count)

    def board(self) -> str:
        return "\n".join([*self.status(), *map(self.row, self.view.seats)])

    def look(self, area: str) -> str:
        return "\n".join(map(self.row, sorted(self.eyes)))

    def status(self) -> Sequence[str]:
        key = "bid" if self.view.count else "no_bid" if self.game.to_move(self.view) else "won"
        bid = {"count": self.view.count, "face": self.view.face, "other": self.view.bidder}
        return [self.say(key, seat=self.view.turn, dice=self.view.dice, **bid)]

    def show_moves(self, moves: Sequence[Move]) -> str:
        bids = sorted((move.count, move.face) for move in moves if isinstance(move, Bid))
        ends = [self.say("bids", low=bids[0], high=bids[-1])] if bids else []
        return "\n".join([*ends, *("/doubt" for move in moves if isinstance(move, Doubt))])


class LiarsDice(Game[Table]):
    """Liar's Dice for two to six seats."""

    state = Table
    grammar = GRAMMAR
    over_rule = "4.1"
    texts = DiceTexts
    bots: ClassVar[Mapping[str, Player]] = {"careful": careful}

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Table:
        """Rule: liars_dice 1.1, 2.1. The first round rolls the dice."""
        cup = Cup(count=int(options["dice"]), dice=())
        cups = Keyed({Seat(seat): cup for seat in range(1, seats + 1)})
        return Table(cups, Seat(1), bidder=Seat(1), count=0, face=0, wild=bool(options["wild"]))

    def to_move(self, state: Table) -> frozenset[Seat]:
        """Rule: liars_dice 2.1, 4.1."""
        left = [seat for seat, cup in state.seats.items() if cup.count]
        return frozenset({state.turn} if len(left) > 1 else ())

    def turn_rule(self, state: Table) -> str:
        return "2.1"

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        if isinstance(move, Bid):
            if (move.count, move.face) <= (state.count, state.face):
                return NotAllowed("too_low", rule="2.2", count=state.count, face=state.face)
            if move.count > state.dice:
                return NotAllowed("too_many_dice", rule="2.3", dice=state.dice)
        elif not state.count:
            return NotAllowed("no_bid", rule="3.1")
        return None

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        if isinstance(move, Bid):
            draft.bidder, draft.count, draft.face = seat, move.count, move.face
            draft.turn = draft.following(seat)
            emit(events.BidMade(seat, move.count, move.face))
        else:
            emit(events.Doubted(seat, draft.bidder))
            self.judge(draft, seat, emit)

    def judge(self, draft: Table, doubter: Seat, emit: Emit) -> None:
        """All show their dice, and one of two loses a die (Rule: liars_dice 3.2, 3.3)."""
        shown = {seat: require(cup.dice) for seat, cup in draft.seats.items() if cup.count}
        for seat, dice in shown.items():
            emit(events.Shown(seat, dice))
        count = sum(draft.matching(dice, draft.face) for dice in shown.values())
        loser = doubter if count >= draft.count else draft.bidder
        cup = draft.seats[loser]
        cup.count, cup.dice = cup.count - 1, require(cup.dice)[1:]
        emit(events.DieLost(count, draft.face, loser, cup.count))
        draft.turn = loser if cup.count else draft.following(loser)
        draft.count = draft.face = 0

    def run_forced_moves(self, draft: Table, chance: Chance, emit: Emit) -> None:
        """A round begins if there is no bid (Rule: liars_dice 1.1)."""
        if self.to_move(draft) and not draft.count:
            emit(events.RoundBegan(draft.turn, draft.dice))
            for seat in [seat for seat, cup in draft.seats.items() if cup.count]:
                draft.seats[seat].dice = roll(draft.seats[seat].count, chance)
                emit(events.Rolled(seat, require(draft.seats[seat].dice)))

    def fallback(self, state: Table, seat: Seat) -> Move:
        return Doubt() if state.count else Bid(1, 1)

    def scores(self, state: Table) -> Mapping[Seat, int]:
        """Rule: liars_dice 4.2."""
        return {seat: cup.count for seat, cup in state.seats.items()}

    def invariants(self, state: Table) -> Iterator[str]:
        for seat, cup in state.seats.items():
            if len(require(cup.dice)) != cup.count:
                yield f"seat {seat} has {cup.count} dice: {cup.dice}"

    def determinize(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        """The dice under the other cups are rolled: any values give the same view."""
        cups = view.seats.items()
        rolled = {seat: but(cup, dice=cup.dice or roll(cup.count, chance)) for seat, cup in cups}
        return but(view, seats=Keyed(rolled))
