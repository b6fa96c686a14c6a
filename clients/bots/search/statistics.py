"""What do the games of a match say? Shares of wins with Wilson's interval, and the margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from bluebear.clients.bots.search.arena import Played

_Z: Final = 1.959964
"""95 of 100 intervals of so many standard errors hold the truth."""


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %; all there is without games.

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
    """One contestant's match."""

    games: int
    different: int
    """Of these, games that did not end like another one of their seed: see `different`."""
    wins: float
    low: float
    high: float
    margin: float
    margin_error: float
    score: float
    considered: float
    """Decisions a game at which it thought."""
    changed: float
    """Of these, the share at which it played otherwise than the greedy judgement."""
    playouts: float
    """Playouts a considered decision."""
    longest: float
    """Seconds of the longest decision."""

    def text(self) -> str:
        """The figures in one line."""
        share = 100 * self.wins / max(1, self.games)
        alike = "" if self.different == self.games else f" of {self.different} different games"
        return (
            f"{self.wins:g}/{self.games} = {share:.1f} % "
            f"[{100 * self.low:.1f}, {100 * self.high:.1f}]{alike}, "
            f"margin {self.margin:+.2f} ± {_Z * self.margin_error:.2f}, score {self.score:.2f}, "
            f"considers {self.considered:.1f}, changes {100 * self.changed:.0f} %, "
            f"playouts {self.playouts:.0f}, longest {self.longest:.2f} s"
        )


def figures(played: Sequence[Played], contestant: int) -> Figures:
    """How a contestant did. The games of one seed are one sample of the margin; those of them that
    ended alike are one of the share.
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
    """The games without those that ended like another one of their seed.

    Where nobody plays by chance and seats do not meet, as in Railroad Ink, who changes seats plays
    the same game once more, and to count it twice would say more than is known.
    """
    kept = {(each.seed, each.places, each.scores): each for each in reversed(played)}
    return [*reversed(kept.values())]


def _of_seeds(played: Sequence[Played], contestant: int) -> tuple[float, float]:
    """The mean margin and its standard error over seeds."""
    by_seed: dict[int, list[float]] = {}
    for each in played:
        by_seed.setdefault(each.seed, []).append(each.margin(contestant))
    means = [math.fsum(margins) / len(margins) for margins in by_seed.values()]
    if not means:
        return 0.0, 0.0
    mean = math.fsum(means) / len(means)
    if len(means) < 2:
        return mean, 0.0
    variance = math.fsum([(each - mean) ** 2 for each in means]) / (len(means) - 1)
    return mean, math.sqrt(variance / len(means))


@dataclass(frozen=True, slots=True)
class Skill:
    """How strong somebody is by the places of all games, beside the others of the match."""

    mu: float
    sigma: float

    def text(self) -> str:
        """The strength with its 95 %, as people read it."""
        return f"skill {self.mu:.1f} ± {_Z * self.sigma:.1f}"


def skills(played: Sequence[Played]) -> tuple[Skill, ...]:
    """The strengths of all contestants by OpenSkill's Plackett-Luce, game after game: with more
    than two seats it counts second places, too.
    """
    model = PlackettLuce()
    if not played:
        return ()
    ratings = [model.rating() for _ in played[0].places]
    for each in played:
        ranks = [float(place) for place in each.places]
        ratings = [one for [one] in model.rate([[one] for one in ratings], ranks=ranks)]
    return tuple(Skill(one.mu, one.sigma) for one in ratings)


def is_settled(played: Sequence[Played], contestant: int, fair: float, *, apart: float) -> bool:
    """A sequential test: whether these games settle if it wins more than its fair share or less.

    Wald's test between a share of `fair` and one of `fair + apart`, errors of 5 %. A shared win
    counts as its part, and games of a seed that ended alike as one.
    """
    high = min(0.99, fair + apart)
    counted = different(played)
    wins = math.fsum([each.share(contestant) for each in counted])
    losses = len(counted) - wins
    said = wins * math.log(high / fair) + losses * math.log((1 - high) / (1 - fair))
    return abs(said) >= math.log(0.95 / 0.05)
