"""The store as its callers have it: entries are appended, rows are read and written by functions.

`append`, `read`, `write` and `close` are all that a store is; the other methods name the queries of
this package for their callers, each one line over `read` or `write`. What is put around a store
(latency, faults) has the four.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bluebear.server.store import entries, outbox, people, ratings, rooms
from bluebear.server.store.backup import Copied
from bluebear.server.store.head import Behind
from bluebear.server.store.types import (
    Answer,
    Append,
    Deposed,
    Entry,
    JournalError,
    NotRead,
    NotSaved,
    Outgoing,
    Page,
    PersonRow,
    Place,
    Ranked,
    RatingKey,
    RatingRow,
    Snapshot,
    StreamId,
    Summary,
    Window,
)

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Store(ABC):
    """Streams of entries and the rows beside them; owned by a process, closed once.

    A row is written in the commit of the entry that makes it true, so what is read is true of the
    entries at any time, also after a crash. Reads raise `NotRead`, writes `NotSaved`.
    """

    settings: Mapping[str, str | int] = {}
    """What makes `Written` true, as read back at opening."""
    behind: Behind | None = None
    """What is missing, where an older file was accepted at opening."""
    writer: str | None = None
    """The node that writes here, where several share the store."""

    @abstractmethod
    async def open(self) -> None:
        """Become able to read and write; without it the first call does. Raises NotOpened."""

    @abstractmethod
    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Store the entries in one synced commit and answer each, in the batch's order.

        One entry never fails its batch. Several entries of one stream may come in one batch when
        they follow each other. The rows of the written entries are stored with them.
        """

    @abstractmethod
    async def read(
        self, query: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        """The result of a query, a function of this package over a connection."""

    @abstractmethod
    async def write(
        self, change: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        """The result of a change, which is made in a transaction of its own."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what has been started and close the database. May be called again."""

    async def copy_to(self, target: Path) -> Copied:
        """Copy the store of one moment into one file. Raises JournalError."""
        raise JournalError(f"not copied to {target}: only a file is copied here")

    # Streams.

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """The entries of the stream with a number above `after`, in order."""
        return await self.read(entries.load, stream, after)

    async def find(self, actor: str, client_id: str) -> Place | None:
        """The key of the entry that this actor called `client_id`."""
        return await self.read(entries.find, actor, client_id)

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """Up to `limit` streams after `after` whose names begin with a prefix, in order."""
        return await self.read(entries.streams, prefix, after, limit)

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """The newest snapshot of the stream."""
        return await self.read(entries.snapshot, stream)

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; the newest two of a stream remain.

        Raises ValueError when the stream has no entry `snapshot.seq` yet.
        """
        await self.write(entries.save_snapshot, snapshot)

    # Rooms.

    async def summaries(self) -> list[Summary]:
        """All rooms' rows, by stream: for tests."""
        return await self.read(rooms.every)

    async def room(self, stream: StreamId) -> Summary | None:
        """One room's row, closed ones too."""
        return await self.read(rooms.room, stream)

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """The room whose valid invite has this hash."""
        return await self.read(rooms.of_invite, hashed)

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """Up to `limit` rooms where a person sits or is host, newest first; no closed ones."""
        return await self.read(rooms.rooms_of, person, since, limit)

    async def window(self, window: Window) -> Page:
        """A page of listed rooms."""
        return await self.read(rooms.window, window)

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """Up to `limit` rooms whose deadline is not after `now`, soonest first."""
        return await self.read(rooms.due, now, limit)

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """Set the rows' `at` where it is earlier: rooms with members stay open.

        Streams without a row are left alone. When it raises, some may have been touched.
        """
        for start in range(0, len(streams), rooms.TOUCHED_AT_ONCE):
            await self.write(rooms.touch, streams[start : start + rooms.TOUCHED_AT_ONCE], at)

    async def counts(self) -> Mapping[str, int]:
        """How many rows there are: "rooms", "people", and "listed.PHASE" for each phase.

        Closed rooms are among them, phases without any are not. Counts all rows.
        """
        return {**await self.read(rooms.counts), "people": await self.read(people.count)}

    # People.

    async def person(self, person: str) -> PersonRow | None:
        """A person by their id; None also when their name passed to another person."""
        return await self.read(people.person, person)

    async def person_named(self, key: str) -> PersonRow | None:
        """The person whose name has this unique shape, however long they have been away."""
        return await self.read(people.named, key)

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """The person who has a token with this hash."""
        return await self.read(people.of_token, hashed)

    async def people_after(self, person: str, limit: int) -> list[PersonRow]:
        """Up to `limit` people whose ids come after this one, by id."""
        return await self.read(people.after, person, limit)

    # Ratings.

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """A person's rating in a game with so many seats."""
        return await self.read(ratings.read, key)

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """Up to `limit` rows of one person, by game and seats."""
        return await self.read(ratings.read_of, person, limit)

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """Rows of a list: from the `first`-th (from 0) the next `count`, the best first."""
        return await self.read(ratings.ranked, game, seats, first, count)

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """How many on a list have a higher score; counted up to `most`."""
        return await self.read(ratings.better, game, seats, score, most)

    async def ratings_after(self, key: RatingKey | None, limit: int) -> list[RatingRow]:
        """Up to `limit` ratings whose keys come after this one, by key; None: from the first."""
        return await self.read(ratings.after, key, limit)

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """Store these in place of all ratings that there are, in one commit."""
        await self.write(ratings.replace_all, rows)

    # The outbox.

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """Up to `limit` messages that are to be sent by now, soonest first.

        Of several nodes over one store one gets each of them, as long as it lives.
        """
        if self.writer is None:
            return await self.read(outbox.read, now, limit)
        try:
            return await self.write(outbox.claim, self.writer, now, limit)
        except Deposed:
            return []
        except NotSaved as error:
            raise NotRead(str(error)) from error

    async def settle(self, sent: Sequence[str], later: Sequence[Outgoing]) -> None:
        """Remove from the outbox what was sent, by id, and put off the rest."""
        await self.write(outbox.settle, sent, later)
