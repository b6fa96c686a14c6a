"""Promise A2: what was answered survives a power loss, at any moment, whatever was not synced."""

from __future__ import annotations

import random
from unittest import mock

from bluebear.server.store import sqlite
from tests.tools.crash.power_loss import Happened, Sync, Write, image, run

IMAGES = 100
"""More by command: `python -m tests.tools.crash.power_loss --images 500`."""


def test_no_answered_entry_is_missing_from_any_disk() -> None:
    result, recorded = run(1, IMAGES)
    assert result == []
    assert recorded > 1000


def test_without_a_sync_of_each_commit_the_loss_is_seen() -> None:
    """The proof itself: a journal that syncs when it writes back only must be found out."""
    lazy = {**sqlite.SETTINGS, "synchronous": 1}
    with mock.patch.object(sqlite, "SETTINGS", lazy):
        result, _ = run(1, IMAGES)
    assert any("was answered" in fault for fault in result)


def test_what_is_synced_is_on_every_disk_and_what_is_not_on_some() -> None:
    reported: list[Happened] = [
        Write("f", 0, b"a" * 1024),
        Sync("f"),
        Write("f", 1024, b"b" * 1024),
    ]
    disks = {image(reported, 3, random.Random(seed))["f"] for seed in range(200)}
    assert all(disk.startswith(b"a" * 1024) for disk in disks)
    assert {len(disk) for disk in disks} == {1024, 1536, 2048}
