"""The store as its callers have it: entries are appended, rows are read and written by functions.

`read` and `write` take a function of a connection that stands beside its table, and its arguments:
`store.read(rooms.window, window)`. What is new of a group of moves is stored immediately; all else
is judged in a transaction by what is stored. Whenever a job did not end well the database is in
doubt: before anything is answered, and before anything else is done, it is recovered, and what
became of the group is read back by its bytes. When the sync itself fails and the process dies
before its next commit, a commit that was answered `NotSaved` may be there at the next opening: a
client that repeats it gets a `Duplicate`, and nothing that was answered `Written` is touched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Protocol, TypeAlias, TypeVar

from sqlalchemy import Connection

from bluebear.server.runtime import fail_point
from bluebear.server.store import outbox, people, ratings, rooms, streams
from bluebear.server.store.judge import AppendState, Judged, Packed, judge, settle
from bluebear.server.store.schema import ALONE
from bluebear.server.store.types import (
    Answer,
    Append,
    Deposed,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Written,
)

ATTEMPTS: Final = 5
"""So often a transaction is tried."""

RETRY_SECONDS: Final = 0.1
"""Between two tries to reach a database that is away."""

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Query: TypeAlias = Callable[[Connection], _T]

Job: TypeAlias = Callable[[], _T]
"""What a store has done in its turn."""


class Database(Protocol):
    """One connection to a database, used by one job at a time. Calls raise what `failed` lists.

    That of a file is never lost, and no other node writes to it.
    """

    connection: Connection
    failed: tuple[type[Exception], ...]
    """What is raised when something did not end well."""
    is_ending: bool = False
    """Whether the end of its newest transaction was requested."""

    def is_conflict(self, error: Exception) -> bool:
        """Whether it has refused what was there already, or has just been: nothing is stored."""
        return False

    def is_lost(self) -> bool:
        """Whether there is no connection to the database any more."""
        return False

    def begin(self) -> None:
        """Begin a transaction that writes. Raises Deposed when this node may not."""

    def commit(self) -> None:
        """End it; what it has written is synced."""

    def rollback(self) -> None:
        """End it, with nothing written."""

    def transact(self, job: Job[_T]) -> _T:
        """The result of a job in a transaction; again where other nodes write the same rows.

        Raises NotSaved where they do so time and again: nothing is written.
        """
        for _ in range(ATTEMPTS):
            self.is_ending = False
            self.begin()
            try:
                result = job()
                self.is_ending = True
                self.commit()
            except Exception as error:
                has_failed = isinstance(error, self.failed)
                if has_failed and not self.is_conflict(error):
                    raise
                self.rollback()
                if not has_failed:
                    raise
            else:
                return result
        raise NotSaved("other nodes write the same at the same time")

    def recover(self) -> None:
        """Make sure that nothing is under way, whatever has happened before."""

    def append(self, batch: Sequence[Append]) -> Sequence[int] | None:
        """Store a group of moves in a transaction of its own, without judging it.

        Returns the places of those that are stored, or None: it was not tried, since the group has
        rows, or a stream or a client id twice. One that does not follow its stream's newest entry,
        or whose client id is there, is not stored.
        """

    def insert(self, group: Sequence[Packed]) -> None:
        """Store entries that were judged, in the transaction; a repeated client id conflicts."""

    def look_up(self, batch: Sequence[Append]) -> AppendState:
        """What is stored of all that the batch speaks of."""

    def close(self) -> None:
        """Close the connection."""


class Runner(Protocol):
    """Runs the jobs of a store, which come one after the other."""

    def __call__(self, job: Job[_T]) -> Coroutine[object, object, _T]:
        """What the job returns or raises; ends, or is cancelled, only when the job has ended."""


async def ended(job: asyncio.Future[_T]) -> _T:
    """What a job returns or raises; ends, or is cancelled, only when the job has ended."""
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        while not job.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([job])
        raise


class Store:
    """Streams of entries and the rows beside them; owned by a process, closed once.

    It owns its database. A row is written in the commit of the entry that makes it
    true, so what is read is true of the entries at any time, also after a crash. Reads raise
    `NotRead`, writes `NotSaved`.
    """

    settings: Mapping[str, str | int] = {}
    """What makes `Written` true, as read back at opening."""
    behind: NotOpened | None = None
    """What is missing, where an older file was accepted at opening."""
    writer = ALONE
    """The node that writes here."""
    patience = 0.0
    """For how long (seconds) what is requested waits for a database that is away."""

    def __init__(self, database: Database, runner: Runner, *, is_open: bool = True) -> None:
        self._database = database
        self._run = runner
        # One job at a time. Where commits and queries wait they take turns, since of each kind only
        # the first one waits for the turn. In one queue the moves of all rooms, which are one
        # commit, would wait for each person's queries.
        self._turn, self._first_commit, self._first_query = (asyncio.Lock() for _ in range(3))
        self._in_doubt = not is_open
        self._until: float | None = -1.0
        """Until when (loop time) the database is waited for; None: it is there."""
        self._closed = False

    async def open(self) -> None:
        """Become able to read and write; without it the first call does. Raises NotOpened."""
        async with self._first_query, self._turn:
            self._check_open()
            try:
                await self._run(self.sure)
            except self._database.failed as error:
                raise NotOpened("journal_unusable", reason_of(error)) from error
            self._until = None

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Store the entries in one synced commit and answer each, in the batch's order.

        One entry never fails its batch. Several entries of one stream may come in one batch when
        they follow each other. The rows of the written entries are stored with them.
        """
        async with self._first_commit, self._turn:
            self._check_open()
            group = _Batch(self, batch)
            answers = await self._run(group.answer)
            while group.is_cut_off and await self._waits():
                answers = await self._run(group.answer)
            self._until = self._until if group.is_cut_off else None
            return answers

    async def read(
        self, query: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        """The result of a query, a function of this package over a connection."""
        return await self._in_turn(self._read, lambda connection: query(connection, *args, **more))

    async def write(
        self, change: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        """The result of a change, which is made in a transaction of its own."""
        return await self._in_turn(
            self._write, lambda connection: change(connection, *args, **more)
        )

    async def copy_to(self, target: Path) -> int:
        """Copy the store of one moment into one file, beside whatever else is done; one at a time.

        Returns the size of the file. Raises JournalError.
        """
        raise JournalError(f"not copied to {target}: a database is copied by pg_dump")

    async def close(self) -> None:
        """Finish what has been started and close the database. May be called again."""
        async with self._first_query, self._turn:
            if not self._closed:
                self._closed = True
                await self._run(self._database.close)

    def _check_open(self) -> None:
        if self._closed:
            raise JournalError("the store is closed")

    async def _in_turn(self, do: Callable[[_Query[_T]], _T], job: _Query[_T]) -> _T:
        """Run a job, again while the database is away and nothing was done. Raises what it does."""
        async with self._first_query, self._turn:
            self._check_open()
            while True:
                try:
                    result = await self._run(lambda: do(job))
                except JournalError as error:
                    is_final = error.is_deposed or not getattr(error, "certain", True)
                    if is_final or not self._database.is_lost() or not await self._waits():
                        raise
                else:
                    self._until = None
                    return result

    async def _waits(self) -> bool:
        """Wait a moment for a database that is away; False if it has been for too long."""
        loop = asyncio.get_running_loop()
        self._until = self._until or loop.time() + self.patience
        if loop.time() >= self._until:
            return False
        await asyncio.sleep(RETRY_SECONDS)
        return True

    # Jobs.

    def sure(self) -> Database:
        """The database, with nothing under way whose end is unknown."""
        if self._in_doubt:
            self._database.recover()
            self._in_doubt = False
        return self._database

    def doubt(self) -> None:
        """Something did not end well."""
        self._in_doubt = True

    def _read(self, query: _Query[_T]) -> _T:
        try:
            return query(self.sure().connection)
        except self._database.failed as error:
            self.doubt()
            raise NotRead(reason_of(error)) from error
        except (ValueError, JournalError) as error:
            raise NotRead(reason_of(error)) from error

    def _write(self, change: _Query[_T]) -> _T:
        def job() -> _T:
            result = change(self._database.connection)
            fail_point("store.before_write")
            return result

        self._database.is_ending = False
        try:
            result = self.sure().transact(job)
            fail_point("store.after_write")
        except self._database.failed as error:
            self.doubt()
            raise NotSaved(reason_of(error), certain=not self._database.is_ending) from error
        except NotOpened as error:
            raise NotSaved(reason_of(error)) from error
        return result


@dataclass(slots=True)
class _Batch:
    """One append of several entries; a job of its store."""

    store: Store
    batch: Sequence[Append]
    judged: list[Answer] = field(default_factory=list)
    answers: dict[int, Answer] = field(default_factory=dict)
    has_begun: bool = False
    doubts: list[Exception] = field(default_factory=list)
    """Why it is unknown what became of the last try."""
    is_cut_off: bool = False
    """Whether entries are not saved since the database was away: try again."""

    def answer(self) -> list[Answer]:
        """Store what can be stored, and answer each entry; again where it was cut off."""
        if self.doubts:
            answers = self._read_back(self.doubts.pop())
            if self.doubts or not self.is_cut_off:
                return answers
        self.is_cut_off, self.judged = False, []
        try:
            database = self.store.sure()
            if not self.has_begun:
                self.has_begun = True
                for number in database.append(self.batch) or ():
                    self.answers[number] = Written(self.batch[number].entry.seq)
            if len(self.answers) < len(self.batch):
                self._append_judged(database)
        except Exception as error:
            self.store.doubt()
            if not isinstance(error, self._failed):
                raise  # a bug, and what it has begun must not be read as stored
            self.is_cut_off = self.store._database.is_lost()
            return self._read_back(error)
        return [self.answers[number] for number in range(len(self.batch))]

    @property
    def _failed(self) -> tuple[type[Exception], ...]:
        return JournalError, *self.store._database.failed

    @property
    def _left(self) -> list[int]:
        return [number for number in range(len(self.batch)) if number not in self.answers]

    def _append_judged(self, database: Database) -> None:
        """Judge what is left by what is stored, and store what may be."""
        numbers = self._left
        batch = [self.batch[number] for number in numbers]

        def job() -> list[Answer]:
            self.judged = []
            judged = judge(batch, database.look_up(batch))
            if judged.fresh:
                self._store_judged(database, judged)
            return judged.answers

        answers = database.transact(job)
        if self.judged:
            fail_point("store.after_commit")
        self.answers |= zip(numbers, answers, strict=True)

    def _store_judged(self, database: Database, judged: Judged) -> None:
        fail_point("store.before_insert")
        database.insert(judged.fresh)
        self.judged = judged.answers
        if judged.rooms or judged.people:
            fail_point("store.before_rows")
        connection = database.connection
        rooms.write(connection, judged.rooms.values())
        people.write(connection, judged.people)
        outbox.put(connection, [each for append, _ in judged.fresh for each in append.outgoing])
        ratings.write(connection, judged.ratings.values())
        fail_point("store.before_commit")

    def _read_back(self, error: Exception) -> list[Answer]:
        """What the entries get after a failure, by what the database holds now."""
        reason = reason_of(error)
        batch = [self.batch[number] for number in self._left]
        try:
            if isinstance(error, Deposed):
                raise error
            database = self.store.sure()
            state = database.look_up(batch)
            there = [streams.is_stored(database.connection, append) for append in batch]
        except Deposed as deposed:
            self.is_cut_off = False
            return self._rest(deposed)
        except self._failed as second:
            self.store.doubt()
            self.doubts.append(error)
            again = f"{reason}; then {reason_of(second)}"
            return self._rest(NotSaved(again, certain=not self.has_begun))
        answers = settle(batch, self.judged or judge(batch, state).answers, there, state, reason)
        pairs = zip(self._left, answers, strict=True)
        self.answers |= (each for each in pairs if not isinstance(each[1], NotSaved))
        return self._rest(NotSaved(reason))

    def _rest(self, answer: Answer) -> list[Answer]:
        return [self.answers.get(number, answer) for number in range(len(self.batch))]


def reason_of(error: Exception) -> str:
    """An error's text, for logs: without the statement; some have none."""
    error = getattr(error, "orig", None) or error
    return str(error) or type(error).__name__
