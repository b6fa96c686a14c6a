"""Random games: positions, the steps between them, and what a game is as text or in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bluebear.rules.core.chance import Chance, FastChance, HmacChance
from bluebear.rules.core.conformance.case import Case, ConformanceError, crashes
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import GameTexts, Outcome, Rash, TextPage
from bluebear.rules.core.grammar import Verb
from bluebear.rules.core.merge_patch import canonical, diff
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import FlagSlot, Slot
from bluebear.rules.core.texts import PAGE
from bluebear.rules.core.visibility import Event, Eyes, Move, Seat

ALL_CHECKED = 25
"""The first moves of a game, all checked; of the next as many one in two is, then one in three."""

SEATS_CHECKED = 4
"""The most seats that are checked at each position."""

_WILD_ONE_IN = 4
"""In a wild game one move in this many is a take-back or a rash move, if one is legal."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game after `number` moves, with the events of the last; `counter` draws."""

    case: Case
    seed: int
    number: int
    state: Any  # Any: the game's own state class
    counter: int
    events: tuple[Event, ...]
    made: Outcome[Any] | None = None
    """The outcome that led to it; None if the state was loaded."""

    def chance(self, seed: int | None = None) -> HmacChance:
        """The next draws; a new object at each call, so that a move can be tried repeatedly.

        Another `seed` gives other draws.
        """
        return self.case.chance(self.seed if seed is None else seed, self.counter)

    def movers(self) -> list[Seat]:
        movers = self.case.game.to_move(self.state)
        if not isinstance(movers, frozenset):
            raise self.fault(f"`to_move` gives {movers!r}, which is no frozenset of seats")
        return sorted(movers)

    def seats(self) -> list[Seat]:
        return [Seat(seat) for seat in range(1, self.case.seats + 1)]

    def all_eyes(self) -> list[Eyes]:
        """A spectator's eyes and those of each seat."""
        return [frozenset(), *(frozenset({seat}) for seat in self.seats())]

    def seats_in_turn(self) -> list[Seat]:
        """Up to `SEATS_CHECKED` seats, each in its turn; the first is to move, if any seat is."""
        movers, count = self.movers(), self.case.seats
        turned = sorted(self.seats(), key=lambda seat: (seat - 1 - self.number) % count)
        first = next((seat for seat in turned if seat in movers), None)
        return sorted(turned, key=lambda seat: seat != first)[:SEATS_CHECKED]

    def eyes_in_turn(self) -> list[Eyes]:
        """A spectator's eyes and those of `seats_in_turn`."""
        return [frozenset(), *(frozenset({seat}) for seat in self.seats_in_turn())]

    def after(self, seat: Seat, move: Move, seed: int | None = None) -> Position:
        """The position after a legal move; another `seed` gives other draws."""
        game, chance, played = self.case.game, self.chance(seed), f"seat {seat} {self.line(move)}"
        with crashes(game, lambda what: self.fault(f"{played}: {what}")):
            try:
                made = game.play(self.state, seat, move, chance, patches=True)
            except Refusal as refusal:
                raise self.fault(f"{played} is legal and refused: {refusal.code}") from refusal
        number, counter = self.number + 1, chance.counter
        return Position(self.case, self.seed, number, made.state, counter, made.events, made)

    def texts(self, eyes: Eyes, page: TextPage = PAGE) -> GameTexts[Any]:  # Any: as `state`
        """The texts about the view of these eyes."""
        game = self.case.game
        return game.text(game.seen(self.state, eyes), eyes, page)

    def line(self, move: Move, *, sees_owner: bool = True) -> str:
        """The canonical line of a move."""
        return self.case.game.grammar.format(move, sees_owner=sees_owner)

    def fault(self, sentence: str) -> ConformanceError:
        """The error to raise for a fault at this position."""
        return self.case.fault(f"after {self.number} moves: {sentence}", self.seed)


@dataclass(frozen=True, slots=True)
class Step:
    """One move between two positions."""

    before: Position
    seat: Seat
    move: Move
    after: Position

    @property
    def line(self) -> str:
        """The move as its canonical line."""
        return self.before.line(self.move)


def is_checked(number: int) -> bool:
    """Whether the position after `number` moves is checked: all early ones, fewer later on.

    Of a game of 2,000 moves some 120 positions are.
    """
    return number % (1 + number // ALL_CHECKED) == 0


def start(case: Case, seed: int) -> Position:
    """The position before the first decision."""
    chance = case.chance(seed)
    with crashes(case.game, lambda what: case.fault(f"at the set-up: {what}", seed)):
        made = case.game.setup(case.options, case.seats, chance)
    return Position(case, seed, 0, made.state, chance.counter, made.events, made)


def walk(case: Case, seed: int, *, wild: bool = False) -> Iterator[Step]:
    """A random game of plain moves to its end; a wild one has take-backs and rash moves too.

    Raises ConformanceError if it does not end within `longest` moves (a wild game: twice as many),
    or if a seat that is to move has no plain move.
    """
    choice = FastChance(seed)
    position = start(case, seed)
    longest = case.game.info.longest
    bound = 2 * longest if wild else longest
    while movers := position.movers():
        if position.number == bound:
            raise position.fault(f"the game has not ended, its `longest` is {longest}")
        seat = movers[choice.pick(len(movers))]
        is_wild = wild and position.number < longest and choice.pick(_WILD_ONE_IN) == 0
        with crashes(case.game, position.fault):
            moves = _choices(position, seat, wild=is_wild)
        move = moves[choice.pick(len(moves))]
        step = Step(position, seat, move, position.after(seat, move))
        yield step
        position = step.after


def _choices(position: Position, seat: Seat, *, wild: bool) -> list[Move]:
    game, state = position.case.game, position.state
    if not (plain := game.plain(state, seat)):
        raise position.fault(f"seat {seat} is to move and has no plain move")
    listed = game.sorted(state, seat) if wild else ()
    wild_ones = [each for each in listed if isinstance(each, Rash) or each.takes_back]
    return [each.move if isinstance(each, Rash) else each for each in wild_ones] or plain


def any_move(verbs: Mapping[str, Verb], position: Position, chance: Chance) -> Move | None:
    """A random move, legal or not; None if the random arguments do not make a move together."""
    verb = list(verbs.values())[chance.pick(len(verbs))]
    texts = [text for slot in verb.slots for text in _any_arguments(slot, chance)]
    try:
        return position.case.game.grammar.understand(verb, " ".join(texts), lambda: ())
    except Refusal:
        return None


def _any_arguments(slot: Slot, chance: Chance) -> Sequence[str]:
    domain = slot.describe()
    if isinstance(slot, FlagSlot):
        return slot.values()[: chance.pick(2)]
    count = 1 + chance.pick(domain.get("most", 3)) if slot.greedy else 1
    if values := list(slot.values()):
        return [values[chance.pick(len(values))] for _ in range(count)]
    low, high = domain["low"], domain["high"]
    return [str(low + chance.pick(high - low + 1)) for _ in range(count)]


# Games as text to compare.


def playthrough(case: Case, seed: int) -> Iterator[str]:
    """A random game as text: each move, its events, and the views of all seats after it."""
    yield f"playthrough {case} seed={seed}"
    yield from _moment(start(case, seed))
    for step in walk(case, seed):
        yield ""
        public = step.before.line(step.move, sees_owner=False)
        unlike = "" if public == step.line else f"   (others: {public})"
        yield f"> {step.seat} {step.line}{unlike}"
        yield from _moment(step.after)


def _moment(at: Position) -> Iterator[str]:
    game = at.case.game
    all_seats = frozenset(at.seats())
    for event in at.events:
        text = event_text(game.phrases, event, all_seats, lang="en")
        unseen = event_text(game.phrases, event, frozenset(), lang="en")
        yield f"  {text}" if text == unseen else f"  {text}   (others: {unseen or 'nothing'})"
    public = game.tree.view(at.state)
    yield f"  everybody {canonical(public).decode()}"
    for seat in at.seats():
        if private := diff(public, game.tree.view(at.state, frozenset({seat}))):
            yield f"  seat {seat} {canonical(private).decode()}"
    for seat in at.movers():
        legal = [*map(at.line, game.legal(at.state, seat))]
        yield f"  seat {seat} may {len(legal)}: {legal[0]} ... {legal[-1]}"
    if (result := game.result(at.state)) is not None:
        yield "  " + " ".join(
            f"{each.seat}={each.score}({each.place}.)" for each in result.standings
        )


def perft(case: Case, depth: int, seed: int = 1) -> tuple[int, ...]:
    """The numbers of sequences of legal moves of each length from 1 to `depth`.

    Each draw depends on `seed` and its number alone, so the counts are exact and repeatable.
    """
    counts = [0] * depth

    def count(at: Position, level: int) -> None:
        for seat in at.movers():
            for move in case.game.legal(at.state, seat):
                counts[level] += 1
                if level + 1 < depth:
                    count(at.after(seat, move), level + 1)

    count(start(case, seed), 0)
    return tuple(counts)
