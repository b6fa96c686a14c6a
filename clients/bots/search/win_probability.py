"""The value of the end of a playout to a seat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeVar

from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import PlayoutEnd
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")

MARGIN_SHARE: Final = 0.05
"""The weight of the lead in a value, so that decided games are still played well."""
MARGIN_SPREADS: Final = 4.0
"""A lead of this many spreads counts as large."""
_FURTHEST: Final = 700.0
"""Beyond it `exp` overflows."""


Chances = tuple[float, ...]
"""The chance of each seat to be first, seat 1 first."""


def chance_of(rest: PlayoutEnd, seat: Seat) -> float:
    """The chance to be first, from 0 to 1: a softmax of the seats' expected points.

    In a finished game: 1, 0, or the seat's share of a tie for first.
    """
    if rest.first:
        return 1 / len(rest.first) if seat in rest.first else 0.0
    points = sum(rest.terms[seat - 1])
    spread = max(1, rest.spread)
    return 1 / sum([_exp((sum(terms) - points) / spread) for terms in rest.terms])


def chances_of(rest: PlayoutEnd) -> Chances:
    """The chance of each seat to be first."""
    return tuple(chance_of(rest, Seat(at)) for at in range(1, len(rest.terms) + 1))


def mean_of(rows: Sequence[Chances]) -> Chances:
    """The mean chance of each seat."""
    return tuple(math.fsum(each) / len(rows) for each in zip(*rows, strict=True))


def in_numbers(game: Game[S], state: S) -> bool:
    """Whether chances may be shown as numbers in a state or view: if its stage was measured and
    found good (`bluebear.rules.core.calibration`).
    """
    stage = None if game.thinker is None else game.thinker.stage(state)
    return stage is not None and game.calibration.is_reliable(stage)


def value_of(rest: PlayoutEnd, seat: Seat) -> float:
    """The value for a search: the chance, plus a little of the lead over the best opponent."""
    points = sum(rest.terms[seat - 1])
    rivals = [sum(terms) for at, terms in enumerate(rest.terms, start=1) if at != seat]
    # A single player has no opponents to compare with: the value is the player's points.
    lead = points - max(rivals, default=0)
    spread = MARGIN_SPREADS * max(1, rest.spread)
    margin = 1 / (1 + _exp(-lead / spread))
    return (1 - MARGIN_SHARE) * chance_of(rest, seat) + MARGIN_SHARE * margin


def _exp(exponent: float) -> float:
    return math.exp(min(_FURTHEST, exponent))
