"""What every journal must keep, as scenes; each implementation's test file runs them all."""

import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from bluebear.server.store import (
    Answer,
    Append,
    Duplicate,
    Entry,
    Fenced,
    Json,
    NotSaved,
    Snapshot,
    Store,
    StreamId,
    Summary,
    Written,
    streams,
)
from tests.support import faults, stored_rows

Disk: TypeAlias = Callable[[], Store]
"""Opens a journal on one and the same storage, each time as a new server would."""

ROOM = StreamId("r1")
OTHER = StreamId("r2")
POINTS = ("store.before_insert", "store.before_commit", "store.after_commit")


def entry(
    seq: int,
    client_id: str = "",
    *,
    stream: StreamId = ROOM,
    actor: str = "p:ayu",
    facts: dict[str, Json] | None = None,
) -> Entry:
    return Entry(stream, seq, actor, client_id, (f"/say {seq}",), facts or {}, 1000 + seq, "")


def line(seq: int, client_id: str = "", *, stream: StreamId = ROOM, actor: str = "p:ayu") -> Append:
    return Append(entry(seq, client_id, stream=stream, actor=actor))


def summed(seq: int, body: bytes, deadline: int | None = None) -> Append:
    return Append(entry(seq), Summary(ROOM, seq, body, deadline))


def kinds(answers: list[Answer]) -> list[str]:
    return [type(answer).__name__ for answer in answers]


class JournalContract:
    """Subclasses give the fixture `disk`."""

    @pytest.fixture(autouse=True)
    def disarmed(self) -> Iterator[None]:
        faults.disarm()
        yield
        faults.disarm()

    async def test_an_entry_returns_as_it_was(self, disk: Disk) -> None:
        journal = disk()
        sent = Entry(
            ROOM,
            1,
            "p:ayu",
            "id-1",
            ("/go L P", "/go P K"),
            {"seed": "9f", "ids": [1, 2**53], "open": True, "by": None, "日本": "語"},
            1_800_000_000_000,
            "cafe",
        )
        assert await journal.append([Append(sent)]) == [Written(1)]
        assert await journal.read(streams.load, ROOM) == [sent]
        await journal.close()

    async def test_a_stream_that_was_never_written_is_empty(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.read(streams.load, ROOM) == []
        assert await journal.read(streams.snapshot, ROOM) is None
        assert await journal.read(streams.find, "p:ayu", "id-1") is None
        assert await journal.read(stored_rows.all_rooms) == []
        await journal.close()

    async def test_an_empty_batch_has_no_answers(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([]) == []
        await journal.close()

    async def test_entries_of_one_stream_may_share_a_batch(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([line(1), line(2), line(3)]) == [
            Written(1),
            Written(2),
            Written(3),
        ]
        assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1, 2, 3]
        await journal.close()

    async def test_streams_are_counted_apart(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([line(1), line(1, stream=OTHER), line(2)]) == [
            Written(1),
            Written(1),
            Written(2),
        ]
        assert [one.stream for one in await journal.read(streams.load, OTHER)] == [OTHER]
        await journal.close()

    async def test_loading_may_begin_after_an_entry(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([line(seq) for seq in range(1, 6)])
        assert [one.seq for one in await journal.read(streams.load, ROOM, after=3)] == [4, 5]
        assert await journal.read(streams.load, ROOM, after=5) == []
        await journal.close()

    async def test_a_second_entry_of_one_number_is_fenced(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([line(1), line(2)])
        assert await journal.append([line(2)]) == [Fenced(2)]
        assert len(await journal.read(streams.load, ROOM)) == 2
        await journal.close()

    async def test_a_gap_is_fenced_and_the_batch_continues(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([line(1), line(3), line(2), line(1, stream=OTHER)]) == [
            Written(1),
            Fenced(1),
            Written(2),
            Written(1),
        ]
        await journal.close()

    async def test_a_repeated_client_id_says_where_the_first_one_stands(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([line(1, "a"), line(2, "b")])
        assert await journal.append([line(3, "a")]) == [Duplicate(ROOM, 1)]
        assert await journal.append([line(1, "b", stream=OTHER)]) == [Duplicate(ROOM, 2)]
        assert await journal.read(streams.load, OTHER) == []
        await journal.close()

    async def test_a_client_id_repeated_within_a_batch_is_written_once(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([line(1, "a"), line(2, "a")]) == [
            Written(1),
            Duplicate(ROOM, 1),
        ]
        await journal.close()

    async def test_a_repetition_is_recognised_before_a_wrong_number(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([line(1, "a")])
        assert await journal.append([line(1, "a")]) == [Duplicate(ROOM, 1)]
        await journal.close()

    async def test_two_people_may_use_the_same_client_id(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([line(1, "a"), line(2, "a", actor="p:ben")]) == [
            Written(1),
            Written(2),
        ]
        assert await journal.read(streams.find, "p:ben", "a") == (ROOM, 2)
        await journal.close()

    async def test_entries_without_a_client_id_are_never_repetitions(self, disk: Disk) -> None:
        journal = disk()
        assert await journal.append([line(1), line(2)]) == [Written(1), Written(2)]
        assert await journal.read(streams.find, "p:ayu", "") is None
        await journal.close()

    async def test_an_entry_that_cannot_be_packed_fails_alone(self, disk: Disk) -> None:
        journal = disk()
        broken = [
            Append(entry(1, facts={"huge": 2**70})),
            Append(entry(1, facts={"lone": "\ud800"})),
        ]
        assert kinds(await journal.append([*broken, line(1)])) == [
            "NotSaved",
            "NotSaved",
            "Written",
        ]
        await journal.close()

    async def test_the_newest_summary_of_each_stream_is_stored(self, disk: Disk) -> None:
        journal = disk()
        other = Append(entry(1, stream=OTHER), Summary(OTHER, 1, b"other", 77))
        await journal.append([other, summed(1, b"one", 5), summed(2, b"two"), line(3)])
        assert await journal.read(stored_rows.all_rooms) == [
            Summary(ROOM, 2, b"two", None),
            Summary(OTHER, 1, b"other", 77),
        ]
        await journal.close()

    async def test_a_fenced_entry_does_not_change_the_summary(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([summed(1, b"one")])
        await journal.append([summed(1, b"lie")])
        assert await journal.read(stored_rows.all_rooms) == [Summary(ROOM, 1, b"one", None)]
        await journal.close()

    async def test_the_newest_snapshot_is_the_one_of_the_highest_entry(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([line(seq) for seq in range(1, 5)])
        for seq in (2, 4, 3):
            await journal.write(streams.save_snapshot, Snapshot(ROOM, seq, b"at %d" % seq))
        assert await journal.read(streams.snapshot, ROOM) == Snapshot(ROOM, 4, b"at 4")
        await journal.close()

    async def test_a_snapshot_may_be_written_again(self, disk: Disk) -> None:
        journal = disk()
        await journal.append([line(1)])
        await journal.write(streams.save_snapshot, Snapshot(ROOM, 1, b"old"))
        await journal.write(streams.save_snapshot, Snapshot(ROOM, 1, b"new"))
        assert await journal.read(streams.snapshot, ROOM) == Snapshot(ROOM, 1, b"new")
        await journal.close()

    @pytest.mark.parametrize("seq", [0, 2])
    async def test_a_snapshot_of_no_entry_is_a_bug(self, disk: Disk, seq: int) -> None:
        journal = disk()
        await journal.append([line(1)])
        with pytest.raises(ValueError, match="newest"):
            await journal.write(streams.save_snapshot, Snapshot(ROOM, seq, b""))
        await journal.close()

    @pytest.mark.parametrize("with_snapshot", [False, True])
    async def test_a_new_server_finds_everything(self, disk: Disk, with_snapshot: bool) -> None:
        journal = disk()
        written = [entry(seq, f"id-{seq}") for seq in range(1, 6)]
        await journal.append([Append(one, Summary(ROOM, one.seq, b"s", 9)) for one in written[:4]])
        if with_snapshot:
            await journal.write(streams.save_snapshot, Snapshot(ROOM, 3, b"state"))
        await journal.append([Append(written[4])])
        await journal.close()

        journal = disk()
        assert await journal.read(streams.load, ROOM) == written
        assert await journal.read(streams.load, ROOM, after=2) == written[2:]
        assert await journal.read(stored_rows.all_rooms) == [Summary(ROOM, 4, b"s", 9)]
        assert await journal.read(streams.find, "p:ayu", "id-2") == (ROOM, 2)
        assert await journal.append([line(6, "id-1"), line(5), line(6, "id-6")]) == [
            Duplicate(ROOM, 1),
            Fenced(5),
            Written(6),
        ]
        assert (await journal.read(streams.snapshot, ROOM) is not None) == with_snapshot
        await journal.close()

    @pytest.mark.parametrize("point", POINTS[:2])
    async def test_a_failed_commit_stores_nothing_and_the_next_one_works(
        self, disk: Disk, point: str
    ) -> None:
        journal = disk()
        await journal.append([line(1, "a")])
        faults.arm(point, 1, "raise")
        batch = [line(2, "b"), line(3, "b"), line(4), line(1), line(9, "a"), line(2)]
        assert [
            type(answer) if isinstance(answer, NotSaved) else answer
            for answer in await journal.append(batch)
        ] == [
            NotSaved,
            NotSaved,  # a repetition of what is not there
            Fenced(1),
            Fenced(1),
            Duplicate(ROOM, 1),
            NotSaved,  # fenced by what is not there
        ]
        assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1]
        assert await journal.append([line(2, "b")]) == [Written(2)]
        await journal.close()

    async def test_a_commit_that_fails_after_the_sync_was_written(self, disk: Disk) -> None:
        journal = disk()
        faults.arm("store.after_commit", 1, "raise")
        assert await journal.append([line(1, "a"), line(2, "a"), line(1)]) == [
            Written(1),
            Duplicate(ROOM, 1),
            Fenced(1),
        ]
        assert len(await journal.read(streams.load, ROOM)) == 1
        await journal.close()

    @pytest.mark.parametrize("point", POINTS)
    async def test_a_fault_at_any_commit_of_a_run_loses_and_doubles_nothing(
        self, disk: Disk, point: str
    ) -> None:
        """Promise A3: the same script with a fault at its n-th commit, for every n."""
        journal = disk()
        commits = 12
        for nth in range(1, commits + 1):
            stream = StreamId(f"run-{nth}")
            faults.arm(point, nth, "raise")
            for seq in range(1, commits + 1):
                wanted = line(seq, f"{nth}-{seq}", stream=stream)
                [answer] = await journal.append([wanted])
                if isinstance(answer, NotSaved):
                    assert len(await journal.read(streams.load, stream)) == seq - 1
                    [answer] = await journal.append([wanted])
                assert answer == Written(seq)
                if seq % 5 == 0:
                    await journal.write(streams.save_snapshot, Snapshot(stream, seq, b""))
            assert faults.waiting() == ()
            assert [one.client_id for one in await journal.read(streams.load, stream)] == [
                f"{nth}-{seq}" for seq in range(1, commits + 1)
            ]
        await journal.close()

    @pytest.mark.parametrize("seed", range(8))
    async def test_random_histories_agree_with_a_plain_list(self, disk: Disk, seed: int) -> None:
        """Batches, snapshots, faults and restarts in any order, against an obvious model."""
        rng = random.Random(seed)
        played = [StreamId(f"s{number}") for number in range(4)]
        stored: dict[StreamId, list[Entry]] = {stream: [] for stream in played}
        positions: dict[str, tuple[StreamId, int]] = {}
        journal = disk()
        for step in range(60):
            batch: list[Append] = []
            expected: list[Answer] = []
            planned = {stream: list(entries) for stream, entries in stored.items()}
            seen = dict(positions)
            for index in range(rng.randrange(6)):
                stream = rng.choice(played)
                head = len(planned[stream])
                seq = head + 1 if rng.random() < 0.8 else rng.randrange(1, head + 4)
                client_id = rng.choice(["", f"{step}-{index}", *list(seen)[-3:]])
                one = entry(seq, client_id, stream=stream)
                summary = Summary(stream, seq, b"%d" % step, None) if rng.random() < 0.5 else None
                batch.append(Append(one, summary))
                if client_id in seen:
                    expected.append(Duplicate(*seen[client_id]))
                elif seq != head + 1:
                    expected.append(Fenced(head))
                else:
                    expected.append(Written(seq))
                    planned[stream].append(one)
                    if client_id:
                        seen[client_id] = (stream, seq)
            if rng.random() < 0.15 and any(isinstance(one, Written) for one in expected):
                faults.arm("store.before_commit", 1, "raise")
                assert "Written" not in kinds(await journal.append(batch))
            assert await journal.append(batch) == expected
            stored, positions = planned, seen
            if rng.random() < 0.2 and stored[stream := rng.choice(played)]:
                seq = rng.randint(1, len(stored[stream]))
                await journal.write(streams.save_snapshot, Snapshot(stream, seq, b""))
            if rng.random() < 0.1:
                await journal.close()
                journal = disk()
            stream = rng.choice(played)
            after = rng.randrange(len(stored[stream]) + 1)
            assert await journal.read(streams.load, stream, after) == stored[stream][after:]
        for client_id, position in positions.items():
            assert await journal.read(streams.find, "p:ayu", client_id) == position
        await journal.close()
