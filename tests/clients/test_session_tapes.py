"""Does the session do what the tapes of storms say? The page's session is held to the same ones.

`python -m tests.sim.twins SEED --record` writes a tape.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import pytest

from bluebear.clients.sdk.session import ClientSession
from bluebear.clients.transport.errors import HelloRefused
from bluebear.protocol import JSON, Hello
from tests.sim.simulated_clients import Ids
from tests.sim.twins import TAPES, Plain, Tape

FILES: Final = sorted(TAPES.glob("*.jsonl.gz"))


def played(lines: Sequence[Plain]) -> list[Plain]:
    """The inputs of a tape to new sessions: what these lead to."""
    tape = Tape()
    sessions: dict[int, tuple[ClientSession, Ids]] = {}
    for line in lines:
        if line["do"] == "new":
            ids = Ids(base64.urlsafe_b64decode(line["prefix"]))
            hello = JSON.decode_client(json.dumps(line["hello"]))
            assert isinstance(hello, Hello)
            sessions[line["session"]] = tape.session(hello, ids), ids
        session, ids = sessions[line["session"]]
        while ids.count < line["taken"]:
            next(ids)
        match line["do"]:
            case "connect":
                session.connect(line.get("token"))
            case "say":
                session.say(line["text"], room=line.get("room"), at=line.get("at"))
            case "go_on":
                session.go_on()
            case "new":
                pass
            case _:
                with suppress(HelloRefused):
                    session.receive(JSON.decode_server(json.dumps(line["message"])))
    return tape.lines


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_a_tape(file: object) -> None:
    text = gzip.decompress((TAPES / str(file)).read_bytes()).decode()
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) > 100
    assert played(lines) == lines
