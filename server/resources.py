"""What every part of one server works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any

from bluebear.rules.core.game import Game
from bluebear.server.config import Config
from bluebear.server.room.creation import Pins
from bluebear.server.runtime import Clock, CpuMeter, FreshBytes, Tasks
from bluebear.server.store import Store, Writer


@dataclass(slots=True, kw_only=True)
class Resources:
    """Owned by the app, which closes them.

    `public_url` changes once, when the port is bound; `meter` charges the time of this thread.
    """

    config: Config
    store: Store
    writer: Writer
    games: Mapping[str, Game[Any]]  # Any: each game has a state class of its own
    clock: Clock
    fresh: FreshBytes
    pins: Pins
    meter: CpuMeter
    tasks: Tasks
    version: str
    public_url: str


@cache
def program_version() -> str:
    """The version of this program, as it was installed."""
    try:
        return metadata.version("bluebear")
    except metadata.PackageNotFoundError:
        return "0"
