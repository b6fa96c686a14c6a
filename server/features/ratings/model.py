"""The rating model: how a rated game changes the ratings of its players.

The model is Plackett-Luce of OpenSkill: a strength `mu` and its uncertainty `sigma`, for each
person in each game with a number of seats. Both are stored in whole millionths, so that replaying
the same games gives the same numbers. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from openskill.models import PlackettLuce

from bluebear.server.room.rated_games import RatedGame
from bluebear.server.store import Entry, Json, RatingKey, RatingRow

_UNIT: Final = 1_000_000
_MODEL: Final = PlackettLuce()
START_MU: Final = 25_000_000
START_SIGMA: Final = 8_333_333

_ZERO_POINTS: Final = 1_000
_MILLIONTHS_A_POINT: Final = 40_000
"""Points are 1000 + 25 (mu - 3 sigma): a newcomer has 1000, a settled middling player 1500."""

LISTED_GAMES: Final = 5
"""Games before a person is listed: fewer say next to nothing."""

RECENT_GAMES: Final = 30
"""Rated games that are stored with a row, and as many unrated ones."""

SURE_BELOW: Final = (3_500_000, 5_000_000, 7_000_000)
"""Sigma below which a rating is called sure, fairly sure, unsure; above all: very unsure. That
takes some fifty, twenty and six games of two.
"""


class RecentGame(Struct, frozen=True, array_like=True):
    """One game of a person: its id, when it ended (ms), their rank, their points and the change.

    Rank 0: they left it. `names` and `ranks` are those of all players by seat.
    """

    game_id: str
    at: int
    rank: int
    points: int
    change: int
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    rated: bool


class Rating(Struct, frozen=True, omit_defaults=True, rename={"ranks": "places"}):
    """The rating of a person in one game with a number of seats; the body of their row.

    `ranks[n]` counts the games in which they came (n+1)-th, `left` those that they left.
    """

    mu: int = START_MU
    sigma: int = START_SIGMA
    ranks: tuple[int, ...] = ()
    left: int = 0
    recent: tuple[RecentGame, ...] = ()

    @property
    def games(self) -> int:
        """The games that were rated."""
        return sum(self.ranks)

    @property
    def score(self) -> int:
        """The order of rankings: three sigma below the strength, in millionths."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> int:
        """The score as people read it."""
        return _ZERO_POINTS + self.score // _MILLIONTHS_A_POINT

    @property
    def margin(self) -> int:
        """The uncertainty of the strength in points: two sigma."""
        return 2 * self.sigma // _MILLIONTHS_A_POINT

    @property
    def sureness(self) -> int:
        """The certainty: from 0, very unsure, to 3, sure."""
        return sum(self.sigma < bound for bound in SURE_BELOW)


_DECODER: Final = msgspec.msgpack.Decoder(Rating)
_ENCODER: Final = msgspec.msgpack.Encoder()


def rating_of(row: RatingRow | None) -> Rating:
    """The rating of a row; without one, that of a newcomer."""
    return Rating() if row is None else _DECODER.decode(row.body)


def rows_after(game: RatedGame, before: Mapping[str, RatingRow | None]) -> tuple[RatingRow, ...]:
    """The rows that a game changes, given those before it."""
    ratings = {person: rating_of(before.get(person)) for person in game.concerned}
    if not game.rated:
        after = _listed(game, ratings)
    else:
        after = _rated(game, ratings) if game.places else _noted(game, ratings)
    return tuple(_row(game, person, before.get(person), each) for person, each in after.items())


def _row(game: RatedGame, person: str, before: RatingRow | None, now: Rating) -> RatingRow:
    return RatingRow(
        *game.key(person),
        seq=1 if before is None else before.seq + 1,
        score=now.score if now.games >= LISTED_GAMES else None,
        body=_ENCODER.encode(now),
    )


def _rated(game: RatedGame, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    teams = [
        [_MODEL.create_rating([ratings[person].mu / _UNIT, ratings[person].sigma / _UNIT])]
        for person in game.players
    ]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in game.places])
    after = {}
    for person, rank, [rating] in zip(game.players, game.places, rated, strict=True):
        before = ratings[person]
        counts = [*before.ranks, *[0] * (len(game.players) - len(before.ranks))]
        counts[rank - 1] += 1
        now = replace(
            before,
            mu=round(rating.mu * _UNIT),
            sigma=round(rating.sigma * _UNIT),
            ranks=tuple(counts),
        )
        after[person] = _with_recent(now, game, rank, now.points - before.points)
    return after


def _noted(game: RatedGame, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    return {
        person: _with_recent(replace(each, left=each.left + 1), game, 0, 0)
        for person, each in ratings.items()
    }


def _listed(game: RatedGame, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    ranks = dict(zip(reversed(game.players), reversed(game.places), strict=True))
    return {person: _with_recent(each, game, ranks[person], 0) for person, each in ratings.items()}


def _with_recent(now: Rating, game: RatedGame, rank: int, change: int) -> Rating:
    newest = RecentGame(
        *(game.id, game.at, rank, now.points, change), *(game.names, game.places, game.rated)
    )
    recent = [newest, *now.recent]
    similar = [each for each in recent if each.rated == game.rated]
    if len(similar) > RECENT_GAMES:
        recent.remove(similar[-1])
    return replace(now, recent=tuple(recent))


# In a record.

_FACT: Final = "rated"


def rated_facts(game: RatedGame, rows: Iterable[RatingRow]) -> dict[str, Json]:
    """The facts of a record: its game, and the number of the change of each row."""
    changes = {row.person: row.seq for row in rows}
    return {_FACT: {**msgspec.to_builtins(game), "changes": changes}}


@dataclass(frozen=True, slots=True)
class RatedRecord:
    """A rated game of a record, and the number of the change of each row, by person."""

    game: RatedGame
    changes: Mapping[str, int]


def rated_record(entry: Entry, prefix: str) -> RatedRecord | None:
    """The game of a record's entry; None where it is listed for no person."""
    facts = entry.facts.get(_FACT)
    if not isinstance(facts, Mapping):
        return None
    game = {**facts, "id": entry.stream.removeprefix(prefix), "at": entry.at}
    changes = msgspec.convert(facts["changes"], dict[str, int])
    return RatedRecord(msgspec.convert(game, RatedGame), changes)


def replayed(records: Sequence[RatedRecord]) -> tuple[dict[RatingKey, RatingRow], tuple[str, ...]]:
    """The rows that rated games make, each played when it is the next change of all its rows.

    Also the ids of those that never were, since a record before them is missing.
    """
    rows: dict[RatingKey, RatingRow] = {}
    waiting: dict[tuple[RatingKey, int], list[RatedRecord]] = {}
    missing = {id(each): len(each.game.concerned) for each in records}
    ready: list[RatedRecord] = []
    for each in records:
        for person in each.game.concerned:
            key, seq = each.game.key(person), each.changes.get(person, 0)
            waiting.setdefault((key, seq), []).append(each)
    starts = [turn for turn in waiting if turn[1] == 1]
    while starts:
        for each in waiting.pop(starts.pop(), ()):
            missing[id(each)] -= 1
            if not missing[id(each)]:
                ready.append(each)
        while ready:
            game = ready.pop().game
            before = {person: rows.get(game.key(person)) for person in game.concerned}
            for row in rows_after(game, before):
                rows[row.key] = row
                starts.append((row.key, row.seq + 1))
    lost = tuple(sorted(each.game.id for each in records if missing[id(each)]))
    return rows, lost
