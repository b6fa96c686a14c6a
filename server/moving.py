"""From one store into another: everything in it, compared at the end, room by room.

Entries go over as they are, with the rows that are true with them, a page of streams at a time, so
it costs the memory of one page. Whatever is there already is passed over: who was interrupted goes
on with the same call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bluebear.rules.core.refusal import Refusal
from bluebear.server.room.fold_context import Games
from bluebear.server.room.snapshot import dump_room
from bluebear.server.rooms.loading import read_room
from bluebear.server.store import (
    Append,
    Duplicate,
    Entry,
    Fenced,
    JournalError,
    PersonRow,
    RatingRow,
    Store,
    StreamId,
    Written,
    outbox,
    people,
    person_stream,
    ratings,
    rooms,
    streams,
)
from bluebear.server.store.types import INTEGER_MAX

PAGE: Final = 256
"""Streams that are held at once, and written side by side: a commit takes one entry of each."""

_PEOPLE: Final = 1_000
_OUTBOX: Final = 1_000_000
"""More is never waiting: senders give up long before."""


class Differs(JournalError):
    """What was moved is not what it was; `what` says where the first difference is."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is another one there")
        self.what = what


@dataclass(slots=True)
class Moved:
    """How much has been moved or compared so far; owned by a `Move`."""

    streams: int = 0
    entries: int = 0
    rooms: int = 0


Told = Callable[[Moved], None]
"""Is told after each page."""


async def is_empty(store: Store) -> bool:
    """Whether nobody has written anything there. Raises NotRead."""
    counts = await store.read(rooms.counts)
    return not any(counts.values()) and not await store.read(streams.names, "", "", 1)


async def move(source: Store, target: Store, told: Told) -> Moved:
    """Write all that the source has into the target, where it is not there yet.

    Raises `Differs` where something else is there, NotRead, and NotSaved.
    """
    moved = Moved()
    async for page in _pages(source):
        await _move_page(source, target, page, moved)
        told(moved)
    await target.write(ratings.replace_all, [row async for row in _ratings(source)])
    await target.write(outbox.settle, (), await source.outbox(INTEGER_MAX, _OUTBOX))
    return moved


async def compare(source: Store, target: Store, games: Games, told: Told) -> Moved:
    """See that the target has what the source has; rooms are folded from both.

    Raises `Differs` and NotRead.
    """
    seen = Moved()
    async for page in _pages(source):
        for stream in page:
            entries = await source.read(streams.load, stream)
            if entries != await target.read(streams.load, stream):
                raise Differs(stream)
            snapshot = await target.read(streams.snapshot, stream)
            if await source.read(streams.snapshot, stream) != snapshot:
                raise Differs(f"the snapshot of {stream}")
            row = await source.read(rooms.room, stream)
            if row != await target.read(rooms.room, stream):
                raise Differs(f"the row of {stream}")
            if row is not None:
                if await _digest(source, games, stream) != await _digest(target, games, stream):
                    raise Differs(f"the room {stream}")
                seen.rooms += 1
            seen.streams += 1
            seen.entries += len(entries)
        told(seen)
    await _compare_rows(source, target)
    return seen


async def _compare_rows(source: Store, target: Store) -> None:
    async for person in _people(source):
        if person != await target.read(people.person, person.id):
            raise Differs(f"the row of {person.id}")
    async for rating in _ratings(source):
        if rating != await target.read(ratings.read, rating.key):
            raise Differs(f"the rating of {rating.person}")
    ours, theirs = [await each.outbox(INTEGER_MAX, _OUTBOX) for each in (source, target)]
    if ours != theirs:
        raise Differs("what waits to be sent")
    if dict(await source.read(rooms.counts)) != dict(await target.read(rooms.counts)):
        raise Differs("the number of rooms or people")


async def _digest(store: Store, games: Games, room: StreamId) -> bytes:
    """A room as it is after all its entries; empty where nobody can read it here."""
    try:
        loaded = await read_room(store, games, room)
    except Refusal:
        return b""
    return b"" if loaded is None else dump_room(loaded.room, games)


async def _move_page(source: Store, target: Store, page: Sequence[StreamId], moved: Moved) -> None:
    waiting: list[list[Append]] = []
    for stream in page:
        entries = await source.read(streams.load, stream)
        waiting.append(await _with_rows(source, stream, entries))
        moved.entries += len(entries)
    while any(waiting):
        # One of each stream, so that a commit takes many and none of them waits for another.
        batch = [appends.pop(0) for appends in waiting if appends]
        for append, answer in zip(batch, await target.append(batch), strict=True):
            entry = append.entry
            match answer:
                case Written():
                    pass
                case Fenced(head) if head >= entry.seq:
                    pass
                case Duplicate(stream, seq) if (stream, seq) == (entry.stream, entry.seq):
                    pass
                case JournalError():
                    raise answer
                case _:
                    raise Differs(entry.stream)
    for stream in page:
        snapshot = await source.read(streams.snapshot, stream)
        if snapshot is not None:
            await target.write(streams.save_snapshot, snapshot)
    moved.streams += len(page)


async def _with_rows(source: Store, stream: StreamId, entries: Sequence[Entry]) -> list[Append]:
    """The entries of a stream, each with the row that is true since then, if that is still so."""
    summary = await source.read(rooms.room, stream)
    person = None
    if stream.startswith(_PERSON):
        person = await source.read(people.person, stream.removeprefix(_PERSON))
    return [
        Append(
            entry,
            summary if summary is not None and summary.seq == entry.seq else None,
            person if person is not None and person.seq == entry.seq else None,
        )
        for entry in entries
    ]


_PERSON: Final = person_stream("")


async def _pages(store: Store) -> AsyncIterator[list[StreamId]]:
    page = await store.read(streams.names, "", "", PAGE)
    while page:
        yield page
        page = await store.read(streams.names, "", page[-1], PAGE)


async def _people(store: Store) -> AsyncIterator[PersonRow]:
    page = await store.read(people.after, "", _PEOPLE)
    while page:
        for row in page:
            yield row
        page = await store.read(people.after, page[-1].id, _PEOPLE)


async def _ratings(store: Store) -> AsyncIterator[RatingRow]:
    page = await store.read(ratings.after, None, _PEOPLE)
    while page:
        for row in page:
            yield row
        page = await store.read(ratings.after, page[-1].key, _PEOPLE)
