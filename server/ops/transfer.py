"""From one store into another: everything in it, compared at the end, row by row.

All goes over in pages by primary key, entries first, so it costs the memory of one page. An
entry that is there already is passed over: who was interrupted goes on with the same call.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import Table

from bluebear.server.config import Parser, shown_store
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import (
    Append,
    Duplicate,
    Fenced,
    JournalError,
    NotOpened,
    Store,
    Written,
    open_store,
    schema,
)
from bluebear.server.store.backup import JOURNAL, lock_folder
from bluebear.server.store.schema import ENTRY, OUTBOX, ROOM, STORED
from bluebear.server.store.types import unpack

Row: TypeAlias = dict[str, Any]  # Any: the values of columns

PAGE: Final = 1_000
"""Rows that are in memory at once."""

_PAGES_SHOWN: Final = 16
"""So many pages between two lines about how far it is."""


class Differs(JournalError):
    """What was moved is not what it was; `what` names the first row that is different."""

    def __init__(self, table: Table, *rows: Row | None) -> None:
        first = min(schema.key_of(table, row) for row in rows if row is not None)
        self.what = " ".join(map(str, (table.name, *first)))
        super().__init__(f"{self.what} is another one there")


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

    def add(self, table: Table, page: Sequence[Row]) -> None:
        """A page more has been moved or compared."""
        if table is ENTRY:
            self.entries += len(page)
            self.streams += sum(row["seq"] == 1 for row in page)
        self.rooms += len(page) if table is ROOM else 0
        if self.key and self.pages % _PAGES_SHOWN == 0:
            counts = {"streams": self.streams, "entries": self.entries, "rooms": self.rooms}
            print_sentence(0, self.key, **counts)
        self.pages += 1


async def is_empty(store: Store) -> bool:
    """Whether nothing is written there. Raises NotRead."""
    return not any([await store.read(schema.page, table, (), 1) for table in STORED])


async def move(source: Store, target: Store, moved: Moved) -> None:
    """Write all that the source has into the target, where it is not there yet; counted in `moved`.

    Raises `Differs` where another entry is there, NotRead, and NotSaved.
    """
    for table in STORED:
        async for page in _pages(source, table):
            if table is ENTRY:
                await _append(target, page)
            else:
                await target.write(schema.upsert, table, page)
            moved.add(table, page)


async def compare(source: Store, target: Store, seen: Moved) -> None:
    """See that the target has what the source has, and no more; counted in `seen`.

    Raises `Differs` and NotRead.
    """
    for table in STORED:
        there = _pages(target, table)
        async for page in _pages(source, table):
            for ours, theirs in zip_longest(page, await anext(there)):
                if ours != theirs:
                    raise Differs(table, ours, theirs)
            seen.add(table, page)


async def _append(target: Store, page: Sequence[Row]) -> None:
    entries = [unpack(row["stream"], row["seq"], row["body"]) for row in page]
    answers = await target.append([Append(entry) for entry in entries])
    for row, entry, answer in zip(page, entries, answers, strict=True):
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
                raise Differs(ENTRY, row)


async def _pages(store: Store, table: Table) -> AsyncIterator[list[Row]]:
    """The rows of a table by their keys; the last page is empty."""
    after: tuple[object, ...] = ()
    while page := await store.read(schema.page, table, after, PAGE):
        for row in page:
            if table is OUTBOX:
                row["sender"] = None  # a node of the other store
        yield page
        after = schema.key_of(table, page[-1])
    yield page


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
    if "://" not in source and not (Path(source) / JOURNAL).is_file():
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
        await compare(source, target, seen)
    except Differs as problem:
        return print_sentence(FAILED, "migrate.differs", **shown, what=problem.what)
    except JournalError as problem:
        print(problem, file=sys.stderr)
        return print_sentence(FAILED, "migrate.failed", **shown)
    return print_sentence(0, "migrate.done", **shown, entries=seen.entries, rooms=seen.rooms)


async def _opened(address: str, stack: AsyncExitStack) -> Store:
    """The store there, this process's alone until the stack ends. Raises NotOpened and OSError."""
    data, url = Path(address), address if "://" in address else ""
    if not url:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)  # noqa: ASYNC240  # nothing else runs
        stack.enter_context(lock_folder(data))
    store = await open_store(data, url)
    stack.push_async_callback(store.close)
    return store
