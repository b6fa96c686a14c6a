"""What the ratings read from the store; `bluebear ratings` compares and stores them anew."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bluebear.server.config import DEFAULT_DATA, Parser
from bluebear.server.features.ratings.model import RatedRecord, rated_record, rating_of, replayed
from bluebear.server.limits import TOP_COUNTED
from bluebear.server.room.rated_games import RatedGame
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import (
    RECORD_PREFIX,
    JournalError,
    NotOpened,
    Ranked,
    RatingKey,
    RatingRow,
    Store,
    open_store,
    people,
    ratings,
    streams,
)
from bluebear.server.store.backup import JOURNAL, lock_folder

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of the ranking of a game with `seats`: rows from `first` (from 0) on, above which
    `above` have more points.

    `caller` is the row of the caller. `above_caller` counts those with more points; None where
    that was not counted, or the caller is not listed.
    """

    seats: int
    first: int
    rows: tuple[Ranked, ...]
    above: int
    caller: RatingRow | None
    above_caller: int | None


async def rows_before(store: Store, game: RatedGame) -> dict[str, RatingRow | None]:
    """The rows that a game changes, as they are now. Raises JournalError."""
    stored = await store.read(ratings.read_each, [*map(game.key, game.concerned)])
    return {person: stored.get(game.key(person)) for person in game.concerned}


async def read_ranking(
    store: Store, game: str, seats: int, rows: range, caller: RatingRow | None, *, counts: bool
) -> Ranking:
    """Some rows of a ranking; `counts`: the rank of the caller's row, too. Raises JournalError."""
    ranked = await store.read(ratings.ranked, game, seats, rows.start, len(rows))
    above, above_caller = 0, None
    if rows.start and ranked:
        above = await store.read(ratings.better, game, seats, ranked[0].row.score or 0, TOP_COUNTED)
    if counts and caller is not None and caller.score is not None:
        count = await store.read(ratings.better, game, seats, caller.score, TOP_COUNTED)
        above_caller = count if count < TOP_COUNTED else None
    return Ranking(seats, rows.start, tuple(ranked), above, caller, above_caller)


@dataclass(frozen=True, slots=True)
class RatingComparison:
    """What `games` games make: `rows`, those `stored`, and the ids of games that are `lost`.

    Lost is a game that cannot be replayed, since the record of one before it is missing.
    """

    games: int
    rows: Mapping[RatingKey, RatingRow]
    stored: Mapping[RatingKey, RatingRow]
    lost: tuple[str, ...]

    @property
    def different(self) -> tuple[RatingKey, ...]:
        """Where the stored row is another one than the records make, or only one is there."""
        keys = sorted({*self.rows, *self.stored})
        return tuple(key for key in keys if self.rows.get(key) != self.stored.get(key))


async def compare_ratings(store: Store) -> RatingComparison:
    """Replay the rated games of all records, and compare with all rows. Raises NotRead."""
    records: list[RatedRecord] = []
    after = ""
    while page := await store.read(streams.names, RECORD_PREFIX, after, _PAGE):
        after = page[-1]
        for stream in page:
            for entry in await store.read(streams.load, stream):
                record = rated_record(entry, RECORD_PREFIX)
                if record is not None:
                    records.append(record)
    stored: dict[RatingKey, RatingRow] = {}
    last: RatingKey | None = None
    while rows := await store.read(ratings.after, last, _PAGE):
        stored.update((row.key, row) for row in rows)
        last = rows[-1].key
    computed, lost = replayed(records)
    return RatingComparison(len(records), computed, stored, lost)


_SHOWN: Final = 20


def main(argv: Sequence[str]) -> int:
    """Play all rated games of a stopped server again, and compare. `argv[0]` is the command word.

    Returns 0 where all is the same, or has been put right with `--again`; 1 where something
    differs, 2 for a journal that cannot be opened, with a sentence.
    """
    parser = Parser(argv[0], os.environ)
    parser.add("--again", action="store_true")
    parser.setting("data", DEFAULT_DATA, type=Path)
    parser.store()
    given = parser.parse_args(argv[1:])
    folder = str(given.data)
    if not given.data.is_dir() or not (given.store or (given.data / JOURNAL).is_file()):
        return print_sentence(UNUSABLE, "backup.no_journal", path=folder)
    try:
        with lock_folder(given.data):
            return asyncio.run(_recount(given.data, given.store, again=given.again))
    except (JournalError, OSError) as problem:
        print(problem, file=sys.stderr)
        key = "serve.journal_unusable"
        if isinstance(problem, NotOpened):
            if problem.code == "in_use" or problem.is_of_another_version:
                key = f"serve.{problem.code}"
        return print_sentence(UNUSABLE, key, path=folder)


async def _recount(data: Path, url: str, *, again: bool) -> int:
    store = await open_store(data, url)
    try:
        compared = await compare_ratings(store)
        count, rows, different = compared.games, len(compared.rows), compared.different
        if compared.lost:
            games = compared.lost[:_SHOWN]
            return print_sentence(
                FAILED, "records.ratings_lost", count=len(compared.lost), games=games
            )
        if not different:
            return print_sentence(0, "records.ratings_same", count=count, rows=rows)
        for key in different[:_SHOWN]:
            print(await _line(store, compared, key))
        if again:
            await store.write(ratings.replace_all, list(compared.rows.values()))
        done = "records.ratings_written" if again else "records.ratings_differ"
        return print_sentence(0 if again else FAILED, done, count=len(different), rows=rows)
    finally:
        await store.close()


async def _line(store: Store, compared: RatingComparison, key: RatingKey) -> str:
    """`Ken manhattan 2: 1023 (7) -> 1031 (8)`: what is stored and what is right, with the games."""
    person, game, seats = key
    registered = await store.read(people.person, person)
    points = []
    for row in (compared.stored.get(key), compared.rows.get(key)):
        rating = rating_of(row)
        points.append("-" if row is None else f"{rating.points} ({rating.games})")
    return f"{registered.name if registered else person} {game} {seats}: {' -> '.join(points)}"
