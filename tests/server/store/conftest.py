"""One PostgreSQL for the tests of the store; and the contracts' assertions say what differs."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs

pytest.register_assert_rewrite(
    "tests.server.store.contract",
    "tests.server.store.nodes_contract",
    "tests.server.store.outbox_contract",
    "tests.server.store.people_contract",
    "tests.server.store.store_contract",
    "tests.server.store.transfer_contract",
)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL; the tests of a process share it."""
    if programs() is None:
        pytest.skip(MISSING)
    with (
        tempfile.TemporaryDirectory(prefix="bluebear-pg-", dir=IN_MEMORY) as folder,
        private_postgres(Path(folder)) as url,
    ):
        yield url


@pytest.fixture
async def url(server: str) -> AsyncIterator[str]:
    """A database without tables, which leaves none."""
    await empty(server)
    yield server
    await empty(server)


async def empty(server: str) -> None:
    """Leave no tables there."""
    connection = await asyncpg.connect(server)
    try:
        await connection.execute("DROP SCHEMA IF EXISTS bluebear CASCADE")
    finally:
        await connection.close()
