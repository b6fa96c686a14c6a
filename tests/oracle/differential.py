"""Games played twice: by the program, and by an oracle that has read the rule text on its own.

An oracle is a second, slow and plain program of a game's rules, written from the rule text and
from nothing of `rules/KEY` but what lines and the events of chance look like. It is told each line
that was played and what chance brought (never what followed from it), and says by itself who is to
move, every legal line, and the points. A difference is a mistake of one of the two: the rule text
decides whose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case, cases
from bluebear.rules.core.conformance.random_play import Position, start
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import SPECTATOR, Event, Move, Seat
from tests.oracle.biased_chance import LeaningCase

Reports = Mapping[str, Any]  # Any: plain values of an event's fields
"""An event as data with its name under `event`: every field, visible or hidden."""

GREEDY_ONE_IN: Final = 4
"""In one game of so many a house bot chooses, so that games get to where chance does not."""

WILD_ONE_IN: Final = 3
"""In one game of so many the moves that take back, or look like mistakes, are played too."""

LEANING_ONE_IN: Final = 5
"""In one game of so many chance leans to one side (`biased_chance.py`)."""

KIND_FIRST_ONE_IN: Final = 2
"""In one game of so many the kind of move is often chosen before the move, so that what can be done
in few ways is done as well."""

SHOWN: Final = 12
"""So many lines of a difference are shown."""


class Oracle(Protocol):
    """One game, implemented independently from its rule text."""

    luck: ClassVar[Collection[str]]
    """The names of the events that are told: those that say what chance brought."""

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        """The table before the first decision; `told` is what chance brought until then."""

    def movers(self) -> AbstractSet[int]:
        """The seats that have a decision to make; none when the game is over."""

    def legal(self, seat: int) -> AbstractSet[str]:
        """Every legal line of a seat that is to move, in its canonical form."""

    def play(self, seat: int, line: str, reports: Sequence[Reports]) -> None:
        """A legal line was played; after it chance brought this, in this order."""

    def points(self) -> Mapping[int, int]:
        """The points of each seat as the public state gives them; at the end, the final scores.

        Compared at the end, and after each line where the game itself counts points during play.
        """

    def ranks(self) -> Mapping[int, int]:
        """The place of each seat, 1 the best, once the game is over."""


class Differs(Exception):
    """The program and the oracle disagree; the text says where, and about what."""


class Tally(NamedTuple):
    """What was compared."""

    games: int = 0
    positions: int = 0
    lines: int = 0

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(*(ours + theirs for ours, theirs in zip(self, other, strict=True)))


def matched(oracle: type[Oracle], case: Case, seed: int) -> Tally:
    """Play one game beside the oracle, to its end. Raises Differs at the first difference."""
    game = case.game
    if seed % LEANING_ONE_IN == 0:
        case = LeaningCase(game, case.options, case.seats)
    at = start(case, seed)
    other = oracle(case.options, case.seats, _reports_of(oracle, at.events))
    choice = FastChance(seed)
    tally = Tally(games=1)
    while True:
        tally += _compared(at, other)
        movers = at.movers()
        if not movers:
            return tally
        seat = movers[choice.pick(len(movers))]
        move = _chosen(at, seat, seed, choice)
        line = game.grammar.format(move)
        at = at.after(seat, move)
        try:
            other.play(seat, line, _reports_of(oracle, at.events))
        except Exception as problem:
            raise Differs(_where(at, f"{seat}> {line}: the oracle fails: {problem}")) from problem


def cases_in_turn(game: Game[Any], seeds: Sequence[int]) -> Iterator[tuple[Case, int]]:
    """All ways to set the game up, one after the other, each seed once.

    Every round begins one later, so that each way meets each way of choosing moves.
    """
    listed = list(cases(game))
    for seed in seeds:
        yield listed[(seed + seed // len(listed)) % len(listed)], seed


def _chosen(at: Position, seat: Seat, seed: int, choice: FastChance) -> Move:
    game = at.case.game
    plain = game.plain(at.state, seat)
    if seed % GREEDY_ONE_IN == 0 and "greedy" in game.bots:
        view = game.seen(at.state, frozenset({seat}))
        return game.bots["greedy"](view, seat, plain, choice)
    if seed % WILD_ONE_IN == 0 and at.number < game.info.longest and choice.pick(4) == 0:
        plain = game.legal(at.state, seat)
    if seed % KIND_FIRST_ONE_IN == 1 and choice.pick(2) == 0:
        kinds = list(dict.fromkeys(map(type, plain)))
        kind = kinds[choice.pick(len(kinds))]
        plain = [move for move in plain if type(move) is kind]
    return plain[choice.pick(len(plain))]


def _reports_of(oracle: type[Oracle], events: Sequence[Event]) -> list[Reports]:
    reported: list[Reports] = []
    for event in events:
        form = event_form(type(event))
        if form.name in oracle.luck:
            reported.append({"event": form.name, **form.tree.dump(event)})
    return reported


def _compared(at: Position, other: Oracle) -> Tally:
    game, movers = at.case.game, set(map(int, at.movers()))
    if movers != set(other.movers()):
        raise Differs(_where(at, f"to move are {movers}, the oracle says {set(other.movers())}"))
    lines = 0
    for seat in movers:
        here = set(map(game.grammar.format, game.legal(at.state, Seat(seat))))
        there = set(other.legal(seat))
        if here != there:
            raise Differs(_where(at, f"seat {seat}:{_both(here - there, there - here)}"))
        lines += len(here)
    _compare_points(at, other, is_over=not movers)
    return Tally(positions=1, lines=lines)


def _compare_points(at: Position, other: Oracle, *, is_over: bool) -> None:
    game = at.case.game
    points = game.text(game.seen(at.state, SPECTATOR), SPECTATOR).points_now()
    here = {int(seat): score for seat, score in points.items()}
    if is_over:
        result = game.result(at.state)
        standings = () if result is None else result.standings
        here = {int(each.seat): each.score for each in standings}
        ranks = {int(each.seat): each.place for each in standings}
        if ranks != dict(other.ranks()):
            raise Differs(_where(at, f"places {ranks}, the oracle says {other.ranks()}"))
    if here and here != dict(other.points()):
        raise Differs(_where(at, f"points {here}, the oracle says {other.points()}"))


def _both(here: AbstractSet[str], there: AbstractSet[str]) -> str:
    parts = []
    for what, lines in (("only the program allows", here), ("only the oracle allows", there)):
        if lines:
            more = f" and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
            parts.append(f" {what} {' | '.join(sorted(lines)[:SHOWN])}{more};")
    return "".join(parts)


def _where(at: Position, sentence: str) -> str:
    return f"{at.case} seed {at.seed}, after {at.number} lines: {sentence}"
