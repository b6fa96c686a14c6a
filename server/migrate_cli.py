"""`bluebear migrate FROM TO`: everything of a stopped server into another store, and compared."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bluebear.rules import games
from bluebear.rules.core.phrases import LANGS
from bluebear.server.moving import Differs, Moved, compare, is_empty, move
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, NotOpened, SqliteStore, Store
from bluebear.server.watch.control import JOURNAL, lock_folder

FAILED: Final = 1
UNUSABLE: Final = 2

_PAGES_TOLD: Final = 16
"""So many pages between two lines about how far it is: 4,096 streams."""


def main(argv: Sequence[str]) -> int:
    """Copy a store into another one and compare both. `argv[0]` is the command word.

    A store is a data folder or a database's URL. Returns 0; 1 if it went wrong, 2 for a store that
    does not do, with a sentence.
    """
    parser = argparse.ArgumentParser(prog=f"bluebear {argv[0]}")
    parser.add_argument("source", metavar="FROM", help="a data folder, or postgresql://...")
    parser.add_argument("target", metavar="TO", help="the same, with nothing in it")
    parser.add_argument("--resume", action="store_true", help="go on with a copy that was begun")
    given = parser.parse_args(argv[1:])
    return asyncio.run(_migrate(given.source, given.target, resume=given.resume))


async def _migrate(source: str, target: str, *, resume: bool) -> int:
    places = {"source": source, "target": target}
    if not _is_url(source) and not (Path(source) / JOURNAL).is_file():
        return _tell("backup.no_journal", UNUSABLE, path=source)
    with ExitStack() as locks:
        opened: list[Store] = []
        try:
            for place in (source, target):
                try:
                    opened.append(await _opened(place, locks))
                except NotOpened as problem:
                    print(problem, file=sys.stderr)
                    if problem.is_of_another_version:
                        return _tell(f"serve.{problem.code}", UNUSABLE, path=_shown(place))
                    in_use = problem.code == "journal_in_use"
                    key = "migrate.in_use" if in_use else "migrate.not_opened"
                    return _tell(key, UNUSABLE, place=_shown(place))
            found, made = opened
            return await _move(found, made, places, resume=resume)
        finally:
            for store in opened:
                await store.close()


async def _move(source: Store, target: Store, places: dict[str, str], *, resume: bool) -> int:
    shown = {name: _shown(place) for name, place in places.items()}
    try:
        if not resume and not await is_empty(target):
            return _tell("migrate.not_empty", UNUSABLE, **shown)
        await move(source, target, _Progress("migrate.moving"))
        seen = await compare(source, target, games(), _Progress("migrate.comparing"))
    except Differs as problem:
        return _tell("migrate.differs", FAILED, **shown, what=problem.what)
    except JournalError as problem:
        print(problem, file=sys.stderr)
        return _tell("migrate.failed", FAILED, **shown)
    return _tell("migrate.done", 0, **shown, entries=seen.entries, rooms=seen.rooms)


async def _opened(place: str, locks: ExitStack) -> Store:
    """The store there, which nobody else has open from now on. Raises NotOpened."""
    if _is_url(place):
        # Its driver is loaded only where it is wanted.
        from bluebear.server.store.postgres import PostgresStore  # noqa: PLC0415

        database = PostgresStore(place)
        await database.open()
        return database
    return _opened_folder(Path(place), locks)


def _opened_folder(data: Path, locks: ExitStack) -> Store:
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = lock_folder(data)
    if lock is None:
        raise NotOpened("journal_in_use", f"{data} is a running server's")
    locks.enter_context(lock)
    return SqliteStore(data / JOURNAL)


class _Progress:
    """Says now and then how far it is."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._pages = 0

    def __call__(self, moved: Moved) -> None:
        if self._pages % _PAGES_TOLD == 0:
            _tell(
                *(self._key, 0),
                streams=moved.streams,
                entries=moved.entries,
                rooms=moved.rooms,
            )
        self._pages += 1


def _is_url(place: str) -> bool:
    return place.startswith(("postgresql://", "postgres://"))


def _shown(place: str) -> str:
    """A store as it may be shown: without the password, if its URL has one."""
    if not _is_url(place):
        return place
    found = urlsplit(place)
    return f"{found.scheme}://{found.netloc.rpartition('@')[2]}{found.path}"


def _tell(key: str, code: int, **facts: str | int) -> int:
    stream = sys.stderr if code else sys.stdout
    for lang in LANGS:
        print(say(key, lang, None, **facts), file=stream)
    return code
