"""The house bots' process: one that is stuck is replaced, and none outlives its server."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from bluebear.server.rooms import house_bots
from bluebear.server.store import SqliteStore
from tests.support import stored_rows

pytestmark = pytest.mark.slow_loop

NOWHERE = "ws://127.0.0.1:9/ws"


def started(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    """The processes that are started from now on."""
    made: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def note(*args: str, stdin: int, stdout: int) -> asyncio.subprocess.Process:
        process = await start(*args, stdin=stdin, stdout=stdout)
        made.append(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", note)
    return made


@pytest.mark.expects_log("it is stuck")
async def test_a_child_that_was_stopped_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_bots, "_LOOK_SECONDS", 0.1)
    monkeypatch.setattr(house_bots, "_SILENT_LOOKS", 3)
    processes = started(monkeypatch)
    running = asyncio.create_task(house_bots.run_child(NOWHERE, house_bots.BotDispatcher(bytes)))
    async with asyncio.timeout(30):
        while not processes:  # noqa: ASYNC110 - no event reports a started process
            await asyncio.sleep(0)
        os.kill(processes[0].pid, signal.SIGSTOP)
        while len(processes) < 2:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0)
    assert processes[0].returncode == -signal.SIGKILL
    os.kill(processes[1].pid, signal.SIGSTOP)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert all(each.returncode is not None for each in processes)


class Ending:
    """A child process that ends when the test says so."""

    stdin = None
    returncode = None

    def __init__(self) -> None:
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.waits = asyncio.Event()

    async def wait(self) -> int:
        self.waits.set()
        return await self.ended

    def kill(self) -> None:
        raise ProcessLookupError


async def test_a_signal_to_server_and_child_at_once_ends_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C goes to both: the child ends in the moment in which its keeper is cancelled."""
    child = Ending()

    async def start(*_args: str, **_given: int) -> Ending:
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    running = asyncio.create_task(house_bots.run_child(NOWHERE, house_bots.BotDispatcher(bytes)))
    await child.waits.wait()
    child.ended.set_result(0)
    running.cancel()
    async with asyncio.timeout(5):
        with pytest.raises(asyncio.CancelledError):
            await running


@pytest.mark.expects_log("it is stuck")
async def test_a_child_that_ends_as_it_is_killed_ends_its_keeper_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Ending:
        """A process that is gone a moment before the signal comes."""

        def __init__(self) -> None:
            self._ended = asyncio.Event()

        async def wait(self) -> int:
            await self._ended.wait()
            return 1

        def kill(self) -> None:
            self._ended.set()
            raise ProcessLookupError

    monkeypatch.setattr(house_bots, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(house_bots, "_SILENT_LOOKS", 1)
    process = cast("asyncio.subprocess.Process", Ending())
    assert await house_bots._watch(process, house_bots.BotDispatcher(bytes)) == 1


def test_what_is_stored_is_for_no_other_person_on_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "bluebear.sqlite"
    path.touch(mode=0o644)
    journal = SqliteStore(path)
    asyncio.run(journal.read(stored_rows.all_rooms))
    for each in tmp_path.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR, each
    asyncio.run(journal.close())
