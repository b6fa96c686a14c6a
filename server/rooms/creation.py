"""The number of a room that is made, and the facts of its first entry."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import NewRoom
from bluebear.server.journal import JournalError, Json, Store, StreamId
from bluebear.server.room.creation import Pins, new_game_facts
from bluebear.server.rooms.members import MemberConnection

_NUMBERS: Final = 900_000
_FIRST_NUMBER: Final = 100_000
_NUMBER_TRIES: Final = 64
"""Random numbers tried before the server counts as full: it is, where so many are taken."""


async def free_number(in_memory: Container[str], store: Store, fresh: bytes) -> str:
    """Six digits that no room ever had; random, so that rooms are not found by counting.

    Raises NotAllowed: not_saved, full_server.
    """
    start = int.from_bytes(fresh[-8:], "big")
    for step in range(_NUMBER_TRIES):
        number = str(_FIRST_NUMBER + (start + step * 7919) % _NUMBERS)
        try:
            free = number not in in_memory and await store.room(StreamId(number)) is None
        except JournalError as problem:
            raise NotAllowed("not_saved") from problem
        # Looked at again: another room may have taken it while the disk was asked.
        if free and number not in in_memory:
            return number
    raise NotAllowed("full_server")


def making_facts(
    client: MemberConnection, act: NewRoom, fresh: bytes, hashed: str, pins: Pins
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
