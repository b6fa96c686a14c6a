"""The contract of what stands beside the journal: rows by which rooms and people are found.

A row is written in the commit of the entry that makes it true, so what is read here is true of
the entries at any time, also after a crash. Nothing here walks over all rooms or people of a
server but `Journal.summaries`.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from bluebear.server.store.types import (
    Answer,
    Append,
    Entry,
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


class Journal(Protocol):
    """Streams of entries with one owner; every call waits its turn, none is done halfway."""

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Store the entries in one synced commit and answer each, in the batch's order.

        One entry never fails its batch. Several entries of one stream may come in one batch when
        they follow each other. The rows of the written entries are stored with them.
        """

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """The entries of the stream with a number above `after`, in order. Raises `NotRead`."""

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """The newest snapshot of the stream. Raises `NotRead`."""

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; the newest two of a stream are kept.

        Two, so that a reader who finds the newest one unusable has one to fall back to. Raises
        ValueError when the stream has no entry `snapshot.seq` yet, `NotSaved` when the disk fails.
        """

    async def summaries(self) -> list[Summary]:
        """The newest summary of every stream that has one, by stream. Raises `NotRead`.

        All of them: for tests.
        """

    async def find(self, actor: str, client_id: str) -> Place | None:
        """Where the entry stands that this actor called `client_id`. Raises `NotRead`."""

    async def close(self) -> None:
        """Finish what is under way and let go of the file. May be called again."""


class RatingStore(Protocol):
    """How people stand in games; part of a `Store`."""

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """How somebody stands in a game with so many seats."""

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """Up to `limit` rows of one person, by game and seats."""

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """Rows of a list: from the `first`-th (from 0) the next `count`, the best first.

        Equal scores stand by person. Costs what is passed over and what is shown.
        """

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """How many on a list have a higher score; counted up to `most`."""

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """Put these in place of all ratings that there are, in one commit. Raises `NotSaved`."""

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """Up to `limit` streams whose names begin like this and come after `after`, in order."""


class Store(Journal, RatingStore, Protocol):
    """A journal with the rows beside it. Every read raises `NotRead` when the file cannot."""

    async def room(self, stream: StreamId) -> Summary | None:
        """One room's row, closed ones too."""

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """The room whose live invite has this hash."""

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """Up to `limit` rooms where a person sits or is host, newest first; no closed ones."""

    async def window(self, window: Window) -> Page:
        """A page of listed rooms."""

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """Set the rows' `at`, where it is earlier: rooms with people in them stay open.

        Streams without a row are left alone. Raises `NotSaved`, when some may have been touched.
        """

    async def person(self, person: str) -> PersonRow | None:
        """Somebody by his id; None also when his name went to somebody else."""

    async def person_named(self, key: str) -> PersonRow | None:
        """Whose name has this unique shape, however long he has been away."""

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """Who has a token with this hash."""

    async def counts(self) -> Mapping[str, int]:
        """How many rows there are: "rooms", "people", and "listed.PHASE" for each phase.

        Closed rooms are among them, phases without any are not. Costs the same however many.
        """

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """Up to `limit` things that are to be sent by now (milliseconds), soonest first.

        Of several nodes over one store one gets each of them, as long as it lives.
        """

    async def settle(self, gone: Sequence[str], later: Sequence[Outgoing]) -> None:
        """Take from the outbox what was sent, by id, and put off the rest. Raises `NotSaved`."""

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """Up to `limit` rooms whose deadline is not after `now` (milliseconds), soonest first."""


class WholeStore(Store, Protocol):
    """A store of which all can be had, page by page, by which one becomes another one."""

    async def people_after(self, person: str, limit: int) -> list[PersonRow]:
        """Up to `limit` people whose ids come after this one, by id."""

    async def ratings_after(self, key: RatingKey | None, limit: int) -> list[RatingRow]:
        """Up to `limit` ratings whose keys come after this one, by key; None: from the first."""
