"""What the scenes of the clients have in common: a server, and clients that do not dawdle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final, TypeVar

import pytest
import pytest_asyncio

from bluebear.clients.sdk import Client, Happening
from tests.clients.fake_server import FakeServer

H = TypeVar("H")

# A net, no measurement: what never happens shall fail its scene rather than stop the suite.
PATIENCE_SECONDS: Final = 30


@pytest_asyncio.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as running:
        yield running


async def until(client: Client, kind: type[H], test: Callable[[H], bool] = lambda _: True) -> H:
    """Read what happens up to the first happening of a kind that passes a test."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for happening in client.happenings():
            if isinstance(happening, kind) and test(happening):
                return happening
    pytest.fail(f"the client ended without {kind.__name__}")


async def rest(client: Client) -> list[Happening]:
    """Everything up to the end of the client."""
    return [happening async for happening in client.happenings()]
