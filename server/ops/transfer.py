"""From one store into another: everything in it, compared at the end, room by room.

Entries go over as they are, with the rows that are true with them, a page of streams at a time, so
it costs the memory of one page. Whatever is there already is passed over: who was interrupted goes
on with the same call.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bluebear.rules import games
from bluebear.rules.core.refusal import Refusal
from bluebear.server.config import Parser, shown_store
from bluebear.server.room.fold_context import Games
from bluebear.server.room.snapshot import dump_room
from bluebear.server.rooms.loading import read_room
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import (
    Append,
    Duplicate,
    Entry,
    Fenced,
    JournalError,
    NotOpened,
    PersonRow,
    RatingKey,
    RatingRow,
    Store,
    StreamId,
    Written,
    open_store,
    outbox,
    people,
    person_stream,
    ratings,
    rooms,
    streams,
)
from bluebear.server.store.backup import JOURNAL, lock_folder
from bluebear.server.store.types import INTEGER_MAX

PAGE: Final = 256
"""Streams that are held at once, and written side by side: a commit takes one entry of each."""

_PAGES_SHOWN: Final = 16
"""So many pages between two lines about how far it is: 4,096 streams."""
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
    """How much has been moved or compared so far; owned by the caller.

    `key` is the sentence that says so every few pages, "" for none.
    """

    key: str = ""
    streams: int = 0
    entries: int = 0
    rooms: int = 0
    pages: int = 0

    def end_page(self) -> None:
        """A page more has been moved or compared."""
        if self.key and self.pages % _PAGES_SHOWN == 0:
            counts = {"streams": self.streams, "entries": self.entries, "rooms": self.rooms}
            print_sentence(0, self.key, **counts)
        self.pages += 1


async def is_empty(store: Store) -> bool:
    """Whether nothing is written there. Raises NotRead."""
    counts = await store.read(rooms.counts)
    return not any(counts.values()) and not await store.read(streams.names, "", "", 1)


async def move(source: Store, target: Store, moved: Moved) -> None:
    """Write all that the source has into the target, where it is not there yet; counted in `moved`.

    Raises `Differs` where something else is there, NotRead, and NotSaved.
    """
    async for page in _pages(source):
        await _move_page(source, target, page, moved)
        moved.end_page()
    await target.write(ratings.replace_all, [row async for row in _ratings(source)])
    await target.write(outbox.settle, (), await source.read(outbox.read, INTEGER_MAX, _OUTBOX))


async def compare(source: Store, target: Store, games: Games, seen: Moved) -> None:
    """See that the target has what the source has; rooms are folded from both, counted in `seen`.

    Raises `Differs` and NotRead.
    """
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
        seen.end_page()
    await _compare_rows(source, target)


async def _compare_rows(source: Store, target: Store) -> None:
    async for person in _people(source):
        if person != await target.read(people.person, person.id):
            raise Differs(f"the row of {person.id}")
    async for rating in _ratings(source):
        if rating != await target.read(ratings.read, rating.key):
            raise Differs(f"the rating of {rating.person}")
    ours, theirs = [await each.read(outbox.read, INTEGER_MAX, _OUTBOX) for each in (source, target)]
    if ours != theirs:
        raise Differs("what waits to be sent")
    if dict(await source.read(rooms.counts)) != dict(await target.read(rooms.counts)):
        raise Differs("the number of rooms or people")


async def _digest(store: Store, games: Games, room: StreamId) -> bytes:
    """A room as it is after all its entries; empty where it cannot be read here."""
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
    after = ""
    while page := await store.read(streams.names, "", after, PAGE):
        yield page
        after = page[-1]


async def _people(store: Store) -> AsyncIterator[PersonRow]:
    after = ""
    while page := await store.read(people.after, after, _PEOPLE):
        for row in page:
            yield row
        after = page[-1].id


async def _ratings(store: Store) -> AsyncIterator[RatingRow]:
    after: RatingKey | None = None
    while page := await store.read(ratings.after, after, _PEOPLE):
        for row in page:
            yield row
        after = page[-1].key


def main(argv: Sequence[str]) -> int:
    """Copy a store into another one and compare both. `argv[0]` is the command word.

    A store is a data folder or a database's URL. Returns 0; 1 if it went wrong, 2 for a store that
    does not do, with a sentence.
    """
    parser = Parser(argv[0], os.environ)
    address = parser.address("var, ", "[^@:=]+")
    parser.add("source", metavar="FROM", type=address)
    parser.add("target", metavar="TO", type=address)
    parser.add("--resume", action="store_true")
    given = parser.parse_args(argv[1:])
    return asyncio.run(_migrate(given.source, given.target, resume=given.resume))


async def _migrate(source: str, target: str, *, resume: bool) -> int:
    addresses = {"source": source, "target": target}
    if not _is_url(source) and not (Path(source) / JOURNAL).is_file():
        return print_sentence(UNUSABLE, "backup.no_journal", path=source)
    async with AsyncExitStack() as stack:
        opened: list[Store] = []
        for address in (source, target):
            try:
                opened.append(await _opened(address, stack))
            except (OSError, NotOpened) as problem:
                print(problem, file=sys.stderr)
                shown = shown_store(address)
                return print_sentence(UNUSABLE, _why_not(problem), path=shown, place=shown)
        return await _move(opened[0], opened[1], addresses, resume=resume)


def _why_not(problem: OSError | NotOpened) -> str:
    """The key of the sentence for a store that does not do."""
    if isinstance(problem, NotOpened):
        if problem.is_of_another_version:
            return f"serve.{problem.code}"
        if problem.code in ("in_use", "journal_in_use"):
            return "migrate.in_use"
    return "migrate.not_opened"


async def _move(source: Store, target: Store, addresses: dict[str, str], *, resume: bool) -> int:
    shown = {name: shown_store(address) for name, address in addresses.items()}
    seen = Moved("migrate.comparing")
    try:
        if not resume and not await is_empty(target):
            return print_sentence(UNUSABLE, "migrate.not_empty", **shown)
        await move(source, target, Moved("migrate.moving"))
        await compare(source, target, games(), seen)
    except Differs as problem:
        return print_sentence(FAILED, "migrate.differs", **shown, what=problem.what)
    except JournalError as problem:
        print(problem, file=sys.stderr)
        return print_sentence(FAILED, "migrate.failed", **shown)
    return print_sentence(0, "migrate.done", **shown, entries=seen.entries, rooms=seen.rooms)


async def _opened(address: str, stack: AsyncExitStack) -> Store:
    """The store there, this process's alone until the stack ends. Raises NotOpened and OSError."""
    data, url = Path(address), address if _is_url(address) else ""
    if not url:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)  # noqa: ASYNC240  # nothing else runs
        stack.enter_context(lock_folder(data))
    store = await open_store(data, url)
    stack.push_async_callback(store.close)
    return store


def _is_url(address: str) -> bool:
    return "://" in address
