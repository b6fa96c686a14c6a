"""The loop itself: time that jumps, nothing that hangs, nothing left behind."""

from __future__ import annotations

import asyncio

import pytest

from tests.sim.virtual_loop import Stuck, run, virtual


@virtual
async def test_a_week_takes_no_time() -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(7 * 24 * 3600)
    assert loop.time() == 7 * 24 * 3600


@virtual
async def test_timers_ring_in_their_order() -> None:
    received: list[str] = []
    loop = asyncio.get_running_loop()
    loop.call_later(20, received.append, "late")
    loop.call_later(10, received.append, "early")
    await asyncio.sleep(30)
    assert received == ["early", "late"]


@virtual
async def test_what_a_thread_would_do_is_done_at_once() -> None:
    assert await asyncio.to_thread(sum, (1, 2)) == 3
    assert asyncio.get_running_loop().time() == 0


def test_waiting_for_what_cannot_come_is_an_error() -> None:
    async def wait_for_ever() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Stuck):
        run(wait_for_ever())


def test_a_task_that_is_left_running_is_an_error() -> None:
    async def leave_one() -> None:
        task = asyncio.create_task(asyncio.sleep(10))
        task.set_name("forgotten")

    with pytest.raises(AssertionError, match="forgotten"):
        run(leave_one())
