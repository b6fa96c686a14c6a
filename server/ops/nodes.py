"""`bluebear nodes`: which nodes serve a database, and whether their addresses lead to them.

`bluebear drain NODE`: one gives its rooms to others and ends; no game is lost by it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import urlopen

from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import JournalError, Nodes, leases
from bluebear.server.store.leases import Living

ANSWER_SECONDS: Final = 2.0
_MAX_BYTES: Final = 65_536


async def unreached(public_url: str, addresses: Mapping[str, str]) -> dict[str, str]:
    """The names of the nodes at whose addresses another node replies, or none, and the reasons.

    `addresses` are those of `/ws`, by name; relative ones are below `public_url`.
    """
    names = sorted(addresses)
    urls = (health_url(public_url, addresses[each]) for each in names)
    checks = (asyncio.to_thread(_why_not, *each) for each in zip(names, urls, strict=True))
    reasons = zip(names, await asyncio.gather(*checks), strict=True)
    return {name: why for name, why in reasons if why}


def health_url(public_url: str, address: str) -> str:
    """Where a node reports its health.

    >>> health_url("https://example.org", "/n/a/ws")
    'https://example.org/n/a/healthz'
    >>> health_url("https://example.org", "wss://a.example.org/ws")
    'https://a.example.org/healthz'
    """
    url = urljoin(f"{public_url}/", address)
    secure = url.startswith(("https:", "wss:"))
    scheme = "https" if secure else "http"
    return f"{scheme}:{url.partition(':')[2].removesuffix('ws')}healthz"


def _why_not(name: str, url: str) -> str:
    """Why a node is not reached; "" if it is."""
    try:
        node = str(json.loads(_body(url))["node"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as problem:
        return str(problem) or type(problem).__name__
    return "" if node.rpartition(".")[0] == name else f"{node} replies"


def _body(url: str) -> bytes:
    """What a URL returns, also with an error's status: a node that is not well is reached."""
    try:
        with urlopen(url, timeout=ANSWER_SECONDS) as reply:
            return bytes(reply.read(_MAX_BYTES))
    except HTTPError as error:
        return error.read(_MAX_BYTES)


def main(argv: Sequence[str]) -> int:
    """List the nodes of a database, or drain one. `argv[0]` is the command word.

    Returns 0; 1 if there is no such node or one is not reached, 2 if the database cannot be asked,
    with a sentence.
    """
    parser = argparse.ArgumentParser(prog=f"bluebear {argv[0]}")
    if argv[0] == "drain":
        parser.add_argument("node", help="the name of a node, see `bluebear nodes`")
    else:
        parser.add_argument(
            "--check",
            metavar="https://...",
            help="the public URL of the server: does it lead to each node?",
        )
    parser.add_argument(
        "--store", default=os.environ.get("BLUEBEAR_STORE", ""), metavar="postgresql://..."
    )
    given = parser.parse_args(argv[1:])
    if not given.store:
        return print_sentence(UNUSABLE, "serve.no_store")
    try:
        if argv[0] == "drain":
            done = asyncio.run(_drain(given.store, given.node))
            key = "serve.node_drains" if done else "serve.node_unknown"
            return print_sentence(0 if done else FAILED, key, name=given.node)
        living = asyncio.run(_living(given.store))
        if not given.check:
            return _show(living)
        addresses = {each.name: each.address for each, _ in living}
        if reasons := asyncio.run(unreached(given.check.rstrip("/"), addresses)):
            names = ", ".join(f"{name} ({why})" for name, why in reasons.items())
            return print_sentence(FAILED, "serve.nodes_unreached", names=names, url=given.check)
        return print_sentence(0, "serve.nodes_reached", names=", ".join(addresses), url=given.check)
    except JournalError as problem:
        print(problem, file=sys.stderr)
        return print_sentence(UNUSABLE, "serve.store_unusable")


async def _living(url: str) -> list[tuple[Living, int]]:
    async with _opened(url) as nodes:
        living = await nodes.read(leases.living)
        return [(each, len(await nodes.read(leases.owned, each.id))) for each in living]


async def _drain(url: str, name: str) -> bool:
    async with _opened(url) as nodes:
        return await nodes.store.write(leases.drain, name)


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Nodes]:
    # The driver is loaded only where it is wanted.
    from bluebear.server.store.postgres import postgres_nodes  # noqa: PLC0415

    nodes = postgres_nodes(url)
    try:
        yield nodes
    finally:
        await nodes.store.close()


def _show(living: Sequence[tuple[Living, int]]) -> int:
    """A table for people and for programs: one node a line, fields by tabs."""
    for each, rooms in living:
        beat = "-" if each.beat_seconds is None else f"{each.beat_seconds:.1f}"
        fields = (each.name, each.state, str(rooms), beat, each.version, each.address)
        print("\t".join(fields))
    if not living:
        return print_sentence(0, "serve.no_nodes")
    return 0
