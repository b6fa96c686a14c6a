"""What every store must keep of how people stand, as scenes."""

from dataclasses import replace

import pytest

from bluebear.server.store import (
    Append,
    Entry,
    Fenced,
    NotSaved,
    Outrun,
    Ranked,
    RatingRow,
    StreamId,
    Written,
    ratings,
    streams,
)
from tests.server.store.store_contract import AYU, StoreDisk, person
from tests.support import faults

AYU_IN_ITC = RatingRow("p-ayu", "itc", 3, 1, 1_200, b"\x00ayu")
BEN_IN_ITC = RatingRow("p-ben", "itc", 3, 1, 1_100, b"ben")


def record(game: str, *rows: RatingRow) -> Append:
    """The record of a game, with the ratings that it changes."""
    return Append(Entry(StreamId(f"record:{game}"), 1, "server", "", ("x",), {}, 1), ratings=rows)


def again(row: RatingRow, score: int = 1_300) -> RatingRow:
    """The change of a row that comes next."""
    return replace(row, seq=row.seq + 1, score=score)


class RatingContract:
    """Subclasses give the fixture `store_disk`."""

    async def test_ratings_are_stored_with_the_record_also_for_the_next_server(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        assert await store.read(ratings.read, AYU_IN_ITC.key) is None
        assert await store.read(ratings.read_of, "p-ayu", 9) == []
        other = RatingRow("p-ayu", "itc", 2, 1, None, b"")
        batch = [record("g1", AYU_IN_ITC, BEN_IN_ITC), record("g2", other)]
        assert await store.append(batch) == [Written(1), Written(1)]
        for _ in range(2):
            assert await store.read(ratings.read, AYU_IN_ITC.key) == AYU_IN_ITC
            assert await store.read(ratings.read_of, "p-ayu", 9) == [other, AYU_IN_ITC]
            assert await store.read(ratings.read_of, "p-ayu", 1) == [other]
            await store.close()
            store = store_disk()
        await store.close()

    @pytest.mark.parametrize("together", [False, True])
    async def test_of_two_games_that_end_at_once_the_second_learns_of_the_first(
        self, store_disk: StoreDisk, together: bool
    ) -> None:
        store = store_disk()
        first, second = record("g1", AYU_IN_ITC), record("g2", AYU_IN_ITC, BEN_IN_ITC)
        answers = await store.append([first, second]) if together else []
        for each in () if together else (first, second):
            answers += await store.append([each])
        assert answers == [Written(1), Outrun("p-ayu")]
        assert await store.read(ratings.read, BEN_IN_ITC.key) is None
        assert await store.read(streams.load, StreamId("record:g2")) == []
        after = again(AYU_IN_ITC)
        assert await store.append([record("g2", after, BEN_IN_ITC)]) == [Written(1)]
        assert await store.read(ratings.read, AYU_IN_ITC.key) == after
        assert await store.append([record("g3", replace(after, seq=4))]) == [Outrun("p-ayu")]
        await store.close()

    async def test_changes_that_follow_each_other_may_come_in_one_commit(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        after = again(AYU_IN_ITC)
        batch = [record("g1", AYU_IN_ITC), record("g2", after)]
        assert await store.append(batch) == [Written(1), Written(1)]
        assert await store.read(ratings.read, AYU_IN_ITC.key) == after
        await store.close()

    async def test_a_game_is_counted_once(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        await store.append([record("g1", AYU_IN_ITC)])
        assert await store.append([record("g1", again(AYU_IN_ITC))]) == [Fenced(1)]
        assert await store.read(ratings.read, AYU_IN_ITC.key) == AYU_IN_ITC
        await store.close()

    @pytest.mark.parametrize("point", ["store.before_commit", "store.after_commit"])
    async def test_a_commit_that_fails_changes_no_rating_without_its_record(
        self, store_disk: StoreDisk, point: str
    ) -> None:
        store = store_disk()
        await store.append([record("g1", AYU_IN_ITC)])
        faults.arm(point, 1, "raise")
        [answer] = await store.append([record("g2", again(AYU_IN_ITC))])
        stored = point == "store.after_commit"
        assert isinstance(answer, Written if stored else NotSaved)
        assert await store.read(ratings.read, AYU_IN_ITC.key) == (
            again(AYU_IN_ITC) if stored else AYU_IN_ITC
        )
        assert bool(await store.read(streams.load, StreamId("record:g2"))) is stored
        await store.close()

    async def test_a_row_that_no_column_holds_stops_its_record_alone(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        huge = replace(BEN_IN_ITC, score=2**70)
        refused, written = await store.append([record("g1", huge), record("g2", AYU_IN_ITC)])
        assert isinstance(refused, NotSaved)
        assert written == Written(1)
        await store.close()

    async def test_a_list_has_the_best_first_by_windows(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        rows = [
            RatingRow(f"p-{number}", "itc", 3, 1, score, b"")
            for number, score in enumerate((900, 1_100, None, 1_000, 1_100, -5))
        ]
        rest = [replace(rows[0], game="tokai"), replace(rows[0], seats=4)]
        await store.append([person(replace(AYU, id="p-4")), record("g1", *rows, *rest)])
        listed = [Ranked(rows[number], name) for number, name in ((1, ""), (4, "Ayu"))]
        listed += [Ranked(rows[number], "") for number in (3, 0, 5)]
        assert await store.read(ratings.ranked, "itc", 3, 0, 9) == listed
        assert await store.read(ratings.ranked, "itc", 3, 1, 2) == listed[1:3]
        assert await store.read(ratings.ranked, "itc", 3, 9, 9) == []
        assert await store.read(ratings.ranked, "manhattan", 3, 0, 9) == []
        assert await store.read(ratings.better, "itc", 3, 1_000, 9) == 2
        assert await store.read(ratings.better, "itc", 3, 1_100, 9) == 0
        assert await store.read(ratings.better, "itc", 3, -9, 3) == 3
        await store.close()

    async def test_all_ratings_can_be_put_instead_of_those_there_are(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        await store.append([record("g1", AYU_IN_ITC, BEN_IN_ITC)])
        registered = replace(AYU_IN_ITC, seq=7, score=5)
        await store.write(ratings.replace_all, [registered])
        assert await store.read(ratings.read, AYU_IN_ITC.key) == registered
        assert await store.read(ratings.read, BEN_IN_ITC.key) is None
        assert await store.append([record("g2", again(registered))]) == [Written(1)]
        await store.close()

    async def test_streams_are_matched_by_how_they_begin(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        batch = [record(f"g{number}") for number in range(5)]
        await store.append([*batch[2:], person(AYU), *batch[:2]])
        every = [StreamId(f"record:g{number}") for number in range(5)]
        for _ in range(2):
            assert await store.read(streams.names, "record:", "", 9) == every
            assert await store.read(streams.names, "record:", every[1], 2) == every[2:4]
            assert await store.read(streams.names, "records", "", 9) == []
            await store.close()
            store = store_disk()
        await store.close()
