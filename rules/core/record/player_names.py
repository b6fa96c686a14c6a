"""What people and house bots are called: in a record, and at the table."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.visibility import Seat

HOUSE_PREFIX: Final = "@"
"""What stands before a house bot's name at the table."""
RECORDED_BOT: Final = "bot:"
"""What stands before a house bot's name in records."""


def house_name(strategy: str, seat: Seat) -> str:
    """What a house bot is called.

    >>> house_name("club", Seat(2))
    '@club2'
    """
    return f"{HOUSE_PREFIX}{strategy}{seat}"


def recorded_name(joined: str, seat: Seat) -> str:
    """What somebody is called at the table who stands in a record as `joined`.

    >>> recorded_name("bot:club", Seat(2)), recorded_name("Ayu", Seat(1))
    ('@club2', 'Ayu')
    """
    if joined.startswith(RECORDED_BOT):
        return house_name(joined.removeprefix(RECORDED_BOT), seat)
    return joined
