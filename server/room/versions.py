"""By which version of its rules a room plays: the one with which its game has begun."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bluebear.rules.core.game import Game
from bluebear.server.room.state import Room

AnyGame = Game[Any]  # Any: each game, and each version of one, has a state class of its own
Games = Mapping[str, AnyGame]


def game_of(games: Games, room: Room) -> AnyGame | None:
    """The rules by which a room plays; None if the server does not have them."""
    return version_of(games, room.table.game, None if room.head is None else room.head.rules)


def shown_by(games: Games, room: Room) -> AnyGame | None:
    """The rules by which a room is shown: its own, or the newest, which may be able to."""
    return game_of(games, room) or games.get(room.table.game)


def version_of(games: Games, key: str, rules: int | None) -> AnyGame | None:
    """A game by the rules of a number (None: the newest), if the server has them."""
    found = games.get(key)
    return found if found is None or rules is None else found.for_rules_version(rules)
