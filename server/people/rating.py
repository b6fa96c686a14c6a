"""How well somebody plays: what a rated game makes of the ratings of those who played it.

The model is Plackett-Luce of OpenSkill: a strength `mu` and how unsure that is, `sigma`, for each
person in each game with so many seats. Both are kept in whole millionths, so that playing the same
games again gives the same numbers. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from openskill.models import PlackettLuce

from bluebear.server.journal import Entry, Json, RatingKey, RatingRow

_UNIT: Final = 1_000_000
_MODEL: Final = PlackettLuce()
START_MU: Final = 25_000_000
START_SIGMA: Final = 8_333_333

_ZERO_POINTS: Final = 1_000
_MILLIONTHS_A_POINT: Final = 40_000
"""Points are 1000 + 25 (mu - 3 sigma): a newcomer has 1000, a settled middling player 1500."""

LISTED_GAMES: Final = 5
"""Games before somebody is on a list: fewer say next to nothing."""

RECENT_GAMES: Final = 5
"""Games of each list that are remembered with somebody's row."""

SURE_BELOW: Final = (3_500_000, 5_000_000, 7_000_000)
"""Sigma below which a rating is called sure, fairly sure, unsure; above all: very unsure. They are
left after some fifty, twenty and six games of two.
"""


class Recent(Struct, frozen=True, array_like=True):
    """One of somebody's games: its id, when it ended (ms), his place, his points and their change.

    Place 0: he left it.
    """

    game_id: str
    at: int
    place: int
    points: int
    change: int


class Standing(Struct, frozen=True, omit_defaults=True):
    """How somebody stands in one game with so many seats; the body of his row.

    `places[n]` counts the games in which he came (n+1)-th, `left` those that he left.
    """

    mu: int = START_MU
    sigma: int = START_SIGMA
    places: tuple[int, ...] = ()
    left: int = 0
    recent: tuple[Recent, ...] = ()

    @property
    def games(self) -> int:
        """The games that were rated."""
        return sum(self.places)

    @property
    def score(self) -> int:
        """What lists are ordered by: three sigma below the strength, in millionths."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> int:
        """The score as people read it."""
        return _ZERO_POINTS + self.score // _MILLIONTHS_A_POINT

    @property
    def margin(self) -> int:
        """How far off the strength may well be, in points: two sigma."""
        return 2 * self.sigma // _MILLIONTHS_A_POINT

    @property
    def sureness(self) -> int:
        """How much is known: from 0, very unsure, to 3, sure."""
        return sum(self.sigma < bound for bound in SURE_BELOW)


_DECODER: Final = msgspec.msgpack.Decoder(Standing)
_ENCODER: Final = msgspec.msgpack.Encoder()


def standing_of(row: RatingRow | None) -> Standing:
    """What a row says; without one, how everybody begins."""
    return Standing() if row is None else _DECODER.decode(row.body)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """What the end of a rated game says. `players` are ids by seat, `places` those of the seats.

    Without places it gives no rating; then those who `left` it are noted alone.
    """

    id: str
    game: str
    at: int
    players: tuple[str, ...]
    places: tuple[int, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def concerned(self) -> tuple[str, ...]:
        """Whose row it changes."""
        return self.players if self.places else self.left

    def key(self, person: str) -> RatingKey:
        """Which row of somebody it changes."""
        return person, self.game, len(self.players)


def rows_after(game: RatedGame, before: Mapping[str, RatingRow | None]) -> tuple[RatingRow, ...]:
    """The rows that a game changes, by those that its people had before it."""
    known = {person: standing_of(before.get(person)) for person in game.concerned}
    after = _rated(game, known) if game.places else _noted(game, known)
    return tuple(_row(game, person, before.get(person), each) for person, each in after.items())


def _row(game: RatedGame, person: str, before: RatingRow | None, now: Standing) -> RatingRow:
    return RatingRow(
        *game.key(person),
        seq=1 if before is None else before.seq + 1,
        score=now.score if now.games >= LISTED_GAMES else None,
        body=_ENCODER.encode(now),
    )


def _rated(game: RatedGame, known: Mapping[str, Standing]) -> dict[str, Standing]:
    teams = [
        [_MODEL.create_rating([known[person].mu / _UNIT, known[person].sigma / _UNIT])]
        for person in game.players
    ]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in game.places])
    made = {}
    for person, place, [rating] in zip(game.players, game.places, rated, strict=True):
        before = known[person]
        counts = [*before.places, *[0] * (len(game.players) - len(before.places))]
        counts[place - 1] += 1
        now = replace(
            before,
            mu=round(rating.mu * _UNIT),
            sigma=round(rating.sigma * _UNIT),
            places=tuple(counts),
        )
        made[person] = _with_recent(now, game, place, now.points - before.points)
    return made


def _noted(game: RatedGame, known: Mapping[str, Standing]) -> dict[str, Standing]:
    return {
        person: _with_recent(replace(each, left=each.left + 1), game, 0, 0)
        for person, each in known.items()
    }


def _with_recent(now: Standing, game: RatedGame, place: int, change: int) -> Standing:
    newest = Recent(game.id, game.at, place, now.points, change)
    return replace(now, recent=(newest, *now.recent)[:RECENT_GAMES])


# What a record says of it.

_FACT: Final = "rated"


def rated_facts(game: RatedGame, rows: Iterable[RatingRow]) -> dict[str, Json]:
    """The facts by which a record tells a rated game, and which change of each row it was."""
    told: dict[str, Json] = {
        "game": game.game,
        "players": game.players,
        "places": game.places,
        "left": game.left,
        "changes": {row.person: row.seq for row in rows},
    }
    return {_FACT: told}


@dataclass(frozen=True, slots=True)
class Kept:
    """A rated game of a record, and which change of each row it was, by person."""

    game: RatedGame
    changes: Mapping[str, int]


def kept_game(entry: Entry, prefix: str) -> Kept | None:
    """The rated game that the entry of a record tells; None where it was not rated."""
    told = entry.facts.get(_FACT)
    if told is None:
        return None
    said = msgspec.convert(told, _Told)
    game = RatedGame(
        id=entry.stream.removeprefix(prefix),
        game=said.game,
        at=entry.at,
        players=said.players,
        places=said.places,
        left=said.left,
    )
    return Kept(game, said.changes)


class _Told(Struct):
    game: str
    players: tuple[str, ...]
    places: tuple[int, ...]
    left: tuple[str, ...]
    changes: dict[str, int]


def played_again(kept: Sequence[Kept]) -> tuple[dict[RatingKey, RatingRow], tuple[str, ...]]:
    """The rows that rated games make, each taken when it is the next change of all its rows.

    Also the ids of those that never were, since a record before them is missing.
    """
    rows: dict[RatingKey, RatingRow] = {}
    waiting: dict[tuple[RatingKey, int], list[Kept]] = {}
    missing = {id(each): len(each.game.concerned) for each in kept}
    ready: list[Kept] = []
    for each in kept:
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
    lost = tuple(sorted(each.game.id for each in kept if missing[id(each)]))
    return rows, lost
