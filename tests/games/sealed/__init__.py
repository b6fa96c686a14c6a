"""Sealed: all write down a card at the same time; the highest that nobody else wrote wins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.chance import Chance
from rules.core.game import Game, Options, Outcome, Page, Result, ScoreLine, ranking
from rules.core.grammar import CONCEALED, Grammar, Verb
from rules.core.keyed import Keyed
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.slots import Number
from rules.core.vision import Event, Eyes, Move, Seat, but, held
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


class SealedGame(Game[Table]):
    package = "tests.games.sealed"
    state = Table
    moves: tuple[type[Move], ...] = (Seal,)
    events: tuple[type[Event], ...] = (PrizeSet, Sealed, Shown, Revealed, PrizeWon, NobodyWon)
    grammar = Grammar([Verb("seal", Seal, (Number("card", 1, 6),), ("封印",), ("s",))])

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        part = Part(left=CARDS, score=0, done=False, card=None, seen=Keyed())
        parts = Keyed({Seat(seat): part for seat in range(1, seats + 1)})
        prize = chance.die()
        table = Table(seats=parts, round=1, rounds=int(options["rounds"]), prize=prize)
        return Outcome(table, (PrizeSet(1, prize),))

    def to_move(self, state: Table) -> frozenset[Seat]:
        if state.round > state.rounds:
            return frozenset()
        return frozenset(seat for seat, part in state.seats.items() if not part.done)

    def legal(self, state: Table, seat: Seat) -> Iterator[Move]:
        if seat in self.to_move(state):
            yield from map(Seal, state.seats[seat].left)

    def play(self, state: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
        assert isinstance(move, Seal)
        if seat not in self.to_move(state):
            raise NotAllowed("not_your_turn", rule="1.2")
        if move.card not in state.seats[seat].left:
            raise NotAllowed("not_in_hand", rule="1.2", card=move.card)
        parts = state.seats.put(seat, but(state.seats[seat], done=True, card=move.card))
        events: list[Event] = [Sealed(seat, move.card)]
        cards = {each: part.card for each, part in parts.items() if part.card is not None}
        for each in cards:  # Rule: sealed 1.3
            seen = Keyed({other: card for other, card in cards.items() if other != each})
            parts = parts.put(each, but(parts[each], seen=seen))
            fresh = cards.keys() - held(state.seats[each].seen).keys() - {each}
            events += [Shown(each, other, cards[other]) for other in sorted(fresh)]
        table = but(state, seats=parts)
        return (
            Outcome(table, tuple(events)) if self.to_move(table) else _reveal(table, events, chance)
        )

    def fallback(self, state: Table, seat: Seat) -> Move:
        return Seal(state.seats[seat].left[0])

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Table:
        cards: dict[Seat, int] = {}
        for key, part in view["seats"].items():
            known = [view["seats"][str(eye)]["seen"].get(key) for eye in sorted(eyes)]
            if part["done"]:
                found = [part.get("card"), *known, part["left"][chance.pick(len(part["left"]))]]
                cards[Seat(int(key))] = next(card for card in found if card is not None)
        parts = {}
        for key, part in view["seats"].items():
            seat = Seat(int(key))
            seen = {other: card for other, card in cards.items() if part["done"] and other != seat}
            left, score, done = tuple(part["left"]), part["score"], part["done"]
            parts[seat] = Part(left, score, done, cards.get(seat), Keyed(seen))
        return Table(Keyed(parts), view["round"], view["rounds"], view["prize"])

    def result(self, state: Table) -> Result | None:
        if state.round <= state.rounds:
            return None
        scores = {seat: part.score for seat, part in state.seats.items()}
        lines = (ScoreLine(seat, "prizes", score, "1.5") for seat, score in scores.items())
        return Result(ranking(scores), tuple(lines))

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        def say(key: str, **params: object) -> str:
            return self.phrases.say(f"board.{key}", page.lang, params, page.name_of)

        rows = [say("round", round=view["round"], rounds=view["rounds"], prize=view["prize"])]
        for key, part in view["seats"].items():
            left = tuple(part["left"])
            rows.append(say("seat", seat=int(key), score=part["score"], left=left))
            seen = [view["seats"][str(eye)]["seen"].get(key) for eye in sorted(eyes)]
            cards = [card for card in (part.get("card"), *seen) if card is not None]
            if part["done"]:
                rows.append(say("sealed", card=cards[0] if cards else CONCEALED))
        return "\n".join(rows)

    def invariants(self, state: Table) -> Iterator[str]:
        for seat, part in state.seats.items():
            if part.done != (part.card is not None):
                yield f"seat {seat} is done without a card, or holds one without being done"


def _reveal(table: Table, events: list[Event], chance: Chance) -> Outcome:
    """Rule: sealed 1.4, and the next round's prize."""
    cards = {seat: part.card for seat, part in table.seats.items() if part.card is not None}
    events += [Revealed(seat, card) for seat, card in cards.items()]
    single = [card for card in cards.values() if list(cards.values()).count(card) == 1]
    winner = next((seat for seat, card in cards.items() if card == max(single, default=0)), None)
    events.append(PrizeWon(winner, table.prize) if winner else NobodyWon())
    parts = table.seats
    for seat, part in parts.items():
        left = tuple(card for card in part.left if card != part.card)
        score = part.score + (table.prize if seat == winner else 0)
        parts = parts.put(seat, Part(left, score, done=False, card=None, seen=Keyed()))
    table = but(table, seats=parts, round=table.round + 1)
    if table.round <= table.rounds:
        table = but(table, prize=chance.die())
        events.append(PrizeSet(table.round, table.prize))
    return Outcome(table, tuple(events))


GAME = SealedGame()
