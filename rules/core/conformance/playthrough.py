"""Games as text to compare: playthroughs with everybody's view, digests, perft counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bluebear.rules.core.conformance.case import Case, read_case
from bluebear.rules.core.conformance.random_play import Position, start, walk
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import canonical


def digests(case: Case, seed: int) -> Iterator[str]:
    """A random game, one line `SEAT LINE DIGEST` for each move; the same in every process."""
    for step in walk(case, seed):
        yield f"{step.seat} {step.line} {case.game.tree.digest(step.after.state)}"


def playthrough(case: Case, seed: int) -> Iterator[str]:
    """A random game as text: each move, what it was told as, and what everybody saw after it."""
    yield f"playthrough {case} seed={seed}"
    yield from _moment(start(case, seed))
    for step in walk(case, seed):
        yield ""
        others = case.game.grammar.format(step.move, sees_owner=False)
        unlike = "" if others == step.line else f"   (others: {others})"
        yield f"> {step.seat} {step.line}{unlike}"
        yield from _moment(step.after)


def _moment(at: Position) -> Iterator[str]:
    game = at.case.game
    everybody = frozenset(at.seats())
    for event in at.events:
        told = event_text(game.phrases, event, everybody, lang="en")
        unseen = event_text(game.phrases, event, frozenset(), lang="en")
        yield f"  {told}" if told == unseen else f"  {told}   (others: {unseen or 'nothing'})"
    yield f"  everybody {canonical(game.tree.public(at.state)).decode()}"
    for seat in at.seats():
        own = game.tree.own(at.state, seat)
        if own:
            yield f"  seat {seat} {canonical(own).decode()}"
    for seat in at.movers():
        legal = list(map(game.grammar.format, game.legal(at.state, seat)))
        yield f"  seat {seat} may {len(legal)}: {legal[0]} ... {legal[-1]}"
    result = game.result(at.state)
    if result is not None:
        yield "  " + " ".join(
            f"{each.seat}={each.score}({each.place}.)" for each in result.standings
        )


def perft(case: Case, depth: int, seed: int = 1) -> tuple[int, ...]:
    """How many sequences of legal moves there are of each length from 1 to `depth`.

    Draws are those that `seed` gives at their number, so the counts are exact and repeatable.
    """
    counts = [0] * depth
    _count(start(case, seed), counts, 0)
    return tuple(counts)


def _count(at: Position, counts: list[int], level: int) -> None:
    for seat in at.movers():
        for move in at.case.game.legal(at.state, seat):
            counts[level] += 1
            if level + 1 < len(counts):
                _count(at.after(seat, move), counts, level + 1)


@dataclass(frozen=True, slots=True)
class Perft:
    """One line of a perft file: what is to come out."""

    line: str
    case: Case
    seed: int
    counts: tuple[int, ...]


def read_perft(text: str, games: Mapping[str, Game[Any]]) -> Iterator[Perft]:
    """The lines of a perft file; ValueError or KeyError where one is wrong.

    `sealed seats=2 rounds=3 seed=1: 12 102  # comment` counts the sequences of one and two moves.
    """
    for full in text.splitlines():
        line = full.partition("#")[0].strip()
        if not line:
            continue
        told, _, counted = line.partition(":")
        key, *words = told.split()
        seeds = [int(word.removeprefix("seed=")) for word in words if word.startswith("seed=")]
        case = read_case(games[key], [word for word in words if not word.startswith("seed=")])
        counts = tuple(map(int, counted.split()))
        yield Perft(line=line, case=case, seed=seeds[0] if seeds else 1, counts=counts)
