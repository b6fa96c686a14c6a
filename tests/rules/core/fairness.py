"""Are dice even, and is a card as likely to lie anywhere? Chi-square, by command.

    python -m tests.rules.core.fairness --dice 10000000

Seeds are fixed: what is measured is the way from a key to a die, and it gives the same again.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.chance import HmacChance

CARDS: Final = 52
DICE_PER_CARD_SHUFFLE: Final = 500
"""So many dice are thrown for each shuffle that is looked at."""
P_LEAST: Final = 0.001
_SIDES: Final = (6, 20)


def p_value(square: float, freedom: int) -> float:
    """How likely chance alone is to be so far from even (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    normal = ((square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(normal / math.sqrt(2))


def chi_square(observed: Sequence[int]) -> float:
    """How far counts are from equal ones."""
    expected = sum(observed) / len(observed)
    return sum((count - expected) ** 2 / expected for count in observed)


def p_of_dice(sides: int, throws: int) -> float:
    """Throw a die of so many sides so often."""
    chance = HmacChance(hashlib.sha256(b"fairness %d" % sides).digest())
    counts = Counter(chance.die(sides) for _ in range(throws))
    return p_value(chi_square([counts[side] for side in range(1, sides + 1)]), sides - 1)


def p_of_positions(shuffles: int) -> float:
    """Where cards come to lie. Each shuffle has each card and each place once, which takes some of
    the freedom, and of the spread.
    """
    chance = HmacChance(hashlib.sha256(b"fairness of cards").digest())
    counts = [0] * CARDS * CARDS
    for _ in range(shuffles):
        for index, card in enumerate(chance.shuffle(range(CARDS))):
            counts[index * CARDS + card] += 1
    return p_value(chi_square(counts) * (CARDS - 1) / CARDS, (CARDS - 1) ** 2)


def main(argv: Sequence[str]) -> int:
    """Measure, and say whether each p lies between 0.001 and 0.999."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.rules.core.fairness",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dice", type=int, default=10_000_000)
    given = parser.parse_args(argv)
    throws = given.dice // len(_SIDES)
    shuffles = max(1, given.dice // DICE_PER_CARD_SHUFFLE)
    results = {f"{throws} dice of {sides} sides": p_of_dice(sides, throws) for sides in _SIDES}
    results[f"{shuffles} shuffles of {CARDS} cards"] = p_of_positions(shuffles)
    for what, p in results.items():
        sys.stdout.write(f"{what}: p = {p:.4f}\n")
    return 0 if all(P_LEAST < p < 1 - P_LEAST for p in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
