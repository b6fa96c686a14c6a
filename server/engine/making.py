"""The facts of the entry that makes a room."""

from __future__ import annotations

from bluebear.server.commands.acts import NewRoom
from bluebear.server.engine.client import Client
from bluebear.server.journal import Json
from bluebear.server.room.making import new_game_facts
from bluebear.server.room.pins import Pins


def making_facts(
    client: Client, act: NewRoom, fresh: bytes, hashed: str, pins: Pins
) -> dict[str, Json]:
    """What the entry says of its maker, the first game and its chance; `hashed` is the password."""
    facts: dict[str, Json] = {
        **new_game_facts(fresh),
        "name": client.name,
        "kind": "human" if client.speaker.human else "bot",
    }
    if hashed:
        facts["hash"] = hashed
    pinned = pins.of(act.game)
    if pinned:
        facts["options"] = dict(pinned)
    if act.fork:
        facts.update(fork=act.fork, guests=dict(act.guests))
    return facts
