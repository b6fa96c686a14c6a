"""The outbox: what goes out is stored with its entry, in memory as in a file."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from server.journal import (
    Append,
    Entry,
    Fenced,
    MemoryJournal,
    Outgoing,
    SqliteJournal,
    Store,
    StreamId,
    Written,
)

ENTRY = Entry(StreamId("r1"), 1, "p:ayu", "", ("/x",), {}, 50)
SOON, LATE = Outgoing("a-1", 100, b"\x00one"), Outgoing("a-2", 200, b"two")


@pytest.fixture(params=["memory", "file"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Opens a store on one and the same storage, each time as a new server would."""
    memory = MemoryJournal()
    in_memory = request.param == "memory"
    return (lambda: memory) if in_memory else (lambda: SqliteJournal(tmp_path / "journal"))


async def test_what_goes_out_is_stored_with_its_entry_until_it_is_settled(
    disk: Callable[[], Store],
) -> None:
    store = disk()
    assert await store.append([Append(ENTRY, outgoing=(LATE, SOON))]) == [Written(1)]
    assert await store.append([Append(ENTRY, outgoing=(Outgoing("b", 1, b""),))]) == [Fenced(1)]
    await store.close()
    store = disk()
    assert await store.outbox(99, 9) == []
    assert await store.outbox(200, 9) == [SOON, LATE]
    assert await store.outbox(200, 1) == [SOON]
    again = replace(LATE, due=300, body=b"again")
    await store.settle(["a-1", "nothing"], [again])
    await store.close()
    store = disk()
    assert await store.outbox(299, 9) == []
    assert await store.outbox(300, 9) == [again]
    await store.close()
