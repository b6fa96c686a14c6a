"""What people do in squalls besides playing: accounts, lists, wishes, looking back, operating.

Most of it is refused most of the time; what matters is that a server may die in the middle of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from unittest import mock

from argon2 import PasswordHasher

from bluebear.protocol import QueryKind
from bluebear.server.people import passwords

_PASSWORD: Final = "swordfish9"
ENTRY: Final = "open sesame"
"""What a server that asks for a password lets newcomers in by."""
REGISTER: Final = f"/register {_PASSWORD}"

OF_A_PERSON: Final = (
    REGISTER, f"/login {{other}} {_PASSWORD}", "/login {other} wrong word",
    "/token Tool", "/token", "/tokens", "/revoke Tool", "/nick {self}9",
    "/friends {other}", "/block {other}", "/watch {other}", "/friends", "/mute {other}",
    "/wish duel", "/wish yes", "/wishes", "/unwish", "/vacation 1", "/vacation off",
    "/notify https://example.org/turn", "/notify off", "/stats", "/stats {other}", "/top duel",
)  # fmt: skip
"""What is kept with a person, or looked up for one."""
OF_A_ROOM: Final = (
    "/history", "/history 1", "/record", "/replay", "/recap", "/minutes", "/fork {game} 1",
    "/invite {other}", "/uninvite all", "/kick {other}", "/password swordfish", "/password off",
    "/fork {past} 1", "/fork {past} 2", "/record {past}", "/replay {past}", "/analyse {past}",
    "/peek {other}", "/allowpeek {other}", "/hint", "/bots", "/nudge", "/shout hm",
)  # fmt: skip
"""What a room is asked for, or what its host does."""
OF_A_LOBBY: Final = (
    "/listroom", "/listfree duel", "/myrooms", "/wwho", "/whereis {other}", "/hook {other}",
    "/tell {other} psst", "/tell Nobody psst", "/help wish", "/rules duel", "/away", "/gameyell hm",
)  # fmt: skip
"""What is looked up."""
OF_AN_OPERATOR: Final = (
    "/announce hm", "/audit", "/serverstats", "/saveall", "/silence {other} 1", "/lockdown off",
    "/backup",
)  # fmt: skip
"""Refused, unless the server's administrator has made the person an operator."""

HEADS: Final = tuple(
    dict.fromkeys(
        line.split()[0] for line in (*OF_A_PERSON, *OF_A_ROOM, *OF_A_LOBBY, *OF_AN_OPERATOR)
    )
)
"""Lines whose `done` need not stand in the room where they were said."""

QUESTIONS: Final[tuple[tuple[QueryKind, dict[str, str | int]], ...]] = (
    ("catalogue", {}),
    ("complete", {"text": "/tell A"}),
    ("query", {"text": "/who"}),
    ("game", {"key": "duel"}),
    ("history", {}),
    ("record", {}),
    ("replay", {"first": 0}),
    ("undo", {}),
    ("rooms", {}),
    ("lobby", {}),
)


GARBAGE: Final = (
    b"",
    b"\xc1",
    b"{",
    b'{"type":"say"}',
    b'{"type":"dance","id":"x"}',
    b'{"type":"sync","room":99}',
    b"[1,2,3]",
    b"\x93\x01\xa1x\xa1y",
)
"""Frames that are none."""


def background_action(chance: random.Random, *, name: str, other: str, game: str, past: str) -> str:
    """A line. `game` goes on, `past` is over: their ids."""
    lines = chance.choice((OF_A_PERSON, OF_A_PERSON, OF_A_ROOM, OF_A_LOBBY, OF_AN_OPERATOR))
    given = chance.choice(lines)
    registered = {"{self}": name, "{other}": other, "{game}": game, "{past}": past}
    for slot, term in registered.items():
        given = given.replace(slot, term)
    return given


def entry_hash() -> str:
    """The hash of what newcomers are asked for; while hashes are cheap."""
    return passwords._HASHER.hash(ENTRY)


@contextmanager
def cheap_passwords() -> Iterator[None]:
    """Hashes that cost next to nothing: what they are good for is tried elsewhere."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with mock.patch.object(passwords, "_HASHER", cheap):
        yield
