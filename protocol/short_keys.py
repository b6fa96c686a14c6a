"""Short keys: small numbers for the keys of views, in msgpack, for clients that request `short`.

A `Keys` is the table of one game: the keys that its views may have, in the order that the server
sends as `keys` in the body of the `game` message. Key n of the table becomes the number n. A key
that is a decimal number (a seat, a site) up to `NUMBER_MAX` becomes -1 less that number. Other keys
stay strings, so every tree can be encoded without ambiguity. `ReceivedKeys` is the client's side:
it restores the keys in the messages of one connection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

NUMBER_MAX: Final = 127
"""The largest decimal key that is sent as a number: two bytes at most."""

KEYS_MAX: Final = 256
"""The most keys of a table: two bytes each at most. Further keys stay strings."""

_NUMBERS: Final[Mapping[str, int]] = {str(number): -1 - number for number in range(NUMBER_MAX + 1)}
_TEXTS: Final[Mapping[int, str]] = {short: text for text, short in _NUMBERS.items()}

_TREES: Final = frozenset((dict, list, tuple))
"""The types of values that may have keys in them."""

_Any = Any  # Any: a decoded tree that is not checked yet


class Keys:
    """The key table of one game.

    >>> keys = Keys(["room", "turn"])
    >>> keys.shortened({"room": {"turn": [2], "12": True, "x": 1}})
    {0: {1: [2], -13: True, 'x': 1}}
    >>> keys.readable({0: {1: [2], -13: True, 'x': 1}})
    {'room': {'turn': [2], '12': True, 'x': 1}}
    """

    __slots__ = ("_numbers", "_texts", "names")

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)[:KEYS_MAX]
        self._numbers = {**{name: n for n, name in enumerate(self.names)}, **_NUMBERS}
        self._texts: dict[int, str] = {**dict(enumerate(self.names)), **_TEXTS}

    def shortened(self, tree: _Any) -> _Any:
        """A tree with numbers for its keys; the same array if it has no objects."""
        if type(tree) is not dict:
            for item in tree:
                if type(item) in _TREES:
                    return [self.shortened(e) if type(e) in _TREES else e for e in tree]
            return tree
        # A comprehension would be a call of its own, in the hot path of every update.
        numbers, made = self._numbers, {}
        for key, value in tree.items():
            made[numbers.get(key, key)] = self.shortened(value) if type(value) in _TREES else value
        return made

    def readable(self, tree: _Any) -> _Any:
        """The inverse of `shortened`. LookupError for a number without a key, or a key twice."""
        if type(tree) is dict:
            made = {
                key if type(key) is str else self._texts[key]: self.readable(value)
                if type(value) is dict or type(value) is list
                else value
                for key, value in tree.items()
            }
            if len(made) != len(tree):
                raise LookupError("a key twice")
            return made
        if type(tree) is list:
            return [
                self.readable(item) if type(item) is dict or type(item) is list else item
                for item in tree
            ]
        return tree


class ReceivedKeys:
    """The key tables that a server has sent on one connection. Owned by the client's connection."""

    def __init__(self) -> None:
        self._by_hash: dict[str, Keys] = {}
        self._by_room: dict[int, Keys] = {}

    def readable(self, tree: _Any) -> _Any:
        """A message's tree with its keys as strings. LookupError for a number without a key."""
        if type(tree) is list:
            self._read(tree, (3, 4), self._of_update(tree))
        elif type(tree) is dict:
            kind = tree.get("type")
            if kind == "game":
                self._learn(tree)
            elif kind == "room":
                self._read(tree, ("view",), self._of_room(tree))
        return tree

    def _read(self, tree: _Any, fields: tuple[_Any, ...], keys: Keys | None) -> None:
        if keys is not None:
            for field in fields:
                if field in tree if type(tree) is dict else field < len(tree):
                    tree[field] = keys.readable(tree[field])

    def _of_update(self, tree: list[_Any]) -> Keys | None:
        is_update = len(tree) > 1 and tree[0] == _UPDATE and type(tree[1]) is int
        return self._by_room.get(tree[1]) if is_update else None

    def _of_room(self, tree: dict[_Any, _Any]) -> Keys | None:
        named, number = tree.get("hash"), tree.get("room")
        keys = self._by_hash.get(named) if type(named) is str else None
        if type(number) is int:
            self._by_room.pop(number, None)
            if keys is not None:
                self._by_room[number] = keys
        return keys

    def _learn(self, tree: dict[_Any, _Any]) -> None:
        named, body = tree.get("hash"), tree.get("body")
        names = body.get("keys") if type(body) is dict else None
        if type(named) is str and type(names) is list and all(type(n) is str for n in names):
            self._by_hash[named] = Keys(names)


_UPDATE: Final = 2
"""The number at the head of an update."""
