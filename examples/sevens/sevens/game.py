"""The rules of the game: the methods of the contract in `bluebear.rules.core.game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game, Player
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Eyes, Move, Seat, but, require
from sevens import events
from sevens.bot import opener
from sevens.table import CARDS, GRAMMAR, Hand, Lay, Table, in_order
from sevens.texts import SevensTexts


class Sevens(Game[Table]):
    """Sevens for three to six seats."""

    state = Table
    grammar = GRAMMAR
    over_rule = "3.2"
    texts = SevensTexts
    bots: ClassVar[Mapping[str, Player]] = {"opener": opener}

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Table:
        """Rule: sevens 1.1, 1.3."""
        deck, hands, begins = chance.shuffle(CARDS), {}, Seat(1)
        for seat in map(Seat, range(1, seats + 1)):
            dealt = in_order(deck[seat - 1 :: seats])
            emit(events.Dealt(seat, dealt))
            cards = tuple(card for card in dealt if card[1:] != "7")
            hands[seat] = Hand(cards, len(cards), passes=int(options["passes"]), score=None)
            begins = seat if "D7" in dealt else begins
        emit(events.Began(begins))
        return Table(Keyed(hands), tuple(card for card in CARDS if card[1:] == "7"), begins)

    def to_move(self, state: Table) -> frozenset[Seat]:
        """Rule: sevens 3.2."""
        return frozenset({state.turn} if state.playing else ())

    def turn_rule(self, state: Table) -> str:
        return "2.1"

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        """A card must be in the hand and fit; a pass is always allowed."""
        if isinstance(move, Lay):
            if move.card not in require(state.seats[seat].cards):
                return NotAllowed("not_in_hand", rule="2.2", card=move.card)
            if move.card not in (fitting := state.fitting()):
                return NotAllowed("does_not_fit", rule="2.2", card=move.card, cards=fitting)
        return None

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        hand = draft.seats[seat]
        cards = require(hand.cards)
        if isinstance(move, Lay):
            emit(events.Laid(seat, move.card))
            self.lay(draft, seat, (move.card,))
        elif hand.passes:
            hand.passes -= 1
            emit(events.Passed(seat, hand.passes))
        else:
            emit(events.DroppedOut(seat, cards))
            self.lay(draft, seat, cards)
        if not hand.count:
            self.rank(draft, seat, draft.free[-1 if isinstance(move, Lay) else 0], emit)
        if len(draft.playing) > 1:
            draft.turn = draft.following(seat)
        else:
            self.rank(draft, draft.playing[0], draft.free[0], emit)

    def lay(self, draft: Table, seat: Seat, cards: tuple[str, ...]) -> None:
        """Cards go from a hand to the table."""
        hand = draft.seats[seat]
        hand.cards = tuple(card for card in require(hand.cards) if card not in cards)
        hand.count -= len(cards)
        draft.laid = in_order((*draft.laid, *cards))

    def rank(self, draft: Table, seat: Seat, score: int, emit: Emit) -> None:
        """Rule: sevens 3.1, 3.2, 3.3."""
        draft.seats[seat].score = score
        emit(events.Ranked(seat, len(draft.seats) - score))

    def scores(self, state: Table) -> Mapping[Seat, int]:
        """Rule: sevens 3.3."""
        return {seat: hand.score or 0 for seat, hand in state.seats.items()}

    def invariants(self, state: Table) -> Iterator[str]:
        if any(len(require(hand.cards)) != hand.count for hand in state.seats.values()):
            yield "a hand has more or fewer cards than its number says"
        hands = (card for hand in state.seats.values() for card in require(hand.cards))
        if list(in_order((*state.laid, *hands))) != CARDS:
            yield "a card is missing, or is there twice"

    def determinize(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        """The unseen cards are dealt: since a pass is always allowed, any deal fits the view."""
        seen = {*view.laid, *(card for hand in view.seats.values() for card in hand.cards or ())}
        deck, hands = list(chance.shuffle([card for card in CARDS if card not in seen])), {}
        for seat, hand in view.seats.items():
            dealt = [deck.pop() for _ in range(hand.count)] if hand.cards is None else hand.cards
            hands[seat] = but(hand, cards=in_order(dealt))
        return but(view, seats=Keyed(hands))
