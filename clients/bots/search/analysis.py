"""Analysis of a finished game: which decisions and which draws decided it.

Each decision is judged on its seat's view at that moment, never by later events. The move played
and the best one are tried on the same deals and dice. Luck is counted separately: the effect of the
real draw, minus the mean of all possible draws.

If all seats plan simultaneously and reveal their plans together, a plan is one decision. The
others' reveal is not luck, so chances and draws are then judged with the view of all seats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from bluebear.clients.bots.search.budget import Budget, Playouts
from bluebear.clients.bots.search.common_dice import mixed
from bluebear.clients.bots.search.decide import think
from bluebear.clients.bots.search.halving import mean_and_error
from bluebear.clients.bots.search.playouts import (
    PlayoutCancelled,
    RulePlayouts,
    rest_of,
    thinker_of,
)
from bluebear.clients.bots.search.win_probability import Chances, chances_of, in_numbers, mean_of
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.record import JOINED_LINES, Digested, Moment, Moved, Record, replaying
from bluebear.rules.core.search_model import FastPlayouts, PlayoutEnd, SearchModel
from bluebear.rules.core.visibility import Eyes, Move, Seat

SURE: Final = 2.0
"""A loss counts if it exceeds this many standard errors."""
PLAN_WIDTH: Final = 20
"""Maximum width of the plan that a played one is compared with: wider ones are seldom better."""
_DECISION: Final = 1
_DRAW: Final = 2
_BEST: Final = 3
"""Separates the seeds of the searches of an entry."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision compared with the best one: `loss` is the lost chance to be first.

    `line` and `best` are one line each, or those of a plan joined by `JOINED_LINES`. `loss` is 0 if
    it does not exceed `SURE` times its `error`. `in_numbers`: the stage of the game may show
    chances as numbers (`win_probability.in_numbers`).
    """

    seat: Seat
    line: str
    best: str
    chance: float
    best_chance: float
    loss: float
    error: float
    in_numbers: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """The gain of each seat by a draw over the mean of all draws, and its error.

    `in_numbers`: the gain and the chances before it may be shown as numbers.
    """

    luck: Chances
    error: float
    in_numbers: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A judged entry of a record. `number` counts the moves in effect before it, `step` the steps
    of a replay.

    `chances` are those after the entry. `drawn` is None without a draw. `in_numbers`: the stage
    after the entry may show them as numbers; the result of a finished game always may.
    """

    number: int
    step: int
    seat: Seat
    lines: tuple[str, ...]
    decided: tuple[Decided, ...]
    drawn: Drawn | None
    chances: Chances
    in_numbers: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """A seat's total loss by decisions and gain by draws, in the stages that show numbers."""

    lost: float
    luck: float
    error: float
    """The error of the luck."""
    worse: int
    """Number of further decisions that were worse than another, in stages without numbers."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One decision: a seat's moves since the start of a simultaneous stretch of the game.

    `begun` is the state at that start, before any move.
    """

    begun: Any  # Any: the game's own state class
    moves: tuple[Move, ...]


class _Stretch(NamedTuple):
    """The number of entries at its start, and the state then."""

    entries: int
    state: Any


class Drafts:
    """Follows a record entry by entry, including undone ones. Owned by the record's reader."""

    def __init__(self, game: Game[Any], thinker: SearchModel[Any]) -> None:
        self._game = game
        self._thinker = thinker
        self._stood: list[tuple[Seat, tuple[Move, ...]]] = []
        self._stretches: list[_Stretch] = []

    def completed(self, before: Moment, after: Moment, line: Moved) -> Plan | None:
        """The plan that an entry has completed; None while its seat may continue."""
        stretch = self._stretch_of(before)
        del self._stood[before.entries :]
        parsed = tuple(self._game.grammar.parse(each) for each in line.lines)
        self._stood.append((line.seat, parsed))
        if self._thinker.rests(after.state, before.state):
            self._stretches.append(_Stretch(after.entries, after.state))
        elif line.seat in self._game.to_move(after.state):
            return None
        made = (moves for seat, moves in self._stood[stretch.entries :] if seat == line.seat)
        return Plan(stretch.state, tuple(move for moves in made for move in moves))

    def _stretch_of(self, before: Moment) -> _Stretch:
        while self._stretches and self._stretches[-1].entries > before.entries:
            self._stretches.pop()
        if not self._stretches:
            self._stretches.append(_Stretch(before.entries, before.state))
        return self._stretches[-1]


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """An entry of a record to be judged: the state before and after it.

    `plan` is the plan that it has completed, in games with plans.
    """

    step: int
    before: Moment
    after: Moment
    moved: Moved
    plan: Plan | None


def passages(game: Game[Any], record: Record) -> Iterator[RecordEntry]:
    """All entries of a record that changed the state, including undone ones.

    Raises RecordError at an illegal line.
    """
    before: Moment | None = None
    step = 0
    thinker = thinker_of(game)
    drafts = Drafts(game, thinker) if thinker.planned else None
    for moment in replaying(game, record):
        line = moment.line
        step += line is not None and not isinstance(line, Digested)
        if before is not None and isinstance(line, Moved):
            plan = drafts.completed(before, moment, line) if drafts else None
            yield RecordEntry(step, before, moment, line, plan)
        before = moment


def analyse(
    game: Game[Any], record: Record, budget: Budget, playouts: int, *, seed: int = 1
) -> Iterator[Entry]:
    """Judge the entries of a record one by one, including undone ones.

    `budget` is for the search of the best move, `playouts` for each comparison. Moves by the clock
    are no decisions. Raises RecordError at an illegal line.
    """
    played = game.for_rules_version(record.head.rules) or game
    for passage in passages(played, record):
        yield judged(played, passage, budget, playouts, seed=seed)


def judged(
    game: Game[Any],
    passage: RecordEntry,
    budget: Budget,
    playouts: int,
    *,
    seed: int = 1,
    has_budget: Callable[[], bool] = lambda: True,
) -> Entry:
    """Judge an entry; raises PlayoutCancelled if `has_budget`, polled by playouts, is false."""
    seed = mixed(seed, passage.after.number)
    return _One(game, thinker_of(game), budget, playouts, seed, has_budget).entry(passage)


def sums_of(entries: Sequence[Entry], seat: Seat) -> Sums:
    """The sums of a seat over a game."""
    draws = [each.drawn for each in entries if each.drawn is not None]
    drawn = [each for each in draws if each.in_numbers]
    decided = [one for each in entries for one in each.decided if one.seat == seat]
    return Sums(
        math.fsum(one.loss for one in decided if one.in_numbers),
        math.fsum(each.luck[seat - 1] for each in drawn),
        math.sqrt(math.fsum(each.error**2 for each in drawn)),
        sum(one.loss > 0 and not one.in_numbers for one in decided),
    )


@dataclass(frozen=True, slots=True)
class _One:
    """Judges one entry. Owned by `judged`."""

    _game: Game[Any]
    _thinker: SearchModel[Any]
    _budget: Budget
    _playouts: int
    _seed: int
    _has_budget: Callable[[], bool]

    def entry(self, passage: RecordEntry) -> Entry:
        """Judge the entry. Raises PlayoutCancelled."""
        before, after, line = passage.before, passage.after, passage.moved
        state = before.state
        decided: list[Decided] = []
        drawn: Drawn | None = None
        for at, text in enumerate(line.lines):
            move = self._game.grammar.parse(text)
            seed = mixed(self._seed, at)
            if not line.by_clock:
                decided += self._decided(state, line.seat, move, seed)
            if at + 1 < len(line.lines):
                # Only the last line of an entry draws.
                state = self._game.play(state, line.seat, move, FastChance(0)).state
            elif after.counter != before.counter:
                drawn = self._drawn(state, line.seat, move, after.state, seed)
        if passage.plan is not None and not line.by_clock:
            decided += self._planned(passage.plan, line.seat, self._seed)
        chances = mean_of(self._from(after.state, line.seat, mixed(self._seed, _DRAW)))
        return Entry(
            after.entries,
            passage.step,
            line.seat,
            line.lines,
            tuple(decided),
            drawn,
            chances,
            in_numbers=self._in_numbers(after.state),
        )

    def _in_numbers(self, state: Any) -> bool:
        """Whether chances may be shown as numbers; in a finished game they are its result."""
        return in_numbers(self._game, state) or not self._game.to_move(state)

    def _decided(self, state: Any, seat: Seat, move: Move, seed: int) -> Iterator[Decided]:
        """The judged decision; empty if there was only one legal move."""
        game = self._game
        view = game.seen(state, frozenset({seat}))
        moves = game.plain(state, seat)
        if move not in moves or len(moves) < 2 or self._thinker.candidates(view, seat) < 2:
            return
        chance = FastChance(mixed(seed, _BEST))
        best = think(
            game, view, seat, moves, budget=self._budget, chance=chance, stopped=self._is_over
        ).best
        form = game.grammar.format
        core = self._core(view, seat)
        ours = self._after(core, move, mixed(seed, _DECISION))
        theirs = ours if best == move else self._after(core, best, mixed(seed, _DECISION))
        shown = in_numbers(game, view)
        yield _compared(seat, form(move), form(best), ours, theirs, in_numbers=shown)

    def _planned(self, plan: Plan, seat: Seat, seed: int) -> Iterator[Decided]:
        """A plan compared with the best found, both before any other seat has revealed a plan."""
        game = self._game
        view = game.seen(plan.begun, frozenset({seat}))
        width = self._budget.number if isinstance(self._budget, Playouts) else PLAN_WIDTH
        thought = think(
            game,
            view,
            seat,
            game.plain(plan.begun, seat),
            budget=Playouts(min(width, PLAN_WIDTH)),
            chance=FastChance(mixed(seed, _BEST)),
            stopped=self._is_over,
        )
        if not self._has_budget():
            raise PlayoutCancelled
        if thought.planned:
            best = (thought.best, *(each.move for each in thought.after))
            deals = mixed(seed, _DECISION)
            ours = self._after_plan(plan.begun, seat, plan.moves, deals)
            same = best == plan.moves
            theirs = ours if same else self._after_plan(plan.begun, seat, best, deals)
            line, better = (
                JOINED_LINES.join(map(game.grammar.format, one)) for one in (plan.moves, best)
            )
            yield _compared(seat, line, better, ours, theirs, in_numbers=in_numbers(game, view))

    def _after_plan(
        self, state: Any, seat: Seat, moves: Sequence[Move], seed: int
    ) -> list[Chances]:
        for move in moves[:-1]:
            # Nothing is drawn before all plans are finished.
            state = self._game.play(state, seat, move, FastChance(0)).state
        view = self._game.seen(state, frozenset({seat}))
        return self._after(self._core(view, seat), moves[-1], seed)

    def _drawn(self, state: Any, seat: Seat, move: Move, after: Any, seed: int) -> Drawn:
        """The real draw compared with all possible draws."""
        # Both by the rules, since faster playouts may have another policy, and both from after the
        # draw: a playout from before it may stop where the other begins.
        walk = self._watched(state, seat)
        could = self._chances(walk, partial(walk.play_beyond, move), mixed(seed, _DECISION))
        did = self._from(after, seat, mixed(seed, _DRAW))
        luck = tuple(real - mean for real, mean in zip(mean_of(did), mean_of(could), strict=True))
        errors = [mean_and_error([each[0] for each in some])[1] for some in (could, did)]
        shown = in_numbers(self._game, state) and self._in_numbers(after)
        return Drawn(luck, math.hypot(*errors), shown)

    def _core(self, view: Any, seat: Seat) -> FastPlayouts:
        walk = RulePlayouts(self._game, self._thinker, view, seat, self._has_budget)
        return self._thinker.core(view, seat) or walk

    def _watched(self, state: Any, seat: Seat) -> RulePlayouts[Any]:
        """Playouts on the view of `judging_eyes`."""
        eyes = judging_eyes(self._thinker, state, seat)
        view = self._game.seen(state, eyes)
        return RulePlayouts(self._game, self._thinker, view, seat, self._has_budget, eyes=eyes)

    def _is_over(self) -> bool:
        return not self._has_budget()

    def _chances(
        self, core: FastPlayouts, play: Callable[[], PlayoutEnd], seed: int
    ) -> list[Chances]:
        """The chances at the ends of playouts, on deals of the view of `core`."""
        made = []
        for batch in range(self._playouts):
            # A game's own fast playouts do not poll.
            if not self._has_budget():
                raise PlayoutCancelled
            core.deal(mixed(seed, batch))
            made.append(chances_of(play()))
        return made

    def _after(self, core: FastPlayouts, move: Move, seed: int) -> list[Chances]:
        return self._chances(core, partial(core.play_out, move), seed)

    def _from(self, state: Any, seat: Seat, seed: int) -> list[Chances]:
        """The chances of a position after a seat's move, on deals of what is visible."""
        game, thinker = self._game, self._thinker
        if not game.to_move(state):
            return [chances_of(rest_of(game, thinker, state, None))] * self._playouts
        walk = self._watched(state, seat)
        return self._chances(walk, walk.play_on, seed)


def judging_eyes(thinker: SearchModel[Any], state: Any, seat: Seat) -> Eyes:
    """The eyes that judge a position: this seat's; in games with plans, those of all seats."""
    seats = len(thinker.terms(state)) if thinker.planned else 0
    return frozenset({seat, *map(Seat, range(1, seats + 1))})


def _compared(
    seat: Seat,
    line: str,
    best: str,
    ours: Sequence[Chances],
    theirs: Sequence[Chances],
    *,
    in_numbers: bool,
) -> Decided:
    """The move played compared with the best, by playouts on the same deals."""
    played_chance, better = mean_of(ours)[seat - 1], mean_of(theirs)[seat - 1]
    pairs = zip(theirs, ours, strict=True)
    loss, error = mean_and_error([one[seat - 1] - other[seat - 1] for one, other in pairs])
    return Decided(
        seat,
        line,
        best,
        played_chance,
        better,
        loss if loss > SURE * error else 0.0,
        error,
        in_numbers,
    )
