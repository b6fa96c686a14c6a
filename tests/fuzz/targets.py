"""All doors that are fuzzed, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bluebear.protocol.codec import JSON, MSGPACK
from tests.fuzz.frames import frame_targets
from tests.fuzz.lines import line_target
from tests.fuzz.records import entry_target, record_target, snapshot_target
from tests.fuzz.server_socket import http_target, talk_target
from tests.fuzz.target import Target
from tests.server.commands.fixtures import GAMES

TARGETS: Final[Mapping[str, Target]] = {
    target.name: target
    for target in (
        *frame_targets(),
        http_target(),
        talk_target(JSON),
        talk_target(MSGPACK),
        *(line_target(key) for key in GAMES),
        record_target(),
        entry_target(),
        snapshot_target(),
    )
}
