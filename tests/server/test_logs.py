"""Nothing secret is in the logs of a real server, whatever people type, and however it fails."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bluebear.clients.sdk import Client, HelloRefused
from bluebear.server.runtime import token_hash
from tests.tools.servers import ServerProcess

TALK = "the treasure lies under the oak"
PASSWORD = "swordfish-and-chips"
FAULTS = "store.before_commit:4:raise,store.before_commit:6:raise"


@pytest.mark.slow_loop
async def test_an_evening_leaves_nothing_secret_in_the_log(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    await server.start(faults=FAULTS)
    secrets = [TALK, PASSWORD]
    async with (
        Client(server.url, name="Ayu", bot=True) as ayu,
        Client(server.url, name="Ben", bot=True) as ben,
    ):
        await ayu.say("/newroom tokai private")
        room = next(iter(ayu.mirror.rooms))
        for line in (
            TALK,
            f"/password {PASSWORD}",
            f"/passwrod {PASSWORD}",
            "/invite",
            f"/w Ben {TALK}",
            f"@Ben {TALK}",
            "/join seed=00112233445566778899aabbccddeeff",
            f"/nick {TALK}",
            f"/option secret {PASSWORD}",
            "/record nothing",
        ):
            await ayu.say(line, room=room)
        await ben.say(f"/room {room} {PASSWORD}x")
        await ben.say(f"/r/{PASSWORD}")
        for client in (ayu, ben):
            assert client.token
            secrets.append(client.token)
        invites = re.findall(r"/r/(\S+)", repr(ayu.mirror))
        secrets += invites
    forged = "f0f1f2f3f4f5f6f7" * 2
    with pytest.raises(HelloRefused):
        async with Client(server.url, token=forged):
            pass
    await server.kill()
    await server.start()
    await server.stop()

    log = server.log.read_text(encoding="utf-8")
    assert "entry not saved" in log, "something went wrong, and was logged"
    for secret in [*secrets, forged, *map(token_hash, secrets)]:
        assert secret not in log
    for line in log.splitlines():
        data = json.loads(line)
        assert {"at", "level", "what"} <= data.keys()
