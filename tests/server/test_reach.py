"""Does a node notice that the proxy does not lead to a node?"""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import BadStatusLine, IncompleteRead
from urllib.error import URLError

import pytest

from bluebear.server.ops import node as nodes
from bluebear.server.sentences import FAILED
from bluebear.server.store.leases import Living

ADDRESSES = {"a": "/n/a/ws", "b": "/n/b/ws", "c": "wss://c.example.org/ws"}
URL = "https://example.org"


@pytest.fixture
def replies(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Sets which node replies at a URL; none at any other."""

    def use(replies: dict[str, str]) -> None:
        def body(url: str) -> bytes:
            if url not in replies:
                raise URLError("refused")
            return json.dumps({"node": replies[url]}).encode()

        monkeypatch.setattr(nodes, "_body", body)

    return use


RIGHT = {
    "https://example.org/n/a/healthz": "a.17",
    "https://example.org/n/b/healthz": "b.18",
    "https://c.example.org/healthz": "c.19",
}


async def test_each_node_is_reached_at_its_address(
    replies: Callable[[dict[str, str]], None],
) -> None:
    replies(RIGHT)
    assert await nodes.unreached(URL, ADDRESSES) == {}


@pytest.mark.parametrize("node", ["a.17", "17"])
async def test_a_path_that_leads_to_another_node_is_noticed(
    node: str, replies: Callable[[dict[str, str]], None]
) -> None:
    replies({**RIGHT, "https://example.org/n/b/healthz": node})
    assert await nodes.unreached(URL, ADDRESSES) == {"b": f"{node} replies"}


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"[]", b"{}", b"7"])
async def test_what_is_no_node_is_not_reached(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    monkeypatch.setattr(nodes, "_body", lambda url: body)
    assert list(await nodes.unreached(URL, ADDRESSES)) == ["a", "b", "c"]


@pytest.mark.parametrize("problem", [IncompleteRead(b""), BadStatusLine("SSH-2.0"), TimeoutError()])
async def test_what_speaks_no_http_is_not_reached(
    monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def body(url: str) -> bytes:
        raise problem

    monkeypatch.setattr(nodes, "_body", body)
    assert list(await nodes.unreached(URL, ADDRESSES)) == ["a", "b", "c"]


def test_the_command_names_the_nodes_that_are_not_reached(
    replies: Callable[[dict[str, str]], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def living(url: str) -> list[tuple[Living, int]]:
        return [(Living(n, 1, n, at, "1", "alive", 0.1), 0) for n, at in ADDRESSES.items()]

    monkeypatch.setattr(nodes, "_living", living)
    command = ["nodes", "--store", "postgresql://x", "--check", f"{URL}/"]
    replies(RIGHT)
    assert nodes.main(command) == 0
    assert "leads to each node: a, b, c." in capsys.readouterr().out
    replies({})
    assert nodes.main(command) == FAILED
    assert (
        "does not lead to these nodes: a (<urlopen error refused>), b (" in capsys.readouterr().err
    )
