"""Promise C3: a hidden card cannot be followed, whatever was visible of it before.

    python -m tests.leak.card_tracker --games 200

Hidden things that come from a pile are cards in Manhattan and I.T.C.; other games hide choices of
their players, which have no ids. Random games are played. For each card that leaves a pile, the
test records its position among the cards that were there: in the order in which they lie in the
state, where discards return in the order in which all players saw them go. If one position were
more likely than another, or one draw predicted the next, a viewer could follow a card from hand to
hand. Positions are scaled to 0 to 1 and compared with uniform ones, singly and in pairs, by
chi-square.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from bluebear.rules import games
from bluebear.rules.core.visibility import require
from bluebear.rules.itc.data.tables import ACTIONS
from bluebear.rules.itc.data.terms import Kind
from tests.leak.sample_games import play_game
from tests.rules.core.fairness import P_LEAST, chi_square, p_value

BINS: Final = 10
PAIR_BINS: Final = 4
STEPS_MAX: Final = 1500
"""Of one game of random lines, which need not come to an end."""

Counts = Callable[[Any], Sequence[tuple[int, int]]]
"""What is in a hidden pile of a game's state: each card and how often, in its order."""


def _counted(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(enumerate(counts))


def _withheld(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    """Action cards but inspections: those are shown when they are drawn, and all are shuffled."""
    kinds = [card.kind for card in ACTIONS.values()]
    return [each for each in _counted(counts) if kinds[each[0]] is not Kind.INSPECTION]


class Pile(NamedTuple):
    """A pile of a game whose cards are hidden from all seats."""

    game: str
    seats: int
    name: str
    counts: Counts


PILES: Final = (
    Pile("manhattan", 4, "deck", lambda game: _counted(require(game.deck))),
    Pile(
        "itc",
        3,
        "transport cards",
        lambda game: [(int(card), 1) for card in require(game.transport_pile)],
    ),
    Pile("itc", 3, "action cards", lambda game: _withheld(require(game.action_pile))),
)


def position_of(
    before: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]], chance: random.Random
) -> float | None:
    """Where in a pile, from 0 to 1, a card stood that has left it; None if none has, or some came.

    Copies of a card take as much room as there are. Of several that left at once, one is taken.
    """
    left = dict(after)
    removed = [count - left.pop(card, 0) for card, count in before]
    if left or min(removed, default=0) < 0 or not any(removed):
        return None
    [at] = chance.choices(range(len(removed)), removed)
    upto = [0, *accumulate(count for _, count in before)]
    return (upto[at] + chance.random() * before[at][1]) / upto[-1]


def positions(pile: Pile, count: int, seed: int) -> Iterator[list[float]]:
    """For so many games of random lines, the places of a card of each draw."""
    registered, chance = games(), random.Random(f"{pile.name} {seed}")
    for number in range(count):
        results = []
        for step, played in enumerate(play_game(registered, pile.game, pile.seats, seed + number)):
            old, new = played.before.game, played.folded.room.game
            if old is not new and new is not None:
                position = position_of(pile.counts(old), pile.counts(new), chance)
                if position is not None:
                    results.append(position)
            if step >= STEPS_MAX:
                break
        yield results


def p_of_positions(results: Sequence[Sequence[float]]) -> tuple[int, float, float]:
    """How many draws there were, and how likely chance is to spread them so, alone and in pairs."""
    each, pairs = [0] * BINS, [0] * PAIR_BINS**2
    for positions_of_one in results:
        for position in positions_of_one:
            each[int(position * BINS)] += 1
        for first, second in list(pairwise(positions_of_one))[::2]:
            pairs[int(first * PAIR_BINS) * PAIR_BINS + int(second * PAIR_BINS)] += 1
    alone = p_value(chi_square(each), BINS - 1)
    return sum(each), alone, p_value(chi_square(pairs), PAIR_BINS**2 - 1)


def main(argv: Sequence[str]) -> int:
    """Play, and say how likely chance alone is to give each spread."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.leak.card_tracker",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=200, help="of each pile")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    given = parser.parse_args(argv)
    bad = 0
    for pile in PILES:
        draws, alone, pairs = p_of_positions(list(positions(pile, given.games, given.seed)))
        bad += min(alone, pairs) < P_LEAST
        sys.stdout.write(
            f"{pile.game}, {pile.name}: {draws} draws in {given.games} games;"
            f" p = {alone:.3f}, in pairs {pairs:.3f} (at least {P_LEAST})\n"
        )
        sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
