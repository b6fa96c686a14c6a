"""Workers: which request thinks next and for how long, and what stops an unwanted one."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

import pytest

from bluebear.clients.bots.search.decide import SearchResult
from bluebear.clients.bots.search.jobs import Job, Work
from bluebear.clients.bots.search.worker import NICE, LostError, Worker
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.search_model import MASTER
from bluebear.rules.core.visibility import Seat
from tests.rules.game_files import GAMES

R = TypeVar("R")

JOB = Job("manhattan", None, {}, 1, ("/a", "/b"), MASTER, 1.0, 7)


class Fake(Worker):
    """A worker that thinks until a test lets it go on."""

    def __init__(self, *, obeys: bool = True) -> None:
        self.jobs: list[Job] = []
        self.began = threading.Event()
        self.gate = threading.Event()
        self.obeys = obeys
        self.stopped = self.killed = False

    def think(self, work: Work[R]) -> R:
        job = cast(Job, work)
        self.jobs.append(job)
        self.began.set()
        self.gate.wait()
        self.gate.clear()
        if self.killed:
            raise LostError
        return cast(R, SearchResult(job.lines[0], "", 3, job.seconds))

    def stop(self) -> None:
        self.stopped = True
        if self.obeys:
            self.gate.set()

    def kill(self) -> None:
        self.killed = True
        self.gate.set()

    def close(self) -> None:
        self.kill()


class House:
    """Workers whose processes are fakes."""

    def __init__(self, number: int, *, obeys: bool = True) -> None:
        self.fakes: list[Fake] = []
        self.second = asyncio.Event()
        self._obeys = obeys
        self.workers = Workers(number=number, start=self._start, sleep=self._at_once)

    def _start(self, packages: Sequence[str]) -> Fake:
        self.fakes.append(Fake(obeys=self._obeys))
        if len(self.fakes) == 2:
            self.second.set()
        return self.fakes[-1]

    def _at_once(self, seconds: float) -> asyncio.Future[None]:
        """No patience with those who do not obey."""
        made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._obeys:
            made.set_result(None)
        return made

    def think(self, room: str) -> asyncio.Task[SearchResult[str]]:
        return asyncio.create_task(self.workers.think(room, replace(JOB, lines=(f"/{room}",))))


async def begun(fake: Fake) -> None:
    await asyncio.to_thread(fake.began.wait)
    fake.began.clear()


async def test_no_worker_is_started_before_the_first_job() -> None:
    house = House(2)
    assert house.fakes == []
    task = house.think("a")
    await asyncio.sleep(0)
    assert len(house.fakes) == 1
    house.fakes[0].gate.set()
    assert (await task).best == "/a"
    await house.workers.close()


async def test_the_room_that_had_the_least_time_is_next() -> None:
    house = House(1)
    first = house.think("a")
    await asyncio.sleep(0)
    [fake] = house.fakes
    await begun(fake)
    queue = [house.think("a"), house.think("b")]
    await asyncio.sleep(0)
    fake.gate.set()
    await first
    await begun(fake)
    assert [job.lines for job in fake.jobs] == [("/a",), ("/b",)]
    fake.gate.set()
    await queue[1]
    await begun(fake)
    fake.gate.set()
    await queue[0]
    await house.workers.close()


async def test_under_load_all_people_think_shorter_and_then_not_at_all() -> None:
    house = House(1)
    tasks = [house.think(str(number)) for number in range(12)]
    for _ in range(3):
        await asyncio.sleep(0)
    refused = [task for task in tasks if task.done()]
    assert [type(task.exception()) for task in refused] == [BusyError, BusyError]
    [fake] = house.fakes
    for _ in range(10):
        await begun(fake)
        fake.gate.set()
    await asyncio.wait(tasks)
    assert [round(job.seconds, 2) for job in fake.jobs] == [
        round(1 / wanting, 2) for wanting in range(1, 11)
    ]
    await house.workers.close()


async def test_thinking_that_no_person_waits_for_stops_and_the_worker_is_free_again() -> None:
    house = House(1)
    task = house.think("a")
    await asyncio.sleep(0)
    [fake] = house.fakes
    await begun(fake)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    again = house.think("b")
    await begun(fake)
    assert fake.stopped
    fake.gate.set()
    assert (await again).best == "/b"
    assert house.fakes == [fake]
    await house.workers.close()


@pytest.mark.expects_log("that it went on is worth a warning")
async def test_a_worker_that_does_not_stop_is_killed_and_replaced() -> None:
    house = House(1, obeys=False)
    task = house.think("a")
    await asyncio.sleep(0)
    [fake] = house.fakes
    await begun(fake)
    waiting = house.think("b")
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await house.second.wait()
    assert fake.stopped
    assert fake.killed
    await begun(house.fakes[1])
    house.fakes[1].gate.set()
    assert (await waiting).best == "/b"
    await house.workers.close()


async def test_a_worker_that_has_left_is_reported_and_another_one_is_started() -> None:
    house = House(1)
    task = house.think("a")
    await asyncio.sleep(0)
    [fake] = house.fakes
    await begun(fake)
    fake.kill()
    with pytest.raises(LostError):
        await task
    again = house.think("a")
    await asyncio.sleep(0)
    assert len(house.fakes) == 2
    house.fakes[1].gate.set()
    assert (await again).best == "/a"
    await house.workers.close()


async def test_who_does_not_wait_for_his_turn_leaves_the_queue() -> None:
    house = House(1)
    first = house.think("a")
    await asyncio.sleep(0)
    [fake] = house.fakes
    await begun(fake)
    second = house.think("b")
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    fake.gate.set()
    await first
    third = house.think("c")
    await begun(fake)
    fake.gate.set()
    assert (await third).best == "/c"
    assert [job.lines for job in fake.jobs] == [("/a",), ("/c",)]
    await house.workers.close()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A real one."""
    made = Worker(["bluebear.rules"])
    yield made
    made.close()


def long_job() -> Job:
    """A position of Manhattan that could be thought about for an hour."""
    game = GAMES["manhattan"]
    state = game.setup(game.info.complete({}), 2, FastChance(4)).state
    seat = min(game.to_move(state))
    view = game.tree.view(state, frozenset({seat}))
    lines = tuple(map(game.grammar.format, game.plain(state, Seat(seat))))
    return Job("manhattan", 1, view, seat, lines, MASTER, 3600.0, 7)


def test_a_process_answers_with_one_of_the_lines_and_is_nice(worker: Worker) -> None:
    job = replace(long_job(), seconds=0.02)
    made = worker.think(job)
    assert made.best in job.lines
    assert worker.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, worker.pid) >= min(19, NICE)


def test_what_fails_in_a_process_is_raised_here(worker: Worker) -> None:
    with pytest.raises(RuntimeError, match="NoRulesError: chess"):
        worker.think(replace(long_job(), game="chess"))


def test_a_process_stops_when_it_is_instructed_to(worker: Worker) -> None:
    job = long_job()
    with ThreadPoolExecutor(1) as pool:
        thinking = pool.submit(worker.think, job)
        while not wait([thinking], timeout=0.05).done:
            worker.stop()
        assert thinking.result().best in job.lines
    assert worker.think(replace(job, seconds=0.02)).best in job.lines


def test_a_process_that_is_killed_is_lost(worker: Worker) -> None:
    with ThreadPoolExecutor(1) as pool:
        thinking = pool.submit(worker.think, long_job())
        while not wait([thinking], timeout=0.05).done:
            worker.kill()
        with pytest.raises(LostError):
            thinking.result()


@dataclass(frozen=True)
class Deaf:
    """Work that never looks whether it is to stop; it says by a file that it has begun."""

    began: str
    seconds: float = 60.0

    def within(self, seconds: float) -> Deaf:
        """It is as deaf in any time."""
        return self

    def done(self, games: object, stopped: object) -> int:
        """Go on for a minute."""
        Path(self.began).write_bytes(b"")
        return sum(1 for _ in range(10**9))


def test_work_that_looks_at_nothing_is_stopped_too_and_the_worker_continues(tmp_path: Path) -> None:
    worker = Worker(["bluebear.rules"])
    began = tmp_path / "began"
    os.mkfifo(began)
    try:
        with ThreadPoolExecutor(1) as threads:
            thinking = threads.submit(worker.think, Deaf(str(began)))
            # The worker opens the pipe for writing when the work has begun.
            began.read_bytes()
            worker.stop()
            assert "PlayoutCancelled" in str(thinking.exception())
            pid = worker.pid
            worker.stop()
            assert isinstance(worker.think(replace(long_job(), seconds=0.02)), SearchResult)
            assert worker.pid == pid
    finally:
        worker.close()
