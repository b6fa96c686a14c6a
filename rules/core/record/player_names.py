"""Names of people and house bots, in records and at the table."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.visibility import Seat

HOUSE_BOT_PREFIX: Final = "@"
"""The prefix of house bot names at the table."""
RECORDED_BOT: Final = "bot:"
"""The prefix of house bot names in records."""


def house_bot_name(strategy: str, seat: Seat) -> str:
    """The name of a house bot at the table.

    >>> house_bot_name("club", Seat(2))
    '@club2'
    """
    return f"{HOUSE_BOT_PREFIX}{strategy}{seat}"


def recorded_name(joined: str, seat: Seat) -> str:
    """The name at the table of a player whose name in the record is `joined`.

    >>> recorded_name("bot:club", Seat(2)), recorded_name("Ayu", Seat(1))
    ('@club2', 'Ayu')
    """
    if joined.startswith(RECORDED_BOT):
        return house_bot_name(joined.removeprefix(RECORDED_BOT), seat)
    return joined
