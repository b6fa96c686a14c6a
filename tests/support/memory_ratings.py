"""The part of the journal in memory that is asked how people stand."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from bluebear.server.store.store import RatingStore
from bluebear.server.store.types import PersonRow, Ranked, RatingKey, RatingRow, StreamId
from tests.support.memory_disk import MemoryDisk


class MemoryRatings(RatingStore, ABC):
    """A `RatingStore`; the journal says whose turn it is, and what fails."""

    disk: MemoryDisk

    @abstractmethod
    def _reading(self) -> AbstractAsyncContextManager[MemoryDisk]:
        """Wait for the turn to read. Raises NotRead."""

    @abstractmethod
    def _turn_taken(self) -> AbstractAsyncContextManager[None]:
        """Wait for the turn."""

    @abstractmethod
    def _change(self) -> None:
        """Something else than entries is to be stored. Raises NotSaved."""

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """See `RatingStore.rating`."""
        async with self._reading() as disk:
            return disk.ratings.get(key)

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_of`."""
        async with self._reading() as disk:
            keys = sorted(key for key in disk.ratings if key[0] == person)
            return [disk.ratings[key] for key in keys[:limit]]

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """See `RatingStore.ranked`."""
        async with self._reading() as disk:
            rows = _listed(disk, game, seats)[first : first + count]
            return [Ranked(row, _name(disk, row.person)) for row in rows]

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """See `RatingStore.better`."""
        async with self._reading() as disk:
            listed = _listed(disk, game, seats)
            return min(most, sum((row.score or 0) > score for row in listed))

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        async with self._turn_taken():
            self._change()
            self.disk.ratings = {row.key: row for row in rows}

    async def ratings_after(self, key: RatingKey | None, limit: int) -> list[RatingRow]:
        """See `WholeStore.ratings_after`."""
        async with self._reading() as disk:
            result = sorted(each for each in disk.ratings if key is None or each > key)
            return [disk.ratings[each] for each in result[:limit]]

    async def people_after(self, person: str, limit: int) -> list[PersonRow]:
        """See `WholeStore.people_after`."""
        async with self._reading() as disk:
            return [disk.people[each] for each in sorted(disk.people) if each > person][:limit]

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        async with self._reading() as disk:
            result = (each for each in disk.bodies if each.startswith(prefix) and each > after)
            return sorted(result)[:limit]


def _listed(disk: MemoryDisk, game: str, seats: int) -> list[RatingRow]:
    rows = [row for key, row in disk.ratings.items() if key[1:] == (game, seats)]
    listed = [row for row in rows if row.score is not None]
    return sorted(listed, key=lambda row: (-(row.score or 0), row.person))


def _name(disk: MemoryDisk, person: str) -> str:
    row = disk.people.get(person)
    return "" if row is None else row.name
