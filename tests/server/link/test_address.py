"""Addresses of engines: who calls before an engine hears is heard once it does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bluebear.server.link.address import dial, hear, socket_at
from bluebear.server.link.wire import SocketLink
from tests.server.link.test_wire import Ends
from tests.tools.servers import free_port

SECRET = b"secret"


@pytest.mark.parametrize("kind", ["unix", "tcp"])
async def test_a_link_that_precedes_its_engine_hears_waits_and_is_received(
    kind: str, tmp_path: Path
) -> None:
    address = f"unix:{tmp_path}/engine" if kind == "unix" else f"127.0.0.1:{free_port()}"
    engine, edge = Ends(), Ends()
    taken = socket_at(address)
    await dial(address, lambda: SocketLink(edge, "edge.1", SECRET, dials=True))
    assert not edge.links
    server = await hear(taken, lambda: SocketLink(engine, "engine.1", SECRET, dials=False))
    async with asyncio.timeout(30), server:
        await edge.until(lambda: edge.links)
        await engine.until(lambda: engine.links)
        edge.links[0][0].close()
        await engine.until(lambda: engine.over)


async def test_no_person_is_there_before_an_address_is_taken(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await dial(
            f"unix:{tmp_path}/engine", lambda: SocketLink(Ends(), "edge.1", SECRET, dials=True)
        )


def test_a_socket_that_a_dead_process_left_is_taken_over_and_is_no_person_elses(
    tmp_path: Path,
) -> None:
    path = tmp_path / "engine"
    socket_at(f"unix:{path}").close()
    with socket_at(f"unix:{path}"):
        assert path.stat().st_mode & 0o777 == 0o600
