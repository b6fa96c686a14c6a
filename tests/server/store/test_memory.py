"""The journal in memory: the contract, and how it fails on request."""

import asyncio

import pytest

from bluebear.server.store import NotSaved, Snapshot, Written, rooms, streams
from tests.server.store.contract import ROOM, Disk, JournalContract, line
from tests.server.store.outbox_contract import OutboxContract
from tests.server.store.people_contract import PeopleContract
from tests.server.store.rating_contract import RatingContract
from tests.server.store.store_contract import LINE, StoreContract, StoreDisk, room
from tests.server.store.transfer_contract import TransferContract
from tests.support.simulated_store import Latency, SimulatedStore


class TestMemory(
    JournalContract,
    StoreContract,
    OutboxContract,
    RatingContract,
    TransferContract,
    PeopleContract,
):
    @pytest.fixture
    def disk(self) -> Disk:
        journal = SimulatedStore()
        return lambda: journal

    @pytest.fixture
    def store_disk(self) -> StoreDisk:
        store = SimulatedStore()
        return lambda: store


async def test_the_next_commits_fail_on_request() -> None:
    journal = SimulatedStore()
    journal.fail_next(2)
    answers = [(await journal.append([line(1)]))[0] for _ in range(3)]
    assert [type(answer) for answer in answers] == [NotSaved, NotSaved, Written]


async def test_a_snapshot_fails_on_request() -> None:
    journal = SimulatedStore()
    await journal.append([line(1)])
    journal.fail_next(1)
    with pytest.raises(NotSaved, match="full"):
        await journal.write(streams.save_snapshot, Snapshot(ROOM, 1, b""))
    assert await journal.read(streams.snapshot, ROOM) is None


async def test_touching_fails_on_request() -> None:
    journal = SimulatedStore()
    await journal.append([room(LINE)])
    journal.fail_next(1)
    with pytest.raises(NotSaved, match="full"):
        await journal.write(rooms.touch, [ROOM], 9_000)
    assert await journal.read(rooms.room, ROOM) == LINE


async def _until_asleep() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def _crashed_during(latency: Latency) -> SimulatedStore:
    """A journal whose server has died in the middle of the first commit."""
    latencies = iter([latency])
    journal = SimulatedStore(lambda: next(latencies, Latency(0, 0)))
    dying = asyncio.create_task(journal.append([line(1, "a")]))
    await _until_asleep()
    journal.crash()
    dying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dying
    return journal


async def test_a_crash_before_the_sync_loses_the_batch() -> None:
    journal = await _crashed_during(Latency(sync=3600, answer=0))
    assert await journal.read(streams.load, ROOM) == []
    assert await journal.append([line(1, "a")]) == [Written(1)]


async def test_a_crash_after_the_sync_keeps_what_no_person_was_notified() -> None:
    journal = await _crashed_during(Latency(sync=0, answer=3600))
    assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1]


async def test_a_dead_server_gets_no_answer() -> None:
    journal = SimulatedStore(lambda: Latency(0, 0))
    calls = [asyncio.create_task(journal.append([line(seq)])) for seq in (1, 2)]
    await asyncio.sleep(0)
    journal.crash()
    await _until_asleep()
    assert not any(call.done() for call in calls)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    assert await journal.read(streams.load, ROOM) == []
