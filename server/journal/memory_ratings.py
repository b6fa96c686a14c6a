"""The part of the journal in memory that is asked how people stand."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from server.journal.base import NotSaved
from server.journal.entry import PersonRow, RatingKey, RatingRow, StreamId
from server.journal.store import Ranked, RatingStore


class MemoryRatings(RatingStore, ABC):
    """A `RatingStore`; the journal says who is called what, and whose turn it is."""

    _people: dict[str, PersonRow]
    _bodies: dict[StreamId, list[bytes]]

    def __init__(self) -> None:
        self._ratings: dict[RatingKey, RatingRow] = {}

    @abstractmethod
    def _own(self) -> AbstractAsyncContextManager[None]:
        """Wait for the turn."""

    @abstractmethod
    def _fails(self) -> bool:
        """Whether this commit is one of those that fail."""

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """See `RatingStore.rating`."""
        async with self._own():
            return self._ratings.get(key)

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_of`."""
        async with self._own():
            own = sorted(key for key in self._ratings if key[0] == person)
            return [self._ratings[key] for key in own[:limit]]

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """See `RatingStore.ranked`."""
        async with self._own():
            rows = _listed(self._ratings, game, seats)[first : first + count]
            return [Ranked(row, self._name(row.person)) for row in rows]

    def _name(self, person: str) -> str:
        known = self._people.get(person)
        return "" if known is None else known.name

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """See `RatingStore.better`."""
        async with self._own():
            listed = _listed(self._ratings, game, seats)
            return min(most, sum((row.score or 0) > score for row in listed))

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        async with self._own():
            if self._fails():
                raise NotSaved("the disk is full (fail_next)")
            self._ratings = {row.key: row for row in rows}

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        async with self._own():
            return _named(self._bodies, prefix, after)[:limit]

    def rating_seq(self, key: RatingKey) -> int:
        """See `Known.rating_seq`."""
        found = self._ratings.get(key)
        return 0 if found is None else found.seq


def _listed(ratings: Mapping[RatingKey, RatingRow], game: str, seats: int) -> list[RatingRow]:
    rows = [row for key, row in ratings.items() if key[1:] == (game, seats)]
    listed = [row for row in rows if row.score is not None]
    return sorted(listed, key=lambda row: (-(row.score or 0), row.person))


def _named(streams: Iterable[StreamId], prefix: str, after: str) -> list[StreamId]:
    return sorted(each for each in streams if each.startswith(prefix) and each > after)
