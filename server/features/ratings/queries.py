"""What the ratings read from the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bluebear.server.features.ratings.model import RatedRecord, rated_record, replayed
from bluebear.server.limits import TOP_COUNTED
from bluebear.server.room.rating import RatedGame
from bluebear.server.store import (
    RECORD_PREFIX,
    Ranked,
    RatingKey,
    RatingRow,
    Store,
    ratings,
    streams,
)

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of the ranking of a game with `seats`: rows from `first` (from 0) on, above which
    `above` have more points.

    `caller` is the row of the caller. `above_caller` counts those with more points; None where
    that was not counted, or the caller is not listed.
    """

    seats: int
    first: int
    rows: tuple[Ranked, ...]
    above: int
    caller: RatingRow | None
    above_caller: int | None


async def rows_before(store: Store, game: RatedGame) -> dict[str, RatingRow | None]:
    """The rows that a game changes, as they are now. Raises JournalError."""
    return {person: await store.read(ratings.read, game.key(person)) for person in game.concerned}


async def read_ranking(
    store: Store, game: str, seats: int, rows: range, caller: RatingRow | None, *, counts: bool
) -> Ranking:
    """Some rows of a ranking; `counts`: the rank of the caller's row, too. Raises JournalError."""
    ranked = await store.read(ratings.ranked, game, seats, rows.start, len(rows))
    above, above_caller = 0, None
    if rows.start and ranked:
        above = await store.read(ratings.better, game, seats, ranked[0].row.score or 0, TOP_COUNTED)
    if counts and caller is not None and caller.score is not None:
        count = await store.read(ratings.better, game, seats, caller.score, TOP_COUNTED)
        above_caller = count if count < TOP_COUNTED else None
    return Ranking(seats, rows.start, tuple(ranked), above, caller, above_caller)


@dataclass(frozen=True, slots=True)
class RatingComparison:
    """What `games` games make: `rows`, those `stored`, and the ids of games that are `lost`.

    Lost is a game that cannot be replayed, since the record of one before it is missing.
    """

    games: int
    rows: Mapping[RatingKey, RatingRow]
    stored: Mapping[RatingKey, RatingRow]
    lost: tuple[str, ...]

    @property
    def different(self) -> tuple[RatingKey, ...]:
        """Where the stored row is another one than the records make, or only one is there."""
        keys = sorted({*self.rows, *self.stored})
        return tuple(key for key in keys if self.rows.get(key) != self.stored.get(key))


async def compare_ratings(store: Store) -> RatingComparison:
    """Replay the rated games of all records, and compare with all rows. Raises NotRead."""
    records: list[RatedRecord] = []
    after = ""
    while page := await store.read(streams.names, RECORD_PREFIX, after, _PAGE):
        after = page[-1]
        for stream in page:
            for entry in await store.read(streams.load, stream):
                record = rated_record(entry, RECORD_PREFIX)
                if record is not None:
                    records.append(record)
    stored: dict[RatingKey, RatingRow] = {}
    last: RatingKey | None = None
    while rows := await store.read(ratings.after, last, _PAGE):
        stored.update((row.key, row) for row in rows)
        last = rows[-1].key
    computed, lost = replayed(records)
    return RatingComparison(len(records), computed, stored, lost)
