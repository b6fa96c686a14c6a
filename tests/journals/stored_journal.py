"""The form of a kept journal: what was promised of it, and nothing of how a store lays it.

A gzip file of JSON lines. A line is an entry, with the fields of `Entry`; or the newest snapshot of
a stream, behind its entries: `stream`, `seq`, and `snapshot`, the bytes in base 64.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from bluebear.server.store import Entry, Snapshot, Store, StreamId, streams

SUFFIX: Final = ".jsonl.gz"

STREAMS_MAX: Final = 10_000
"""More than an evening makes."""


@dataclass(frozen=True, slots=True)
class StoredJournal:
    """A kept journal: entries by stream, and the newest snapshots."""

    entries: Mapping[StreamId, Sequence[Entry]]
    snapshots: Sequence[Snapshot]


def name_of(packed: Path) -> str:
    """The name of a kept journal in its set."""
    return packed.name.removesuffix(SUFFIX)


async def pack(store: Store) -> bytes:
    """All entries and newest snapshots of a store, as a file has them."""
    lines: list[str] = []
    for stream in await store.read(streams.names, "", "", STREAMS_MAX):
        for entry in await store.read(streams.load, stream):
            line = _line(asdict(entry))
            assert _entry(json.loads(line)) == entry, f"{stream} {entry.seq}: another one as JSON"
            lines.append(line)
        newest = await store.read(streams.snapshot, stream)
        if newest is not None:
            body = b64encode(newest.body).decode()
            lines.append(_line({"stream": stream, "seq": newest.seq, "snapshot": body}))
    return gzip.compress("".join(lines).encode(), mtime=0)


def read(packed: Path) -> StoredJournal:
    """What lies in a file that `pack` has made."""
    entries: dict[StreamId, list[Entry]] = {}
    snapshots: list[Snapshot] = []
    for line in gzip.decompress(packed.read_bytes()).decode().splitlines():
        data = json.loads(line)
        stream = StreamId(data["stream"])
        if "snapshot" in data:
            snapshots.append(Snapshot(stream, data["seq"], b64decode(data["snapshot"])))
        else:
            entries.setdefault(stream, []).append(_entry(data))
    return StoredJournal(entries, snapshots)


def _line(tree: object) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")) + "\n"


def _entry(tree: Any) -> Entry:  # Any: plain JSON
    return Entry(**{**tree, "lines": tuple(tree["lines"])})
