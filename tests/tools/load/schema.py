"""Messages made from the protocol's published schema: right ones, and ones it forbids."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgpack

from bluebear.protocol import Codec

_SCHEMA: Final[dict[str, Any]] = json.loads(  # Any: a schema is a tree
    (Path(__file__).parents[3] / "docs" / "protocol.schema.json").read_text(encoding="utf-8")
)["$defs"]
CLIENT: Final = ("Hello", "Say", "Ask", "Sync")
SERVER: Final = tuple(name for name in _SCHEMA if name[0].isupper() and name not in CLIENT)

LINES: Final = (
    "/newroom duel", "/join", "/start", "/bot random", "/help", "/who", "/info", "/board", "/leave",
    "/room 123456", "/nick Мария", "/nick admin", "/record g1", "hello", ";Ayu psst", "/undo",
    "/option clock 60+5", "/option pass word secret", "/invite", "/votes", "/lang ja", "/", "",
)  # fmt: skip
NUMBERS: Final = (0, -1, 1, 2**31, 2**53, 2**63 - 1, -(2**63), 10**30, 0.5, -0.0, 1e308)
STRANGE: Final[tuple[object, ...]] = (
    None, True, False, "", "x" * 3000, "\x00", "\u202e", "\ud83d\ude00", "𝕏" * 200, [], {}, [[]],
    {"type": "say"}, b"\xff", [None] * 50, "ﷺ" * 490,
)  # fmt: skip

Tree = Any
"""A message as a tree, or what should be one."""


class Maker:
    """Makes messages by a seed; owned by one sender."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._number = 0
        self._breaks: Sequence[Callable[[dict[str, Tree]], Tree]] = (
            self._other_type, self._huge_number, self._deep, self._one_more, self._one_less,
            self._other_kind, self._no_message, self._strange_value, self._too_long,
        )  # fmt: skip

    def right(self, kind: str) -> dict[str, Tree]:
        """A message that fits the schema."""
        made: dict[str, Tree] = {}
        shape = _SCHEMA[kind]
        for name, field in shape["properties"].items():
            if name in shape.get("required", ()) or self._chance.random() < 0.4:
                made[name] = self._value(name, field)
        made["type"] = kind.lower()
        return made

    def wrong(self) -> Tree:
        """A message that is wrong in one or two places, or comes from the wrong side."""
        made: Tree = self.right(self._chance.choice(CLIENT))
        for _ in range(self._chance.choice((1, 1, 2))):
            if isinstance(made, dict) and made:
                made = self._chance.choice(self._breaks)(made)
        return made

    def frame(self, codec: Codec, tree: Tree) -> bytes:
        """The tree as a frame; of a text codec sometimes with a key twice, or no end."""
        if codec.text:
            text = json.dumps(
                tree, ensure_ascii=self._chance.random() < 0.5, default=lambda data: data.hex()
            )
            cut = self._chance.random()
            if cut < 0.05:
                text = text[: self._chance.randint(0, len(text))]
            elif cut < 0.08 and text.startswith("{"):
                text = '{"type":"say",' + text[1:]
            return text.encode("utf-8", "replace")
        try:
            data = bytes(msgpack.packb(tree))
        except (OverflowError, ValueError):
            return bytes(msgpack.packb(str(tree)))
        if self._chance.random() < 0.05:
            return data[: self._chance.randint(0, len(data))]
        return data

    def _value(self, name: str, field: dict[str, Any]) -> Tree:
        chance = self._chance
        if "$ref" in field:
            return self._value(name, _SCHEMA[field["$ref"].rpartition("/")[2]])
        if "const" in field:
            return field["const"]
        if "enum" in field:
            return chance.choice(field["enum"])
        if "anyOf" in field:
            return self._value(name, chance.choice(field["anyOf"]))
        match field.get("type"):
            case "string":
                return self._text(name)
            case "integer":
                low, high = field.get("minimum", 0), field.get("maximum", 9)
                return chance.choice((low, min(low + 1, high), min(low + 2, high), high))
            case "boolean":
                return chance.random() < 0.5
            case "array" if "prefixItems" in field:
                return [self._value(name, each) for each in field["prefixItems"]]
            case "array":
                some = max(field.get("minItems", 0), chance.randrange(3))
                return [self._value(name, field["items"]) for _ in range(some)]
            case "object":
                more = field.get("additionalProperties", {})
                return {"text": self._value(name, more)} if more else {}
            case _:
                return None

    def _text(self, name: str) -> str:
        self._number += 1
        if name == "id":
            return f"h{self._number}"
        if name == "text":
            return self._chance.choice(LINES)
        return f"{name}{self._chance.randrange(1000)}"

    def _key(self, made: dict[str, Tree]) -> str:
        return self._chance.choice(list(made))

    def _other_type(self, made: dict[str, Tree]) -> Tree:
        return {**made, self._key(made): self._chance.choice((7, "x", [1], {"a": 1}, True, None))}

    def _huge_number(self, made: dict[str, Tree]) -> Tree:
        return {**made, self._key(made): self._chance.choice(NUMBERS)}

    def _deep(self, made: dict[str, Tree]) -> Tree:
        deep: Tree = []
        for _ in range(self._chance.choice((3, 20, 200, 400))):
            deep = [deep] if self._chance.random() < 0.5 else {"a": deep}
        return {**made, self._key(made): deep}

    def _one_more(self, made: dict[str, Tree]) -> Tree:
        name = self._chance.choice(("more", "", "__proto__", "constructor", "type ", "x" * 500))
        return {**made, name: 1}

    def _one_less(self, made: dict[str, Tree]) -> Tree:
        lost = self._key(made)
        return {name: value for name, value in made.items() if name != lost}

    def _other_kind(self, made: dict[str, Tree]) -> Tree:
        kind = self._chance.choice((*SERVER, "Dance", "", *CLIENT))
        return {**made, "type": kind.lower()}

    def _no_message(self, made: dict[str, Tree]) -> Tree:
        return self._chance.choice((list(made.values()), 7, "say", None, [], [made] * 3))

    def _strange_value(self, made: dict[str, Tree]) -> Tree:
        return {**made, self._key(made): self._chance.choice(STRANGE)}

    def _too_long(self, made: dict[str, Tree]) -> Tree:
        return {**made, self._key(made): "y" * self._chance.choice((33, 501, 2001, 9000))}
