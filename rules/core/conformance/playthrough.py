"""Games as text to compare: playthroughs with all views, perft counts."""

from __future__ import annotations

from collections.abc import Iterator

from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.conformance.random_play import Position, start, walk
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.merge_patch import canonical, diff


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
