"""Statistics of a match: shares of wins with Wilson's interval, margins and strengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from bluebear.clients.bots.search.arena import Played
from bluebear.clients.bots.search.halving import mean_and_error

_Z: Final = 1.959964
"""Standard errors of a 95 % interval."""


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) without games.

    >>> [round(end, 2) for end in wilson(39, 40)]
    [0.87, 1.0]
    """
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, _Z * _Z
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = share * (1 - share) / games + square / (4 * games * games)
    reach = _Z * math.sqrt(half) / (1 + square / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Figures:
    """The statistics of one contestant in a match."""

    games: int
    different: int
    """The number of games with distinct results in their seed: see `different`."""
    wins: float
    low: float
    high: float
    margin: float
    margin_error: float
    score: float
    considered: float
    """Mean number of decisions with a search, for each game."""
    changed: float
    """The share of these in which the search changed the greedy choice."""
    playouts: float
    """Mean number of playouts, for each decision with a search."""
    longest: float
    """Duration of the longest decision in seconds."""

    def text(self) -> str:
        """The statistics in one line."""
        share = 100 * self.wins / max(1, self.games)
        distinct = "" if self.different == self.games else f" of {self.different} different games"
        return (
            f"{self.wins:g}/{self.games} = {share:.1f} % "
            f"[{100 * self.low:.1f}, {100 * self.high:.1f}]{distinct}, "
            f"margin {self.margin:+.2f} ± {_Z * self.margin_error:.2f}, score {self.score:.2f}, "
            f"considers {self.considered:.1f}, changes {100 * self.changed:.0f} %, "
            f"playouts {self.playouts:.0f}, longest {self.longest:.2f} s"
        )


def figures(played: Sequence[Played], contestant: int) -> Figures:
    """The statistics of a contestant. The games of one seed are one sample of the margin; those of
    them with equal results are one sample of the share.
    """
    games = len(played)
    wins = math.fsum([each.share(contestant) for each in played])
    samples = len(different(played))
    efforts = [each.efforts[contestant] for each in played]
    considered = sum(each["considered"] for each in efforts)
    margin, error = _of_seeds(played, contestant)
    return Figures(
        games,
        samples,
        wins,
        *wilson(wins / max(1, games) * samples, samples),
        margin,
        error,
        math.fsum([each.scores[contestant] for each in played]) / max(1, games),
        considered / max(1, games),
        sum(each["changed"] for each in efforts) / max(1, considered),
        sum(each["playouts"] for each in efforts) / max(1, considered),
        max((each["longest"] for each in efforts), default=0.0),
    )


def different(played: Sequence[Played]) -> list[Played]:
    """The games without those whose result equals another's of their seed.

    If no player uses randomness and seats do not interact, as in Railroad Ink, rotated seats repeat
    the same game. To count it twice would make the interval too narrow.
    """
    by_result = {(each.seed, each.ranks, each.scores): each for each in reversed(played)}
    return [*reversed(by_result.values())]


def _of_seeds(played: Sequence[Played], contestant: int) -> tuple[float, float]:
    """The mean margin and its standard error over seeds."""
    by_seed: dict[int, list[float]] = {}
    for each in played:
        by_seed.setdefault(each.seed, []).append(each.margin(contestant))
    averages = [math.fsum(margins) / len(margins) for margins in by_seed.values()]
    return mean_and_error(averages) if len(averages) > 1 else (math.fsum(averages), 0.0)


@dataclass(frozen=True, slots=True)
class Skill:
    """A contestant's strength by the ranks in all games, relative to the others of the match."""

    mu: float
    sigma: float

    def text(self) -> str:
        """The strength with its 95 % interval, as text."""
        return f"skill {self.mu:.1f} ± {_Z * self.sigma:.1f}"


def skills(played: Sequence[Played]) -> tuple[Skill, ...]:
    """The strengths of all contestants by OpenSkill's Plackett-Luce model, updated after each game:
    with more than two seats it also counts second places.
    """
    model = PlackettLuce()
    if not played:
        return ()
    ratings = [model.rating() for _ in played[0].ranks]
    for each in played:
        ranks = [float(rank) for rank in each.ranks]
        ratings = [one for [one] in model.rate([[one] for one in ratings], ranks=ranks)]
    return tuple(Skill(one.mu, one.sigma) for one in ratings)


def is_settled(played: Sequence[Played], contestant: int, fair: float, *, apart: float) -> bool:
    """A sequential test: whether the games decide if the share of wins is above or below `fair`.

    Wald's test between the shares `fair` and `fair + apart`, with errors of 5 %. A tie counts as a
    fraction of a win, and games of a seed with equal results count as one.
    """
    high = min(0.99, fair + apart)
    counted = different(played)
    wins = math.fsum([each.share(contestant) for each in counted])
    losses = len(counted) - wins
    log_ratio = wins * math.log(high / fair) + losses * math.log((1 - high) / (1 - fair))
    return abs(log_ratio) >= math.log(0.95 / 0.05)
