"""Court: hidden hands of one card; the last one in, or the highest card, wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.draft import freeze
from bluebear.rules.core.game import Emit, Game
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.grammar import CONCEALED, Grammar, Verb
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import NumberSlot
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Eyes, Move, Seat, but, require
from tests.games.court import state as on
from tests.games.court.state import Court

_CARD, _TARGET = NumberSlot("card", 1, len(on.RANKS)), NumberSlot("target", 1, 4, kind=Seat)


class CourtTexts(GameTexts[Court]):
    """The texts about a view."""

    def board(self) -> str:
        rows = [self.say("deck", count=self.view.left)]
        for seat, seat_state in self.view.seats.items():
            hand = (
                [CONCEALED] * self.view.cards_of(seat)
                if seat_state.hand is None
                else seat_state.hand
            )
            shown = {"seat": seat, "hand": hand or ["-"], "laid": seat_state.laid or ["-"]}
            rows.append(self.say("seat", **shown))
        return "\n".join(rows)


class CourtGame(Game[Court]):
    texts = CourtTexts
    state = Court
    grammar = Grammar(
        [
            Verb("lay", on.Lay, (_CARD,), ("置く",), ("l",)),
            Verb("use", on.Use, (_CARD, _TARGET), ("使う",), ("u",)),
            Verb("guess", on.Guess, (_TARGET, _CARD), ("当てる",), ("g",)),
        ]
    )
    over_rule = "3.1"

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Court:
        one = on.Courtier(hand=(), laid=(), guarded=False, out=False)
        parts = Keyed({Seat(seat): one for seat in range(1, seats + 1)})
        made = Court(parts, turn=Seat(1), over=False, left=sum(on.CARDS.values()), deck=on.CARDS)
        draft = self.tree.draft(made)
        for seat in draft.seats:
            _draw(draft, seat, chance, emit)
        return freeze(draft)

    def to_move(self, state: Court) -> frozenset[Seat]:
        return frozenset() if state.over else frozenset((state.turn,))

    def turn_rule(self, state: Court) -> str:
        return "2.1"

    def why_not(self, state: Court, seat: Seat, move: Move) -> NotAllowed | None:
        assert isinstance(move, on.Lay | on.Use | on.Guess)
        targets = state.targets(seat)
        card = on.GUESS if isinstance(move, on.Guess) else move.card
        if card not in require(state.seats[seat].hand):
            return NotAllowed("not_in_hand", rule="2.1", card=card)
        idle = card == on.GUARD or not targets or (card == on.RENEW and not state.left)
        if isinstance(move, on.Lay) != idle or (isinstance(move, on.Use) and card == on.GUESS):
            return NotAllowed("other_use", rule="2.2", card=card)
        if not isinstance(move, on.Lay) and move.target not in targets:
            return NotAllowed("no_target", rule="2.3", other=move.target)
        if isinstance(move, on.Guess) and move.card == on.GUESS:
            return NotAllowed("no_guess", rule="2.4")
        return None

    def apply(self, draft: Court, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        assert isinstance(move, on.Lay | on.Use | on.Guess)
        card = on.GUESS if isinstance(move, on.Guess) else move.card
        _lay(draft, seat, card)
        emit(on.Laid(seat, card))
        if isinstance(move, on.Guess) and require(draft.seats[move.target].hand) == (move.card,):
            _go_out(draft, move.target, emit)
        elif isinstance(move, on.Use):
            _use(draft, seat, move, chance, emit)
        elif card == on.GUARD:
            draft.seats[seat].guarded = True
            emit(on.Guarded(seat))
        order = [*range(seat + 1, len(draft.seats) + 1), *range(1, seat + 1)]
        draft.turn = next(Seat(each) for each in order if not draft.seats[Seat(each)].out)

    def run_forced_moves(self, draft: Court, chance: Chance, emit: Emit) -> None:
        inside = [seat for seat, seat_state in draft.seats.items() if not seat_state.out]
        if len(inside) > 1 and draft.left:
            draft.seats[draft.turn].guarded = False
            _draw(draft, draft.turn, chance, emit)
            return
        draft.over = True
        if len(inside) > 1:  # Rule: court 3.2
            for seat in inside:
                emit(on.Shown(seat, require(draft.seats[seat].hand)[0]))

    def determinize(self, view: Court, eyes: Eyes, chance: Chance) -> Court:
        pool = [rank for rank, count in on.CARDS.items() for _ in range(count)]
        for seat_state in view.seats.values():
            for card in (*seat_state.laid, *(seat_state.hand or ())):
                pool.remove(card)
        parts = {}
        for seat, seat_state in view.seats.items():
            hand = seat_state.hand
            if hand is None:
                taken = [pool.pop(chance.pick(len(pool))) for _ in range(view.cards_of(seat))]
                hand = tuple(sorted(taken))
            parts[seat] = but(seat_state, hand=hand)
        deck = Keyed({rank: pool.count(rank) for rank in on.RANKS})
        return but(view, seats=Keyed(parts), deck=deck)

    def scores(self, state: Court) -> Mapping[Seat, int]:
        cards = {
            seat: max(require(seat_state.hand), default=0)
            for seat, seat_state in state.seats.items()
        }
        return {seat: int(card == max(cards.values())) for seat, card in cards.items()}

    def invariants(self, state: Court) -> Iterator[str]:
        parts = state.seats.values()
        if any(
            len(require(seat_state.hand)) != state.cards_of(seat)
            for seat, seat_state in state.seats.items()
        ):
            yield "a hand has too many or too few cards"
        cards = [
            card for seat_state in parts for card in (*seat_state.laid, *require(seat_state.hand))
        ]
        if any(
            cards.count(rank) + require(state.deck)[rank] != on.CARDS[rank] for rank in on.RANKS
        ):
            yield "a card is lost, or there is one too many"


def _draw(court: Court, seat: Seat, chance: Chance, emit: Emit) -> None:
    deck, seat_state = require(court.deck), court.seats[seat]
    card = list(deck)[chance.weighted(list(deck.values()))]
    deck[card] -= 1
    court.left -= 1
    seat_state.hand = tuple(sorted((*require(seat_state.hand), card)))
    emit(on.Drew(seat, card))


def _lay(court: Court, seat: Seat, card: int) -> None:
    seat_state = court.seats[seat]
    hand = list(require(seat_state.hand))
    hand.remove(card)
    seat_state.hand, seat_state.laid = tuple(hand), (*seat_state.laid, card)


def _go_out(court: Court, seat: Seat, emit: Emit) -> None:
    (card,) = require(court.seats[seat].hand)
    _lay(court, seat, card)
    court.seats[seat].out = True
    emit(on.WentOut(seat, card))


def _use(court: Court, seat: Seat, move: on.Use, chance: Chance, emit: Emit) -> None:
    """Rules: court 2.5 to 2.8."""
    one, other = court.seats[seat], court.seats[move.target]
    (owned_items,), (foreign,) = require(one.hand), require(other.hand)
    if move.card == on.LOOK:
        emit(on.Peeked(seat, move.target, foreign))
    elif move.card == on.COMPARE:
        if owned_items != foreign:
            _go_out(court, seat if owned_items < foreign else move.target, emit)
    elif move.card == on.RENEW:
        _lay(court, move.target, foreign)
        emit(on.Laid(move.target, foreign))
        _draw(court, move.target, chance, emit)
    else:
        one.hand, other.hand = (foreign,), (owned_items,)
        emit(on.Got(seat, move.target, foreign))
        emit(on.Got(move.target, seat, owned_items))


GAME = CourtGame()
