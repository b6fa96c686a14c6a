"""Sealed: all write down a card at the same time; the highest unique card wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game, ScoreLine
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.grammar import CONCEALED, Grammar, Verb
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import NumberSlot
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Eyes, Move, Seat, but, require
from tests.games.sealed.state import (
    CARDS,
    NobodyWon,
    Part,
    PrizeSet,
    PrizeWon,
    Revealed,
    Seal,
    Sealed,
    Shown,
    Table,
)


class SealedTexts(GameTexts[Table]):
    """The texts about a view."""

    def board(self) -> str:
        rows = [
            self.say("round", round=self.view.round, rounds=self.view.rounds, prize=self.view.prize)
        ]
        for seat, seat_state in self.view.seats.items():
            rows.append(self.say("seat", seat=seat, score=seat_state.score, left=seat_state.left))
            if seat_state.done:
                card = _card_in(self.view, self.eyes, seat)
                rows.append(self.say("sealed", card=CONCEALED if card is None else card))
        return "\n".join(rows)


class SealedGame(Game[Table]):
    texts = SealedTexts
    state = Table
    grammar = Grammar([Verb("seal", Seal, (NumberSlot("card", 1, 6),), ("封印",), ("s",))])
    over_rule = "1.5"

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Table:
        section = Part(left=CARDS, score=0, done=False, card=None, seen=Keyed())
        parts = Keyed({Seat(seat): section for seat in range(1, seats + 1)})
        prize = chance.die()
        emit(PrizeSet(1, prize))
        return Table(seats=parts, round=1, rounds=int(options["rounds"]), prize=prize)

    def to_move(self, state: Table) -> frozenset[Seat]:
        if state.round > state.rounds:
            return frozenset()
        return frozenset(seat for seat, seat_state in state.seats.items() if not seat_state.done)

    def turn_rule(self, state: Table) -> str:
        return "1.2"

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        assert isinstance(move, Seal)
        if move.card in state.seats[seat].left:
            return None
        return NotAllowed("not_in_hand", rule="1.2", card=move.card)

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        assert isinstance(move, Seal)
        draft.seats[seat].done, draft.seats[seat].card = True, move.card
        emit(Sealed(seat, move.card))
        cards = {
            each: seat_state.card
            for each, seat_state in draft.seats.items()
            if seat_state.card is not None
        }
        for each in cards:  # Rule: sealed 1.3
            registered = require(draft.seats[each].seen)
            fresh = [other for other in cards if other != each and other not in registered]
            draft.seats[each].seen = Keyed({one: c for one, c in cards.items() if one != each})
            for other in fresh:
                emit(Shown(each, other, cards[other]))

    def run_forced_moves(self, draft: Table, chance: Chance, emit: Emit) -> None:
        if draft.round <= draft.rounds and all(
            seat_state.done for seat_state in draft.seats.values()
        ):
            _reveal(draft, chance, emit)

    def determinize(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        cards: dict[Seat, int] = {}
        for seat, seat_state in view.seats.items():
            if seat_state.done:
                registered = _card_in(view, eyes, seat)
                cards[seat] = (
                    seat_state.left[chance.pick(len(seat_state.left))]
                    if registered is None
                    else registered
                )
        parts = {}
        for seat, seat_state in view.seats.items():
            seen = {
                other: card for other, card in cards.items() if seat_state.done and other != seat
            }
            parts[seat] = but(seat_state, card=cards.get(seat), seen=Keyed(seen))
        return but(view, seats=Keyed(parts))

    def scores(self, state: Table) -> Mapping[Seat, int]:
        return {seat: seat_state.score for seat, seat_state in state.seats.items()}

    def breakdown(self, state: Table) -> Iterator[ScoreLine]:
        return (
            ScoreLine(each, "prizes", seat_state.score, "1.5")
            for each, seat_state in state.seats.items()
        )

    def invariants(self, state: Table) -> Iterator[str]:
        for seat, seat_state in state.seats.items():
            if seat_state.done != (seat_state.card is not None):
                yield f"seat {seat} is done without a card, or holds one without being done"


def _card_in(view: Table, eyes: Eyes, seat: Seat) -> int | None:
    """The card of a seat if these eyes have seen it: it is theirs, or was shown to them."""
    shown = (require(view.seats[eye].seen).get(seat) for eye in sorted(eyes))
    registered = [card for card in (view.seats[seat].card, *shown) if card is not None]
    return registered[0] if registered else None


def _reveal(table: Table, chance: Chance, emit: Emit) -> None:
    """Rule: sealed 1.4, and the next round's prize."""
    cards = {
        seat: seat_state.card
        for seat, seat_state in table.seats.items()
        if seat_state.card is not None
    }
    for seat, card in cards.items():
        emit(Revealed(seat, card))
    single = [card for card in cards.values() if list(cards.values()).count(card) == 1]
    winner = next((seat for seat, card in cards.items() if card == max(single, default=0)), None)
    emit(PrizeWon(winner, table.prize) if winner else NobodyWon())
    for seat in table.seats:
        seat_state = table.seats[seat]
        left = tuple(card for card in seat_state.left if card != seat_state.card)
        score = seat_state.score + (table.prize if seat == winner else 0)
        table.seats[seat] = Part(left, score, done=False, card=None, seen=Keyed())
    table.round += 1
    if table.round <= table.rounds:
        table.prize = chance.die()
        emit(PrizeSet(table.round, table.prize))


GAME = SealedGame()
