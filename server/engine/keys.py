"""The short keys of a game's views: the names that its room and its state declare.

They follow from the schemas of both, so they are the same on every start, and whatever changes them
changes the body of the `game` message that carries them, and with it its hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from bluebear.protocol import Keys
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped
from bluebear.server.room.state import TABLE

_BELOW = ("additionalProperties", "items")
_EACH_BELOW = ("prefixItems", "oneOf")


@lru_cache
def keys_of(game: Game[Any]) -> Keys:  # Any: each game has a state class of its own
    """The table of a game; a name that stands in several places has one number."""
    schemas = (game.tree.view_schema(), TABLE.view_schema())
    names = (name for schema in schemas for name in _names(schema))
    return Keys(list(dict.fromkeys(("room", "game", *names))))


def _names(schema: Shaped) -> Iterator[str]:
    """The properties that a schema names, from the root on."""
    for name, below in schema.get("properties", {}).items():
        yield name
        yield from _names(below)
    for key in _BELOW:
        if isinstance(schema.get(key), dict):
            yield from _names(schema[key])
    for key in _EACH_BELOW:
        for below in schema.get(key, ()):
            yield from _names(below)
