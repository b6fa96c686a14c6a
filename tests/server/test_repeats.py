"""Deduplication: a line's reply is cached while a client waits for it, and no longer."""

from __future__ import annotations

import asyncio
from typing import Any, cast
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from bluebear.protocol import Error
from bluebear.server.commands.acts import Unprepared
from bluebear.server.requests import Requests
from bluebear.server.room.state import Actor
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.lines import PendingLine
from bluebear.server.runtime import Tasks, Work
from bluebear.server.store import Deposed, JournalError, NotRead
from tests.server.fixtures import Stage
from tests.sim.virtual_loop import virtual


class Away:
    """A journal that cannot be read; how often it was asked."""

    def __init__(self, problem: JournalError) -> None:
        self.problem = problem
        self.lookups = 0

    async def read(self, query: Any, *given: Any) -> Any:  # Any: it never answers
        self.lookups += 1
        raise self.problem


class Asker:
    """A client whose line is looked up."""

    actor = Actor("Ayu")
    is_disconnected = False


class Unclosed(Tasks):
    """Tasks that the test waits for by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.running: list[asyncio.Task[object]] = []

    def start(self, work: Work) -> asyncio.Task[object]:
        self.running.append(asyncio.get_running_loop().create_task(work))
        return self.running[-1]


async def look_up(journal: Any, client: Any) -> list[asyncio.Task[object]]:
    """Begin to look a line up; what runs for that. Any: as much of both as is asked of them."""
    tasks = Unclosed()
    unused = Mock()
    services = Mock(store=journal, tasks=tasks)
    requests = Requests(services, unused, unused)
    requests.look_up(client, "line", Error(code="busy", text="busy"), go_in=False)
    return tasks.running


@pytest.mark.expects_log("the journal is away")
@virtual
async def test_a_line_is_looked_up_again_until_its_sayer_has_left() -> None:
    journal, client = Away(NotRead("away")), Asker()
    running = await look_up(journal, client)
    await asyncio.wait(running)
    while journal.lookups < 3:
        await asyncio.wait(running)
    client.is_disconnected = True
    requested = journal.lookups
    await asyncio.wait(running)
    while any(not task.done() for task in running):
        await asyncio.wait(running)
    assert journal.lookups == requested + 1


@pytest.mark.expects_log("this process is deposed")
@virtual
async def test_who_is_deposed_looks_nothing_up_again() -> None:
    unread = NotRead("dead")
    unread.__cause__ = Deposed("dead")  # as the store says so
    journal = Away(unread)
    running = await look_up(journal, Asker())
    await asyncio.wait(running)
    assert len(running) == journal.lookups == 1


def test_what_was_looked_up_leaves_its_answer_to_who_has_sent_the_line_again() -> None:
    """The connection on which it was said first may be gone by then."""
    with Stage() as stage:
        stage.table("duel", "Ayu", "Ben")
        live, actor = stage.live, Actor("Ayu")
        first, second = cast(Connection, Asker()), cast(Connection, Asker())
        sent = PendingLine(actor, first, "line", "/tell Ben psst")
        live._in_flight = PendingLine(actor, say="another one is on its way to the disk")
        live.submit(replace(sent, client=second))
        live.submit(replace(sent, prepared=Unprepared("ban", {}, confirmed=False, rest="")))
        waiting = live.queue.popleft()
        assert not live.queue
        live._in_flight = None
        assert waiting.client is second
