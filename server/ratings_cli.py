"""`bluebear ratings`: are the stored ratings those that the records of all rated games make?"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.server.config import DEFAULT_DATA
from bluebear.server.features.ratings.model import rating_of
from bluebear.server.features.ratings.queries import RatingComparison, compare_ratings
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, NotOpened, RatingKey, SqliteStore, people, ratings
from bluebear.server.store.store import Store
from bluebear.server.watch.control import JOURNAL, lock_folder

FAILED: Final = 1
UNUSABLE: Final = 2
_SHOWN: Final = 20


def main(argv: Sequence[str]) -> int:
    """Play all rated games of a stopped server again, and compare. `argv[0]` is the command word.

    Returns 0 where all is the same, or has been put right with `--again`; 1 where something
    differs, 2 for a journal that cannot be opened, with a sentence.
    """
    parser = argparse.ArgumentParser(prog=f"bluebear {argv[0]}")
    default = os.environ.get("BLUEBEAR_DATA", DEFAULT_DATA)
    parser.add_argument("--again", action="store_true", help="store what the records make")
    parser.add_argument("--data", type=Path, default=Path(default))
    parser.add_argument("--store", default=os.environ.get("BLUEBEAR_STORE", ""), metavar="URL")
    given = parser.parse_args(argv[1:])
    place = str(given.data)
    if not given.data.is_dir() or not (given.store or (given.data / JOURNAL).is_file()):
        return _tell(UNUSABLE, "backup.no_journal", path=place)
    lock = lock_folder(given.data)
    if lock is None:
        return _tell(UNUSABLE, "serve.in_use", path=place)
    with lock:
        try:
            return asyncio.run(_recount(given.data, given.store, again=given.again))
        except JournalError as problem:
            print(problem, file=sys.stderr)
            key = "serve.journal_unusable"
            if isinstance(problem, NotOpened) and problem.is_of_another_version:
                key = f"serve.{problem.code}"
            return _tell(UNUSABLE, key, path=place)


async def _open(data: Path, url: str) -> Store:
    if not url:
        return SqliteStore(data / JOURNAL)
    # Its driver is loaded only where it is wanted.
    from bluebear.server.store.postgres import PostgresStore  # noqa: PLC0415

    database = PostgresStore(url)
    await database.open()
    return database


async def _recount(data: Path, url: str, *, again: bool) -> int:
    store = await _open(data, url)
    try:
        found = await compare_ratings(store)
        count, rows, different = found.games, len(found.rows), found.different
        if found.lost:
            games = found.lost[:_SHOWN]
            return _tell(
                FAILED,
                "records.ratings_lost",
                count=len(found.lost),
                games=games,
            )
        if not different:
            return _tell(0, "records.ratings_same", count=count, rows=rows)
        for key in different[:_SHOWN]:
            print(await _line(store, found, key))
        if again:
            await store.write(ratings.replace_all, list(found.rows.values()))
        done = "records.ratings_written" if again else "records.ratings_differ"
        return _tell(0 if again else FAILED, done, count=len(different), rows=rows)
    finally:
        await store.close()


async def _line(store: Store, found: RatingComparison, key: RatingKey) -> str:
    """`Ken manhattan 2: 1023 (7) -> 1031 (8)`: what is stored and what is right, with the games."""
    person, game, seats = key
    known = await store.read(people.person, person)
    told = []
    for row in (found.stored.get(key), found.rows.get(key)):
        rating = rating_of(row)
        told.append("-" if row is None else f"{rating.points} ({rating.games})")
    return f"{person if known is None else known.name} {game} {seats}: {' -> '.join(told)}"


def _tell(code: int, key: str, **params: object) -> int:
    for lang in LANGS:
        print(say(key, lang, None, **params), file=sys.stderr if code else sys.stdout)
    return code
