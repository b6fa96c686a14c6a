"""Ratings played again from the records that tell of rated games, and held against the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bluebear.server.journal import RatingKey, RatingRow
from bluebear.server.journal.store import WholeStore
from bluebear.server.people.rating import Kept, kept_game, played_again
from bluebear.server.rooms.loading import RECORD_PREFIX

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Recount:
    """What `games` rated games make: `rows`, those `stored`, and the ids of games that are `lost`.

    Lost is a game that cannot be played again, since the record of one before it is missing.
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


async def recount(store: WholeStore) -> Recount:
    """Read all records and all rows. Raises NotRead."""
    kept: list[Kept] = []
    after = ""
    while streams := await store.streams(RECORD_PREFIX, after, _PAGE):
        after = streams[-1]
        for stream in streams:
            for entry in await store.load(stream):
                told = kept_game(entry, RECORD_PREFIX)
                if told is not None:
                    kept.append(told)
    stored: dict[RatingKey, RatingRow] = {}
    last: RatingKey | None = None
    while rows := await store.ratings_after(last, _PAGE):
        stored.update((row.key, row) for row in rows)
        last = rows[-1].key
    made, lost = played_again(kept)
    return Recount(len(kept), made, stored, lost)
