"""Does a server listen where it is told to, on both kinds of addresses, and say where that is?"""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from bluebear.clients.sdk import Client, Noted
from tests.tools.servers import ServerProcess, free_port


def _has_ipv6() -> bool:
    try:
        with closing(socket.create_server(("::1", 0), family=socket.AF_INET6)):
            return socket.has_dualstack_ipv6()
    except OSError:
        return False


needs_ipv6 = pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")


def reachable_addresses(port: int) -> list[str]:
    """On which of a machine's own addresses a server answers."""
    received = []
    for host in ("127.0.0.1", "[::1]"):
        try:
            with urlopen(f"http://{host}:{port}/healthz") as answer:
                assert json.load(answer)["ok"]
        except OSError:
            continue
        received.append(host)
    return received


@pytest.mark.parametrize(
    ("host", "named", "reachable"),
    [
        pytest.param("::", "127.0.0.1", ["127.0.0.1", "[::1]"], marks=needs_ipv6),
        ("0.0.0.0", "127.0.0.1", ["127.0.0.1"]),
        pytest.param("::1", "[::1]", ["[::1]"], marks=needs_ipv6),
    ],
)
async def test_it_is_called_by_an_address_that_works(
    tmp_path: Path, host: str, named: str, reachable: list[str]
) -> None:
    async with ServerProcess(tmp_path, more=("--host", host)) as server:
        url = json.loads(server.note.read_text(encoding="utf-8"))["url"]
        assert url == f"ws://{named}:{server.port}/ws"
        assert await asyncio.to_thread(reachable_addresses, server.port) == reachable
        async with Client(url, name="Ayu") as ayu:
            room = (await ayu.say("/newroom manhattan")).room
            await ayu.say("/invite", room=room)
            async for happening in ayu.happenings():
                if isinstance(happening, Noted) and "http" in happening.text:
                    assert f"http://{named}:{server.port}/r/" in happening.text
                    break


@needs_ipv6
async def test_a_port_that_is_busy_on_all_addresses_is_replaced(tmp_path: Path) -> None:
    port = free_port()
    with closing(socket.create_server(("127.0.0.1", port))):
        async with ServerProcess(tmp_path, more=("--host", "::"), port=port) as server:
            assert server.port != port
            assert len(await asyncio.to_thread(reachable_addresses, server.port)) == 2


@needs_ipv6
async def test_figures_are_read_at_an_address_of_ipv6(tmp_path: Path) -> None:
    address = f"[::1]:{free_port()}"
    async with ServerProcess(tmp_path, more=("--metrics", address)):
        with await asyncio.to_thread(urlopen, f"http://{address}/metrics") as figures:
            assert b"bluebear_" in figures.read()
