"""What is the end of a playout worth to a seat?"""

from __future__ import annotations

import math
from typing import Final, TypeVar

from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import PlayoutEnd
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")

MARGIN_SHARE: Final = 0.05
"""Of a value: by how much one is ahead, so that games that are lost or won are still played."""
MARGIN_SPREADS: Final = 4.0
"""A lead of so many spreads counts as a large one."""
_FURTHEST: Final = 700.0
"""Beyond it `exp` overflows."""


def chance_of(rest: PlayoutEnd, seat: Seat) -> float:
    """The chance to be first, from 0 to 1: a softmax of what the seats are promised.

    Of a game that is over 1, 0, or the part of a shared first place.
    """
    if rest.first:
        return 1 / len(rest.first) if seat in rest.first else 0.0
    own = sum(rest.terms[seat - 1])
    spread = max(1, rest.spread)
    return 1 / sum([_exp((sum(terms) - own) / spread) for terms in rest.terms])


def chances_of(rest: PlayoutEnd) -> tuple[float, ...]:
    """The chance of each seat to be first, seat 1 first."""
    return tuple(chance_of(rest, Seat(at)) for at in range(1, len(rest.terms) + 1))


def in_numbers(game: Game[S], state: S) -> bool:
    """Whether a chance may be shown as a number in a state, or a view of it: in a stage of the game
    in which chances were measured and found good (`bluebear.rules.core.calibration`).
    """
    stage = None if game.thinker is None else game.thinker.stage(state)
    return stage is not None and game.calibration.is_told(stage)


def value_of(rest: PlayoutEnd, seat: Seat) -> float:
    """What a search compares: the chance, and a little of the lead over the best of the others."""
    own = sum(rest.terms[seat - 1])
    others = [sum(terms) for at, terms in enumerate(rest.terms, start=1) if at != seat]
    # Who plays alone compares himself with nothing: his points are all there is.
    lead = own - max(others, default=0)
    spread = MARGIN_SPREADS * max(1, rest.spread)
    margin = 1 / (1 + _exp(-lead / spread))
    return (1 - MARGIN_SHARE) * chance_of(rest, seat) + MARGIN_SHARE * margin


def _exp(exponent: float) -> float:
    return math.exp(min(_FURTHEST, exponent))
