"""The part of the journal in an SQLite file that is asked how people stand."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from bluebear.server.journal import person_rows, rating_rows
from bluebear.server.journal.entry import PersonRow, RatingKey, RatingRow, StreamId
from bluebear.server.journal.store import Ranked, RatingStore
from bluebear.server.journal.tail import Tail

_T = TypeVar("_T")


class SqliteRatings(RatingStore, ABC):
    """A `RatingStore`; the journal says how a file is read and changed."""

    _connection: sqlite3.Connection
    _tail: Tail

    @abstractmethod
    async def _read(self, work: Callable[[], _T]) -> _T:
        """Read over there. Raises `NotRead`."""

    @abstractmethod
    async def _change_all(self, what: str, change: Callable[[], None]) -> None:
        """Run a transaction of its own over there. Raises `NotSaved`."""

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """See `RatingStore.rating`."""
        return await self._read(lambda: rating_rows.read(self._connection, key))

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_of`."""
        return await self._read(lambda: rating_rows.read_of(self._connection, person, limit))

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """See `RatingStore.ranked`."""
        return await self._read(
            lambda: rating_rows.read_ranked(self._connection, game, seats, first, count)
        )

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """See `RatingStore.better`."""
        return await self._read(
            lambda: rating_rows.read_better(self._connection, game, seats, score, most)
        )

    async def set_ratings(self, every: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        await self._change_all("ratings", lambda: rating_rows.set_all(self._connection, every))

    async def ratings_after(self, key: RatingKey | None, limit: int) -> list[RatingRow]:
        """See `WholeStore.ratings_after`."""
        return await self._read(lambda: rating_rows.read_after(self._connection, key, limit))

    async def people_after(self, person: str, limit: int) -> list[PersonRow]:
        """See `WholeStore.people_after`."""
        return await self._read(lambda: person_rows.read_after(self._connection, person, limit))

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        return await self._read(
            lambda: rating_rows.read_streams(
                self._connection, self._tail.runs, prefix, after, limit
            )
        )

    def rating_seq(self, key: RatingKey) -> int:
        """See `Known.rating_seq`."""
        found = rating_rows.read(self._connection, key)
        return 0 if found is None else found.seq
